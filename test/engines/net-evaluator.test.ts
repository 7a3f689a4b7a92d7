import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import type { JudgedPlay, Plies, Preference } from "../../src/engines/backgammon/evaluator.ts";
import { openKernel } from "../../src/engines/backgammon/kernel.ts";
import { netEvaluator } from "../../src/engines/backgammon/net-evaluator.ts";
import type { Position, Side } from "../../src/games/backgammon/board.ts";
import { at, OFF, side } from "../../src/games/backgammon/board.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { START } from "../../src/games/backgammon/start.ts";
import { SEED, seeded, selfPlay } from "../games/backgammon/support/random.ts";
import { slowWin } from "./support/slow-bear-off.ts";

const FOLDER = new URL("../../src/engines/backgammon/", import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const kernel = openKernel(read("kernel.wasm"), read("weights.bin"));
const fresh = () => netEvaluator(kernel, "test");

const equity = (of: Chances): number =>
  2 * of.win - 1 + of.winGammon + of.winBackgammon - of.loseGammon - of.loseBackgammon;
const MONEY: Preference = {
  worth: equity,
  slopes: { win: 2, winGammon: 1, winBackgammon: 1, loseGammon: -1, loseBackgammon: -1 },
};
const ALL_PLIES = [0, 1, 2] as const;

const games = selfPlay(seeded(SEED));
const cases = Array.from({ length: 400 }, () => games.next().value).filter(
  ({ position, dice }, i) => i % 10 === 0 && legalPlays(position, dice).length > 0,
);
const OPENING: Position = { onRoll: START.standard, opponent: START.standard };

describe("the plays of the first roll", () => {
  // As every book on the opening has them; only those of which there is one opinion.
  it.each([
    [[3, 1], "8/5 6/5"],
    [[4, 2], "8/4 6/4"],
    [[5, 3], "8/3 6/3"],
    [[6, 1], "13/7 8/7"],
    [[6, 5], "24/13"],
  ] as const)("%j is played %s, however far it is looked ahead", (dice, text) => {
    for (const plies of ALL_PLIES) {
      expect(fresh().plays(OPENING, dice, plies, MONEY)[0]?.play.text).toBe(text);
    }
  });
});

describe("what is judged", () => {
  it("is each legal play once: those looked ahead further first, and of those the best", () => {
    for (const { position, dice } of cases) {
      for (const plies of [0, 1] as const) {
        const judged = fresh().plays(position, dice, plies, MONEY);
        const texts = legalPlays(position, dice).map(({ text }) => text);
        expect(judged.map(({ play }) => play.text).sort()).toEqual([...texts].sort());
        for (const [i, one] of judged.entries()) {
          const next = judged[i + 1];
          if (next !== undefined) expect(isBefore(one, next)).toBe(true);
          expect(one.worth).toBe(equity(one.chances));
        }
      }
    }
  });

  it("is the same whatever was asked before, and at the second time", () => {
    const asked = cases.slice(0, 8);
    const used = fresh();
    for (const { position, dice } of asked) used.plays(position, dice, 1, MONEY);
    for (const { position, dice } of [...asked].reverse()) {
      expect(used.plays(position, dice, 1, MONEY)).toEqual(fresh().plays(position, dice, 1, MONEY));
    }
  });

  it("has chances from 0 to 1, and no part is more than its whole", () => {
    const judge = fresh();
    for (const { position } of cases) {
      for (const plies of [0, 1] as const) {
        const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = judge.chances(
          position,
          plies,
        );
        for (const [part, whole] of [
          [win, 1],
          [winGammon, win],
          [winBackgammon, winGammon],
          [loseGammon, 1 - win],
          [loseBackgammon, loseGammon],
        ] as const) {
          expect(part).toBeGreaterThanOrEqual(0);
          expect(part).toBeLessThanOrEqual(whole + 1e-6);
        }
      }
    }
  });

  it("costs no more positions than the budget and one play, also for the doubles with most plays", () => {
    // Four spare checkers on each of many points: some 900 ways to play 1-1.
    const own = side({ 24: 2, 22: 2, 20: 2, 18: 2, 16: 2, 14: 2, 12: 2, 10: 1 });
    const other = side({ 24: 2, 22: 2, 20: 2, 18: 2, 16: 2, 14: 2, 12: 2, 10: 1 });
    const before = kernel.nodes();
    fresh().plays({ onRoll: own, opponent: other }, [1, 1], 2, MONEY);
    expect(kernel.nodes() - before).toBeLessThan(2 * 250_000);
  });
});

const isBefore = (one: JudgedPlay, next: JudgedPlay): boolean =>
  one.plies > next.plies || (one.plies === next.plies && one.worth >= next.worth);

describe("hypergammon's last checkers", () => {
  const few = fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 3 })
    .map((points): Side => {
      const counts: Record<number, number> = { [OFF]: 3 - points.length };
      for (const point of points) counts[point] = (counts[point] ?? 0) + 1;
      return side(counts);
    });
  const ofFifteen = (own: Side): Side =>
    own.map((count, place) => (place === OFF ? count + 12 : count));

  // Ahead of rolls, a play for the gammon may cost some wins.
  it("are won as often as the rules say, and nearly so with rolls looked ahead", () => {
    const judge = fresh();
    fc.assert(
      fc.property(few, few, fc.constantFrom<Plies>(...ALL_PLIES), (onRoll, opponent, plies) => {
        const { win } = judge.chances({ onRoll, opponent }, plies);
        const off = Math.abs(win - slowWin(ofFifteen(onRoll), ofFifteen(opponent)));
        expect(off).toBeLessThan(plies === 0 ? 1e-6 : 0.01);
      }),
      { seed: SEED, numRuns: 300 },
    );
  });

  it("have no exact equities while a gammon can be lost", () => {
    fc.assert(
      fc.property(few, few, (onRoll, opponent) => {
        const isSaved = at(onRoll, OFF) > 0 && at(opponent, OFF) > 0;
        expect(fresh().exact?.({ onRoll, opponent }) !== undefined).toBe(isSaved);
      }),
      { seed: SEED, numRuns: 100 },
    );
  });
});

describe("a file of weights", () => {
  const weights = read("weights.bin");
  const code = read("kernel.wasm");

  it.each([
    ["cut short", weights.subarray(0, 5_000)],
    ["longer than it says", Buffer.concat([weights, Buffer.alloc(4)])],
    ["of something else", Buffer.from("{}".padEnd(400_000))],
    ["that is empty", Buffer.alloc(0)],
  ])("%s is refused", (_, file) => {
    expect(() => openKernel(code, file)).toThrow(/weights/);
  });
});
