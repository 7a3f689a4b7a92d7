import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bestPlays, cubeAction, evaluation } from "../../src/engines/backgammon/advice.ts";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import { withWin } from "../../src/engines/backgammon/chances.ts";
import { canGain } from "../../src/engines/backgammon/cubeful.ts";
import type { CubeEvaluator } from "../../src/engines/backgammon/exact-cube.ts";
import { outlookBefore } from "../../src/engines/backgammon/look-ahead.ts";
import { preferenceOf } from "../../src/engines/backgammon/preference.ts";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import { stakesOf } from "../../src/engines/backgammon/situation.ts";
import type { Position } from "../../src/games/backgammon/board.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { parsePositionId } from "../../src/games/backgammon/position-id.ts";
import { START } from "../../src/games/backgammon/start.ts";
import { assert } from "../../src/kernel/assert.ts";
import { fifteen, positionOf } from "../games/backgammon/support/positions.ts";
import { SEED } from "../games/backgammon/support/random.ts";
import { goldenLines } from "../support/golden.ts";
import { staticEvaluator } from "../support/static-evaluator.ts";

const OPENING: Position = { onRoll: START.standard, opponent: START.standard };

const situation = (more: Partial<Situation> = {}): Situation => ({
  position: OPENING,
  cube: { value: 1, owner: "centre", limit: 1_024 },
  match: { length: 0, score: [0, 0], crawford: false },
  jacoby: false,
  beavers: false,
  ...more,
});

const scored = (length: number, score: readonly [number, number], crawford = false): Situation =>
  situation({ match: { length, score, crawford } });

/** An evaluator that says the same of every position. */
const saying = (chances: Chances): CubeEvaluator => ({
  ...staticEvaluator,
  chances: () => chances,
});

/** An evaluator of these chances, which the roll moves by up to 0.15 to either side. */
const rolling = (chances: Chances): CubeEvaluator => ({
  ...saying(chances),
  plays: ({ onRoll, opponent }, [high, low], plies, { worth }) => {
    const after = { onRoll: opponent, opponent: onRoll };
    const win = Math.min(1, Math.max(0, chances.win + 0.03 * (high + low - 7)));
    const moved = withWin(chances, win);
    const play = { text: "", moves: [], after };
    return [{ play, chances: moved, worth: worth(moved, after), plies }];
  },
});

/** No gammons. */
const winning = (win: number): Chances => ({
  win,
  winGammon: 0,
  winBackgammon: 0,
  loseGammon: 0,
  loseBackgammon: 0,
});

const ofFive = ([
  win = 0,
  winGammon = 0,
  winBackgammon = 0,
  loseGammon = 0,
  loseBackgammon = 0,
]: readonly number[]) =>
  ({ win, winGammon, winBackgammon, loseGammon, loseBackgammon }) satisfies Chances;

interface Decision {
  readonly positionId: string;
  readonly cube: { readonly value: number; readonly owner: "centre" | "onRoll" };
  readonly match?: { readonly length: number; readonly score: readonly [number, number] };
  readonly equities: {
    readonly noDouble: number;
    readonly doubleTake: number;
    readonly doublePass: number;
  };
  readonly probs2ply: readonly number[];
}

/** What our advice loses by GNU Backgammon's 2-ply equities, its chances being ours. */
const lost = ({ positionId, cube, match, equities, probs2ply }: Decision) => {
  const read = parsePositionId(positionId);
  assert(read.ok, "a golden position is readable");
  const { action, response } = cubeAction(
    saying(ofFive(probs2ply)),
    situation({
      position: read.value,
      cube: { ...cube, limit: 1_024 },
      match: { length: 0, score: [0, 0], ...match, crawford: false },
    }),
    0,
  );
  const { noDouble, doubleTake, doublePass } = equities;
  const doubled = Math.min(doubleTake, doublePass);
  return {
    action: Math.max(noDouble, doubled) - (action === "double" ? doubled : noDouble),
    response: (response === "take" ? doubleTake : doublePass) - doubled,
  };
};

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

