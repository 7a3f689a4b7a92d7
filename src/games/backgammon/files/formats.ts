import type { Rejection, Result } from "../../../kernel/result.ts";
import { ok } from "../../../kernel/result.ts";
import type { FileFormat, GameFiles } from "../../host.ts";
import type { Event } from "../event.ts";
import type { Options } from "../options.ts";
import { parseMat } from "./mat.ts";
import { printMat } from "./mat-print.ts";
import type { MatchFile } from "./record.ts";
import { recorded } from "./recorded.ts";
import { replayed } from "./replay.ts";
import { parseSgf } from "./sgf.ts";
import { printSgf } from "./sgf-print.ts";

interface Format {
  readonly parse: (text: string) => Result<MatchFile, Rejection<"file-not-readable">>;
  readonly print: (file: MatchFile) => Result<string, Rejection<"file-cannot-say">>;
}

const FORMATS: Readonly<Record<FileFormat, Format>> = {
  mat: { parse: parseMat, print: printMat },
  sgf: { parse: parseSgf, print: printSgf },
};

/** Backgammon's files: Jellyfish match text (`.mat`) and SGF `GM[6]`. */
export const backgammonFiles: GameFiles<Options, Event> = {
  read: (format, text) => {
    const file = FORMATS[format].parse(text);
    if (!file.ok) return file;
    const match = replayed(file.value);
    if (!match.ok) return match;
    const { variant, players } = file.value;
    return ok({ variant, players, ...match.value });
  },
  write: (format, { options, players, date, events }) => {
    const [white = "", black = ""] = players;
    const file = recorded(options, events, { players: [white, black], about: { date } });
    return format === "json" ? ok(JSON.stringify(file)) : FORMATS[format].print(file);
  },
};
