import { assert } from "../../kernel/assert.ts";
import {
  at,
  BAR,
  type CheckerMove,
  type Dice,
  OFF,
  type Play,
  type Position,
  type Side,
} from "./board.ts";
import { printPlay } from "./play-text.ts";

/*
 * How the plays of a roll are found once each, without comparing positions.
 *
 * The points a side holds are the bits of one number, so the checkers that a die can move are
 * `held & (open << die)`. What one roll does is then fixed by which checkers leave which points:
 *
 * Doubles. A play is a multiset of points left. Whatever order can play it, the order from the
 * highest point down can too: a checker arrives before it goes on, and bearing off only gains by
 * the higher checkers having moved. Different multisets give different positions, because along a
 * chain of points one die apart the counts give the multiset back, highest first. So the plays are
 * the falling sequences, and none comes twice.
 *
 * Two different dice. A play is a pair: the point left by the larger die, the point left by the
 * smaller. Two pairs give one position in two cases only: one checker moves by both dice and hits on
 * neither way's middle point, or both dice bear off and the points are exchanged.
 *
 * `test/games/backgammon/plays.test.ts` holds this equal to a generator that tries everything and
 * compares positions. Measured by `bench/legal-plays.ts`.
 */

/** A bound on the distinct plays of one roll: multisets of 4 out of the 25 places that can be left. */
const PLAYS_MAX = 20_475;

/**
 * Legal plays of `dice` for the side on roll, one per distinct resulting position.
 *
 * Both dice are played if any order allows it; if only one can be, the larger if possible; of
 * doubles, as many as possible. Bar checkers enter first. With every checker home a die bears off
 * from its own point, or from the highest point if that is lower. The play ends with the last checker
 * borne off. (USBGF rules of play.) No checker can move: no play.
 *
 * Of the ways to one position the first in the order below is kept, so `moves` and `text` depend on
 * the two numbers rolled and not on which fell first.
 *
 * @param position - from the side on roll; whether the game is over is the caller's question
 * @returns 0 to `PLAYS_MAX` plays, in a canonical order: the larger die first, then the higher point
 *   first. `moves` can be played in the order given
 * @see test/golden/backgammon/legal-plays.jsonl
 */
export const legalPlays = (position: Position, dice: Dice): readonly Play[] =>
  unpacked(position, dice, generate(position, dice));

/** The number of plays that `legalPlays` lists, without making them. */
export const countPlays = (position: Position, dice: Dice): number => generate(position, dice);

/**
 * What part of the roll could do if nothing compelled the rest: plays of one die, or of doubles
 * fewer than four times. They tell a player why a play is refused; they need not be legal.
 */
export const partialPlays = (position: Position, dice: Dice): readonly Play[] => {
  const [one, other] = dice;
  const parts =
    one === other
      ? [1, 2, 3].map((times) => ({ die: one, times }))
      : dice.map((die) => ({ die, times: 1 }));
  return parts.flatMap(({ die, times }) => {
    load(position);
    repeat(die, times);
    return unpacked(position, dice, plays);
  });
};

// One search at a time: nothing below calls out, so the scratch never outlives a call.

/** The mover's checkers, place by place. Bars and points; off is not counted here. */
const mine = new Int8Array(26);
/** Per point left by the larger die, the points left by the smaller as bits. */
const paired = new Int32Array(26);
/** The plays found: bit 0 set if the smaller die goes first, then five bits a point left, in order of play. */
const found = new Int32Array(PLAYS_MAX);
/** How many were found, how many dice they use, and the die where it is one number throughout, else 0. */
let plays = 0;
let diceUsed = 0;
let onlyDie = 0;
/** Points the mover holds, points open to it, and the open ones that hold a blot: bit n is point n. */
let held = 0;
let open = 0;
let blots = 0;

const BAR_BIT = 1 << BAR;
/** Beyond every bit of the home board: a side with `held` below it may bear off. */
const OUTSIDE = 1 << 7;

const generate = (position: Position, [one, other]: Dice): number => {
  assert(isDie(one) && isDie(other), "a die is 1..6");
  load(position);
  if (one === other) repeat(one, 4);
  else pair(Math.max(one, other), Math.min(one, other));
  return plays;
};

const isDie = (die: number): boolean => Number.isInteger(die) && die >= 1 && die <= 6;

const load = ({ onRoll, opponent }: Position): void => {
  assert(onRoll.length === 26 && opponent.length === 26, "a side has 26 places");
  plays = 0;
  diceUsed = 0;
  onlyDie = 0;
  held = 0;
  open = 0;
  blots = 0;
  for (let point = 1; point <= BAR; point++) {
    const count = onRoll[point] as number;
    mine[point] = count;
    if (count > 0) held |= 1 << point;
    if (point === BAR) break;
    const theirs = opponent[BAR - point] as number;
    if (theirs < 2) open |= 1 << point;
    if (theirs === 1) blots |= 1 << point;
  }
};

/** The points from which `die` can move a checker now, as bits. */
const leaving = (holding: number, die: number): number => {
  const moving = holding & (open << die);
  if ((holding & BAR_BIT) !== 0) return moving & BAR_BIT;
  if (holding >= OUTSIDE) return moving;
  const exact = holding & (1 << die);
  if (exact !== 0) return moving | exact;
  return holding !== 0 && holding < 1 << die ? 1 << highest(holding) : moving;
};

const highest = (bits: number): number => 31 - Math.clz32(bits);

