import { BOARDS_A_DIE, boardOf, boardsAfter, isHome } from "./home-board";
import { SIDE } from "./position";

/*
 * Bear-offs of up to 6 checkers a side, exact: played by both to win most, money, without limit of the cube.
 *
 * Equities are of one unit of the cube. The table has, of the boards of the side that has just played and of
 * the other, who is on roll and may double before the roll, the worth to the one that has played: cubeless,
 * and with the cube its own, centred, and the other's, four numbers side by side. The best play may be
 * another for each, so each is the greatest over the plays. What a position is worth before a roll is the
 * average over the rolls of those, and that again gives the table's entry of the sides turned round.
 *
 * Numbers are whole, of 2 ** -30: each is rounded by half of that at most, 5e-10.
 */

/** C(12, 6): the boards of up to 6 checkers. */
const BOARDS: i32 = 924;
/** The rolls, of which the doubles come first. */
const ROLLS: i32 = 21;
const DOUBLES: i32 = 6;
const ONE: i32 = 1 << 30;

const ENTRY: usize = 16;
const ROW: usize = <usize>BOARDS * ENTRY;

/** Where an equity stands in an entry. */
const CUBELESS: u8 = 0;
const OWNED: u8 = 1;
const CENTRED: u8 = 2;
const AGAINST: u8 = 3;

/** The entries, by the board of the side that has played and by the other. 0 until they are made. */
let entries: usize = 0;

/** Makes the table of 14 MB, once. Before it, nothing else here but `isExact` may be called. */
export function makeExact(): void {
  if (entries !== 0) return;
  listPlays();
  entries = heap.alloc(<usize>BOARDS * ROW);
  for (let other = 0; other < BOARDS; other++) v128.store(entry(0, other), i32x4.splat(ONE));
  // An entry takes those of earlier boards of the side on roll, the other's being the same.
  for (let board = 1; board < BOARDS; board++) {
    for (let other = 1; other < board; other++) settle(board, other);
    for (let other = 1; other < board; other++) settle(other, board);
    settle(board, board);
  }
}

/** Whether the position is in the table: each side is home and has 1 to 6 checkers left. */
export function isExact(position: usize): bool {
  return (
    isHome(position) &&
    isHome(position + SIDE) &&
    areFew(boardOf(position)) &&
    areFew(boardOf(position + SIDE))
  );
}

/** Whether the board of a side has 1 to 6 checkers. */
export function areFew(board: i32): bool {
  return board > 0 && board < BOARDS;
}

/** The chance that the side on roll wins, both playing for that. Both are few. */
export function exactWin(onRoll: i32, other: i32): f64 {
  return 0.5 - (0.5 / <f64>ONE) * <f64>load<i32>(entry(other, onRoll));
}

/**
 * Equities of the side on roll as f64 at `to`: cubeless, then if it does not double now and the cube is its
 * own, centred, or the other's.
 */
export function exactEquities(position: usize, to: usize): void {
  const before = beforeRoll(boardOf(position), boardOf(position + SIDE));
  const unit = f64x2.splat(1 / <f64>ONE);
  v128.store(to, f64x2.mul(f64x2.convert_low_i32x4_s(before), unit));
  v128.store(to + 16, f64x2.mul(f64x2.convert_low_i32x4_s(highHalf(before)), unit));
}

function entry(played: i32, onRoll: i32): usize {
  return entries + <usize>played * ROW + <usize>onRoll * ENTRY;
}

/** Writes the entry of the side on roll that has its roll before it. */
function settle(onRoll: i32, other: i32): void {
  const before = beforeRoll(onRoll, other);
  // A cube that is mine is against the other; who doubles has it against himself, at twice the stake.
  const held = v128.shuffle<i32>(before, before, CUBELESS, AGAINST, CENTRED, OWNED);
  const against = i32x4.splat(i32x4.extract_lane(before, AGAINST));
  const doubled = i32x4.shl(i32x4.min_s(against, i32x4.splat(ONE >> 1)), 1);
  const never = i32x4.splat(-ONE);
  const choice = v128.shuffle<i32>(never, doubled, 0, 1, 6, 7);
  v128.store(entry(other, onRoll), i32x4.neg(i32x4.max_s(held, choice)));
}

