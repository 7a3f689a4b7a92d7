import { describe, expect, it } from "vitest";
import { at, BAR, type Position, side } from "../../../src/games/backgammon/board.ts";
import { parsePositionId, printPositionId } from "../../../src/games/backgammon/position-id.ts";
import { START } from "../../../src/games/backgammon/start.ts";
import { fifteen, onBoard, positionOf } from "./support/positions.ts";
import { randomPlacement, SEED, seeded } from "./support/random.ts";
import { knownStates } from "./support/standings.ts";

const start = { 24: 2, 13: 5, 8: 3, 6: 5 };
const split = { 24: 1, 18: 1, 13: 4, 10: 1, 8: 3, 6: 5 };
const made = { 24: 2, 13: 5, 8: 2, 6: 4, 5: 2 };

/** Printed by GNU Backgammon 1.07.001, but for the last three, which another coder made. */
const TABLE: readonly (readonly [string, Position, string])[] = [
  ["the start", positionOf(start, start), "4HPwATDgc/ABMA"],
  ["B48: the side not on roll comes first", positionOf(start, split), "4HPiQSDgc/ABMA"],
  ["B48: the side on roll comes second", positionOf(split, start), "4HPwATDgc+JBIA"],
  ["the five point made", positionOf(start, made), "sGfwATDgc/ABMA"],
  [
    "B47: a checker on the bar",
    positionOf({ 25: 1, 23: 2, 13: 4, 8: 3, 6: 5 }, { 13: 5, 6: 2, 5: 2, 4: 2, 3: 2, 2: 0, 1: 2 }),
    "s23ABwDgc/AATA",
  ],
  ["fifteen on the bar", positionOf({ 25: 15 }, { 1: 15 }), "/38AAAAAAAD/fw"],
  ["one checker each", positionOf({ 1: 1 }, { 1: 1 }), "AQAABAAAAAAAAA"],
  [
    "the start of nackgammon",
    { onRoll: START.nackgammon, opponent: START.nackgammon },
    "4Dl4ADbgOXgANg",
  ],
  [
    "the start of hypergammon",
    { onRoll: fifteen({ 24: 1, 23: 1, 22: 1 }), opponent: fifteen({ 24: 1, 23: 1, 22: 1 }) },
    "AACgAgAAKgAAAA",
  ],
  ["the empty board", positionOf({}, {}), "AAAAAAAAAAAAAA"],
];

describe("a Position ID", () => {
  it.each(TABLE)("of %s is known", (_name, position, id) => {
    expect(printPositionId(position)).toBe(id);
    expect(parsePositionId(id)).toEqual({ ok: true, value: position });
  });

  it("of hypergammon is read with three checkers a side", () => {
    const hyper = { onRoll: START.hypergammon, opponent: START.hypergammon };
    expect(printPositionId(hyper)).toBe("AACgAgAAKgAAAA");
    expect(parsePositionId("AACgAgAAKgAAAA", 3)).toEqual({ ok: true, value: hyper });
    expect(parsePositionId("4HPwATDgc/ABMA", 3)).toMatchObject({
      error: { facts: { reason: "too-many-checkers" } },
    });
  });

  it("does not say how many are off: 15 less those on the board", () => {
    const position = { onRoll: side({ 0: 14, 1: 1 }), opponent: side({ 0: 14, 1: 1 }) };
    expect(parsePositionId("AQAABAAAAAAAAA")).toEqual({ ok: true, value: position });
  });

  it.each([
    ["B55: 13 characters", "4HPwATDgc/ABM", "not-14-base64-characters"],
    ["B55: 15 characters", "4HPwATDgc/ABMA=", "not-14-base64-characters"],
    ["B55: stray padding bits", "4HPwATDgc/ABMB", "padding-bits-set"],
    ["B55: the URL alphabet", "4HPwATDgc_ABMA", "not-14-base64-characters"],
    ["B55: seventeen checkers", "//8BAAAAAAAAAA", "too-many-checkers"],
    ["bits after the second bar", "AAAAAAAAAAAAgA", "bits-left-over"],
    ["no end to the checkers", "//////////////", "padding-bits-set"],
    ["no end to the checkers", "////////////8w", "bits-run-out"],
    ["a space", " 4HPwATDgc/ABM", "not-14-base64-characters"],
    ["a line end", "4HPwATDgc/ABMA\n", "not-14-base64-characters"],
    ["nothing", "", "not-14-base64-characters"],
  ])("with %s is refused", (_name, text, reason) => {
    expect(parsePositionId(text)).toEqual({
      ok: false,
      error: { code: "position-not-readable", facts: { notation: "positionId", reason } },
    });
  });

  it("is what GNU Backgammon prints in 50 match states", () => {
    const states = knownStates();
    expect(states).toHaveLength(50);
    for (const { label, standing, positionId } of states) {
      expect(printPositionId(standing.position), label).toBe(positionId);
      expect(parsePositionId(positionId), label).toEqual({ ok: true, value: standing.position });
    }
  });

  it("B47: with a checker on the bar lost is another ID, with nothing on a bar", () => {
    const read = parsePositionId("mxmAQ4PbAQAAAA");
    if (!read.ok) throw new Error("it is refused");
    const { onRoll, opponent } = read.value;
    expect([onBoard(opponent), onBoard(onRoll)].sort()).toEqual([14, 8]);
    expect([at(opponent, BAR), at(onRoll, BAR)]).toEqual([0, 0]);
  });

  it(`is read back as the position it was printed from, 20,000 times (SEED=${SEED})`, () => {
    const random = seeded(SEED + 2);
    for (let index = 0; index < 20_000; index++) {
      const position = randomPlacement(random);
      const id = printPositionId(position);
      const read = parsePositionId(id);
      if (!read.ok || JSON.stringify(read.value) !== JSON.stringify(position))
        expect(read, id).toEqual({ ok: true, value: position });
    }
  });

  it(`with characters changed is refused, or written as it was read, 20,000 times (SEED=${SEED})`, () => {
    const random = seeded(SEED + 9);
    const characters = "ABCDghwxyzAQgw0189+/=-_ é";
    let read = 0;
    for (let index = 0; index < 20_000; index++) {
      const id = printPositionId(randomPlacement(random));
      const from = random(id.length);
      const put = characters.charAt(random(characters.length));
      const text = id.slice(0, from) + put + id.slice(from + (random(8) === 0 ? 0 : 1));
      const changed = parsePositionId(text);
      if (!changed.ok) continue;
      read += 1;
      expect(printPositionId(changed.value)).toBe(text);
    }
    expect(read).toBeGreaterThan(1_000);
  });
});