describe("with GNU Backgammon's own chances at 2 plies, cube advice", () => {
  it.each([
    // gnubg at 0 plies: 0.0015 and 0 for money.
    ["cube-decisions.jsonl", "for money", 150, 0.001, 0.0001],
    ["match-cube-decisions.jsonl", "at match scores", 300, 0.0015, 0.0002],
  ])("of %s, %s, costs next to nothing by its equities", (file, _, count, action, response) => {
    const all = goldenLines<Decision>(`backgammon/${file}`).map(lost);
    expect(all).toHaveLength(count);
    expect(meanOf(all.map((each) => each.action))).toBeLessThan(action);
    expect(meanOf(all.map((each) => each.response))).toBeLessThan(response);
  });
});

const advised = (chances: Chances, of: Situation = situation()) =>
  cubeAction(saying(chances), of, 0);

describe("cube advice", () => {
  it("for money doubles in the window, and is passed below 21 %, gammons aside", () => {
    // "Take-Points in Money Games" with a cube 0.7 live: take 0.5 / (2 + 0.7 / 2).
    const { takePoint } = advised(winning(0.75));
    expect(takePoint).toBeCloseTo(0.5 / 2.35, 3);
    expect(advised(winning(0.6)).action).toBe("noDouble");
    expect(advised(winning(0.75))).toMatchObject({ action: "double", response: "take" });
    expect(advised(winning(0.82))).toMatchObject({ action: "double", response: "pass" });
  });

  it("takes with 25 % on the last roll", () => {
    const last = situation({ position: positionOf({ 3: 1, 2: 1 }, { 1: 2 }) });
    expect(advised(winning(25 / 36), last).takePoint).toBeCloseTo(0.25, 5);
    expect(advised(winning(25 / 36), last)).toMatchObject({ action: "double", response: "take" });
  });

  it("is too good to double where gammons are many, but not by the Jacoby rule", () => {
    const gammonish = { ...winning(0.85), winGammon: 0.6 };
    expect(advised(gammonish)).toMatchObject({ action: "noDouble", tooGood: true });
    const jacoby = situation({ jacoby: true });
    expect(advised(gammonish, jacoby)).toMatchObject({ action: "double", tooGood: false });
    const cube = { value: 2, owner: "onRoll", limit: 1_024 } as const;
    expect(advised(gammonish, situation({ jacoby: true, cube })).tooGood).toBe(true);
  });

  it("beavers what should not have been doubled, where it may", () => {
    expect(advised(winning(0.4)).response).toBe("take");
    expect(advised(winning(0.4), situation({ beavers: true })).response).toBe("beaver");
    expect(advised(winning(0.7), situation({ beavers: true })).response).toBe("take");
    const cube = { value: 1, owner: "centre", limit: 2 } as const;
    expect(advised(winning(0.4), situation({ beavers: true, cube })).response).toBe("take");
  });

  it("never doubles the other's cube, beyond the limit, in the Crawford game, or at double match point", () => {
    const cubes = [
      { value: 2, owner: "opponent", limit: 64 },
      { value: 64, owner: "onRoll", limit: 64 },
      { value: 1, owner: "centre", limit: 1 },
    ] as const;
    const closed = [
      ...cubes.map((cube) => situation({ cube })),
      scored(5, [4, 2], true),
      scored(5, [2, 4], true),
    ];
    for (const each of closed) {
      expect(advised(winning(0.8), each)).toMatchObject({ mayDouble: false, action: "noDouble" });
    }
    for (const win of [0.3, 0.5, 0.8]) {
      expect(advised(winning(win), scored(5, [4, 4])).action).toBe("noDouble");
    }
  });

  it("has no use for a cube that wins the match already", () => {
    const cube = { value: 2, owner: "onRoll", limit: 64 } as const;
    const match = { length: 7, score: [5, 2], crawford: false } as const;
    expect(advised(winning(0.8), situation({ cube, match })).action).toBe("noDouble");
  });

  it("2-away both doubles at once, and takes with what 2-away has in the Crawford game", () => {
    // After a pass: 2-away against 1-away, Crawford, 0.32264. The cube is dead once it is taken.
    expect(advised(winning(0.6), scored(5, [3, 3])).takePoint).toBeCloseTo(0.32264, 4);
    expect(advised(winning(0.6), scored(5, [3, 3])).action).toBe("double");
  });

  it("after the Crawford game doubles at any chance behind, never ahead", () => {
    for (const win of [0.2, 0.35, 0.5]) {
      expect(advised(winning(win), scored(7, [3, 6])).action).toBe("double");
      expect(advised(winning(win), scored(7, [4, 6])).action).toBe("double");
      expect(advised(winning(win), scored(7, [6, 3])).action).toBe("noDouble");
    }
  });

  it("says the chances it is made by, and lets nobody double in a match to 1", () => {
    const advice = advised(winning(0.7), scored(1, [0, 0]));
    expect(advice).toMatchObject({ chances: winning(0.7), mayDouble: false, action: "noDouble" });
  });

  it("after the Crawford game 2-away doubles at once from the start, at what two rolls say", () => {
    // Each of two rolls looked at, and then a double that is answered well: 0.955.
    for (const plies of [0, 1] as const) {
      const { action, equities } = cubeAction(
        rolling({ ...winning(0.526), winGammon: 0.143, loseGammon: 0.13 }),
        scored(7, [5, 6]),
        plies,
      );
      expect(action).toBe("double");
      expect(equities.noDouble).toBeGreaterThan(0.9);
      expect(equities.noDouble).toBeLessThan(0.99);
    }
  });

  it("has nobody too good by the Jacoby rule with the cube in the middle", () => {
    const sure = { ...winning(1.000_000_24), winGammon: 1.000_000_24 };
    const jacoby = situation({ jacoby: true });
    expect(advised(sure, jacoby)).toMatchObject({ action: "double", tooGood: false });
    expect(advised(sure, jacoby).equities.noDouble).toBeLessThanOrEqual(1);
  });

  it("has the leader drop for free where the other needs two, and else take with next to nothing", () => {
    // 2-away: a pass leaves both 1-away, 0.5. 3-away: a pass leaves 0.48803 to the other, a lost game 0.5.
    expect(advised(winning(0.51), scored(5, [3, 4])).response).toBe("pass");
    expect(advised(winning(0.49), scored(5, [3, 4])).response).toBe("take");
    expect(advised(winning(0.9), scored(5, [2, 4])).response).toBe("take");
    expect(advised(winning(0.9), scored(5, [2, 4])).takePoint).toBeLessThan(0.05);
  });

  it("of exactly known endings is exact", () => {
    const whole = (counts: readonly number[]) => fifteen({ ...counts.slice(0, 7), 0: 0 });
    for (const { onRoll, opponent, exact } of goldenLines<BearOff>("backgammon/bear-offs.jsonl")) {
      const knowing: CubeEvaluator = { ...staticEvaluator, exact: () => exact };
      const of = situation({ position: { onRoll: whole(onRoll), opponent: whole(opponent) } });
      const { action, response, equities } = cubeAction(knowing, of, 0);
      expect(equities.noDouble).toBeCloseTo(exact.noDoubleCentred, 12);
      expect(equities.doubleTake).toBeCloseTo(exact.doubleTake, 6);
      const doubled = Math.min(exact.doubleTake, 1);
      const best = Math.max(doubled, exact.noDoubleCentred);
      expect(action === "double" ? doubled : exact.noDoubleCentred).toBeCloseTo(best, 6);
      expect(response === "take" ? exact.doubleTake : 1).toBeCloseTo(doubled, 6);
      expect(evaluation(knowing, of, 0).cubeful).toBeCloseTo(best, 6);
    }
  });

  it("says twice as exactly what a taken double is worth where each roll is looked at", () => {
    const whole = (counts: readonly number[]) => fifteen({ ...counts.slice(0, 7), 0: 0 });
    const off = (plies: 0 | 1) =>
      meanOf(
        goldenLines<BearOff>("backgammon/bear-offs.jsonl").map(({ onRoll, opponent, exact }) => {
          const of = situation({ position: { onRoll: whole(onRoll), opponent: whole(opponent) } });
          const { equities } = cubeAction(staticEvaluator, of, plies);
          return Math.abs(equities.doubleTake - exact.doubleTake);
        }),
      );
    // Seen: 0.033 and 0.063.
    expect(off(1)).toBeLessThan(0.6 * off(0));
  });
});

