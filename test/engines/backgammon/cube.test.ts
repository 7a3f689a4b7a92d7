import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Offer } from "../../../src/engines/backgammon/cube.ts";
import { acceptsResignation, answer, doubles } from "../../../src/engines/backgammon/cube.ts";
import type { CubeAt, Outlook } from "../../../src/engines/backgammon/cubeful.ts";
import { cubeful } from "../../../src/engines/backgammon/cubeful.ts";
import { matchWorth } from "../../../src/engines/backgammon/match-equity.ts";
import { parsePositionId } from "../../../src/games/backgammon/position-id.ts";
import { assert } from "../../../src/kernel/assert.ts";
import { fifteen } from "../../games/backgammon/support/positions.ts";
import { SEED } from "../../games/backgammon/support/random.ts";
import { acrossTheTable, forMoney, goldenLines, outlookOf } from "./support/outlooks.ts";

const CENTRED: CubeAt = { value: 1, owner: null };
const DOUBLE: Offer = { kind: "double", cube: 2, passPoints: 1 };
const DEAD = { liveness: 0 };
const LIVE = { liveness: 1 };

const LOOKS_MAX = 400;

/** What the seat with this chance answers to a first double, which nobody may beaver. */
const answered = (win: number, more: Partial<Outlook> = {}) =>
  answer(outlookOf(win, more), DOUBLE, false);

const doublesAt = (win: number, more: Partial<Outlook> = {}, cube = CENTRED) =>
  doubles({ outlook: outlookOf(win, more), cube });

/** A game of a match, by the points that the seat and the other need. */
const match = (own: number, other: number, next: "crawford" | "post-crawford" = "crawford") => ({
  worth: matchWorth({ own, other }, next),
});

const anyOutlook = fc
  .record({
    win: fc.double({ min: 0, max: 1, noNaN: true }),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
    liveness: fc.double({ min: 0, max: 1, noNaN: true }),
    jacoby: fc.boolean(),
    away: fc.option(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))),
    next: fc.constantFrom("crawford", "post-crawford"),
  })
  .map(({ win, shares, liveness, jacoby, away, next }): Outlook => {
    const [gammons = 0, backgammons = 0, lostGammons = 0, lostBackgammons = 0] = shares;
    const chances = {
      win,
      winGammon: win * gammons,
      winBackgammon: win * gammons * backgammons,
      loseGammon: (1 - win) * lostGammons,
      loseBackgammon: (1 - win) * lostGammons * lostBackgammons,
    };
    const worth =
      away === null ? {} : { jacoby: false, ...match(away[0], away[1], next as "crawford") };
    return outlookOf(win, { chances, liveness, jacoby, ...worth });
  });
const anyCube = fc.record({
  value: fc.constantFrom(1, 2, 4),
  owner: fc.constantFrom("own", "other", null),
});

/** Holds for every outlook and cube; the seed is printed. */
const always = (law: (outlook: Outlook, cube: CubeAt) => void): void =>
  fc.assert(fc.property(anyOutlook, anyCube, law), { seed: SEED, numRuns: 2_000 });

describe("the worth of a game with a cube", () => {
  it("for money is what Janowski's formulas say", () => {
    // "Take-Points in Money Games": W and L are the averages of a win and a loss.
    const janowski = (p: number, w: number, l: number, x: number) => ({
      own: p * (w + l + 0.5 * x) - l,
      other: p * (w + l + 0.5 * x) - l - 0.5 * x,
    });
    for (const [p, w, l] of [
      [0.5, 1, 1],
      [0.6, 1.2, 1.1],
      [0.4, 1.3, 1.2],
    ] as const) {
      const chances = {
        win: p,
        winGammon: p * (w - 1),
        winBackgammon: 0,
        loseGammon: (1 - p) * (l - 1),
        loseBackgammon: 0,
      };
      // A cube without a limit; ours has one, so far off that it says the same to 0.001.
      const outlook = outlookOf(p, { chances, cubeLimit: 2 ** 12 });
      const said = janowski(p, w, l, outlook.liveness);
      expect(cubeful(outlook, { value: 1, owner: "own" })).toBeCloseTo(said.own, 3);
      expect(cubeful(outlook, { value: 1, owner: "other" })).toBeCloseTo(said.other, 3);
    }
  });

  it("is never more than the best result nor less than the worst", () => {
    always((outlook, cube) => {
      const found = cubeful(outlook, cube);
      expect(found).toBeLessThanOrEqual(outlook.worth(3 * cube.value) + 1e-9);
      expect(found).toBeGreaterThanOrEqual(outlook.worth(-3 * cube.value) - 1e-9);
    });
  });

  it("is what the other side loses", () => {
    always((outlook, cube) => {
      const swapped = { own: "other", other: "own" } as const;
      const owner = cube.owner === null ? null : swapped[cube.owner];
      const theirs = cubeful(acrossTheTable(outlook), { value: cube.value, owner });
      expect(theirs).toBeCloseTo(-cubeful(outlook, cube), 9);
    });
  });

  it("is most to the owner of the cube, least where the other owns it", () => {
    always((outlook, { value }) => {
      // In the middle the Jacoby rule may be worth more than the cube.
      const game = { ...outlook, jacoby: false };
      const [own, centred, other] = (["own", null, "other"] as const).map((owner) =>
        cubeful(game, { value, owner }),
      );
      expect(own).toBeGreaterThanOrEqual((centred ?? 0) - 1e-9);
      expect(centred).toBeGreaterThanOrEqual((other ?? 0) - 1e-9);
    });
  });
});

