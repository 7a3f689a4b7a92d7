import type { Side } from "../../games/backgammon/board.ts";
import { at, BAR, mirrored, OFF } from "../../games/backgammon/board.ts";

/*
 * A static evaluation: a sum of what a player would name, who holds which points, spare checkers, blots
 * and the rolls that hit them, checkers on the bar, the wall before the opponent's last checkers. The
 * weights are ours: least squares on the equities that GNU Backgammon's 2-ply analysis gives the plays
 * of 750 decisions, rounded. They only compare the plays of one roll; the score is no estimate of the
 * equity. What is one of its terms is there for `chances.ts` too.
 */

/**
 * How good a position is for the side that has just played; higher is better. Thousandths of a point.
 *
 * @param own - the side that has played
 * @param other - the side on roll
 */
export const evaluate = (own: Side, other: Side): number => {
  if (!hasContact(own, other)) return 2 * at(own, OFF) - 23 * at(own, 1) - 13 * at(own, 2);
  const board = homePoints(own);
  const held = structure(own) - 6 * board * board;
  const wall = longestWall(own, other);
  return held + 5 * wall * wall + at(other, BAR) * (84 + 22 * board) - risk(own, other);
};

/** The sides can still meet: somebody's rearmost checker has not passed the other's. */
export const hasContact = (own: Side, other: Side): boolean =>
  rearmost(own) + rearmost(other) > BAR;

const rearmost = (side: Side): number => side.findLastIndex((count) => count > 0);

// What the side's own point 1..24 is worth, held by one checker, by two or more, and by a third besides.
const BLOT: readonly number[] = [
  -73, -32, -11, 12, 26, -24, 21, 19, 21, 4, 17, 5, 9, 11, -1, 12, -6, 2, -3, 9, -14, 1, -24, -14,
];
const MADE: readonly number[] = [
  -39, 15, 71, 107, 122, 62, 58, 56, 43, 55, 54, 20, 44, 39, 30, 19, -5, 49, -9, 54, 12, -9, -56,
  -56,
];
const SPARE: readonly number[] = [
  -30, -12, -33, -21, 7, 19, -4, 21, 21, -18, -7, 5, 8, 9, 5, -15, -14, -23, -6, -48, -25, -31, -39,
  1,
];
/** A third and each further checker on the points 1 and 2 is out of play. */
const OUT_OF_PLAY = 28;

const structure = (side: Side): number => {
  let worth = 0;
  for (let point = 1; point < BAR; point++) {
    const count = at(side, point);
    if (count === 1) worth += at(BLOT, point - 1);
    if (count >= 2) worth += at(MADE, point - 1);
    if (count >= 3) worth += at(SPARE, point - 1);
    if (count >= 3 && point <= 2) worth -= OUT_OF_PLAY * (count - 2);
  }
  return worth;
};

/** How many of its six home points the side holds. */
export const homePoints = (side: Side): number =>
  side.slice(1, 7).filter((count) => count >= 2).length;

/** The most points held of the six before one of the other's checkers that is still on its far half. */
export const longestWall = (own: Side, other: Side): number => {
  let longest = 0;
  for (let place = 13; place <= BAR; place++) {
    if (at(other, place) === 0) continue;
    let points = 0;
    for (let ahead = 1; ahead <= 6; ahead++) if (at(own, mirrored(place) + ahead) >= 2) points += 1;
    if (points > longest) longest = points;
  }
  return longest;
};

/** What the side stands to lose by its blots: pips, and more before a strong board, by each roll that hits. */
const risk = (own: Side, other: Side): number => {
  const { rolls, pips } = shots(own, other);
  return 0.2 * homePoints(other) ** 2 * rolls + 0.345 * pips;
};

/** What the 36 rolls of a side do to the other's blots. */
export interface Shots {
  /** How many of the 36 rolls hit one, 0..36. */
  readonly rolls: number;
  /** The pips that the blots hit have come, over the 36 rolls; a roll may hit any one of several. */
  readonly pips: number;
}

/**
 * The shots at a side's blots.
 *
 * @param own - the side with the blots
 * @param other - the side that rolls
 */
export const shots = (own: Side, other: Side): Shots => {
  const blots: number[] = [];
  const ways = { from: 0, open: 0, waiting: at(other, BAR) };
  for (let point = 0; point < BAR; point++) {
    if (at(other, mirrored(point)) > 0) ways.from |= 1 << point;
    if (at(own, point) < 2) ways.open |= 1 << point;
    if (point > OFF && at(own, point) === 1) blots.push(point);
  }
  let rolls = 0;
  let pips = 0;
  for (let first = 1; blots.length > 0 && first <= 6; first++) {
    for (let second = first; second <= 6; second++) {
      let hit = 0;
      for (const point of blots) if (hits(ways, point, first, second)) hit += mirrored(point);
      const weight = first === second ? 1 : 2;
      if (hit > 0) rolls += weight;
      pips += weight * hit;
    }
  }
  return { rolls, pips };
};

/** Where the other side's checkers come from, my points open to them, as bits, and how many must enter; its bar is my 0. */
interface Ways {
  readonly from: number;
  readonly open: number;
  readonly waiting: number;
}

/** Whether the roll hits my blot on the point. In numbers only: it is asked some 1,000 times a decision. */
const hits = (ways: Ways, point: number, first: number, second: number): boolean => {
  if (ways.waiting > 1) return point === first || point === second;
  if (hitsBy(ways, point, first, second) || hitsBy(ways, point, second, first)) return true;
  const from = ways.waiting === 0 ? ways.from : 1;
  if (first !== second) {
    const middle = has(ways.open, point - first) || has(ways.open, point - second);
    return middle && has(from, point - first - second);
  }
  for (let way = point - first; way > point - 4 * first && has(ways.open, way); way -= first) {
    if (has(from, way - first)) return true;
  }
  return false;
};

/** Whether one checker hits by the die itself; where another must enter first, that takes the rest. */
const hitsBy = ({ from, open, waiting }: Ways, point: number, die: number, rest: number): boolean =>
  has(from, point - die) && (waiting === 0 || point === die || has(open, rest));

const has = (bits: number, place: number): boolean => place >= 0 && ((bits >> place) & 1) === 1;
