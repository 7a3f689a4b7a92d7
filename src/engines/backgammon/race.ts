import type { Side } from "../../games/backgammon/board.ts";
import { at, checkers, OFF, pipCount } from "../../games/backgammon/board.ts";
import { exactRolls, meanRolls } from "./bear-off.ts";
import type { Rolls } from "./bear-off-tables.ts";
import type { Chances } from "./chances.ts";

/*
 * Chances once the sides have passed each other: each has so many rolls to go, whatever the other does.
 *
 * How many rolls a side needs is exact for its last 6 checkers. Before, it is a normal distribution
 * about a mean that is linear in pips, checkers, those on the low points, stacks and gaps: what the
 * adjustments of a pip count are made of (wastage; W. Trice, "Backgammon Boot Camp"). The weights are
 * ours: least squares on all 54,263 positions of a home board, computed from the rules alone; the root
 * mean square error is 0.07 rolls. Checkers outside are thought to come in evenly on the 6, 5 and 4.
 */

/** The chances of the side on roll, the sides being past each other; neither has borne off all. */
export const raceChances = (own: Side, other: Side): Chances => {
  const ownRolls = rollsToBearOff(own);
  const otherRolls = rollsToBearOff(other);
  const win = inTime(ownRolls, otherRolls);
  const winGammon = Math.min(win, inTime(ownRolls, rollsToSave(other, HOME)));
  const loseGammon = Math.min(1 - win, inTime(otherRolls, rollsToSave(own, HOME).slice(1)));
  return {
    win,
    winGammon,
    winBackgammon: Math.min(winGammon, inTime(ownRolls, rollsToSave(other, FAR))),
    loseGammon,
    loseBackgammon: Math.min(loseGammon, inTime(otherRolls, rollsToSave(own, FAR).slice(1))),
  };
};

/**
 * How many rolls the race will last, counted for the side on roll: its own, or the other's and half a roll
 * more, as that side waits. The other's last roll is one, however it falls.
 */
export const raceLength = (onRoll: Side, other: Side): number => {
  const [own, others] = [meanRolls(rollsToBearOff(onRoll)), meanRolls(rollsToBearOff(other))];
  return Math.min(own, 2 * others - 1, others + 0.5);
};

/** The chance that the one needs no more rolls than the other. */
const inTime = (one: Rolls, other: Rolls): number => {
  let chance = 0;
  let notYet = other.reduce((sum, odds) => sum + odds, 0);
  for (let rolls = 0; rolls < one.length; rolls++) {
    chance += (one[rolls] ?? 0) * Math.max(0, notYet);
    notYet -= other[rolls] ?? 0;
  }
  return Math.min(1, chance);
};

const EXACT_CHECKERS_MAX = 6;

const rollsToBearOff = (side: Side): Rolls => {
  const left = checkers(side) - at(side, OFF);
  const isHome = side.findLastIndex((count) => count > 0) <= HOME;
  if (isHome && left <= EXACT_CHECKERS_MAX) return exactRolls(side);
  const spread = 0.052 + 0.0282 * pipCount(side) - 0.0195 * left;
  return normal(meanToBearOff(side, left), Math.sqrt(Math.max(0.05, spread)));
};

const meanToBearOff = (side: Side, left: number): number => {
  const outside = side.slice(HOME + 1).reduce((sum, count) => sum + count, 0);
  const home = side.slice(1, HOME + 1).map((count, i) => count + (i >= 3 ? outside / 3 : 0));
  const [aces = 0, deuces = 0, treys = 0] = home;
  const stacked = home.reduce((sum, count) => sum + count * count, 0);
  const gaps = home.filter((count) => count < 0.5).length;
  const pips = pipCount(side);
  const estimate =
    0.697 +
    0.1011 * pips +
    0.0676 * left +
    0.1551 * aces +
    0.0868 * deuces +
    0.0453 * treys +
    0.007 * stacked +
    0.0781 * gaps;
  return Math.min(estimate, acesOnly(left) + (pips - left) / PIPS_A_ROLL);
};

/** The mean rolls of so many checkers on the ace point: two a roll, four of doubles. */
const acesOnly = (left: number): number => {
  let [before, now] = [0, 0];
  for (let count = left % 2 === 0 ? 2 : 1; count <= left; count += 2) {
    [before, now] = [now, 1 + (5 * now + before) / 6];
  }
  return now;
};

