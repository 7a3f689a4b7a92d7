/*
 * A position in the kernel's memory: 64 bytes, the side on roll first, then the other. A side is 26 counts
 * of one byte each in its own coordinates, as everywhere (0 off, 1..24 points from its own home, 25 bar),
 * and six bytes of 0.
 */

export const SIDE: usize = 32;
export const POSITION: usize = 64;
export const OFF: i32 = 0;
export const BAR: i32 = 25;

export function count(side: usize, place: i32): i32 {
  return <i32>load<i8>(side + <usize>place);
}

/** The position at `to` is that at `from`, with the other side on roll. They do not overlap. */
export function turn(from: usize, to: usize): void {
  memory.copy(to, from + SIDE, SIDE);
  memory.copy(to + SIDE, from, SIDE);
}

/** The highest place with a checker. */
export function rearmost(side: usize): i32 {
  const none = i8x16.splat(0);
  const low = <u32>i8x16.bitmask(i8x16.ne(v128.load(side), none));
  const high = <u32>i8x16.bitmask(i8x16.ne(v128.load(side, 16), none));
  return 31 - clz(low | (high << 16) | 1);
}
