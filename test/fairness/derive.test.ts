import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { derive, drawBelow, kindOf, textContribution } from "../../src/fairness/derive.ts";
import { seatNames, serverRoll } from "../../src/fairness/roll.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";

const LINK = "ab".repeat(32);
const WHITE = "01".repeat(32);
const FIELDS = { card: "12/345", roll: 17, seats: [null, null], beacon: null };

/** The draw of one byte, or nothing where the byte is skipped. */
const drawOfByte = (byte: number, bound: number): number | undefined => {
  const script = [byte, 0];
  let used = 0;
  const result = drawBelow(() => script[used++] ?? 0, bound);
  return used === 1 ? result : undefined;
};

describe("a draw", () => {
  it("has the same number of bytes for each result, for every bound", () => {
    for (let bound = 1; bound <= 256; bound += 1) {
      const cells = new Array<number>(bound).fill(0);
      let skipped = 0;
      for (let byte = 0; byte < 256; byte += 1) {
        const result = drawOfByte(byte, bound);
        if (result === undefined) skipped += 1;
        else cells[result] = (cells[result] ?? Number.NaN) + 1;
      }
      expect(new Set(cells)).toEqual(new Set([Math.floor(256 / bound)]));
      expect(skipped).toBe(256 % bound);
    }
  });

  it.each([0, 257, 1.5, -1])("refuses the bound %d", (bound) => {
    expect(() => drawBelow(() => 0, bound)).toThrow(InvariantViolation);
  });
});

describe("a roll's message", () => {
  const firstByte = (message: string): number =>
    createHmac("sha256", Buffer.from(LINK, "hex")).update(message).digest()[0] ?? Number.NaN;
  const coin = { kind: "number", below: 256 } as const;

  it("has the lines of white, black and the beacon with two seats", () => {
    const { out } = derive(coin, LINK, { ...FIELDS, seats: [WHITE, null], beacon: LINK });
    expect(out).toBe(firstByte(`fair/1 roll\n12/345\n17\nd256\n${WHITE}\n-\n${LINK}\n0`));
  });

  it("has one line a seat with more seats", () => {
    const { out } = derive(coin, LINK, { ...FIELDS, seats: [null, WHITE, null, LINK] });
    expect(out).toBe(firstByte(`fair/1 roll\n12/345\n17\nd256\n-\n${WHITE}\n-\n${LINK}\n-\n0`));
  });

  it.each([
    ["a roll 0", { ...FIELDS, roll: 0 }],
    ["a card of another spelling", { ...FIELDS, card: "12/0345" }],
    ["a contribution that is not a hash", { ...FIELDS, seats: ["-", null] }],
    ["a beacon that is not hex", { ...FIELDS, beacon: "x" }],
    ["no seats", { ...FIELDS, seats: [] }],
  ])("refuses %s", (_, fields) => {
    expect(() => derive({ kind: "2d6" }, LINK, fields)).toThrow(InvariantViolation);
  });

  it("refuses a link in capitals", () => {
    expect(() => derive({ kind: "2d6" }, LINK.toUpperCase(), FIELDS)).toThrow(InvariantViolation);
  });
});

describe("what is drawn", () => {
  it("is told to the rules in their own terms", () => {
    const drawn = (draw: Parameters<typeof derive>[0]) => derive(draw, LINK, FIELDS);
    const dice = drawn({ kind: "2d6" });
    expect(dice.drawn).toEqual({ kind: "2d6", pair: (dice.out as number[][])[0] });
    const opening = drawn({ kind: "open" });
    expect(opening.drawn).toEqual({ kind: "open", pairs: opening.out });
    const coin = drawn({ kind: "number", below: 2 });
    expect(coin.drawn).toEqual({ kind: "number", number: coin.out });
    const deal = drawn({ kind: "shuffle", size: 50, hidden: true });
    expect(deal.drawn).toEqual({ kind: "shuffle", order: deal.out });
    expect([...(deal.out as number[])].sort((a, b) => a - b)).toEqual([...Array(50).keys()]);
  });

  it("has a name of its own for each draw", () => {
    expect(kindOf({ kind: "number", below: 6 })).toBe("d6");
    expect(kindOf({ kind: "shuffle", size: 25, hidden: true })).toBe("shuffle25");
    expect(() => kindOf({ kind: "number", below: 257 })).toThrow(InvariantViolation);
    expect(() => kindOf({ kind: "shuffle", size: 257, hidden: false })).toThrow(InvariantViolation);
  });

  it("goes into a line with everything that is needed to check it", () => {
    const request = { ...FIELDS, draw: { kind: "2d6" }, link: LINK, seats: [WHITE, null] } as const;
    const { body } = serverRoll(request);
    expect(body).toEqual({
      type: "roll",
      roll: 17,
      kind: "2d6",
      links: { server: LINK, white: WHITE, black: null, beacon: null },
      out: derive(request.draw, LINK, request).out,
    });
    expect(serverRoll(request)).toEqual(serverRoll(request));
  });

  it("names two seats white and black, and others by number", () => {
    expect(seatNames(2)).toEqual(["white", "black"]);
    expect(seatNames(4)).toEqual(["seat0", "seat1", "seat2", "seat3"]);
  });
});

describe("a text", () => {
  it("has at most 64 bytes of UTF-8", () => {
    expect(textContribution("骰".repeat(21))).toMatch(/^[0-9a-f]{64}$/);
    expect(() => textContribution("骰".repeat(22))).toThrow(InvariantViolation);
  });
});
