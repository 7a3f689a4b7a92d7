import { assert } from "../../src/kernel/assert.ts";
import type { Draw, Drawn, Pair } from "../../src/kernel/draw.ts";

/** Whole numbers that a seed decides: uniform in [0, below), 1 ≤ below ≤ 2³². */
export type Random = (below: number) => number;

const WORDS = 2 ** 32;
const MASK = 2n ** 64n - 1n;
const STEP = 0x9e37_79b9_7f4a_7c15n;

/**
 * A stream of its own for each seed and number: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable
 * Pseudorandom Number Generators", 2014), whose state begins at a mix of the two.
 *
 * @param seed - a whole number, 0 or more
 * @param stream - a whole number, 0 or more
 */
export const seeded = (seed: number, stream = 0): Random => {
  let state = mixed((BigInt(seed) * STEP + mixed(BigInt(stream))) & MASK);
  const word = (): number => {
    state = (state + STEP) & MASK;
    return Number(mixed(state) >> 32n);
  };
  return (below) => {
    assert(Number.isInteger(below) && below >= 1 && below <= WORDS, "below is 1..2^32");
    const fair = WORDS - (WORDS % below);
    let drawn = word();
    while (drawn >= fair) drawn = word();
    return drawn % below;
  };
};

const mixed = (value: bigint): bigint => {
  const once = ((value ^ (value >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & MASK;
  const twice = ((once ^ (once >> 27n)) * 0x94d0_49bb_1331_11ebn) & MASK;
  return twice ^ (twice >> 31n);
};

/** Answers what the rules of backgammon ask of chance. */
export type Drawing = (draw: Draw) => Drawn;

/** Dice from a stream of numbers. */
export const diceOf = (random: Random): Drawing => {
  const pair = (): Pair => [1 + random(6), 1 + random(6)];
  return ({ kind }) => {
    if (kind === "2d6") return { kind, pair: pair() };
    assert(kind === "open", "backgammon asks for dice");
    const pairs = [pair()];
    for (let last = pairs[0]; last !== undefined && last[0] === last[1]; last = pairs.at(-1)) {
      pairs.push(pair());
    }
    return { kind, pairs };
  };
};