interface BearOff {
  readonly onRoll: readonly number[];
  readonly opponent: readonly number[];
  readonly exact: {
    readonly noDoubleOwned: number;
    readonly noDoubleCentred: number;
    readonly opponentCube: number;
    readonly doubleTake: number;
  };
}

const share = fc.double({ min: 0, max: 1, noNaN: true });
const anyChances = fc.tuple(share, share, share, share, share).map(
  ([win, gammons, backgammons, lostGammons, lostBackgammons]): Chances => ({
    win,
    winGammon: win * gammons,
    winBackgammon: win * gammons * backgammons,
    loseGammon: (1 - win) * lostGammons,
    loseBackgammon: (1 - win) * lostGammons * lostBackgammons,
  }),
);
const anySituation = fc
  .record({
    length: fc.oneof(fc.integer({ min: 0, max: 15 }), fc.constantFrom(25, 64, 300)),
    scores: fc.tuple(share, share),
    value: fc.constantFrom(1, 2, 4, 8),
    owner: fc.constantFrom("centre" as const, "onRoll" as const, "opponent" as const),
    limit: fc.constantFrom(1, 2, 64, 1_024),
    jacoby: fc.boolean(),
    beavers: fc.boolean(),
  })
  .map(({ length, scores: [own, other], value, owner, limit, jacoby, beavers }): Situation => {
    const score = [Math.floor(own * length), Math.floor(other * length)].map((points) =>
      Math.max(0, Math.min(length - 1, points)),
    ) as [number, number];
    const isMoney = length === 0;
    return situation({
      cube: { value: Math.min(value, limit), owner, limit },
      match: { length, score, crawford: false },
      jacoby: jacoby && isMoney,
      beavers: beavers && isMoney,
    });
  });

