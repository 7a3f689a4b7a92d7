import { describe, expect, it } from "vitest";
import { checkers, pipCount, side } from "../../../src/games/backgammon/board.ts";
import { isOver, position } from "../../../src/games/backgammon/position.ts";
import { START, VARIANTS } from "../../../src/games/backgammon/start.ts";
import { positionOf } from "./support/positions.ts";
import { deepFrozen } from "./support/random.ts";

const start = { onRoll: START.standard, opponent: START.standard };

describe("a position", () => {
  it("is two sides of 26 places that share no point", () => {
    expect(position(deepFrozen(start))).toEqual({ ok: true, value: start });
    expect(position(positionOf({}, { 25: 15 })).ok).toBe(true);
  });

  it.each([
    [
      "25 places",
      { ...start, onRoll: START.standard.slice(1) },
      { reason: "not-26-places", side: "onRoll" },
    ],
    [
      "a count below 0",
      { ...start, opponent: side({ 6: -1 }) },
      { reason: "count-out-of-range", side: "opponent" },
    ],
    [
      "half a checker",
      { ...start, opponent: side({ 6: 0.5 }) },
      { reason: "count-out-of-range", side: "opponent" },
    ],
    [
      "16 on a point",
      { ...start, onRoll: side({ 6: 16 }) },
      { reason: "count-out-of-range", side: "onRoll" },
    ],
    [
      "16 checkers",
      { ...start, onRoll: side({ 6: 5, 5: 5, 4: 5, 0: 1 }) },
      { reason: "too-many-checkers", side: "onRoll" },
    ],
    [
      "a point held by both",
      positionOf({ 20: 1 }, { 5: 1 }),
      { reason: "point-held-by-both", point: 20 },
    ],
  ])("with %s is refused", (_name, setup, facts) => {
    expect(position(setup)).toEqual({ ok: false, error: { code: "position-not-playable", facts } });
  });

  it("is over when a side has no checker on points or bar", () => {
    expect(isOver(start)).toBe(false);
    expect(isOver(positionOf({ 1: 1 }, { 25: 1 }))).toBe(false);
    expect(isOver(positionOf({}, { 1: 1 }))).toBe(true);
    expect(isOver(positionOf({ 1: 1 }, {}))).toBe(true);
    expect(isOver({ onRoll: side({ 0: 3 }), opponent: START.hypergammon })).toBe(true);
  });
});

describe("a game starts", () => {
  it.each([
    ["standard", 15, 167],
    ["nackgammon", 15, 194],
    ["hypergammon", 3, 69],
  ] as const)("in %s with %i checkers a side and %i pips", (variant, count, pips) => {
    expect(checkers(START[variant])).toBe(count);
    expect(pipCount(START[variant])).toBe(pips);
    expect(position({ onRoll: START[variant], opponent: START[variant] }).ok).toBe(true);
  });

  it("in every variant", () => {
    expect(Object.keys(START)).toEqual([...VARIANTS]);
  });
});