describe("the answer to a double for money", () => {
  it.each([
    ["dead", DEAD, 0.25],
    ["live", LIVE, 0.2],
    ["as in most games", {}, 0.5 / 2.34],
  ] as const)("is a take from the take point, the cube being %s", (_, more, point) => {
    const far = { ...more, cubeLimit: 2 ** 20 };
    expect(answered(point + 0.001, far)).toBe("take");
    expect(answered(point - 0.001, far)).toBe("pass");
  });

  it("is a pass without a chance, and a take with every", () => {
    expect(answered(0)).toBe("pass");
    expect(answered(1)).toBe("take");
  });

  it("needs 25 % where the cube cannot be turned again", () => {
    const atLimit = { cubeLimit: 2 };
    expect([answered(0.251, atLimit), answered(0.249, atLimit)]).toEqual(["take", "pass"]);
  });

  it("needs more where gammons threaten", () => {
    const chances = {
      win: 0.27,
      winGammon: 0,
      winBackgammon: 0,
      loseGammon: 0.3,
      loseBackgammon: 0,
    };
    expect(answered(0.27, { chances })).toBe("pass");
  });

  it("is a beaver where the game is worth more than nothing with the cube, else a take or a pass", () => {
    const mayBeaver = (win: number) => answer(outlookOf(win), DOUBLE, true);
    expect([0.55, 0.35, 0.1].map(mayBeaver)).toEqual(["raise", "take", "pass"]);
  });

  it("after a beaver is a raccoon where the doubler is right, else a take or a pass", () => {
    const beaver: Offer = { kind: "beaver", cube: 4, passPoints: 2 };
    const doubler = (win: number) => answer(outlookOf(win), beaver, true);
    expect([0.7, 0.45, 0.1].map(doubler)).toEqual(["raise", "take", "pass"]);
    const raccoon: Offer = { kind: "raccoon", cube: 8, passPoints: 4 };
    expect([0.6, 0.1].map((win) => answer(outlookOf(win), raccoon, false))).toEqual([
      "take",
      "pass",
    ]);
  });

  it("is a take exactly where that is worth at least the pass", () => {
    always((outlook) => {
      const takes = answer(outlook, DOUBLE, false) === "take";
      const taken = cubeful(outlook, { value: 2, owner: "own" });
      expect(takes).toBe(taken >= outlook.worth(-1) - 1e-9);
    });
  });
});

