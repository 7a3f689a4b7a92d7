import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reversed } from "../../src/engines/backgammon/chances.ts";
import type { CubeAt, Outlook } from "../../src/engines/backgammon/cubeful.ts";
import { canGain, cubeful } from "../../src/engines/backgammon/cubeful.ts";
import { matchWorth } from "../../src/engines/backgammon/match-equity.ts";
import { SEED } from "../games/backgammon/support/random.ts";
import { slowCubeful } from "../support/slow-cubeful.ts";

/** A game as a seat with this chance to win sees it: no gammons, for money, a cube as in most games. */
const outlookOf = (win: number, more: Partial<Outlook> = {}): Outlook => ({
  chances: { win, winGammon: 0, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 },
  onRoll: "own",
  liveness: 0.68,
  worth: (points) => points,
  cubeLimit: 64,
  jacoby: false,
  ...more,
});

/** The same game as the other seat sees it; what one wins the other loses. */
const acrossTheTable = (outlook: Outlook): Outlook => ({
  ...outlook,
  chances: reversed(outlook.chances),
  onRoll: outlook.onRoll === "own" ? "other" : "own",
  worth: (points) => -outlook.worth(-points),
});

const anyOutlook = fc
  .record({
    win: fc.double({ min: 0, max: 1, noNaN: true }),
    shares: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
    liveness: fc.double({ min: 0, max: 1, noNaN: true }),
    onRoll: fc.constantFrom("own" as const, "other" as const),
    jacoby: fc.boolean(),
    away: fc.option(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 }))),
    next: fc.constantFrom("crawford" as const, "post-crawford" as const),
  })
  .map(({ win, shares, liveness, onRoll, jacoby, away, next }): Outlook => {
    const [gammons = 0, backgammons = 0, lostGammons = 0, lostBackgammons = 0] = shares;
    const chances = {
      win,
      winGammon: win * gammons,
      winBackgammon: win * gammons * backgammons,
      loseGammon: (1 - win) * lostGammons,
      loseBackgammon: (1 - win) * lostGammons * lostBackgammons,
    };
    const worth =
      away === null
        ? {}
        : { jacoby: false, worth: matchWorth({ own: away[0], other: away[1] }, next) };
    return outlookOf(win, { chances, onRoll, liveness, jacoby, ...worth });
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

  it("is, of a live cube, what broken lines say that are made point by point", () => {
    always((outlook, cube) => {
      const live = { ...outlook, liveness: 1 };
      expect(cubeful(live, cube)).toBeCloseTo(slowCubeful(live, cube), 9);
    });
  });

  it("is, of a dead cube, what the chances say, or between that and a free double taken", () => {
    always((outlook, cube) => {
      const still = { ...outlook, liveness: 0 };
      const played = slowCubeful(still, cube);
      const found = cubeful(still, cube);
      const isEven = Math.abs(found - played) < 1e-9;
      const isDoubled = (["own", "other"] as const).some((holder) => {
        const owner = holder === "own" ? "other" : "own";
        const gain = slowCubeful(still, { value: 2 * cube.value, owner }) - played;
        const sign = holder === "own" ? 1 : -1;
        const more = sign * (found - played);
        return canGain(still, cube, holder) && more >= 0 && more <= sign * gain + 1e-9;
      });
      expect(isEven || isDoubled).toBe(true);
    });
  });

  it("is what the side behind makes of it after the Crawford game: it doubles at its next turn", () => {
    // 4-away, the leader on roll: at 50 % the side behind has a double taken, and half of what 2-away has.
    const worth = matchWorth({ own: 1, other: 4 }, "post-crawford");
    const found = cubeful(outlookOf(0.5, { worth, liveness: 0.7 }), { value: 1, owner: null });
    expect(found).toBeCloseTo(1 - 0.5 * 0.48803, 9);
  });

  it("has the side behind gain nothing by putting off its free double", () => {
    // After the Crawford game, 2-away to 9-away: what is lost at one cube is lost at any.
    always((outlook) => {
      for (const own of [2, 3, 4, 5, 6, 7, 8, 9]) {
        const worth = matchWorth({ own, other: 1 }, "post-crawford");
        const behind = { ...outlook, onRoll: "own", jacoby: false, worth } as const;
        const taken = cubeful(behind, { value: 2, owner: "other" });
        expect(cubeful(behind, { value: 1, owner: null })).toBeLessThanOrEqual(taken + 1e-9);
      }
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

/** The lowest chance, in thousandths, at which it is so. */
const lowest = (isSo: (win: number) => boolean): number =>
  Array.from({ length: 1_001 }, (_, i) => i / 1_000).find(isSo) ?? Number.NaN;

describe("the take point", () => {
  const takes = (more: Partial<Outlook>) => (win: number) => {
    const outlook = outlookOf(win, more);
    return cubeful(outlook, { value: 2, owner: "own" }) >= outlook.worth(-1) - 1e-9;
  };

  it.each([
    // "Take-Points in Money Games": 25 % dead, 20 % live, 0.5 / (2 + x / 2) between.
    ["dead", 0, 0.25],
    ["live", 1, 0.2],
    ["as in most games", 0.68, 0.5 / 2.34],
  ] as const)("for money with a %s cube is the known one", (_, liveness, point) => {
    expect(Math.abs(lowest(takes({ liveness, cubeLimit: 2 ** 20 })) - point)).toBeLessThan(0.0011);
  });

  it("is 25 % where the cube cannot be turned again", () => {
    expect(lowest(takes({ cubeLimit: 2 }))).toBe(0.25);
  });

  it("of the leader after the Crawford game is 50 % where the other needs 2, and next to nothing where it needs 3", () => {
    const against = (other: number) => ({ worth: matchWorth({ own: 1, other }, "post-crawford") });
    expect(lowest(takes(against(2)))).toBeCloseTo(0.5, 2);
    expect(lowest(takes(against(3)))).toBeLessThan(0.05);
  });

  it("2-away both is what a side 2-away has in the Crawford game", () => {
    const worth = matchWorth({ own: 2, other: 2 }, "crawford");
    expect(Math.abs(lowest(takes({ worth })) - worth(-1))).toBeLessThan(0.0011);
  });
});

describe("whether a double can gain", () => {
  it("is denied by a limit, the other's cube, and a single win that is enough", () => {
    const gains = (more: Partial<Outlook>, cube: CubeAt) =>
      canGain(outlookOf(0.7, more), cube, "own");
    expect(gains({}, { value: 1, owner: null })).toBe(true);
    expect(gains({ cubeLimit: 1 }, { value: 1, owner: null })).toBe(false);
    expect(gains({}, { value: 2, owner: "other" })).toBe(false);
    const worth = matchWorth({ own: 2, other: 4 }, "crawford");
    expect(gains({ worth }, { value: 1, owner: null })).toBe(true);
    expect(gains({ worth }, { value: 2, owner: "own" })).toBe(false);
  });
});

/** As seen: 12 lines of up to six points, two ends each. */
const LOOKS_MAX = 400;

it("the worth of a game takes a few hundred looks at what points are worth, whatever the cube may grow to", () => {
  let looks = 0;
  const worth = (points: number) => {
    looks += 1;
    return points;
  };
  cubeful(outlookOf(0.7, { worth }), { value: 1, owner: null });
  expect(looks).toBeLessThan(LOOKS_MAX);
});
