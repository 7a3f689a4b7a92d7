import { count } from "./position";

/*
 * A home board, that is a side with every checker on its points 1 to 6 or off, as one number.
 *
 * Let a point's stand be the checkers on it and on higher points of the home board. The stands of the points
 * 1 to 6 fall, and the number is their place in the combinatorial number system (D. Knuth, The Art of
 * Computer Programming 4A, 7.2.1.3): the sum over the points of C(stand + 6 - point, 7 - point). Boards of
 * fewer checkers come first, and a checker that moves lowers the number; so a table is made in the order of
 * the numbers, from 0, all off.
 */

export const HOME: i32 = 6;
/** C(21, 6): the boards of up to 15 checkers. */
export const BOARDS: i32 = 54264;
/** C(20, 6): the first board with all 15. */
export const FULL_BOARD: i32 = 38760;

/** The most boards that one die can lead to: each point's checkers may move. */
export const BOARDS_A_DIE: i32 = 6;

const CHECKERS: i32 = 15;

/** C(stand + 6 - point, 7 - point) for the points 1 to 7 and stands 0 to 15: u16, at 16 * point + stand. */
const shares: usize = heap.alloc(8 * 16 * 2);
/** The stands of the points 1 to 6 of the board that is being played, one byte each; at 7 there are none. */
const stands: usize = heap.alloc(8);

for (let stand = 1; stand <= CHECKERS; stand++) setShare(7, stand, 1);
for (let point = HOME; point > 0; point--) {
  for (let stand = 1; stand <= CHECKERS; stand++) {
    setShare(point, stand, share(point, stand - 1) + share(point + 1, stand));
  }
}

function share(point: i32, stand: i32): i32 {
  return <i32>load<u16>(shares + ((<usize>((point << 4) + stand)) << 1));
}

function setShare(point: i32, stand: i32, value: i32): void {
  store<u16>(shares + ((<usize>((point << 4) + stand)) << 1), <u16>value);
}

/** Whether no checker of the side is on the bar or beyond its home board. */
export function isHome(side: usize): bool {
  return !v128.any_true(v128.or(v128.load(side + 7), v128.load(side + 10)));
}

/** The number of a side that is home. */
export function boardOf(side: usize): i32 {
  let board = 0;
  let stand = 0;
  for (let point = HOME; point > 0; point--) {
    stand += count(side, point);
    board += share(point, stand);
  }
  return board;
}

/**
 * The boards that one checker's move by the die can lead to (from the highest point down), as u16 at `to`:
 * 1 to `BOARDS_A_DIE` of them. A die that no checker needs leaves the board as it is.
 *
 * A die bears off from its own point, or from the highest if that is lower. So there always is a move, and
 * what a roll leads to is what its dice lead to one after the other.
 */
export function boardsAfter(board: i32, die: i32, to: usize): i32 {
  setStands(board);
  let found = 0;
  for (let from = HOME; from > 0; from--) {
    const stand = standOf(from);
    const higher = standOf(from + 1);
    if (stand === higher) continue;
    if (from < die && higher > 0) break;
    let after = board;
    const lowest = from > die ? from - die + 1 : 1;
    for (let point = from; point >= lowest; point--) {
      after += share(point, standOf(point) - 1) - share(point, standOf(point));
    }
    store<u16>(to + ((<usize>found) << 1), <u16>after);
    found += 1;
  }
  if (found > 0) return found;
  store<u16>(to, <u16>board);
  return 1;
}

function standOf(point: i32): i32 {
  return <i32>load<u8>(stands + <usize>point);
}

function setStands(board: i32): void {
  let rest = board;
  let stand = CHECKERS;
  for (let point = 1; point <= HOME; point++) {
    while (share(point, stand) > rest) stand -= 1;
    rest -= share(point, stand);
    store<u8>(stands + <usize>point, <u8>stand);
  }
  store<u8>(stands + 7, 0);
}
