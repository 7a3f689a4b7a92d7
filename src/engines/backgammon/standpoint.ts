import { moneyRules } from "../../games/backgammon/options.ts";
import type { State } from "../../games/backgammon/state.ts";
import { ofSeat, opponentOf, positionFor } from "../../games/backgammon/state.ts";
import type { Seat } from "../../kernel/seat.ts";
import { matchChance, matchWorth } from "./match-equity.ts";
import type { Situation, Stakes } from "./situation.ts";
import { equityOf, stakesOf } from "./situation.ts";

/** A difference of worth. */
export interface Amount {
  /** By the cube as it stood before: to win a single is 1, to lose it -1, so one for the other is 2. See `equityOf`. */
  readonly equity: number;
  /** Points for money; in a match the chance of winning it, 0..1. */
  readonly worth: number;
}

/** A game under way as a seat sees it. */
export interface Standpoint {
  readonly seat: Seat;
  /** With this seat on roll, whoever is. */
  readonly situation: Situation;
  readonly stakes: Stakes;
  /** Half of what a single decides at this cube, as worth: the worth of 1 of equity. */
  readonly unit: number;
}

/** The game of the state as the seat sees it. */
export const standpointOf = (state: State, seat: Seat): Standpoint => {
  const { options, cube, crawford, score } = state;
  const { contest, cubeLimit } = options;
  const { jacoby, beavers } = moneyRules(contest);
  const opponent = opponentOf(seat);
  const owner = cube.owner === null ? "centre" : cube.owner === seat ? "onRoll" : "opponent";
  const situation: Situation = {
    position: positionFor(state, seat),
    cube: { value: cube.value, owner, limit: cubeLimit },
    match: {
      length: contest.kind === "match" ? contest.length : 0,
      score: [ofSeat(score, seat), ofSeat(score, opponent)],
      crawford,
    },
    jacoby,
    beavers,
  };
  const [won, lost] = [cube.value, -cube.value].map((points) => worthAfter(state, seat, points));
  return {
    seat,
    situation,
    stakes: stakesOf(situation),
    unit: ((won ?? 0) - (lost ?? 0)) / 2,
  };
};

/** The equity to the seat of winning (above 0) or losing (below 0) the game by so many points. */
export const equityOfPoints = ({ stakes }: Standpoint, points: number): number =>
  equityOf(stakes, stakes.worth(points));

export const amountOf = ({ unit }: Standpoint, equity: number): Amount => ({
  equity,
  worth: equity * unit,
});

/** What the session or match is worth to the seat once the game is won (above 0) or lost (below 0) by so many points. */
export const worthAfter = ({ options, score }: State, seat: Seat, points: number): number => {
  const { contest } = options;
  if (contest.kind !== "match") return points;
  const own = contest.length - ofSeat(score, seat);
  const other = contest.length - ofSeat(score, opponentOf(seat));
  const isNextAfter = !contest.crawford || own === 1 || other === 1;
  return matchWorth({ own, other }, isNextAfter ? "post-crawford" : "crawford")(points);
};

/** What it is worth to the seat before a game: the chance to win the match; 0 for money. */
export const worthBefore = ({ options, score, crawford }: State, seat: Seat): number => {
  const { contest } = options;
  if (contest.kind !== "match") return 0;
  const own = contest.length - ofSeat(score, seat);
  const other = contest.length - ofSeat(score, opponentOf(seat));
  return matchChance({ own, other }, crawford ? "crawford" : "post-crawford");
};

/** What it is worth to the seat in a game of that equity. */
export const worthWithin = (state: State, seat: Seat, equity: number): number => {
  const { value } = state.cube;
  const [won, lost] = [worthAfter(state, seat, value), worthAfter(state, seat, -value)];
  return (won + lost) / 2 + (equity * (won - lost)) / 2;
};
