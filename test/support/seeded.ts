import { randomInt } from "node:crypto";

/** Pseudo-random choices that a printed seed repeats. */
export interface Random {
  /** A whole number in [0, below). */
  readonly below: (below: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** True `percent` times of a hundred. */
  readonly isHit: (percent: number) => boolean;
  /** A text of `length` hex digits. */
  readonly hex: (length: number) => string;
}

/** The seed of a suite: `SEED`, or a new one. It is printed. */
export const seedOf = (suite: string): number => {
  const given = process.env["SEED"];
  const seed = given === undefined ? randomInt(2 ** 31) : Number(given);
  report(suite, `SEED=${seed}`);
  return seed;
};

/** Prints a figure that a suite has seen. */
export const report = (suite: string, text: string): void => {
  process.stdout.write(`[${suite}] ${text}\n`);
};

/** Choices that depend on `seed` and `stream` alone (mulberry32). */
export const random = (seed: number, stream = 0): Random => {
  let state = (seed ^ Math.imul(stream + 1, 0x9e37_79b1)) >>> 0;
  const below = (bound: number): number => {
    state = (state + 0x6d2b_79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
  return {
    below,
    pick: <Item>(items: readonly Item[]) => {
      if (items.length === 0) throw new RangeError("nothing to pick from");
      return items[below(items.length)] as Item;
    },
    isHit: (percent) => below(100) < percent,
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(""),
  };
};
