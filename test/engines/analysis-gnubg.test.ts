import { describe, expect, it } from "vitest";
import type { MatchAnalysis } from "../../src/engines/backgammon/analysis.ts";
import { analyse } from "../../src/engines/backgammon/analysis.ts";
import type { Evaluator, Plies } from "../../src/engines/backgammon/evaluator.ts";
import { parseMat } from "../../src/games/backgammon/files/mat.ts";
import { replayed } from "../../src/games/backgammon/files/replay.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import { fileOf } from "../games/backgammon/support/golden-matches.ts";
import { ENGINES } from "../support/engines.ts";
import { golden, goldenLines } from "../support/golden.ts";
import { report } from "../support/seeded.ts";

/*
 * Our analysis of eight matches beside GNU Backgammon's of the same files, at 2 plies, luck at 0
 * (test/tooling/gnubg_analysis.py). Both are opinions: what is held is that they correlate.
 */

/** What judges, and how well it must agree: Pearson's r by roll and by decision. */
const JUDGE: { readonly evaluator: Evaluator; readonly plies: Plies } = {
  evaluator: ENGINES.backgammon,
  plies: 1,
};
const R_MIN = { luck: 0.95, error: 0.93 };

interface GnubgCube {
  readonly noDouble: number;
  readonly doubleTake: number;
}

type GnubgAction =
  | {
      readonly type: "play";
      readonly seat: number;
      readonly dice: readonly [number, number];
      readonly luck: number;
      /** Absent where no other play was legal. */
      readonly error?: number;
      /** Absent where the seat might not double. */
      readonly cube?: GnubgCube;
    }
  | {
      readonly type: "double" | "take" | "pass";
      readonly seat: number;
      readonly cube: GnubgCube;
    };

interface GnubgGame {
  readonly file: string;
  readonly game: number;
  readonly actions: readonly GnubgAction[];
}

/** The same roll or decision, as both programs have it, in equity. */
interface Pair {
  readonly what: "luck" | "play" | "cube";
  readonly seat: number;
  readonly theirs: number;
  readonly ours: number;
}

const games = goldenLines<GnubgGame>("backgammon/gnubg-analysis.jsonl");
const files = [...new Set(games.map(({ file }) => file))];

const analysisOf = (file: string): MatchAnalysis => {
  const played = replayed(fileOf(parseMat(golden(`backgammon/${file}`))));
  assert(played.ok, `a golden match is playable: ${file}`);
  return analyse(JUDGE.evaluator, played.value, JUDGE.plies);
};

/** The cube actions' errors by their equities, a pass being worth 1. */
const cubeError = (done: "roll" | "double" | "take" | "pass", cube: GnubgCube): number => {
  const doubled = Math.min(1, cube.doubleTake);
  const lost = {
    roll: doubled - cube.noDouble,
    double: cube.noDouble - doubled,
    take: cube.doubleTake - 1,
    pass: 1 - cube.doubleTake,
  }[done];
  return Math.max(0, lost);
};

/** Both programs' figures of a game, action by action. */
const pairsOf = (analysis: MatchAnalysis, { game, actions }: GnubgGame): readonly Pair[] => {
  const isHere = (place: { readonly game: number }) => place.game === game;
  const kinds: readonly string[] = ["play", "double", "answer"];
  const decisions = analysis.decisions.filter((one) => isHere(one) && kinds.includes(one.kind));
  const rolls = analysis.rolls.filter(isHere);
  return actions.flatMap((action): readonly Pair[] => {
    const { seat, cube } = action;
    const pairs: Pair[] = [];
    const next = decisions[0];
    const done = action.type === "play" ? "roll" : action.type;
    if (next?.done === done && next.seat === seat && isBefore(next, rolls[0])) {
      decisions.shift();
      const ours = next.error.equity;
      if (cube !== undefined)
        pairs.push({ what: "cube", seat, theirs: cubeError(done, cube), ours });
    }
    if (action.type !== "play") return pairs;
    const roll = present(rolls.shift(), "we have every roll");
    expect([roll.seat, [...roll.dice].sort()]).toEqual([seat, [...action.dice].sort()]);
    pairs.push({ what: "luck", seat, theirs: action.luck, ours: roll.luck.equity });
    const play = decisions[0];
    if (play?.kind !== "play" || !isBefore(play, rolls[0])) return pairs;
    decisions.shift();
    if (action.error !== undefined)
      pairs.push({ what: "play", seat, theirs: action.error, ours: play.error.equity });
    return pairs;
  });
};