describe("a double for money", () => {
  it.each([
    // What is left of the checkers, the rolls of 36 that bear them off, the answer.
    [{ 5: 1, 2: 1 }, 19, "take"],
    [{ 6: 1 }, 27, "take"],
    [{ 4: 1, 1: 1 }, 29, "pass"],
  ] as const)(
    "on the last roll is right from 18 rolls of 36: %j, %i rolls, %s",
    (left, rolls, reply) => {
      const outlook = forMoney(fifteen(left), fifteen({ 1: 2 }));
      expect(outlook.chances.win).toBeCloseTo(rolls / 36, 9);
      expect(doubles({ outlook, cube: CENTRED })).toBe(true);
      expect(answer(acrossTheTable(outlook), DOUBLE, false)).toBe(reply);
    },
  );

  it("on the last roll is wrong below", () => {
    const outlook = forMoney(fifteen({ 4: 1, 3: 1 }), fifteen({ 1: 2 }));
    expect(outlook.chances.win).toBeCloseTo(17 / 36, 9);
    expect(doubles({ outlook, cube: CENTRED })).toBe(false);
  });

  it("is not made with a win that is certain or worse than a coin", () => {
    expect([0.2, 0.5, 1].map((win) => doublesAt(win))).toEqual([false, false, false]);
  });

  it("is made in a window below the cash point", () => {
    expect([0.6, 0.74, 0.8].map((win) => doublesAt(win))).toEqual([false, true, true]);
  });

  it("needs more with an owned cube, which it gives away", () => {
    const own: CubeAt = { value: 2, owner: "own" };
    const first = (cube: CubeAt) =>
      Array.from({ length: 100 }, (_, i) => i / 100).find((win) => doublesAt(win, {}, cube)) ?? 1;
    expect(first(own)).toBeGreaterThan(first(CENTRED));
  });

  it("is not made where the side is too good, but is under the Jacoby rule", () => {
    const chances = {
      win: 0.95,
      winGammon: 0.7,
      winBackgammon: 0,
      loseGammon: 0,
      loseBackgammon: 0,
    };
    expect(doublesAt(0.95, { chances })).toBe(false);
    expect(doublesAt(0.95, { chances, jacoby: true })).toBe(true);
  });

  it("is not made beyond the limit, nor with the other's cube", () => {
    expect(doublesAt(0.75, { cubeLimit: 1 })).toBe(false);
    expect(doublesAt(0.75, {}, { value: 2, owner: "other" })).toBe(false);
  });
});

describe("at a match score", () => {
  const chances = Array.from({ length: 101 }, (_, i) => i / 100);

  it("nobody doubles at double match point", () => {
    expect(chances.some((win) => doublesAt(win, match(1, 1)))).toBe(false);
  });

  it("nobody doubles for more than a single win at this cube gives: the cube is dead", () => {
    for (const [own, other, value] of [
      [2, 5, 2],
      [3, 3, 4],
      [1, 4, 1],
    ] as const) {
      const cube: CubeAt = { value, owner: value === 1 ? null : "own" };
      expect(chances.some((win) => doublesAt(win, match(own, other, "post-crawford"), cube))).toBe(
        false,
      );
    }
  });

  it("the side behind doubles at once after the Crawford game: it has nothing to lose", () => {
    for (const away of [2, 3, 4, 5]) {
      for (const win of [0.1, 0.3, 0.5, 0.7]) {
        expect(doublesAt(win, match(away, 1, "post-crawford")), `${away} ${win}`).toBe(true);
      }
    }
  });

  it("the leader then has a free drop where the other needs an even number, and uses it when behind", () => {
    const two = match(1, 2, "post-crawford");
    expect([answered(0.49, two), answered(0.51, two)]).toEqual(["pass", "take"]);
  });

  it("the leader then takes nearly everything where the other needs an odd number", () => {
    expect(answered(0.05, match(1, 3, "post-crawford"))).toBe("take");
  });

  it("2-away both, a double is for the match, and taken above three tenths", () => {
    // 1-away against 2-away in the Crawford game is 31 to 32 %: the dead take point.
    const both = match(2, 2);
    expect([answered(0.33, both), answered(0.3, both)]).toEqual(["take", "pass"]);
  });
});

describe("a resignation", () => {
  const accepts = (outlook: Outlook, points: number, cube = CENTRED) =>
    acceptsResignation({ outlook, cube }, points);

  it("of a single is enough where no gammon can come, and not where it is sure to", () => {
    expect(accepts(outlookOf(1), 1)).toBe(true);
    const chances = { win: 1, winGammon: 1, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 };
    expect(accepts(outlookOf(1, { chances }), 1)).toBe(false);
    expect(accepts(outlookOf(1, { chances }), 2)).toBe(true);
    expect(accepts(outlookOf(1, { chances, jacoby: true }), 1)).toBe(true);
  });

  it("of a single is a gift in an even game", () => {
    expect(accepts(outlookOf(0.5), 1)).toBe(true);
  });

  it("of all that the game can bring is always accepted", () => {
    always((outlook, cube) => {
      expect(accepts(outlook, 3 * cube.value, cube)).toBe(true);
    });
  });

  it("of a single is accepted wherever no gammon can come", () => {
    always((outlook, cube) => {
      const { chances } = outlook;
      const single = { ...outlook, chances: { ...chances, winGammon: 0, winBackgammon: 0 } };
      expect(accepts(single, cube.value, cube)).toBe(true);
    });
  });

  it("that wins the match is accepted", () => {
    const chances = { win: 1, winGammon: 1, winBackgammon: 1, loseGammon: 0, loseBackgammon: 0 };
    expect(accepts(outlookOf(1, { chances, ...match(1, 5, "post-crawford") }), 1)).toBe(true);
  });
});

