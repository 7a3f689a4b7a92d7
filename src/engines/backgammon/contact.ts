import type { Side } from "../../games/backgammon/board.ts";
import { at, BAR, checkers, OFF, pipCount } from "../../games/backgammon/board.ts";
import { CHECKERS_MAX } from "../../games/backgammon/position.ts";
import type { Chances } from "./chances.ts";
import { evaluate, homePoints, longestWall, shots } from "./evaluate.ts";

/*
 * Chances while the sides can still meet: logistic regression on what a player would name.
 *
 * Three questions, one model each: does the side on roll win; if a side wins, is it a gammon; if it is a
 * gammon, is it a backgammon. The weights are ours. They fit, together, the cubeless equities and
 * probabilities that GNU Backgammon's 2-ply analysis gives 10,132 positions after the plays of 750
 * decisions and before 114 cube decisions (least squares), and the results of 6,000 games that the
 * heuristic engine played against itself (likelihood): the first teach the level, the second what share
 * are gammons, and hypergammon.
 */

/** A side by what the model asks of it, each about 0 to 1. */
interface Traits {
  readonly pips: number;
  readonly wall: number;
  readonly primed: number;
  readonly bar: number;
  readonly off: number;
  readonly home: number;
  readonly back: number;
  readonly standing: number;
  readonly shotPips: number;
  readonly shotsBeforeHome: number;
}

/** The chances of the side on roll, the sides being in contact. */
export const contactChances = (own: Side, other: Side): Chances => {
  const ownTraits = traits(own, other);
  const otherTraits = traits(other, own);
  const few = 1 - checkers(own) / CHECKERS_MAX;
  const win = logistic(WIN, winTerms(ownTraits, otherTraits, few));
  const winGammon = at(other, OFF) > 0 ? 0 : win * gammonShare(ownTraits, otherTraits, few, 1);
  const loseGammon = at(own, OFF) > 0 ? 0 : (1 - win) * gammonShare(otherTraits, ownTraits, few, 0);
  return {
    win,
    winGammon,
    winBackgammon: winGammon * logistic(BACKGAMMON, [1, otherTraits.back]),
    loseGammon,
    loseBackgammon: loseGammon * logistic(BACKGAMMON, [1, ownTraits.back]),
  };
};

const traits = (side: Side, against: Side): Traits => {
  const { rolls, pips } = shots(against, side);
  const home = homePoints(side);
  return {
    pips: pipCount(side) / 100,
    wall: longestWall(side, against) / 6,
    primed: prime(side) ** 2 / 36,
    bar: at(side, BAR),
    off: at(side, OFF) / CHECKERS_MAX,
    home: home / 6,
    back: side.slice(19).reduce((sum, count) => sum + count, 0) / 5,
    standing: evaluate(side, against) / 300,
    shotPips: pips / (36 * BAR),
    shotsBeforeHome: (rolls / 36) * (home / 6),
  };
};

/** The most points held in a row between the 2 point and the 12 point. */
const prime = (side: Side): number => {
  let longest = 0;
  let row = 0;
  for (let point = 2; point <= 12; point++) {
    row = at(side, point) >= 2 ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
};

/** How far the side on roll is ahead, in standard deviations; Kleinman's metric, signed and rooted. */
const lead = (own: Traits, other: Traits): number =>
  (other.pips - own.pips + 0.04) / Math.sqrt((own.pips + other.pips + 0.01) / 100);

const WIN: readonly number[] = [
  -0.11, -0.1, 1.14, 0.7, 6.43, 0.14, 0.52, 0.12, -0.42, 0.74, -0.38, -6.54, -0.37, -0.39, 0.17,
  0.53, -0.76, 1.01,
];
const GAMMON: readonly number[] = [
  -4.48, 4.89, 0.19, 1.99, 0.21, -0.94, -0.58, 3.99, 2.72, 0.43, -0.35, -0.46,
];
const BACKGAMMON: readonly number[] = [-3.44, 0.82];

const winTerms = (own: Traits, other: Traits, few: number): readonly number[] => [
  1,
  few,
  lead(own, other),
  own.shotsBeforeHome,
  ...sideTerms(own),
  ...sideTerms(other),
];

const sideTerms = (side: Traits): readonly number[] => [
  side.pips,
  side.wall,
  side.primed,
  side.bar,
  side.off,
  side.standing,
  side.shotPips,
];

const gammonTerms = (
  winner: Traits,
  loser: Traits,
  few: number,
  roll: 0 | 1,
): readonly number[] => [
  1,
  few,
  roll,
  winner.home,
  winner.standing,
  winner.pips,
  winner.wall,
  winner.off,
  loser.pips,
  loser.bar,
  loser.standing,
  loser.home,
];

/** The share of a side's wins that are gammons; `roll` 1 where it is on roll. */
const gammonShare = (winner: Traits, loser: Traits, few: number, roll: 0 | 1): number =>
  logistic(GAMMON, gammonTerms(winner, loser, few, roll));

const logistic = (weights: readonly number[], terms: readonly number[]): number =>
  1 / (1 + Math.exp(-terms.reduce((sum, term, index) => sum + term * (weights[index] ?? 0), 0)));
