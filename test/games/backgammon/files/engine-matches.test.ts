import { describe, expect, it } from "vitest";
import { eventLine, isProtocolType, loggedOptions } from "../../../../src/application/table.ts";
import type { Event } from "../../../../src/games/backgammon/event.ts";
import { parseMat } from "../../../../src/games/backgammon/files/mat.ts";
import { printMat } from "../../../../src/games/backgammon/files/mat-print.ts";
import type { MatchFile } from "../../../../src/games/backgammon/files/record.ts";
import { recorded } from "../../../../src/games/backgammon/files/recorded.ts";
import { replayed } from "../../../../src/games/backgammon/files/replay.ts";
import { parseSgf } from "../../../../src/games/backgammon/files/sgf.ts";
import { printSgf } from "../../../../src/games/backgammon/files/sgf-print.ts";
import { hostedBackgammon } from "../../../../src/games/backgammon/hosted.ts";
import type { Options } from "../../../../src/games/backgammon/options.ts";
import { WHITE } from "../../../../src/games/backgammon/state.ts";
import { assert, present } from "../../../../src/kernel/assert.ts";
import type { Json, JsonObject } from "../../../../src/kernel/json.ts";
import { playedMatch } from "../../../support/played-match.ts";
import { hasGnubg, needsGnubg } from "../support/gnubg.ts";
import { readByGnubg } from "../support/gnubg-files.ts";
import type { GnubgMatch } from "../support/golden-matches.ts";
import { fileOf, textOf } from "../support/golden-matches.ts";

/*
 * Matches of our engines, as files: GNU Backgammon reads the dice, moves and results that were played, and we
 * read our own files back. Where it is not there, only the second is shown.
 */

const MATCHES = 20;

/** Seats and options of the nth match. A random engine doubles, takes and passes by chance. */
const planOf = (nth: number): { readonly seats: readonly string[]; readonly options: Json } => ({
  seats:
    [
      ["random", "random"],
      ["heuristic", "random"],
      ["heuristic", "heuristic"],
      ["random", "heuristic"],
    ][nth % 4] ?? [],
  options: { length: [1, 3, 5, 7][Math.floor(nth / 4) % 4] ?? 3 },
});

const matchOf = async (nth: number): Promise<MatchFile> => {
  const plan = { game: hostedBackgammon, variant: "standard", seed: `file ${nth}`, ...planOf(nth) };
  const { lines } = await playedMatch(plan);
  const bodies = lines.map((line) => JSON.parse(line) as JsonObject);
  const options = loggedOptions(hostedBackgammon, present(bodies[0], "line 0"));
  const events = bodies
    .map(eventLine)
    .filter(({ type }) => !isProtocolType(type))
    .map((line) => hostedBackgammon.join(line, undefined) as unknown as Event);
  return recorded(options as unknown as Options, events, {
    players: ["anna", "boris"],
    about: { date: "2026-11-30" },
  });
};

const files = await Promise.all(Array.from({ length: MATCHES }, (_, nth) => matchOf(nth)));

const ACTIONS = { play: "move", double: "double", take: "take", pass: "drop" } as const;

/** What was done, as the program names it: player, action, dice, and moves in one order. */
const doneIn = (file: MatchFile) =>
  file.games.map(({ actions, end }) => ({
    points: end?.points,
    winner: end === undefined ? "" : end.winner === WHITE ? "X" : "O",
    actions: actions.map((action) => {
      assert(action.type !== "beaver" && action.type !== "raccoon", "a match has none");
      const player = action.seat === WHITE ? "X" : "O";
      if (action.type !== "play") return `${player} ${ACTIONS[action.type]}`;
      const moves = action.moves.map(({ from, to }) => `${from}/${to}`).sort();
      return `${player} ${action.dice.join("")} ${moves.join(" ")}`;
    }),
  }));

const readAs = ({ games }: GnubgMatch) =>
  games.map(({ info, game }) => ({
    points: info["points-won"],
    winner: info.winner,
    actions: game.map(({ player, action, dice, move }) =>
      action === "move"
        ? `${player} ${(dice ?? []).join("")} ${(move ?? [])
            .map((hop) => hop.join("/"))
            .sort()
            .join(" ")}`
        : `${player} ${action}`,
    ),
  }));

describe.skipIf(!hasGnubg)(needsGnubg(`${MATCHES} engine matches read by gnubg`), () => {
  it.each(files.map((file, nth) => ({ nth, file })))("match $nth as .mat", ({ file }) => {
    const read = readByGnubg("import mat", textOf(printMat(file)));
    expect(readAs(read.match)).toEqual(doneIn(file));
  });

  it.each(files.map((file, nth) => ({ nth, file })))("match $nth as SGF", ({ file }) => {
    const read = readByGnubg("load match", textOf(printSgf(file)));
    expect(readAs(read.match)).toEqual(doneIn(file));
  });
});

describe(`${MATCHES} engine matches`, () => {
  it("have a double, a take, a pass and a gammon among them", () => {
    const types = new Set(
      files.flatMap(({ games }) => games.flatMap(({ actions }) => actions.map(({ type }) => type))),
    );
    expect(types).toEqual(new Set(["play", "double", "take", "pass"]));
    expect(files.some(({ games }) => games.some(({ end }) => (end?.points ?? 0) > 1))).toBe(true);
  });

  it("are read back from .mat and from SGF as they were played, and replayed by the rules", () => {
    for (const file of files) {
      for (const back of [
        fileOf(parseMat(textOf(printMat(file)))),
        fileOf(parseSgf(textOf(printSgf(file)))),
      ]) {
        expect(doneIn(back)).toEqual(doneIn(file));
        const again = replayed(back);
        assert(again.ok, JSON.stringify(again));
        const { options, events } = again.value;
        expect(doneIn(recorded(options, events, { players: ["", ""], about: {} }))).toEqual(
          doneIn(file),
        );
      }
    }
  });
});
