import { describe, expect, it } from "vitest";
import { matchWorth } from "../../../src/engines/backgammon/match-equity.ts";

const LENGTH = 25;

/** The chance of a side that needs `own` points against one that needs `other`. */
const chance = (own: number, other: number, next: "crawford" | "post-crawford" = "crawford") =>
  matchWorth({ own, other }, next)(0);

const scores = Array.from({ length: LENGTH }, (_, i) => i + 1);

describe("the chance to win a match", () => {
  it.each([
    [1, 1, 0.5],
    [2, 1, 0.32264],
    [3, 1, 0.24924],
    [4, 1, 0.18564],
    [5, 1, 0.15821],
    [9, 1, 1 - 0.94402],
    [2, 3, 0.59947],
    [2, 4, 0.6687],
    [3, 4, 0.5715],
    [3, 5, 0.64795],
    [4, 5, 0.57732],
    [5, 7, 0.62638],
    [4, 9, 0.78799],
  ])("%i-away, %i-away is within 0.006 of the Kazaross-XG2 table", (own, other, published) => {
    expect(Math.abs(chance(own, other) - published)).toBeLessThan(0.006);
  });

  it.each([
    [2, 0.48803],
    [3, 0.32264],
    [4, 0.31002],
    [5, 0.19012],
    [6, 0.18072],
  ])(
    "of the side that needs %i after the Crawford game is within 0.007 of that table",
    (own, published) => {
      expect(Math.abs(chance(own, 1, "post-crawford") - published)).toBeLessThan(0.007);
    },
  );

  it("is for both sides together one", () => {
    for (const next of ["crawford", "post-crawford"] as const) {
      for (const own of scores) {
        for (const other of scores) {
          expect(chance(own, other, next) + chance(other, own, next)).toBeCloseTo(1, 12);
        }
      }
    }
  });

  it("is lower for a side that needs a point more, higher where the other does", () => {
    for (const own of scores) {
      for (const other of scores) {
        expect(chance(own + 1, other)).toBeLessThan(chance(own, other));
        expect(chance(own, other + 1)).toBeGreaterThan(chance(own, other));
      }
    }
  });

  it("is 1 or 0 once a side needs nothing, however many points it won beyond", () => {
    const worth = matchWorth({ own: 2, other: 3 }, "crawford");
    expect([worth(2), worth(6), worth(-3), worth(-8)]).toEqual([1, 1, 0, 0]);
  });
});
