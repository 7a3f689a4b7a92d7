import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ExactBearOff } from "../../src/engines/backgammon/bear-off-tables.ts";
import { bearOffTables } from "../../src/engines/backgammon/bear-off-tables.ts";
import type { Position, Side } from "../../src/games/backgammon/board.ts";
import { pipCount, turned } from "../../src/games/backgammon/board.ts";
import { present } from "../../src/kernel/assert.ts";
import { fifteen, onBoard } from "../games/backgammon/support/positions.ts";
import { SEED } from "../games/backgammon/support/random.ts";
import { goldenLines } from "../support/golden.ts";
import { kernel } from "../support/kernel.ts";
import {
  isAllOff,
  isOneOff,
  slowGammon,
  slowRolls,
  slowSaving,
  slowWin,
} from "./support/slow-bear-off.ts";

interface BearOff {
  readonly onRoll: readonly number[];
  readonly opponent: readonly number[];
  readonly exact: ExactBearOff;
}

interface BearOffRolls {
  readonly side: readonly number[];
  readonly mean: number;
  readonly gnubg: {
    readonly stdDev: number;
    readonly distribution: Readonly<Record<string, number>>;
  };
}

const tables = bearOffTables(kernel());

const sideOf = (counts: readonly number[]): Side => fifteen({ ...counts, 0: 0 });
const chancesOf = (position: Position) => present(tables.chances(position), "it is a bear-off");
const exactOf = (position: Position) => present(tables.exact(position), "both sides are few");
const sumOf = (list: readonly number[]) => list.reduce((sum, one) => sum + one, 0);

/** So many checkers at most, on the lowest so many points. */
const sideWithin = (checkersMax: number, pointsMax: number, checkersMin = 1) =>
  fc
    .array(fc.integer({ min: 1, max: pointsMax }), {
      minLength: checkersMin,
      maxLength: checkersMax,
    })
    .map((points) => sideOf([0, 1, 2, 3, 4, 5, 6].map((point) => countOf(points, point))));

const anySide = sideWithin(15, 6);
const fullSide = sideWithin(15, 6, 15);

const countOf = (points: readonly number[], point: number): number =>
  points.filter((each) => each === point).length;

const always = <Case>(cases: fc.Arbitrary<Case>, law: (each: Case) => void, numRuns = 500): void =>
  fc.assert(fc.property(cases, law), { seed: SEED, numRuns });

/** The chance that one needs some rolls, n, and the other more than n - head. */
const inTime = (one: readonly number[], other: readonly number[], head: number): number =>
  sumOf(one.map((chance, rolls) => chance * sumOf(other.slice(Math.max(0, rolls - head + 1)))));

describe("the rolls to bear off", () => {
  const lines = goldenLines<BearOffRolls>("backgammon/bear-off-rolls.jsonl");

  it("are on the average what the rules alone give, within 1e-6", () => {
    expect(lines).toHaveLength(60);
    for (const { side, mean } of lines) {
      expect(Math.abs(tables.meanRolls(sideOf(side)) - mean), side.join()).toBeLessThan(1e-6);
    }
  });

  it("are spread as in GNU Backgammon's database, within its rounding", () => {
    for (const { side, gnubg } of lines) {
      const rolls = tables.rolls(sideOf(side));
      const mean = tables.meanRolls(sideOf(side));
      const variance = sumOf(rolls.map((chance, count) => chance * (count - mean) ** 2));
      expect(Math.abs(Math.sqrt(variance) - gnubg.stdDev), side.join()).toBeLessThan(1e-3);
      for (const [count, chance] of Object.entries(gnubg.distribution)) {
        expect(Math.abs((rolls[Number(count)] ?? 0) - chance), side.join()).toBeLessThan(5e-5);
      }
    }
  });

  it(`are those of a search through every legal play, within 1e-6, seed ${SEED}`, () => {
    const slow = slowRolls(isAllOff);
    // Few checkers or few points, so that what can be reached is some hundreds of boards.
    const cases = fc.oneof(
      sideWithin(6, 6),
      sideWithin(9, 4),
      sideWithin(11, 3),
      sideWithin(15, 2),
    );
    always(cases, (side) => {
      const expected = slow(side);
      expect(Math.abs(tables.meanRolls(side) - expected.mean)).toBeLessThan(1e-6);
      tables.rolls(side).forEach((chance, count) => {
        expect(Math.abs(chance - (expected.rolls[count] ?? 0))).toBeLessThan(1e-6);
      });
    });
  });

  it(`are chances that add up to 1, with the mean of the tables, seed ${SEED}`, () => {
    always(anySide, (side) => {
      const rolls = tables.rolls(side);
      expect(Math.min(...rolls)).toBeGreaterThanOrEqual(0);
      expect(sumOf(rolls)).toBeCloseTo(1, 6);
      expect(sumOf(rolls.map((chance, count) => chance * count))).toBeCloseTo(
        tables.meanRolls(side),
        5,
      );
    });
  });

  it(`are no fewer than pips and checkers allow, seed ${SEED}`, () => {
    // A roll is 49 / 6 pips on the average, and bears off four checkers at most.
    always(anySide, (side) => {
      expect(tables.meanRolls(side)).toBeGreaterThanOrEqual(pipCount(side) / (49 / 6));
      expect(sumOf(tables.rolls(side).slice(0, Math.ceil(onBoard(side) / 4)))).toBe(0);
    });
  });

  it("are none with all off", () => {
    const none = fifteen({});
    expect(tables.meanRolls(none)).toBe(0);
    expect(tables.rolls(none)[0]).toBe(1);
  });
});

