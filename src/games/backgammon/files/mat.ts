import { present } from "../../../kernel/assert.ts";
import { ok, type Rejection, type Result, reject } from "../../../kernel/result.ts";
import type { Seat } from "../../../kernel/seat.ts";
import { BLACK, type BySeat, WHITE } from "../state.ts";
import { type MatHeader, matHeader } from "./mat-header.ts";
import { type MatEntry, matLine } from "./mat-line.ts";
import type { FileGame, FileRoll, FileStart, MatchFile } from "./record.ts";
import {
  addAnswer,
  addPlay,
  addRaise,
  endingOf,
  FILE_GAMES_MAX,
  FILE_LENGTH_MAX,
  type FileTable,
  fileTable,
  type SaidEnd,
  usualStart,
} from "./table.ts";

/*
 * Jellyfish match text, .mat, as GNU Backgammon 1.07 and eXtreme Gammon write it. Nobody defined it: two
 * columns, left for white and right for black, in which the turns alternate. What a line says by itself is
 * in mat-line.ts; here the lines become games.
 */

/** The longest line of the players that is read. */
const LINE_MAX = 1000;

/**
 * Reads a .mat. Generous in layout: line ends, byte order mark, columns, tabs, `25` or `bar`, `0` or `off`,
 * hits marked or not, `(2)` or repeats, chains, either die first, `point` or `points`, `Cannot Move`. Strict
 * in meaning: a line that is not understood, or cannot follow the lines before, is refused with its number.
 *
 * A game that stops with `Wins N points` where board and cube do not explain it was resigned. The doubler's
 * roll after a beaver takes it. In a money session a first `Doubles => 4` says that the cube was at 2
 * before, by automatic doubles. Of the headers `; [Key "Value"]` those in mat-header.ts are read.
 *
 * @returns what the file says; or `file-not-readable` with the `line`, from 1, and the `reason`
 */
export const parseMat = (text: string): Result<MatchFile, Rejection<"file-not-readable">> => {
  if (text.length > FILE_LENGTH_MAX) return refuse({ line: 1, reason: "too-long" });
  const reading: Reading = { headers: new Map(), line: 0, games: [] };
  for (const line of text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/)) {
    reading.line++;
    const fault = readLine(reading, line.replace("\x1A", ""));
    if (fault !== undefined) return refuse(fault);
  }
  const fault = closeGame(reading);
  if (fault !== undefined) return refuse(fault);
  const { match, players, games } = reading;
  if (match === undefined || players === undefined)
    return refuse({ line: reading.line, reason: "no-game" });
  const { length, variant, rules, about } = match;
  return ok({ players, length, variant, rules, about, games });
};

interface Fault {
  readonly line: number;
  readonly reason: string;
}

const refuse = ({ line, reason }: Fault) => reject("file-not-readable", { line, reason });

/** What has been read so far. The headers count until the line that says the length. */
interface Reading {
  readonly headers: Map<string, { readonly value: string; readonly line: number }>;
  line: number;
  match?: MatHeader & { readonly length: number };
  players?: BySeat<string>;
  readonly games: FileGame[];
  game?: "announced" | Game;
}

interface Game {
  readonly score: BySeat<number>;
  /** What begins from here on stands in the right column. */
  readonly middle: number;
  start?: FileStart;
  table: FileTable;
  said?: SaidEnd;
  /** The last line that acted, for what turns out at the end. */
  lastLine: number;
  rolled?: FileRoll;
  isResigned: boolean;
}

const readLine = (reading: Reading, text: string): Fault | undefined => {
  const fault = (reason: string): Fault => ({ line: reading.line, reason });
  const line = matLine(text);
  if (reading.game === "announced" && line.kind !== "blank" && line.kind !== "header")
    return openGame(reading, text);
  switch (line.kind) {
    case "blank":
      return undefined;
    case "header":
      reading.headers.set(line.key, { value: line.value, line: reading.line });
      return undefined;
    case "length": {
      if (reading.match !== undefined) return fault("second-match");
      const header = matHeader(reading.headers);
      if ("reason" in header) return header;
      reading.match = { ...header, length: line.points };
      return undefined;
    }
    case "game": {
      if (reading.match === undefined) return fault("match-length-missing");
      const closed = closeGame(reading);
      if (reading.games.length === FILE_GAMES_MAX) return fault("too-many-games");
      reading.game = "announced";
      return closed;
    }
    case "entries":
      for (const [index, entry] of line.entries.entries()) {
        const reason = enter(reading, entry, line.entries.length > 1 ? index : undefined);
        if (reason !== undefined) return fault(reason);
      }
      return undefined;
    default:
      return fault("line-not-understood");
  }
};

