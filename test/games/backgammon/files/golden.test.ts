import { describe, expect, it } from "vitest";
import { type Side, turned } from "../../../../src/games/backgammon/board.ts";
import { parseMat } from "../../../../src/games/backgammon/files/mat.ts";
import { printMat } from "../../../../src/games/backgammon/files/mat-print.ts";
import type { FileGame } from "../../../../src/games/backgammon/files/record.ts";
import { parseSgf } from "../../../../src/games/backgammon/files/sgf.ts";
import { printSgf } from "../../../../src/games/backgammon/files/sgf-print.ts";
import { readPlay } from "../../../../src/games/backgammon/notation.ts";
import { legalPlays } from "../../../../src/games/backgammon/plays.ts";
import { printPositionId } from "../../../../src/games/backgammon/position-id.ts";
import { START } from "../../../../src/games/backgammon/start.ts";
import { opponentOf } from "../../../../src/games/backgammon/state.ts";
import { losersCheckers, MULTIPLIERS, winKind } from "../../../../src/games/backgammon/value.ts";
import {
  fileOf,
  GOLDEN_MATCHES,
  gnubgActions,
  gnubgMatch,
  goldenText,
  seatOf,
  textOf,
  withoutHits,
} from "../support/golden-matches.ts";

/** Plays the game by the rules: the Position ID before each action, and what the end is worth. */
const replayed = ({ actions }: FileGame) => {
  const sides: [Side, Side] = [START.standard, START.standard];
  let cube = 1;
  const ids: string[] = [];
  let points = 0;
  for (const [index, action] of actions.entries()) {
    const { seat } = action;
    const position = { onRoll: sides[seat] as Side, opponent: sides[opponentOf(seat)] as Side };
    const isAnswer = action.type === "take" || action.type === "pass";
    ids.push(printPositionId(isAnswer ? turned(position) : position));
    if (action.type === "take") cube *= 2;
    if (action.type === "pass") points = cube;
    if (action.type !== "play") continue;
    const legal = legalPlays(position, action.dice);
    if (action.moves.length === 0) {
      expect(legal, `action ${index}`).toEqual([]);
      continue;
    }
    const text = action.moves
      .map(({ from, to, hit }) => `${from}/${to}${hit ? "*" : ""}`)
      .join(" ");
    const play = readPlay(position, action.dice, legal, text);
    if (!play.ok) throw new Error(`action ${index}: ${text}: ${JSON.stringify(play.error)}`);
    const hits = (moves: readonly { from: number; to: number; hit: boolean }[]) =>
      moves
        .filter(({ hit }) => hit)
        .map(({ to }) => to)
        .sort();
    expect(hits(play.value.moves)).toEqual(hits(action.moves));
    sides[seat] = play.value.after.opponent;
    sides[opponentOf(seat)] = play.value.after.onRoll;
    if (play.value.after.opponent[0] === 15)
      points = cube * MULTIPLIERS[winKind(losersCheckers(play.value.after.onRoll))];
  }
  return { ids, points };
};

describe.each(GOLDEN_MATCHES)("%s, as GNU Backgammon exported it", (name) => {
  const gnubg = gnubgMatch(name);
  const mat = fileOf(parseMat(goldenText(`${name}.mat`)));
  const sgf = fileOf(parseSgf(goldenText(`${name}.sgf`)));

  it.each([
    ["the .mat", mat],
    ["the SGF", sgf],
  ])("%s says every action, die, move and result that the program has", (_format, file) => {
    expect(file.players).toEqual([gnubg["match-info"].X.name, gnubg["match-info"].O.name]);
    expect(file.length).toBe(gnubg["match-info"]["match-length"]);
    expect(file.about).toEqual({ date: "2026-11-29" });
    expect(file.games.map(({ actions }) => withoutHits(actions))).toEqual(
      gnubg.games.map(gnubgActions),
    );
    expect(file.games.map(({ score, end }) => ({ score, end }))).toEqual(
      gnubg.games.map(({ info, game }) => ({
        score: [info["score-X"], info["score-O"]],
        end: {
          winner: seatOf(info.winner),
          points: info["points-won"],
          reason: game.at(-1)?.action === "drop" ? "passed" : "played",
        },
      })),
    );
  });

  it("both formats say the same, hits too", () => {
    expect(sgf.games.map(({ actions }) => actions)).toEqual(
      mat.games.map(({ actions }) => actions),
    );
  });

  it("the SGF marks the Crawford game", () => {
    const isMatch = sgf.length > 0;
    expect(sgf.games.map(({ crawford }) => crawford)).toEqual(
      gnubg.games.map(({ info }) => (isMatch ? (info.crawford ?? false) : undefined)),
    );
  });

  it("every game replays by the rules, over the program's boards, to its points", () => {
    for (const [index, game] of mat.games.entries()) {
      const { ids, points } = replayed(game);
      const boards = gnubg.games[index]?.game.map(({ board }) => board) ?? [];
      expect(ids.filter((_id, action) => boards[action] !== undefined)).toEqual(
        boards.filter((board) => board !== undefined),
      );
      expect(points).toBe(game.end?.points);
    }
  });

  it("the .mat is printed byte by byte as the program wrote it", () => {
    expect(textOf(printMat(mat))).toBe(goldenText(`${name}.mat`));
  });

  it("the SGF is printed as the program wrote it, but for its name and its statistics", () => {
    const written = goldenText(`${name}.sgf`)
      .replace(/GS(?:\[[^\]]*\])+/g, "")
      .replaceAll("AP[GNU Backgammon:1.07.001]", "AP[Qiju:1]");
    expect(textOf(printSgf(sgf))).toBe(written);
  });

  it("an SGF made of the .mat is the same, the Crawford game found by the score", () => {
    const file = {
      ...mat,
      rules: { ...mat.rules, ...(mat.length === 0 ? { jacoby: false } : {}) },
    };
    expect(textOf(printSgf(file))).toBe(textOf(printSgf(sgf)));
  });

  it("what is printed is read back equal", () => {
    expect(fileOf(parseMat(textOf(printMat(mat))))).toEqual(mat);
    expect(fileOf(parseSgf(textOf(printSgf(sgf))))).toEqual(sgf);
  });
});
