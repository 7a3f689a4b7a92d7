import { assert, present, unreachable } from "../kernel/assert.ts";
import type { Draw, Drawn, Pair } from "../kernel/draw.ts";
import type { Json } from "../kernel/json.ts";
import { parseCard } from "./card.ts";
import { hashBytes, hmacSha256, isHash, sha256Hex } from "./hash.ts";

// From links to dice (design.md 2). HMAC-SHA256, keyed with the server's link of this roll, turns the
// roll's message into bytes without end; bytes become numbers by rejection, so no face is favoured.

/** What is said about a roll besides its kind: nothing in it can be chosen once the match is open. */
export interface RollFields {
  /** `<deck>/<index>` */
  readonly card: string;
  /** Rolls of the match, counted from 1. */
  readonly roll: number;
  /** What each seat contributes, in seat order: hex, or `null` for a seat without a source. */
  readonly seats: readonly (string | null)[];
  /** A drand round's randomness in hex, or `null`. */
  readonly beacon: string | null;
}

/** A roll as the log has it and as the rules take it. */
export interface Derived {
  /** Pairs for dice (a `2d6` is a list of one), a number for `dN`, the order for `shuffleN`. */
  readonly out: Json;
  readonly drawn: Drawn;
}

/** Most faces of a draw, and most things in a shuffle: a draw uses one byte. */
const BOUND_MAX = 256;

/** Longest text that a seat may contribute, in bytes of UTF-8. */
const TEXT_BYTES_MAX = 64;

/** The draw's name in the log and in the message: `2d6`, `open`, `dN` or `shuffleN` (README 2). */
export const kindOf = (draw: Draw): string => {
  switch (draw.kind) {
    case "2d6":
    case "open":
      return draw.kind;
    case "number":
      assert(isWithin(draw.below, 2, BOUND_MAX), "a number is drawn below 2..256");
      return `d${draw.below}`;
    case "shuffle":
      assert(isWithin(draw.size, 1, BOUND_MAX), "1..256 things are shuffled");
      return `shuffle${draw.size}`;
    default:
      return unreachable(draw);
  }
};

/**
 * The result of one roll: a function of the links and of nothing that the server could still choose.
 *
 * With two seats the message is that of design.md 1; with more it has one line a seat (README 3).
 *
 * @param serverLink - the server's link of this roll, hex
 */
export const derive = (draw: Draw, serverLink: string, fields: RollFields): Derived => {
  const next = byteStream(hashBytes(serverLink), messageHead(kindOf(draw), fields));
  switch (draw.kind) {
    case "2d6": {
      const pair = pairOf(next);
      return { out: [[...pair]], drawn: { kind: "2d6", pair } };
    }
    case "open": {
      const pairs = openingPairs(next);
      return { out: pairs.map((pair) => [...pair]), drawn: { kind: "open", pairs } };
    }
    case "number": {
      const number = drawBelow(next, draw.below);
      return { out: number, drawn: { kind: "number", number } };
    }
    case "shuffle": {
      const order = shuffled(next, draw.size);
      return { out: order, drawn: { kind: "shuffle", order } };
    }
    default:
      return unreachable(draw);
  }
};

/**
 * A uniform whole number in [0, bound), 1 ≤ bound ≤ 256.
 *
 * Bytes at or above the greatest multiple of `bound` are skipped: every result has the same number of
 * bytes, so its probability is exactly 1/bound (design.md 2).
 *
 * @param next - the next byte, 0..255
 */
export const drawBelow = (next: () => number, bound: number): number => {
  assert(isWithin(bound, 1, BOUND_MAX), "a bound is 1..256");
  const fair = 256 - (256 % bound);
  let byte = next();
  while (byte >= fair) byte = next();
  return byte % bound;
};

/** What a seat contributes by a text: `hex(H("fair/1 text\n" ‖ text))`, the same for every roll. */
export const textContribution = (text: string): string => {
  assert(Buffer.byteLength(text) <= TEXT_BYTES_MAX, "a text has at most 64 bytes");
  return sha256Hex(`fair/1 text\n${text}`);
};

/** All of the message but the block's number, which follows it. */
const messageHead = (kind: string, { card, roll, seats, beacon }: RollFields): string => {
  assert(parseCard(card) !== undefined, "a card is deck/index");
  assert(Number.isSafeInteger(roll) && roll >= 1, "rolls count from 1");
  assert(seats.length >= 1, "a match has seats");
  const parts = [...seats, beacon];
  assert(
    parts.every((part) => part === null || isHash(part)),
    "a contribution is 32 bytes in hex, or absent",
  );
  return ["fair/1 roll", card, roll, kind, ...parts.map((part) => part ?? "-"), ""].join("\n");
};

/** The stream of one roll: HMAC blocks 0, 1, 2 …, byte by byte. */
const byteStream = (key: Buffer, head: string): (() => number) => {
  let count = 0;
  let block: Buffer = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at === block.length) {
      block = hmacSha256(key, `${head}${count}`);
      count += 1;
      at = 0;
    }
    at += 1;
    return present(block[at - 1], "the stream is within its block");
  };
};

const pairOf = (next: () => number): Pair => {
  const value = drawBelow(next, 36);
  return [Math.floor(value / 6) + 1, (value % 6) + 1];
};

const openingPairs = (next: () => number): readonly Pair[] => {
  const pairs: Pair[] = [];
  let pair: Pair;
  do {
    pair = pairOf(next);
    pairs.push(pair);
  } while (pair[0] === pair[1]);
  return pairs;
};

/** Fisher and Yates, from the top down. */
const shuffled = (next: () => number, size: number): number[] => {
  const order = Array.from({ length: size }, (_, index) => index);
  for (let top = size - 1; top > 0; top -= 1) {
    const other = drawBelow(next, top + 1);
    const moved = present(order[top], "top is in the order");
    order[top] = present(order[other], "what was drawn is in the order");
    order[other] = moved;
  }
  return order;
};

const isWithin = (number: number, min: number, max: number): boolean =>
  Number.isInteger(number) && number >= min && number <= max;
