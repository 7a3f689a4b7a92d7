/*
 * Chance of a game of self-play: SplitMix64 (G. Steele, D. Lea, C. Flood, 2014), from a seed and the number
 * of the game, so that a game is the same wherever it is played.
 */

let state: u64 = 0;

export function seedGame(seed: u64, game: u64): void {
  state = seed;
  state = next() ^ (game * 0x9e3779b97f4a7c15);
}

function next(): u64 {
  state += 0x9e3779b97f4a7c15;
  let z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/** 0 .. below − 1. */
export function pick(below: i32): i32 {
  return <i32>(((next() >> 32) * <u64>below) >> 32);
}

/** True so often, out of 1. */
export function happens(chance: f32): bool {
  return <f32>(next() >> 40) / 16777216.0 < chance;
}

/** From −most to most, even. */
export function between(most: f32): f32 {
  return ((<f32>(next() >> 40) / 16777216.0) * 2 - 1) * most;
}