interface CubeDecision {
  readonly positionId: string;
  readonly owner: "centre" | "onRoll" | "opponent";
  readonly equities: {
    readonly noDouble: number;
    readonly doubleTake: number;
    readonly doublePass: number;
  };
}

interface BearOff {
  readonly onRoll: readonly number[];
  readonly opponent: readonly number[];
  readonly exact: {
    readonly noDoubleOwned: number;
    readonly noDoubleCentred: number;
    readonly doubleTake: number;
  };
}

/** What action and response lose against the best, in points per unit of the cube. */
const lost = (outlook: Outlook, cube: CubeAt, equities: CubeDecision["equities"]) => {
  const { noDouble, doubleTake, doublePass } = equities;
  const doubled = Math.min(doubleTake, doublePass);
  const chosen = doubles({ outlook, cube }) ? doubled : noDouble;
  const reply = answer(acrossTheTable(outlook), DOUBLE, false) === "take" ? doubleTake : doublePass;
  return { action: Math.max(noDouble, doubled) - chosen, response: reply - doubled };
};

const mean = (list: readonly number[]) => list.reduce((sum, each) => sum + each, 0) / list.length;

describe("the cost of a decision", () => {
  it("is a few hundred looks at what points are worth, whatever the cube may grow to", () => {
    const counted = (outlook: Outlook): number => {
      let looks = 0;
      const worth = (points: number) => {
        looks += 1;
        return outlook.worth(points);
      };
      doubles({ outlook: { ...outlook, worth }, cube: CENTRED });
      return looks;
    };
    expect(counted(outlookOf(0.7))).toBeLessThan(LOOKS_MAX);
    expect(counted(outlookOf(0.7, match(7, 9)))).toBeLessThan(LOOKS_MAX);
  });
});

describe("against labelled decisions", () => {
  it("loses no more than was seen when it was fitted, a twelfth of what chance loses", () => {
    // A random player loses 0.156 by the action and 0.550 by the response. Seen: 0.0117 and 0.0262; with
    // each decision held out of the fit 0.013 and 0.031.
    const owners = { centre: null, onRoll: "own", opponent: "other" } as const;
    const losses = goldenLines<CubeDecision>("cube-decisions.jsonl").map((decision) => {
      const position = parsePositionId(decision.positionId);
      assert(position.ok, "a golden position is readable");
      const outlook = forMoney(position.value.onRoll, position.value.opponent);
      return lost(outlook, { value: 1, owner: owners[decision.owner] }, decision.equities);
    });
    expect(losses).toHaveLength(150);
    expect(mean(losses.map(({ action }) => action))).toBeLessThan(0.012);
    expect(mean(losses.map(({ response }) => response))).toBeLessThan(0.027);
  });

  it("loses next to nothing in bear-offs of up to six checkers", () => {
    const whole = (counts: readonly number[]) => fifteen({ ...counts.slice(0, 7), 0: 0 });
    const losses = goldenLines<BearOff>("bear-offs.jsonl").flatMap(
      ({ onRoll, opponent, exact }) => {
        const outlook = forMoney(whole(onRoll), whole(opponent));
        const { noDoubleCentred, noDoubleOwned, doubleTake } = exact;
        const taken = { doubleTake, doublePass: 1 };
        return [
          lost(outlook, CENTRED, { noDouble: noDoubleCentred, ...taken }),
          lost(outlook, { value: 1, owner: "own" }, { noDouble: noDoubleOwned, ...taken }),
        ];
      },
    );
    expect(mean(losses.map(({ action }) => action))).toBeLessThan(0.001);
    expect(mean(losses.map(({ response }) => response))).toBeLessThan(0.0011);
  });
});
