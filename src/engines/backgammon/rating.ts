import type { DecisionKind } from "../../games/backgammon/advice.ts";
import type { Decision } from "./judged.ts";
import type { Amount } from "./standpoint.ts";

/*
 * How well a seat has played: eXtreme Gammon's performance rating, PR, the mean equity lost by the decisions that
 * count, times 500. They are (https://kevung.github.io/blunderDB, "Statistics model", which is
 * held against the program itself):
 *
 * - every play of a roll with two legal plays or more, unless all are worth the same;
 * - every double;
 * - every roll without a double where that was right, or less than 0.2 from it and the side not behind; not where
 *   the cube is of no more use to the side;
 * - every answer to a double.
 *
 * GNU Backgammon's error rate is the same mean times 1000, in thousandths of equity; it counts a little otherwise:
 * all plays that are not forced, and doubles that are nearer than 0.16.
 */

/** Decisions of one sort. */
export interface Tally {
  readonly made: number;
  /** Those that count for the rating. */
  readonly counted: number;
  readonly errors: number;
  readonly blunders: number;
  /** By all that were made. */
  readonly lost: Amount;
}

/** How a seat has played, and how the dice have treated it. */
export interface SeatAnalysis {
  readonly plays: Tally;
  /** Doubles, rolls without one, and answers. */
  readonly cube: Tally;
  /** Resignations and their answers. They count for no rating. */
  readonly resignations: Tally;
  /** Of plays and cube together: the mean equity lost by decisions that count, in thousandths; absent if none does. */
  readonly errorRate?: number;
  /** The same mean times 500: 0 is perfect. */
  readonly performanceRating?: number;
  /** The sum over its rolls; above 0 they were good. */
  readonly luck: Amount;
  /** What the games that were ended on the board have brought it, as worth. */
  readonly result: number;
  /**
   * The same less its own luck in these games, and with the other's: what its skill has brought, whatever it was
   * that the evaluator thought (D. Zare, "Hedging Toward Skill").
   */
  readonly luckAdjusted: number;
}

/** What is known of a seat. */
export interface SeatRecord {
  readonly decisions: readonly Decision[];
  readonly luck: readonly Amount[];
  /** As worth, of the games that were ended on the board: what they brought, and the luck of both seats in it. */
  readonly result: number;
  readonly luckInResult: number;
}

/** A seat's figures. */
export const seatAnalysis = ({
  decisions,
  luck,
  result,
  luckInResult,
}: SeatRecord): SeatAnalysis => {
  const of = (kinds: readonly DecisionKind[]) =>
    tally(decisions.filter(({ kind }) => kinds.includes(kind)));
  const plays = of(["play"]);
  const cube = of(["double", "answer"]);
  const counted = plays.counted + cube.counted;
  const mean = (plays.lost.equity + cube.lost.equity) / counted;
  return {
    plays,
    cube,
    resignations: of(["resignation", "resignation-answer"]),
    ...(counted > 0 ? { errorRate: 1_000 * mean, performanceRating: 500 * mean } : {}),
    luck: sumOf(luck),
    result,
    luckAdjusted: result - luckInResult,
  };
};

const tally = (decisions: readonly Decision[]): Tally => ({
  made: decisions.length,
  counted: decisions.filter(({ counted }) => counted).length,
  errors: decisions.filter((decision) => decision.class === "error").length,
  blunders: decisions.filter((decision) => decision.class === "blunder").length,
  lost: sumOf(decisions.map(({ error }) => error)),
});

const sumOf = (amounts: readonly Amount[]): Amount =>
  amounts.reduce(
    (sum, { equity, worth }) => ({ equity: sum.equity + equity, worth: sum.worth + worth }),
    { equity: 0, worth: 0 },
  );