/** The points held once a checker has gone from `from` by `die`; `mine` is as it was before. */
const holdingAfter = (holding: number, from: number, die: number): number => {
  const rest = mine[from] === 1 ? holding & ~(1 << from) : holding;
  return from > die ? rest | (1 << (from - die)) : rest;
};

// Two different dice.

const pair = (larger: number, smaller: number): void => {
  paired.fill(0);
  let chained = 0;
  for (let first = leaving(held, larger); first !== 0; ) {
    const from = highest(first);
    first ^= 1 << from;
    const holding = holdingAfter(held, from, larger);
    for (let second = leaving(holding, smaller); second !== 0; ) {
      const then = highest(second);
      second ^= 1 << then;
      chained = addPair(from, then, larger, smaller, chained, 0);
    }
  }
  for (let first = leaving(held, smaller); first !== 0; ) {
    const from = highest(first);
    first ^= 1 << from;
    const holding = holdingAfter(held, from, smaller);
    for (let second = leaving(holding, larger); second !== 0; ) {
      const then = highest(second);
      second ^= 1 << then;
      chained = addPair(then, from, larger, smaller, chained, 1);
    }
  }
  if (plays > 0) return;
  repeat(larger, 1);
  if (plays === 0) repeat(smaller, 1);
};

/**
 * Keeps the pair unless its position has been reached; `chained` has a bit for each point from which
 * one checker has moved by both dice without a hit on the way. Returns `chained` as it is then.
 */
const addPair = (
  byLarger: number,
  bySmaller: number,
  larger: number,
  smaller: number,
  chained: number,
  smallerFirst: number,
): number => {
  if (((paired[byLarger] as number) & (1 << bySmaller)) !== 0) return chained;
  const largerStarts = byLarger - larger === bySmaller;
  if (largerStarts || bySmaller - smaller === byLarger) {
    const middle = largerStarts ? bySmaller : byLarger;
    const start = 1 << (largerStarts ? byLarger : bySmaller);
    if ((blots & (1 << middle)) === 0) {
      if ((chained & start) !== 0) return chained;
      chained |= start;
    }
  } else if (byLarger <= larger && bySmaller <= smaller) {
    if (((paired[bySmaller] as number) & (1 << byLarger)) !== 0) return chained;
  }
  paired[byLarger] = (paired[byLarger] as number) | (1 << bySmaller);
  diceUsed = 2;
  found[plays++] = smallerFirst
    ? 1 | (bySmaller << 1) | (byLarger << 6)
    : (byLarger << 1) | (bySmaller << 6);
  return chained;
};

// One die, so many times.

const repeat = (die: number, times: number): void => {
  onlyDie = die;
  repeatFrom(held, die, times, BAR, 0, 0);
};

/** Adds what follows from here: points from `last` down. `packed` has the points left, five bits each. */
const repeatFrom = (
  holding: number,
  die: number,
  times: number,
  last: number,
  used: number,
  packed: number,
): void => {
  let leave = leaving(holding, die) & ((2 << last) - 1);
  if (leave === 0 && used > 0) keep(used, packed);
  while (leave !== 0) {
    const from = highest(leave);
    leave ^= 1 << from;
    const next = packed | (from << (1 + 5 * used));
    if (used + 1 === times) {
      keep(times, next);
      continue;
    }
    const holdingThen = holdingAfter(holding, from, die);
    mine[from] = (mine[from] as number) - 1;
    if (from > die) mine[from - die] = (mine[from - die] as number) + 1;
    repeatFrom(holdingThen, die, times, from, used + 1, next);
    if (from > die) mine[from - die] = (mine[from - die] as number) - 1;
    mine[from] = (mine[from] as number) + 1;
  }
};

/** Keeps a play that uses as many dice as any so far; one that uses more puts the others out. */
const keep = (used: number, packed: number): void => {
  if (used < diceUsed) return;
  if (used > diceUsed) {
    diceUsed = used;
    plays = 0;
  }
  found[plays++] = packed;
};

// The edge: packed plays become values.

const unpacked = (position: Position, dice: Dice, count: number): readonly Play[] => {
  const larger = Math.max(...dice);
  const smaller = Math.min(...dice);
  const list: Play[] = [];
  for (let index = 0; index < count; index++) {
    const packed = found[index] as number;
    const steps: Step[] = [];
    for (let step = 0; step < diceUsed; step++) {
      const isLarger = step === 0 ? (packed & 1) === 0 : (packed & 1) === 1;
      const die = onlyDie !== 0 ? onlyDie : isLarger ? larger : smaller;
      steps.push({ from: (packed >> (1 + 5 * step)) & 31, die });
    }
    list.push(played(position, steps));
  }
  return list;
};

type Step = Pick<CheckerMove, "from" | "die">;

const played = (position: Position, steps: readonly Step[]): Play => {
  const mover = position.onRoll.slice();
  let opponent = position.opponent;
  const moves: CheckerMove[] = [];
  for (const { from, die } of steps) {
    const to = from > die ? from - die : OFF;
    const hit = to !== OFF && opponent[BAR - to] === 1;
    mover[from] = at(mover, from) - 1;
    mover[to] = at(mover, to) + 1;
    if (hit) opponent = sentToBar(opponent, BAR - to);
    moves.push({ from, to, die, hit });
  }
  return { text: printPlay(moves), moves, after: { onRoll: opponent, opponent: mover } };
};

const sentToBar = (side: Side, point: number): Side => {
  const counts = side.slice();
  counts[point] = 0;
  counts[BAR] = at(counts, BAR) + 1;
  return counts;
};
