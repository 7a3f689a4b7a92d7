import { areFew, exactWin, makeExact } from "./exact";
import { BOARDS, BOARDS_A_DIE, boardOf, boardsAfter, FULL_BOARD, isHome } from "./home-board";

/*
 * How many rolls a side needs in its home board, whatever the other does: to bear off every checker, and
 * (with all 15 there) to bear off the first. Each for itself is played to need the fewest on the average.
 *
 * A table is made from what one die at a time leads to. The best of a roll of two dice is the best of what
 * the second leads to after each move of the first, either way round; to have that at hand, the best board
 * after a die played once, twice and three times is kept for every board.
 */

/**
 * A row of a table: the chance to need more than n rolls, for n from 0, as f32. Chances below `LEAST` are
 * written as 0. From 20 rolls on all are (15 checkers on the 6 point need more with a chance of 5e-9), so a
 * row has `ENTRIES`, a 0, and three places to spare. What is rounded and left out is less than 1e-6.
 */
const ROW: usize = 96;
const ENTRIES: i32 = 20;
const LEAST: f32 = 1e-8;

/** Four entries are read at a time. */
const BLOCK: usize = 16;
const BLOCKS: i32 = ENTRIES / 4;

/** Rows of all boards; a row of 0, and then those of the boards with all 15 checkers. 0 until they are made. */
let untilOff: usize = 0;
let untilFirstOff: usize = 0;

/** Makes these tables and the exact one, once: 23 MB. Before it, nothing else here but `isBearOff` may be called. */
export function makeBearOff(): void {
  if (untilOff !== 0) return;
  makeExact();
  means = heap.alloc(<usize>BOARDS * 8);
  best = heap.alloc(3 * 6 * <usize>BOARDS * 2);
  untilOff = madeTable(1);
  untilFirstOff = madeTable(FULL_BOARD);
}

/** Whether both sides have every checker in their home boards or off. */
export function isBearOff(own: usize, other: usize): bool {
  return isHome(own) && isHome(other);
}

/**
 * Where the side's row stands: the chance to need more than n rolls until all are off, f32 for n = 0 .. 19.
 *
 * @param side - home
 */
export function rollsUntilOff(side: usize): usize {
  return untilOff + <usize>boardOf(side) * ROW;
}

/** The same until one of 15 checkers is off; 0 where one is. */
export function rollsUntilFirstOff(side: usize): usize {
  return untilFirstOff + <usize>max(boardOf(side) - FULL_BOARD + 1, 0) * ROW;
}

/** The average number of rolls until all are off. */
export function meanRolls(side: usize): f64 {
  const row = rollsUntilOff(side);
  let mean: f64 = 0;
  for (let rolls = 0; rolls < ENTRIES; rolls++) mean += load<f32>(row + ((<usize>rolls) << 2));
  return mean;
}

/**
 * The five cubeless chances of the side on roll as f32 at `to`: win, winGammon, winBackgammon, loseGammon,
 * loseBackgammon. Exact for up to 6 checkers a side; before that, each side's rolls are thought to be its own
 * affair, played as its tables are. Nobody can win a backgammon.
 *
 * @param ownSide - on roll; both sides are home, and neither has borne off all
 */
export function bearOffChances(ownSide: usize, otherSide: usize, to: usize): void {
  const own = boardOf(ownSide);
  const other = boardOf(otherSide);
  const ownOff = untilOff + <usize>own * ROW;
  const otherOff = untilOff + <usize>other * ROW;
  const isExact = areFew(own) && areFew(other);
  store<f32>(to, isExact ? <f32>exactWin(own, other) : inTime(ownOff, otherOff));
  store<f32>(to + 4, other < FULL_BOARD ? 0 : inTime(ownOff, firstOff(other)));
  store<f32>(to + 8, 0);
  store<f32>(to + 12, own < FULL_BOARD ? 0 : inTime(otherOff, firstOff(own) + 4));
  store<f32>(to + 16, 0);
}

function firstOff(board: i32): usize {
  return untilFirstOff + <usize>(board - FULL_BOARD + 1) * ROW;
}

/** The chance that one needs n rolls and the other more than n - 1, for all n. */
function inTime(one: usize, other: usize): f32 {
  let sum = f32x4.splat(0);
  for (let block = 0; block < BLOCKS; block++) {
    const at = <usize>block * BLOCK;
    const last = f32x4.sub(v128.load(one + at), v128.load(one + at + 4));
    sum = f32x4.add(sum, f32x4.mul(last, v128.load(other + at)));
  }
  return (
    f32x4.extract_lane(sum, 0) +
    f32x4.extract_lane(sum, 1) +
    (f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3))
  );
}