const PIPS_A_ROLL = 49 / 6;

// Saving a gammon, and a backgammon.

/** The last point of the home board, and the last that is not in the winner's home. */
const HOME = 6;
const FAR = 18;

/**
 * How many rolls until no checker stands beyond the line, and, where the line is the home board's, one
 * is off. Exact whether one roll does; then a normal distribution of pips to go, a checker that steps
 * over the line spending 3 at least. Least squares on the equities of 1,220 positions, as in `contact.ts`.
 */
const rollsToSave = (side: Side, line: typeof HOME | typeof FAR): Rolls => {
  const isSafe = line === HOME ? at(side, OFF) > 0 : beyond(side, FAR, 0) === 0;
  if (isSafe) return [1];
  const over = side.slice(line + 1).reduce((sum, count) => sum + count, 0);
  const atOnce = over > OVER_MAX || beyond(side, line, 0) > PIPS_MAX ? 0 : savesAtOnce(side, line);
  if (atOnce === 1) return [0, 1];
  const mean = (beyond(side, line, 3) + (line === HOME ? 5.5 : 2.4)) / 7.35;
  const later = normal(mean, Math.sqrt(0.15 * mean));
  const rest = 1 - (later[1] ?? 0);
  return later.map((odds, rolls) => (rolls === 1 ? atOnce : (odds / rest) * (1 - atOnce)));
};

/** The most checkers that a roll moves, and its most pips. */
const OVER_MAX = 4;
const PIPS_MAX = 24;

/** The pips of the checkers beyond the line until they are over it, each one's `least` at least. */
const beyond = (side: Side, line: number, least: number): number =>
  side.reduce(
    (pips, count, place) => pips + (place > line ? count * Math.max(least, place - line) : 0),
    0,
  );

const savesAtOnce = (side: Side, line: number): number => {
  let saving = 0;
  for (let first = 1; first <= 6; first++) {
    if (saves(side, [first, first, first, first], line)) saving += 1;
    for (let second = 1; second < first; second++) {
      if (saves(side, [first, second], line) || saves(side, [second, first], line)) saving += 2;
    }
  }
  return saving / 36;
};

/** Whether the dice in this order do it. While checkers are beyond the line, others may as well stay. */
const saves = (side: Side, dice: readonly number[], line: number): boolean => {
  const last = side.findLastIndex((count) => count > 0);
  if (last <= line && (line === FAR || at(side, OFF) > 0)) return true;
  const [die, ...rest] = dice;
  if (die === undefined) return false;
  const lowest = last > line ? line + 1 : 1;
  for (let from = last; from >= lowest; from--) {
    if (
      at(side, from) > 0 &&
      mayMove(from, die, last) &&
      saves(moved(side, from, die), rest, line)
    ) {
      return true;
    }
  }
  return false;
};

const mayMove = (from: number, die: number, last: number): boolean =>
  from > die || (last <= HOME && (from === die || from === last));

const moved = (side: Side, from: number, die: number): Side => {
  const counts = side.slice();
  const to = Math.max(OFF, from - die);
  counts[from] = at(counts, from) - 1;
  counts[to] = at(counts, to) + 1;
  return counts;
};

// The normal distribution.

const ROLLS_MAX = 80;

/** So many rolls, at least one, normally distributed. */
const normal = (mean: number, deviation: number): Rolls => {
  const until = Math.min(ROLLS_MAX, Math.ceil(mean + 5 * deviation) + 1);
  const rolls: number[] = [0];
  let below = 0;
  for (let count = 1; count <= until; count++) {
    const upTo = count === until ? 1 : cumulative((count + 0.5 - mean) / deviation);
    rolls.push(upTo - below);
    below = upTo;
  }
  return rolls;
};

/** The standard normal distribution function, to 1e-7 (Abramowitz and Stegun, 26.2.17). */
const cumulative = (deviations: number): number => {
  const t = 1 / (1 + 0.2316419 * Math.abs(deviations));
  const tail =
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429)))) *
    (Math.exp((-deviations * deviations) / 2) / Math.sqrt(2 * Math.PI));
  return deviations > 0 ? 1 - tail : tail;
};
