import { assert } from "../kernel/assert.ts";
import type { Pick } from "../kernel/game.ts";
import { hmacSha256 } from "./hash.ts";

/** Largest bound of a pick. */
const PICK_BELOW_MAX = 2 ** 31;

const WORD_BYTES = 4;
const WORDS = 2 ** 32;

/**
 * Choices that a seed decides, for engines (README 7): the same seed and label give the same choices.
 *
 * The stream is HMAC-SHA256(seed, `"fair/1 pick\n"` ‖ label ‖ `"\n"` ‖ c) for c = 0, 1, 2 …, read as
 * big-endian words of 32 bits. Words in the ragged top are skipped, so each of 1 ≤ below ≤ 2³¹ numbers
 * is equally likely. Every pick takes at least one word, also one below 1.
 *
 * @param label - what the choices are for, e.g. the seat and the number of its turn
 */
export const seededPick = (seed: Uint8Array, label: string): Pick => {
  let count = 0;
  let block: Buffer = Buffer.alloc(0);
  let at = 0;
  const nextWord = (): number => {
    if (at === block.length) {
      block = hmacSha256(seed, `fair/1 pick\n${label}\n${count}`);
      count += 1;
      at = 0;
    }
    at += WORD_BYTES;
    return block.readUInt32BE(at - WORD_BYTES);
  };
  return (below) => {
    assert(Number.isInteger(below) && below >= 1 && below <= PICK_BELOW_MAX, "below is 1..2^31");
    const fair = WORDS - (WORDS % below);
    let word = nextWord();
    while (word >= fair) word = nextWord();
    return word % below;
  };
};