// Making a table, one at a time.

const ROLLS: i32 = 21;

/** Boards before this one are done; they share the row at the head of the table. */
let first: i32 = 0;
let table: usize = 0;

/** The mean of every board, f64. */
let means: usize = 0;
/** Of every board the best after a die played once, twice, three times: u16, by times, die and board. */
let best: usize = 0;

/** What each die leads to from the board at hand, u16, and how many: for the dice 1 to 6. */
const reached: usize = heap.alloc(7 * <usize>BOARDS_A_DIE * 2);
const reachedCounts: usize = heap.alloc(7 * 4);
/** The row after each roll as it is best played, u32, and how many of 36 rolls it is, f32. */
const rollRows: usize = heap.alloc(<usize>ROLLS * 4);
const rollWeights: usize = heap.alloc(<usize>ROLLS * 4);

function madeTable(firstBoard: i32): usize {
  first = firstBoard;
  table = heap.alloc(<usize>(BOARDS - first + 1) * ROW);
  memory.fill(table, 0, ROW);
  memory.fill(means, 0, <usize>first * 8);
  for (let board = first; board < BOARDS; board++) {
    for (let die = 1; die <= 6; die++) {
      store<i32>(reachedCounts + ((<usize>die) << 2), boardsAfter(board, die, reachedBy(die)));
    }
    store<f64>(means + ((<usize>board) << 3), 1 + sumOfMeans(board) / 36);
    writeRow(rowOf(board));
  }
  return table;
}

/** The sum of the means after each of the 36 rolls. Keeps what is best for `writeRow`, and for boards to come. */
function sumOfMeans(board: i32): f64 {
  let roll = 0;
  let sum: f64 = 0;
  for (let die = 1; die <= 6; die++) {
    for (let times = 1; times <= 3; times++) {
      store<u16>(bestAt(board, die, times), <u16>better(-1, die, die, times - 1));
    }
    sum += setRoll(roll++, 1, better(-1, die, die, 3));
    for (let other = 1; other < die; other++) {
      sum += setRoll(roll++, 2, better(better(-1, other, die, 1), die, other, 1));
    }
  }
  return sum;
}

/** The better of a board (-1: none yet) and what `die`, and then `next` so many times, leads to. */
function better(known: i32, die: i32, next: i32, times: i32): i32 {
  let chosen = known;
  let least = known < 0 ? Infinity : meanOf(known);
  const from = reachedBy(die);
  const count = load<i32>(reachedCounts + ((<usize>die) << 2));
  for (let at = 0; at < count; at++) {
    let board = <i32>load<u16>(from + ((<usize>at) << 1));
    if (times > 0 && board >= first) board = <i32>load<u16>(bestAt(board, next, times));
    const mean = meanOf(board);
    if (mean >= least) continue;
    least = mean;
    chosen = board;
  }
  return chosen;
}

function meanOf(board: i32): f64 {
  return load<f64>(means + ((<usize>board) << 3));
}

function reachedBy(die: i32): usize {
  return reached + <usize>(die * BOARDS_A_DIE * 2);
}

function bestAt(board: i32, die: i32, times: i32): usize {
  return best + ((<usize>(((times - 1) * 6 + die - 1) * BOARDS + board)) << 1);
}

function rowOf(board: i32): usize {
  return table + <usize>max(board - first + 1, 0) * ROW;
}

function setRoll(roll: i32, weight: i32, to: i32): f64 {
  store<u32>(rollRows + ((<usize>roll) << 2), <u32>rowOf(to));
  store<f32>(rollWeights + ((<usize>roll) << 2), <f32>weight);
  return <f64>weight * meanOf(to);
}

/** More than n + 1 rolls are needed where the board after the first needs more than n. */
function writeRow(row: usize): void {
  store<f32>(row, 1);
  for (let block = 0; block < BLOCKS; block++) {
    const at = <usize>block * BLOCK;
    let sum = f32x4.splat(0);
    for (let roll = 0; roll < ROLLS; roll++) {
      const after = <usize>load<u32>(rollRows + ((<usize>roll) << 2));
      const weight = v128.load_splat<f32>(rollWeights + ((<usize>roll) << 2));
      sum = f32x4.add(sum, f32x4.mul(weight, v128.load(after + at)));
    }
    const chances = f32x4.div(sum, f32x4.splat(36));
    v128.store(row + 4 + at, v128.and(chances, f32x4.ge(chances, f32x4.splat(LEAST))));
  }
}
