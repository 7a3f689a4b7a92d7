import { assert } from "../kernel/assert.ts";
import { hashBytes, sha256Hex } from "./hash.ts";

// A chain is made backwards: the seed is its last link, and each step gives the link before. Whoever
// knows the tip can check each link as it is opened, and can find none that is still closed.

/** Links in the chain of a server's card, unless a deck says otherwise (design.md 1). */
export const CHAIN_LENGTH = 1024;

/** Every so many links one is kept, so a link costs fewer steps than this (design.md 10). */
const MARK_EVERY = 32;

const LINK_BYTES = 32;
const PREFIX = Buffer.from("fair/1 link\n");

/** The hash chain of one card. Everything but its tip is secret until opened. */
export interface Chain {
  /** Links after the tip. */
  readonly length: number;
  /** Link 0, hex: published with the card. */
  readonly tip: string;
  /**
   * Link `k` in hex, 0 ≤ k ≤ length; at most 31 steps of work, about 20 µs.
   *
   * Throws `InvariantViolation` outside that range: the chain is exhausted.
   */
  link(k: number): string;
}

/**
 * The link before this one: `H("fair/1 link\n" ‖ link)` (design.md 1).
 *
 * @param link - 32 bytes, hex
 * @returns 32 bytes, hex
 */
export const step = (link: string): string => stepBack(link, 1);

/** The link so many steps before this one; 0 steps: the link itself. Hex in, hex out. */
export const stepBack = (link: string, steps: number): string => {
  assert(Number.isInteger(steps) && steps >= 0, "steps are a whole number");
  const input = Buffer.concat([PREFIX, hashBytes(link)]);
  let at = link;
  for (let left = steps; left > 0; left -= 1) {
    at = sha256Hex(input);
    input.write(at, PREFIX.length, "hex");
  }
  return at;
};

/**
 * The chain whose last link is `seed`. Making it takes `length` steps, about 0.8 ms for 1,024.
 *
 * @param seed - link `length`: 32 bytes, hex
 * @param length - ≥ 1
 */
export const chain = (seed: string, length: number): Chain => {
  assert(Number.isInteger(length) && length >= 1, "a chain has at least one link");
  // Mark m is link `length − 32m`. Packed, because a process holds a chain for every live match.
  const marks = Buffer.alloc((Math.floor(length / MARK_EVERY) + 1) * LINK_BYTES);
  let at = seed;
  for (let mark = 0; mark * LINK_BYTES < marks.length; mark += 1) {
    if (mark > 0) at = stepBack(at, MARK_EVERY);
    marks.write(at, mark * LINK_BYTES, "hex");
  }
  const tip = stepBack(at, length % MARK_EVERY);

  const link = (k: number): string => {
    assert(Number.isInteger(k) && k >= 0 && k <= length, "a link is one of its chain");
    const from = Math.floor((length - k) / MARK_EVERY) * LINK_BYTES;
    const mark = marks.toString("hex", from, from + LINK_BYTES);
    return stepBack(mark, (length - k) % MARK_EVERY);
  };
  return { length, tip, link };
};