/** The equities of the side on roll that does not double. */
function beforeRoll(onRoll: i32, other: i32): v128 {
  const column = entries + <usize>other * ENTRY;
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  let play = firstPlay(onRoll, 0);
  for (let roll = 0; roll < ROLLS; roll++) {
    const end = firstPlay(onRoll, roll + 1);
    let best = i32x4.splat(-ONE);
    for (; play < end; play += 2) {
      best = i32x4.max_s(best, v128.load(column + <usize>load<u16>(play) * ROW));
    }
    const weight = f64x2.splat(roll < DOUBLES ? 1 : 2);
    low = f64x2.add(low, f64x2.mul(weight, f64x2.convert_low_i32x4_s(best)));
    high = f64x2.add(high, f64x2.mul(weight, f64x2.convert_low_i32x4_s(highHalf(best))));
  }
  return v128.shuffle<i32>(average(low), average(high), 0, 1, 4, 5);
}

function average(sums: v128): v128 {
  return i32x4.trunc_sat_f64x2_s_zero(f64x2.nearest(f64x2.div(sums, f64x2.splat(36))));
}

function highHalf(lanes: v128): v128 {
  return v128.shuffle<i32>(lanes, lanes, 2, 3, 2, 3);
}

// The plays of each board and roll.

/** Room for the boards that the plays of each board and roll lead to; there are 69,043. */
const PLAYS_MAX: usize = 70000;

/** Those boards, u16, none twice for a roll; and, u32, where those of each board and roll start. */
let plays: usize = 0;
let starts: usize = 0;

/** Boards reached on the way, and those reached from them. */
const here: usize = heap.alloc(<usize>BOARDS * 2);
const there: usize = heap.alloc(<usize>BOARDS * 2);
/** What one die leads to. */
const reached: usize = heap.alloc(<usize>BOARDS_A_DIE * 2);

function firstPlay(board: i32, roll: i32): usize {
  return <usize>load<u32>(starts + ((<usize>(board * ROLLS + roll)) << 2));
}

function listPlays(): void {
  plays = heap.alloc(PLAYS_MAX * 2);
  starts = heap.alloc((<usize>(BOARDS * ROLLS) + 1) * 4);
  let start = starts;
  let end = plays;
  for (let board = 0; board < BOARDS; board++) {
    for (let die = 1; die <= DOUBLES; die++) {
      store<u32>(start, <u32>end);
      start += 4;
      end = listDoubles(board, die, end);
    }
    for (let die = 2; die <= 6; die++) {
      for (let other = 1; other < die; other++) {
        store<u32>(start, <u32>end);
        start += 4;
        end = listPair(board, other, die, end, listPair(board, die, other, end, end));
      }
    }
  }
  store<u32>(start, <u32>end);
}

function listDoubles(board: i32, die: i32, list: usize): usize {
  store<u16>(here, <u16>board);
  const once = listAfter(here, here + 2, die, there, there);
  const twice = listAfter(there, once, die, here, here);
  const thrice = listAfter(here, twice, die, there, there);
  return listAfter(there, thrice, die, list, list);
}

function listPair(board: i32, die: i32, then: i32, list: usize, end: usize): usize {
  store<u16>(here, <u16>board);
  return listAfter(there, listAfter(here, here + 2, die, there, there), then, list, end);
}

/** Adds what the die leads to from the boards in `from` to those in `list`. Returns where these end. */
function listAfter(from: usize, fromEnd: usize, die: i32, list: usize, end: usize): usize {
  let last = end;
  for (let at = from; at < fromEnd; at += 2) {
    const count = boardsAfter(<i32>load<u16>(at), die, reached);
    for (let one = 0; one < count; one++) {
      const board = load<u16>(reached + ((<usize>one) << 1));
      let same = list;
      while (same < last && load<u16>(same) !== board) same += 2;
      if (same < last) continue;
      store<u16>(last, board);
      last += 2;
    }
  }
  return last;
}