/** Holds for all chances and situations; the seed is printed. */
const always = (law: (chances: Chances, of: Situation) => void): void =>
  fc.assert(fc.property(anyChances, anySituation, law), { seed: SEED, numRuns: 1_000 });

const LITTLE = 1e-6;

describe("in every situation", () => {
  it("a pass is worth 1, and is what is taken at the take point", () => {
    always((chances, of) => {
      const { equities, takePoint, response } = advised(chances, of);
      expect(equities.doublePass).toBeCloseTo(1, 9);
      expect(takePoint).toBeGreaterThanOrEqual(0);
      expect(takePoint).toBeLessThanOrEqual(1);
      const own = 1 - chances.win;
      if (own > takePoint + LITTLE) expect(response).not.toBe("pass");
      if (own < takePoint - LITTLE) expect(response).toBe("pass");
    });
  });

  it("the opponent takes what costs no more than a pass", () => {
    always((chances, of) => {
      const { equities, response } = advised(chances, of);
      if (equities.doubleTake < 1 - LITTLE) expect(response).not.toBe("pass");
      if (equities.doubleTake > 1 + LITTLE) expect(response).toBe("pass");
    });
  });

  it.each([
    ["as it stands", 0],
    ["with its rolls looked at", 1],
  ] as const)("a double is made where it can gain and costs nothing, %s", (_, plies) => {
    always((chances, of) => {
      const advice = cubeAction(rolling(chances), of, plies);
      const { action, mayDouble, tooGood, response, equities } = advice;
      const { noDouble, doubleTake, doublePass } = equities;
      const doubled = Math.min(doubleTake, doublePass);
      const { cube } = stakesOf(of);
      const gains = canGain(outlookBefore(rolling(chances), of, plies), cube, "own");
      const seen = JSON.stringify(advice);
      // Of what is even to the last digits either may be done.
      if (Math.abs(noDouble - doubled - 1e-9) > 1e-12) {
        const isDouble = mayDouble && gains && doubled >= noDouble - 1e-9;
        expect(action === "double", seen).toBe(isDouble);
      }
      if (Math.abs(noDouble - doublePass - 1e-6) > 1e-12) {
        expect(tooGood, seen).toBe(response === "pass" && noDouble > doublePass + 1e-6);
      }
      if (of.jacoby && of.cube.owner === "centre") expect(tooGood, seen).toBe(false);
    });
  });

  it("a better chance to win is worth no less", () => {
    always((chances, of) => {
      const at = (win: number) => evaluation(saying(withWin(chances, win)), of, 0);
      const now = at(chances.win);
      const then = at((1 + chances.win) / 2);
      expect(then.cubeless).toBeGreaterThanOrEqual(now.cubeless - LITTLE);
      expect(then.cubeful).toBeGreaterThanOrEqual(now.cubeful - LITTLE);
    });
  });

  it("more gammons won, and fewer lost, are worth no less by the slopes", () => {
    always((chances, of) => {
      const { slopes } = preferenceOf(saying(chances), of);
      expect(slopes.win).toBeGreaterThan(0.5);
      for (const name of ["winGammon", "winBackgammon"] as const) {
        expect(slopes[name]).toBeGreaterThanOrEqual(-LITTLE);
      }
      for (const name of ["loseGammon", "loseBackgammon"] as const) {
        expect(slopes[name]).toBeLessThanOrEqual(LITTLE);
      }
    });
  });
});

