import { present } from "../../kernel/assert.ts";

/*
 * The bits of GNU Backgammon's IDs: the lowest bit of each byte first, the bytes in standard Base64 without its
 * padding. Base64 has the highest bit of each byte first.
 */

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/**
 * The Base64 text of bits, 0 or 1 each. What the last character holds beyond them is 0.
 *
 * @param bits - whole bytes of them
 */
export const printBits = (bits: readonly number[]): string => {
  const sextets: number[] = new Array(Math.ceil(bits.length / 6)).fill(0);
  for (const [index, bit] of bits.entries()) {
    if (bit === 0) continue;
    const streamed = inStream(index);
    const sextet = Math.floor(streamed / 6);
    sextets[sextet] = present(sextets[sextet], "a sextet for each bit") | (32 >> (streamed % 6));
  }
  return sextets.map((sextet) => ALPHABET.charAt(sextet)).join("");
};

/**
 * The bits of a Base64 text, six a character: those of its whole bytes, then those of padding.
 *
 * @param text - of the standard alphabet only, without `=`
 */
export const parseBits = (text: string): readonly number[] => {
  const sextets = [...text].map((character) => ALPHABET.indexOf(character));
  const stream = sextets.flatMap((sextet) => [5, 4, 3, 2, 1, 0].map((bit) => (sextet >> bit) & 1));
  const wholeBits = stream.length - (stream.length % 8);
  return stream.map((bit, index) =>
    index < wholeBits ? present(stream[inStream(index)], "whole bytes of bits") : bit,
  );
};

/** Where a bit of the key stands in the Base64 text. */
const inStream = (bit: number): number => 8 * (bit >> 3) + 7 - (bit & 7);
