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
 * probabilities that GNU Backgammon's 2-ply analysis gives 10,132 positions, after the plays of the
 * heuristic's 750 decisions and before 114 cube decisions (least squares), and the results of games that
 * the heuristic engine played against itself, 53,559 positions (likelihood): the first teach the level,
 * the second what share of wins are gammons, and hypergammon. On decisions that were held out the root
 * mean square error of the chance to win is 0.08, of the equity 0.18.
 */

/** A side by what the models ask of it, most of them about 0 to 1. */
interface Traits {
  /** Hundreds of pips. */
  readonly pips: number;
  readonly wall: number;
  /** The longest prime, squared. */
  readonly prime: number;
  readonly bar: number;
  readonly off: number;
  readonly homePoints: number;
  /** Checkers in the other's home and on the bar. */
  readonly back: number;
  /** The static evaluation, as if it had just played. */
  readonly standing: number;
  /** The pips that its next roll takes from the other, on the average. */
  readonly shotPips: number;
  /** The chance that it hits, before a home board of so many points. */
  readonly shotsBeforeHome: number;
}

type Weights = Readonly<Partial<Record<keyof Traits, number>>>;

/** Whether the side on roll wins. `few`: the share of 15 checkers that the game is played without. */
const WIN = {
  even: -0.11,
  few: -0.1,
  lead: 1.14,
  own: {
    pips: 6.44,
    wall: 0.14,
    prime: 0.52,
    bar: 0.12,
    off: -0.42,
    standing: 0.74,
    shotPips: -0.38,
    shotsBeforeHome: 0.7,
  },
  other: {
    pips: -6.54,
    wall: -0.37,
    prime: -0.39,
    bar: 0.17,
    off: 0.53,
    standing: -0.76,
    shotPips: 1.01,
  },
} as const;

/** Whether a side's win is a gammon. */
const GAMMON = {
  even: -4.48,
  few: 4.89,
  onRoll: 0.19,
  winner: { homePoints: 1.99, standing: 0.21, pips: -0.94, wall: -0.59, off: 3.99 },
  loser: { pips: 2.72, bar: 0.43, standing: -0.35, homePoints: -0.46 },
} as const;

/** Whether a gammon is a backgammon. */
const BACKGAMMON = { even: -3.44, loser: { back: 0.82 } } as const;

/** The chances of the side on roll, the sides being in contact. */
export const contactChances = (own: Side, other: Side): Chances => {
  const mine = traits(own, other);
  const theirs = traits(other, own);
  const few = 1 - checkers(own) / CHECKERS_MAX;
  const win = logistic(
    WIN.even +
      WIN.few * few +
      WIN.lead * lead(mine, theirs) +
      weighed(WIN.own, mine) +
      weighed(WIN.other, theirs),
  );
  const gammon = (winner: Traits, loser: Traits): number =>
    loser.off > 0
      ? 0
      : logistic(
          GAMMON.even +
            GAMMON.few * few +
            (winner === mine ? GAMMON.onRoll : 0) +
            weighed(GAMMON.winner, winner) +
            weighed(GAMMON.loser, loser),
        );
  const backgammon = (loser: Traits): number =>
    logistic(BACKGAMMON.even + weighed(BACKGAMMON.loser, loser));
  const winGammon = win * gammon(mine, theirs);
  const loseGammon = (1 - win) * gammon(theirs, mine);
  return {
    win,
    winGammon,
    winBackgammon: winGammon * backgammon(theirs),
    loseGammon,
    loseBackgammon: loseGammon * backgammon(mine),
  };
};

const traits = (side: Side, against: Side): Traits => {
  const { rolls, pips } = shots(against, side);
  const home = homePoints(side) / 6;
  return {
    pips: pipCount(side) / 100,
    wall: longestWall(side, against) / 6,
    prime: longestPrime(side) ** 2 / 36,
    bar: at(side, BAR),
    off: at(side, OFF) / CHECKERS_MAX,
    homePoints: home,
    back: side.slice(19).reduce((sum, count) => sum + count, 0) / 5,
    standing: evaluate(side, against) / 300,
    shotPips: pips / (36 * BAR),
    shotsBeforeHome: (rolls / 36) * home,
  };
};

/** The most points held in a row between the 2 point and the 12 point. */
const longestPrime = (side: Side): number => {
  let longest = 0;
  let row = 0;
  for (let point = 2; point <= 12; point++) {
    row = at(side, point) >= 2 ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
};

/** How far the side on roll is ahead, 4 pips for the roll, by the root of all pips: Kleinman's metric. */
const lead = (own: Traits, other: Traits): number =>
  (100 * (other.pips - own.pips) + 4) / Math.sqrt(100 * (own.pips + other.pips) + 1);

const weighed = (weights: Weights, of: Traits): number => {
  let sum = 0;
  for (const [name, weight] of Object.entries(weights)) sum += weight * of[name as keyof Traits];
  return sum;
};

const logistic = (logit: number): number => 1 / (1 + Math.exp(-logit));