describe("the rolls to the first checker off", () => {
  it("are those of a search through every legal play", () => {
    const slow = slowRolls(isOneOff);
    for (const side of [
      { 6: 8, 5: 7 },
      { 6: 3, 5: 12 },
      { 6: 10, 1: 5 },
      { 6: 3, 1: 12 },
      { 4: 15 },
    ]) {
      const expected = slow(fifteen(side)).rolls;
      tables.rollsToFirstOff(fifteen(side)).forEach((chance, count) => {
        expect(Math.abs(chance - (expected[count] ?? 0)), JSON.stringify(side)).toBeLessThan(1e-6);
      });
    }
  });

  it("take 15 checkers on the 6 point more than one with 19 of 36 rolls", () => {
    // Off goes one by a 6 (11 rolls), 5-1, 4-2 (4), 3-3 and 2-2 (2).
    expect(tables.rollsToFirstOff(fifteen({ 6: 15 }))[1]).toBeCloseTo(17 / 36, 6);
  });

  it(`are never more than to bear off all, seed ${SEED}`, () => {
    always(fullSide, (side) => {
      const first = tables.rollsToFirstOff(side);
      expect(sumOf(first)).toBeCloseTo(1, 6);
      for (let count = 1; count < first.length; count++) {
        const until = sumOf(first.slice(0, count));
        expect(until).toBeGreaterThanOrEqual(sumOf(tables.rolls(side).slice(0, count)) - 1e-6);
      }
    });
  });

  it("are none where one is off", () => {
    expect(tables.rollsToFirstOff(fifteen({ 6: 14 }))[0]).toBe(1);
  });
});