/** The line with the players and their points before the game. */
const openGame = (reading: Reading, text: string): Fault | undefined => {
  const fault = (reason: string): Fault => ({ line: reading.line, reason });
  const match = present(reading.match, "a game is announced in a match");
  const scored = scoreLines(text);
  if (scored.length === 0) return fault("players-not-understood");
  const known = reading.players ?? match.players;
  const isKnown = ({ names }: ScoreLine) => names.every((name, seat) => name === known[seat]);
  const isApart = ({ gap }: ScoreLine) => gap > 1;
  const likely = [scored.filter(isKnown), scored, scored.filter(isApart)];
  const found = likely.find((lines) => lines.length === 1)?.[0];
  if (found === undefined) return fault("players-ambiguous");
  if (reading.players !== undefined && !isKnown(found)) return fault("other-players");
  reading.players = found.names;
  reading.game = {
    score: found.score,
    middle: found.rightColumn / 2 + 3,
    table: fileTable(usualStart(match.variant)),
    lastLine: reading.line,
    isResigned: false,
  };
  return undefined;
};

interface ScoreLine {
  readonly names: BySeat<string>;
  readonly score: BySeat<number>;
  readonly rightColumn: number;
  /** Spaces between the left score and the right name. */
  readonly gap: number;
}

/** The ways to read `name : points   name : points`: more than one where a name has a colon and a number. */
const scoreLines = (text: string): readonly ScoreLine[] => {
  const line = text.trimEnd().replaceAll("\t", "        ");
  const black = /:\s*(\d{1,5})$/.exec(line);
  if (black === null || line.length > LINE_MAX) return [];
  const before = line.slice(0, black.index);
  return [...before.matchAll(/:\s*(\d{1,5})(\s+)/g)].map((white) => {
    const rightColumn = white.index + white[0].length;
    return {
      names: [before.slice(0, white.index).trim(), before.slice(rightColumn).trim()],
      score: [Number(white[1]), Number(black[1])],
      rightColumn,
      gap: white[2]?.length ?? 0,
    };
  });
};

/** What an entry does to the open game, or why it cannot. `order`: 0 or more where others share its line. */
const enter = (
  reading: Reading,
  entry: MatEntry,
  order: number | undefined,
): string | undefined => {
  const { game, match } = reading;
  if (game === undefined || game === "announced" || match === undefined) return "not-in-a-game";
  if (game.said !== undefined) return "game-over";
  const isRight =
    entry.kind === "win" || order === undefined ? entry.column >= game.middle : order > 0;
  const seat = isRight ? BLACK : WHITE;
  if (entry.kind === "win") {
    if (entry.points === 0) return "no-points";
    game.said = { winner: seat, points: entry.points };
    return undefined;
  }
  if (game.isResigned) return "game-over";
  game.lastLine = reading.line;
  switch (entry.kind) {
    case "play":
      return addPlay(game.table, seat, entry.dice, entry.hops);
    case "raise":
      return raised(game, match, seat, entry.value);
    case "take":
    case "pass":
      return addAnswer(game.table, seat, entry.kind);
    default:
      game.isResigned = true;
      if (entry.dice !== undefined) game.rolled = { seat, dice: entry.dice };
      return undefined;
  }
};

const raised = (
  game: Game,
  match: MatHeader & { readonly length: number },
  seat: Seat,
  value: number | undefined,
): string | undefined => {
  const { table } = game;
  const isFirst = table.cube === 1;
  const misfit = addRaise(table, seat);
  if (misfit !== undefined || value === undefined || value === table.cube) return misfit;
  // Automatic doubles leave no other trace.
  if (!isFirst || match.length > 0 || value <= 2 || !Number.isInteger(Math.log2(value)))
    return "cube-value";
  const usual = usualStart(match.variant);
  game.start = { ...usual, cube: { value: value / 2, owner: null } };
  table.cube = value;
  return undefined;
};

const closeGame = (reading: Reading): Fault | undefined => {
  const { game } = reading;
  if (game === undefined) return undefined;
  if (game === "announced") return { line: reading.line, reason: "players-not-understood" };
  const { table, said, score, start } = game;
  const fault = (reason: string): Fault => ({ line: game.lastLine, reason });
  if (game.isResigned && said === undefined) return fault("resigned-without-points");
  const ending = endingOf(table, said, game.rolled);
  if (typeof ending === "string") return fault(ending);
  const set = start === undefined ? {} : { start };
  reading.games.push({ score, ...set, actions: table.actions, ...ending });
  delete reading.game;
  return undefined;
};