describe("without a cube", () => {
  const noCube = { value: 1, owner: "centre", limit: 1 } as const;

  it("equity is cubeless: points for money", () => {
    fc.assert(
      fc.property(anyChances, (chances) => {
        const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = chances;
        const points = 2 * win - 1 + winGammon + winBackgammon - loseGammon - loseBackgammon;
        const of = situation({ cube: noCube });
        const { cubeless, cubeful } = evaluation(saying(chances), of, 0);
        expect(cubeless).toBeCloseTo(points, 9);
        expect(cubeful).toBeCloseTo(points, 9);
        const { worth, slopes } = preferenceOf(saying(chances), of);
        expect(worth(chances, OPENING)).toBeCloseTo(points, 9);
        const expected = {
          win: 2,
          winGammon: 1,
          winBackgammon: 1,
          loseGammon: -1,
          loseBackgammon: -1,
        };
        for (const [name, slope] of Object.entries(expected)) {
          expect(slopes[name as keyof Chances]).toBeCloseTo(slope, 9);
        }
      }),
      { seed: SEED },
    );
  });

  it("gammons count for nothing at double match point, and for who needs two in the Crawford game alone", () => {
    const normal = { ...winning(0.5), winGammon: 0.13, loseGammon: 0.13 };
    const at = (of: Situation) => preferenceOf(saying(normal), of).slopes;
    expect(at(scored(5, [4, 4])).win).toBeCloseTo(2, 9);
    expect(at(scored(5, [4, 4])).winGammon).toBeCloseTo(0, 9);
    const behind = at(scored(5, [3, 4], true));
    expect(behind.winGammon).toBeGreaterThan(0.9);
    expect(behind.loseGammon).toBeCloseTo(0, 9);
    const ahead = at(scored(5, [4, 3], true));
    expect(ahead.winGammon).toBeCloseTo(0, 9);
    expect(ahead.loseGammon).toBeLessThan(-0.9);
  });
});

describe("the best plays", () => {
  it("are told apart though the other side would double all of them out", () => {
    const { worth } = preferenceOf(saying(winning(0.1)), situation());
    expect(worth(winning(0.05), OPENING)).toBeCloseTo(-1, 4);
    expect(worth(winning(0.1), OPENING)).toBeGreaterThan(worth(winning(0.05), OPENING));
  });

  it("are legal, ranked, and as many as asked for", () => {
    for (const dice of [
      [3, 1],
      [6, 6],
      [5, 2],
    ] as const) {
      const all = bestPlays(staticEvaluator, situation(), dice, 0, 1_000);
      const legal = legalPlays(OPENING, dice).map(({ text }) => text);
      expect(all.map(({ play }) => play.text).sort()).toEqual([...legal].sort());
      expect(all[0]?.difference).toBe(0);
      for (const { equity, difference } of all) {
        expect(difference).toBeCloseTo(equity - (all[0]?.equity ?? 0), 12);
        expect(difference).toBeLessThanOrEqual(0);
      }
      const differences = all.map(({ difference }) => difference);
      expect(differences).toEqual([...differences].sort((one, other) => other - one));
      expect(bestPlays(staticEvaluator, situation(), dice, 0, 2)).toEqual(all.slice(0, 2));
    }
  });

  it("are none where none is legal", () => {
    const shut = positionOf({ 25: 1, 6: 14 }, { 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 5 });
    expect(bestPlays(staticEvaluator, situation({ position: shut }), [6, 5], 1, 5)).toEqual([]);
    expect(cubeAction(staticEvaluator, situation({ position: shut }), 1).action).toBe("noDouble");
  });
});