describe("the chances of a bear-off", () => {
  it(`of few checkers are those of a search through both sides' plays, seed ${SEED}`, () => {
    always(fc.tuple(sideWithin(3, 6), sideWithin(3, 6)), ([onRoll, opponent]) => {
      const { win } = chancesOf({ onRoll, opponent });
      expect(Math.abs(win - slowWin(onRoll, opponent))).toBeLessThan(1e-7);
    });
  });

  it(`of more checkers are those of two sides that go their own ways, seed ${SEED}`, () => {
    const many = sideWithin(15, 6, 7);
    always(fc.tuple(fc.oneof(many, fullSide), fc.oneof(many, anySide)), ([onRoll, opponent]) => {
      for (const position of [{ onRoll, opponent }, turned({ onRoll, opponent })]) {
        const own = position.onRoll;
        const other = position.opponent;
        const found = chancesOf(position);
        const win = inTime(tables.rolls(own), tables.rolls(other), 1);
        const winGammon = inTime(tables.rolls(own), tables.rollsToFirstOff(other), 1);
        const loseGammon = inTime(tables.rolls(other), tables.rollsToFirstOff(own), 0);
        expect(Math.abs(found.win - win)).toBeLessThan(1e-6);
        expect(Math.abs(found.winGammon - winGammon)).toBeLessThan(1e-6);
        expect(Math.abs(found.loseGammon - loseGammon)).toBeLessThan(1e-6);
      }
    });
  });

  it("to win and lose a gammon are within 0.002 of what both sides' best play for it gives", () => {
    for (const loser of [
      { 1: 12, 6: 3 },
      { 1: 13, 5: 2 },
      { 1: 9, 2: 4, 6: 2 },
    ]) {
      for (const winner of [
        { 6: 2 },
        { 6: 3 },
        { 1: 1, 2: 2, 6: 1 },
        { 3: 1, 4: 1, 5: 2 },
        { 5: 4, 6: 1 },
      ]) {
        const last = JSON.stringify({ winner, loser });
        const [winning, losing] = [fifteen(winner), fifteen(loser)];
        const { winGammon } = chancesOf({ onRoll: winning, opponent: losing });
        const { loseGammon } = chancesOf({ onRoll: losing, opponent: winning });
        expect(Math.abs(winGammon - slowGammon(winning, losing)), last).toBeLessThan(0.002);
        expect(Math.abs(loseGammon - (1 - slowSaving(losing, winning))), last).toBeLessThan(0.002);
      }
    }
  });

  it(`are no gammons but of wins, none with a checker off, and no backgammons, seed ${SEED}`, () => {
    always(fc.tuple(fc.oneof(anySide, fullSide), fc.oneof(anySide, fullSide)), ([one, other]) => {
      const found = chancesOf({ onRoll: one, opponent: other });
      expect(found.winGammon).toBeLessThanOrEqual(found.win);
      expect(found.loseGammon).toBeLessThanOrEqual(1 - found.win);
      if (isOneOff(one)) expect(found.loseGammon).toBe(0);
      if (isOneOff(other)) expect(found.winGammon).toBe(0);
      expect([found.winBackgammon, found.loseBackgammon]).toEqual([0, 0]);
    });
  });

  it("are only known with every checker home", () => {
    for (const place of [7, 12, 22, 24, 25]) {
      const away = fifteen({ 1: 2, [place]: 1 });
      const home = fifteen({ 1: 3 });
      for (const position of [
        { onRoll: away, opponent: home },
        { onRoll: home, opponent: away },
      ]) {
        expect(tables.chances(position)).toBeUndefined();
        expect(tables.exact(position)).toBeUndefined();
      }
      expect(() => tables.meanRolls(away)).toThrow("home or off");
    }
  });
});

describe("exact equities", () => {
  it("are those of the rules alone, within 1e-7", () => {
    // Stored to 2 ** -31; the reference has nine decimals.
    const lines = goldenLines<BearOff>("backgammon/bear-offs.jsonl");
    expect(lines).toHaveLength(150);
    for (const { onRoll, opponent, exact } of lines) {
      const position = { onRoll: sideOf(onRoll), opponent: sideOf(opponent) };
      const found = exactOf(position);
      for (const [name, equity] of Object.entries(exact)) {
        const difference = Math.abs(found[name as keyof ExactBearOff] - equity);
        expect(difference, `${name} of ${onRoll} ${opponent}`).toBeLessThan(1e-7);
      }
      expect(Math.abs(chancesOf(position).win - exact.win)).toBeLessThan(1e-7);
    }
  });

  it(`rise with what may be done with the cube, seed ${SEED}`, () => {
    always(fc.tuple(sideWithin(6, 6), sideWithin(6, 6)), ([onRoll, opponent]) => {
      const found = exactOf({ onRoll, opponent });
      const rising = [
        -1,
        found.opponentCube,
        found.cubelessEquity,
        found.noDoubleOwned,
        found.bestOwned,
        1,
      ];
      const centred = [-1, found.opponentCube, found.noDoubleCentred, found.noDoubleOwned, 1];
      for (const list of [rising, centred]) {
        for (let i = 1; i < list.length; i++) {
          expect(list[i]).toBeGreaterThanOrEqual((list[i - 1] ?? 0) - 1e-8);
        }
      }
    });
  });

  it(`are known of 1 to 6 checkers on each side and of no other, seed ${SEED}`, () => {
    always(fc.tuple(sideWithin(8, 6), sideWithin(8, 6)), ([onRoll, opponent]) => {
      const isFew = onBoard(onRoll) <= 6 && onBoard(opponent) <= 6;
      expect(tables.exact({ onRoll, opponent }) !== undefined).toBe(isFew);
    });
    expect(tables.exact({ onRoll: fifteen({}), opponent: fifteen({ 1: 1 }) })).toBeUndefined();
    expect(tables.exact({ onRoll: fifteen({ 1: 1 }), opponent: fifteen({}) })).toBeUndefined();
  });
});
