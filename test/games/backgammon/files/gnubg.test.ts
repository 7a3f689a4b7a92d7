import { describe, expect, it } from "vitest";
import { side } from "../../../../src/games/backgammon/board.ts";
import { parseMat } from "../../../../src/games/backgammon/files/mat.ts";
import { printMat } from "../../../../src/games/backgammon/files/mat-print.ts";
import type {
  FileAction,
  FileStart,
  MatchFile,
} from "../../../../src/games/backgammon/files/record.ts";
import { parseSgf } from "../../../../src/games/backgammon/files/sgf.ts";
import { printSgf } from "../../../../src/games/backgammon/files/sgf-print.ts";
import type { Hop } from "../../../../src/games/backgammon/play-text.ts";
import { BLACK, WHITE } from "../../../../src/games/backgammon/state.ts";
import { hasGnubg, needsGnubg } from "../support/gnubg.ts";
import { readByGnubg } from "../support/gnubg-files.ts";
import {
  fileOf,
  type GnubgMatch,
  GOLDEN_MATCHES,
  gnubgMatch,
  goldenText,
  textOf,
} from "../support/golden-matches.ts";

describe.skipIf(!hasGnubg)(needsGnubg("files read by gnubg"), () => {
  describe.each(GOLDEN_MATCHES)("%s", (name) => {
    const golden = gnubgMatch(name);

    it("our .mat is the match that the program played", () => {
      const text = textOf(printMat(fileOf(parseMat(goldenText(`${name}.mat`)))));
      const read = readByGnubg("import mat", text);
      const sorted = ({ games }: GnubgMatch) =>
        games.map(({ info, game }) => ({
          info,
          game: game.map((action) => ({ ...action, move: [...(action.move ?? [])].sort() })),
        }));
      expect(sorted(read.match)).toEqual(sorted(golden));
      expect(fileOf(parseMat(read.mat)).games.map(({ end }) => end)).toEqual(
        fileOf(parseMat(text)).games.map(({ end }) => end),
      );
    });

    it("our SGF is the match that the program played, action by action", () => {
      const text = textOf(printSgf(fileOf(parseSgf(goldenText(`${name}.sgf`)))));
      const read = readByGnubg("load match", text);
      expect(read.match.games).toEqual(golden.games);
      expect(read.match["match-info"]).toEqual(golden["match-info"]);
    });
  });

  const hop = (from: number, to: number): Hop => ({ from, to, hit: false });

  /** A file of ours with what the golden matches do not have. */
  const rich: MatchFile = {
    players: ["Anna: the first", "李 [x]"],
    length: 0,
    variant: "standard",
    rules: { jacoby: false, beavers: true, cubeLimit: 64, automaticDoubles: 1 },
    about: { date: "2026-11-30", event: "Open: [A]", round: "2", place: "Wien" },
    games: [
      {
        score: [0, 0],
        actions: [
          { seat: WHITE, type: "play", dice: [3, 1], moves: [hop(8, 5), hop(6, 5)] },
          { seat: BLACK, type: "double" },
          { seat: WHITE, type: "beaver" },
          { seat: BLACK, type: "raccoon" },
          { seat: WHITE, type: "take" },
          { seat: BLACK, type: "play", dice: [6, 5], moves: [hop(24, 18), hop(18, 13)] },
        ],
        end: { winner: BLACK, points: 16, reason: "resigned" },
      },
    ],
  };

  it("an SGF with beavers, escapes and rules of our own loads, and comes back", () => {
    const read = fileOf(parseSgf(readByGnubg("load match", textOf(printSgf(rich))).sgf));
    expect(read.games).toEqual(rich.games);
    expect(read.players).toEqual(rich.players);
    expect(read.about).toEqual(rich.about);
    expect(read.rules).toEqual({ jacoby: false });
  });

  it("a position that is set up loads as it stands", () => {
    const start: FileStart = {
      sides: [side({ 25: 1, 20: 2, 6: 5, 3: 4, 0: 3 }), side({ 24: 2, 8: 3, 1: 1, 0: 9 })],
      cube: { value: 4, owner: BLACK },
      onRoll: BLACK,
    };
    const actions: readonly FileAction[] = [
      { seat: BLACK, type: "play", dice: [6, 2], moves: [hop(24, 22), hop(8, 2)] },
    ];
    const file: MatchFile = { ...rich, games: [{ score: [0, 0], start, actions }] };
    const read = readByGnubg("load match", textOf(printSgf(file)));
    expect(fileOf(parseSgf(read.sgf)).games).toEqual(file.games);
  });

  it("a .mat with headers of eXtreme Gammon, a dance, a pass and a resignation is read", () => {
    const moves = [hop(24, 18), hop(24, 18), hop(13, 7), hop(13, 7)];
    const file: MatchFile = {
      ...rich,
      players: ["anna", "boris"],
      length: 3,
      rules: { crawford: true, cubeLimit: 64 },
      games: [
        {
          score: [0, 0],
          actions: [
            { seat: BLACK, type: "play", dice: [1, 3], moves: [hop(8, 5), hop(6, 5)] },
            { seat: WHITE, type: "double" },
            { seat: BLACK, type: "pass" },
          ],
          end: { winner: WHITE, points: 1, reason: "passed" },
        },
        {
          score: [1, 0],
          actions: [{ seat: WHITE, type: "play", dice: [6, 6], moves }],
          end: { winner: BLACK, points: 2, reason: "resigned" },
        },
      ],
    };
    const read = readByGnubg("import mat", textOf(printMat(file)));
    expect(read.match["match-info"]["match-length"]).toBe(3);
    expect(
      read.match.games.map(({ info }) => [info.winner, info["points-won"], info.resigned]),
    ).toEqual([
      ["X", 1, false],
      ["O", 2, true],
    ]);
    expect(fileOf(parseSgf(read.sgf)).games.map(({ actions, end }) => ({ actions, end }))).toEqual(
      file.games.map(({ actions, end }) => ({ actions, end })),
    );
  });
});
