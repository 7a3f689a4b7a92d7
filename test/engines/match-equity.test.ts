import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matchChance, matchWorth } from "../../src/engines/backgammon/match-equity.ts";
import { PUBLISHED_AWAY_MAX } from "../../src/engines/backgammon/match-equity-table.ts";
import { matchModel } from "../../src/engines/backgammon/match-model.ts";
import { LENGTH_MAX } from "../../src/games/backgammon/options.ts";
import { SEED } from "../games/backgammon/support/random.ts";

/** Away of two sides of which the second leads. */
const behind = (max: number, min = 1): readonly (readonly [number, number])[] =>
  Array.from({ length: max }, (_, trailer) =>
    Array.from({ length: trailer }, (_unused, leader) => [trailer + 1, leader + 1] as const),
  )
    .flat()
    .filter(([trailer]) => trailer > min);

describe("the chance of winning a match", () => {
  // Kazaross-XG2, read from the table as GNU Backgammon 1.07 prints it (`gnubg.met`).
  it.each([
    [2, 1, "crawford", 0.32264],
    [3, 1, "crawford", 0.24924],
    [25, 1, "crawford", 0.00095],
    [3, 2, "crawford", 0.40053],
    [4, 2, "crawford", 0.3313],
    [5, 3, "crawford", 0.35205],
    [9, 4, "crawford", 0.21201],
    [15, 7, "crawford", 0.167434],
    [25, 24, "crawford", 0.46914],
    [2, 1, "post-crawford", 0.48803],
    [3, 1, "post-crawford", 0.32264],
    [4, 1, "post-crawford", 0.31002],
    [25, 1, "post-crawford", 0.00123],
    [1, 1, "crawford", 0.5],
    [7, 7, "crawford", 0.5],
  ] as const)("at %i-away and %i-away, %s, is %d", (own, other, next, chance) => {
    expect(matchChance({ own, other }, next)).toBe(chance);
    expect(matchChance({ own: other, other: own }, next)).toBeCloseTo(1 - chance, 12);
  });

  it("is 1 for who has all points, and 0 for the other", () => {
    for (const next of ["crawford", "post-crawford"] as const) {
      expect(matchChance({ own: -2, other: 3 }, next)).toBe(1);
      expect(matchChance({ own: 3, other: 0 }, next)).toBe(0);
    }
  });

  it("by our own model is close to what is published: 0.0022 on the mean, 0.0052 at most", () => {
    const model = matchModel(0);
    const off = behind(PUBLISHED_AWAY_MAX).map(([own, other]) =>
      Math.abs(model({ own, other }, "crawford") - matchChance({ own, other }, "crawford")),
    );
    expect(off).toHaveLength(300);
    expect(off.reduce((sum, each) => sum + each, 0) / 300).toBeLessThan(0.0022);
    expect(Math.max(...off)).toBeLessThan(0.0052);
    const afterCrawford = Array.from({ length: 24 }, (_, i) => ({ own: i + 2, other: 1 }));
    for (const away of afterCrawford) {
      const error = model(away, "post-crawford") - matchChance(away, "post-crawford");
      expect(Math.abs(error)).toBeLessThan(0.0068);
    }
  });

  it("beyond what is published goes on as the model does: 0.005 apart at most up to 64-away", () => {
    const model = matchModel(0);
    const off = behind(64, PUBLISHED_AWAY_MAX).map(([own, other]) =>
      Math.abs(model({ own, other }, "crawford") - matchChance({ own, other }, "crawford")),
    );
    expect(Math.max(...off)).toBeLessThan(0.005);
  });

  it("never falls with a point that is won, nor rises with one that is lost, up to 100-away", () => {
    for (const next of ["crawford", "post-crawford"] as const) {
      for (let own = 1; own <= 100; own++) {
        for (let other = 1; other <= 100; other++) {
          const now = matchChance({ own, other }, next);
          expect(matchChance({ own: own + 1, other }, next)).toBeLessThanOrEqual(now + 1e-12);
          expect(matchChance({ own, other: other + 1 }, next)).toBeGreaterThanOrEqual(now - 1e-12);
        }
      }
    }
  });

  it("is said for every score of the longest match, and rises with the lead", () => {
    const away = fc.integer({ min: 1, max: LENGTH_MAX });
    fc.assert(
      fc.property(away, away, (own, other) => {
        const found = matchChance({ own, other }, "crawford");
        expect(found).toBeGreaterThanOrEqual(0);
        expect(found).toBeLessThanOrEqual(1);
        expect(found + matchChance({ own: other, other: own }, "crawford")).toBeCloseTo(1, 12);
        const worth = matchWorth({ own, other }, "crawford");
        expect(worth(2)).toBeGreaterThanOrEqual(worth(1));
        expect(worth(-2)).toBeLessThanOrEqual(worth(-1));
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it("in a long match is that of a walk: ten points ahead are worth less the longer it is", () => {
    const ahead = [25, 64, 200, 1_000].map((other) =>
      matchChance({ own: other - 10, other }, "crawford"),
    );
    expect(ahead).toEqual([...ahead].sort((a, b) => b - a));
    expect(ahead.at(-1)).toBeGreaterThan(0.5);
  });
});