/** Whether the one came earlier, or the other came never. */
const isBefore = (
  one: { readonly event: number },
  other: { readonly event: number } | undefined,
): boolean => other === undefined || one.event < other.event;

/** Pearson's coefficient of correlation. */
const correlation = (pairs: readonly Pair[]): number => {
  const mean = (of: (pair: Pair) => number) =>
    pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
  const [theirs, ours] = [mean((pair) => pair.theirs), mean((pair) => pair.ours)];
  const product = mean((pair) => (pair.theirs - theirs) * (pair.ours - ours));
  const spread = (of: (pair: Pair) => number, middle: number) =>
    Math.sqrt(mean((pair) => (of(pair) - middle) ** 2));
  return product / (spread((pair) => pair.theirs, theirs) * spread((pair) => pair.ours, ours));
};

const analyses = new Map(files.map((file) => [file, analysisOf(file)]));
const pairs = games.map((game) => ({
  file: game.file,
  pairs: pairsOf(present(analyses.get(game.file), "each file is analysed"), game),
}));
const all = pairs.flatMap((one) => one.pairs);
const isError = ({ what }: Pair): boolean => what !== "luck";

describe("our analysis and GNU Backgammon's of the same files", () => {
  it("side by side: equity lost and luck, by file and seat", () => {
    report("analysis", `${JUDGE.evaluator.build} at ${JUDGE.plies} plies; gnubg | ours`);
    for (const file of files) {
      const own = pairs.filter((one) => one.file === file).flatMap((one) => one.pairs);
      for (const seat of [0, 1]) {
        const sums = (["play", "cube", "luck"] as const).map((what) => {
          const some = own.filter((pair) => pair.what === what && pair.seat === seat);
          const sum = (of: (pair: Pair) => number) =>
            some.reduce((total, pair) => total + of(pair), 0).toFixed(2);
          return `${what} ${sum((pair) => pair.theirs)} | ${sum((pair) => pair.ours)}`;
        });
        const rating = analyses.get(file)?.seats[seat]?.performanceRating?.toFixed(1);
        report("analysis", `${file} ${seat}: ${sums.join(", ")}, PR ${rating}`);
      }
    }
  });

  it("have the same rolls and decisions", () => {
    const theirs = games.flatMap(({ actions }) => actions);
    const count = (what: Pair["what"]) => all.filter((pair) => pair.what === what).length;
    expect(count("luck")).toBe(theirs.filter(({ type }) => type === "play").length);
    expect(count("play")).toBe(
      theirs.filter((action) => action.type === "play" && action.error !== undefined).length,
    );
    const cubes = theirs.filter(({ cube }) => cube !== undefined).length;
    expect(count("cube")).toBe(cubes);
    report("analysis", `${count("luck")} rolls, ${count("play")} plays, ${cubes} cube decisions`);
    expect(count("play") + cubes).toBeGreaterThan(500);
  });

  it("luck correlates, roll by roll", () => {
    const r = correlation(all.filter(({ what }) => what === "luck"));
    report("analysis", `luck: r = ${r.toFixed(3)}`);
    expect(r).toBeGreaterThan(R_MIN.luck);
  });

  it("errors correlate, decision by decision", () => {
    const of = (what: Pair["what"]) => correlation(all.filter((pair) => pair.what === what));
    const r = correlation(all.filter(isError));
    const parts = `plays ${of("play").toFixed(3)}, cube ${of("cube").toFixed(3)}`;
    report("analysis", `errors: r = ${r.toFixed(3)} (${parts})`);
    expect(r).toBeGreaterThan(R_MIN.error);
  });
});
