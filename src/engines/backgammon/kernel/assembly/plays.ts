import { BAR, count, OFF, POSITION, rearmost, SIDE } from "./position";

/*
 * The distinct legal results of a roll. As many dice as possible are played, and the larger one where either
 * but not both can be. The side on roll stays first in the results.
 */

/** More distinct results than a roll can have: four moves among 15 checkers. */
export const RESULTS_MAX: i32 = 4096;
const SLOTS: i32 = 8192;

const work: usize = heap.alloc(POSITION);
/** For each slot the stamp of the call that filled it, and the number of the result there. */
const stamps: usize = memory.data(SLOTS << 2, 16);
const numbers: usize = memory.data(SLOTS << 2, 16);
let stamp: u32 = 0;
let results: usize = 0;
let found: i32 = 0;
let diceUsed: i32 = 0;
let dieUsed: i32 = 0;

/**
 * Writes the results of the roll one after the other, and says how many there are. Where nothing can be
 * played that is one, the position itself.
 */
export function generate(position: usize, first: i32, second: i32, to: usize): i32 {
  memory.copy(work, position, POSITION);
  results = to;
  diceUsed = 0;
  dieUsed = 0;
  restart();
  if (first === second) {
    four(first, 0, BAR);
  } else {
    const high = max(first, second);
    const low = min(first, second);
    two(high, low);
    two(low, high);
  }
  if (found === 0) {
    memory.copy(to, position, POSITION);
    found = 1;
  }
  return found;
}

function restart(): void {
  found = 0;
  stamp++;
}

/** Whether a checker may move from a place by a die. */
function isLegal(from: i32, die: i32, rear: i32): bool {
  if (count(work, from) === 0 || (rear === BAR && from !== BAR)) return false;
  const to = from - die;
  if (to > OFF) return count(work + SIDE, BAR - to) < 2;
  return rear <= 6 && (to === OFF || from === rear);
}

/** Moves a checker; true where that hits. */
function move(from: i32, die: i32): bool {
  const to = max(from - die, OFF);
  bump(work, from, -1);
  bump(work, to, 1);
  if (to === OFF || count(work + SIDE, BAR - to) !== 1) return false;
  bump(work + SIDE, BAR - to, -1);
  bump(work + SIDE, BAR, 1);
  return true;
}

function takeBack(from: i32, die: i32, isHit: bool): void {
  const to = max(from - die, OFF);
  bump(work, from, 1);
  bump(work, to, -1);
  if (isHit) {
    bump(work + SIDE, BAR - to, 1);
    bump(work + SIDE, BAR, -1);
  }
}

function bump(side: usize, place: i32, by: i32): void {
  store<i8>(side + <usize>place, <i8>(count(side, place) + by));
}

/** Two different dice, in this order. */
function two(first: i32, second: i32): void {
  const rear = rearmost(work);
  for (let from = rear; from > OFF; from--) {
    if (!isLegal(from, first, rear)) continue;
    const isHit = move(from, first);
    const next = rearmost(work);
    let isEnd = true;
    for (let then = next; then > OFF; then--) {
      if (!isLegal(then, second, next)) continue;
      isEnd = false;
      const alsoHit = move(then, second);
      add(2, 0);
      takeBack(then, second, alsoHit);
    }
    if (isEnd) add(1, first);
    takeBack(from, first, isHit);
  }
}

/** A double: the moves in the order of their places, as every order gives the same. */
function four(die: i32, used: i32, last: i32): void {
  const rear = rearmost(work);
  let isEnd = true;
  if (used < 4) {
    for (let from = min(last, rear); from > OFF; from--) {
      if (!isLegal(from, die, rear)) continue;
      isEnd = false;
      const isHit = move(from, die);
      four(die, used + 1, from);
      takeBack(from, die, isHit);
    }
  }
  if (isEnd && used > 0) add(used, die);
}

/** Adds the result that stands on the working board, unless it is there, or another one uses more dice. */
function add(used: i32, die: i32): void {
  if (used < diceUsed || (used === diceUsed && die < dieUsed)) return;
  if (used > diceUsed || die > dieUsed) {
    diceUsed = used;
    dieUsed = die;
    restart();
  }
  let slot = hash(work) & (SLOTS - 1);
  while (load<u32>(stamps + ((<usize>slot) << 2)) === stamp) {
    const there = load<i32>(numbers + ((<usize>slot) << 2));
    if (isEqual(work, results + <usize>there * POSITION)) return;
    slot = (slot + 1) & (SLOTS - 1);
  }
  store<u32>(stamps + ((<usize>slot) << 2), stamp);
  store<i32>(numbers + ((<usize>slot) << 2), found);
  memory.copy(results + <usize>found * POSITION, work, POSITION);
  found++;
}

function hash(position: usize): i32 {
  let sum: u64 = 0;
  for (let i: usize = 0; i < POSITION; i += 8) {
    sum = (sum ^ load<u64>(position + i)) * 0x9e3779b97f4a7c15;
    sum ^= sum >> 29;
  }
  return <i32>(sum >> 32);
}

function isEqual(a: usize, b: usize): bool {
  const first = v128.xor(v128.load(a), v128.load(b));
  const second = v128.xor(v128.load(a, 16), v128.load(b, 16));
  const third = v128.xor(v128.load(a, 32), v128.load(b, 32));
  const fourth = v128.xor(v128.load(a, 48), v128.load(b, 48));
  return !v128.any_true(v128.or(v128.or(first, second), v128.or(third, fourth)));
}
