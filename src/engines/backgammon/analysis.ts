import type { Dice } from "../../games/backgammon/board.ts";
import type { Event } from "../../games/backgammon/event.ts";
import { evolve, init } from "../../games/backgammon/evolve.ts";
import type { Options } from "../../games/backgammon/options.ts";
import type { BySeat, State } from "../../games/backgammon/state.ts";
import { BLACK, isForfeit, WHITE } from "../../games/backgammon/state.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Judge } from "./decision.ts";
import { goingOn } from "./decision.ts";
import type { Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import type { Decision } from "./judged.ts";
import { judged } from "./judged.ts";
import { openingLuck, rollLuck } from "./luck.ts";
import type { SeatAnalysis } from "./rating.ts";
import { seatAnalysis } from "./rating.ts";
import type { Amount } from "./standpoint.ts";
import { worthAfter, worthBefore, worthWithin } from "./standpoint.ts";

/** A match by its options and all that happened in it; it need not be over. */
export interface Played {
  readonly options: Options;
  readonly events: readonly Event[];
}

/** Where in a match something was. */
interface Place {
  /** The number of the game in the match, from 1. */
  readonly game: number;
  /** Which of the events, from 0. */
  readonly event: number;
}

/** A roll, and what it brought the seat above the mean of all rolls. */
export interface Roll {
  readonly seat: Seat;
  readonly dice: Dice;
  readonly luck: Amount;
}

/** What was done well and badly in a match, and what was luck. Every value is one that JSON can hold. */
export interface MatchAnalysis {
  /** Of the evaluator. */
  readonly build: string;
  /** How far decisions were looked ahead; rolls are judged at 0. */
  readonly plies: Plies;
  /** What `worth` is. */
  readonly worth: "points" | "match-chance";
  /** In the order of the events. */
  readonly decisions: readonly (Decision & Place)[];
  readonly rolls: readonly (Roll & Place)[];
  readonly seats: BySeat<SeatAnalysis>;
}

/**
 * Judges all that was decided and rolled, each from the side of the seat and by the position at that time.
 *
 * What nobody decided is no decision: a roll where the seat may not double, a roll without a legal play, a flag
 * that fell. To give up the whole match is judged as none either.
 */
export const analyse = (
  evaluator: CubeEvaluator,
  { options, events }: Played,
  plies: Plies,
): MatchAnalysis => {
  const judge: Judge = { evaluator, plies };
  const decisions: (Decision & Place)[] = [];
  const rolls: (Roll & Place)[] = [];
  const ended = new Map<number, number>();
  let state = init(options);
  let start = worthAtStart(judge, state);
  for (const [index, event] of events.entries()) {
    const place: Place = { game: state.game, event: index };
    const decision = judged(judge, state, event);
    if (decision !== undefined) decisions.push({ ...place, ...decision });
    const roll = rolled(evaluator, state, event, events[index + 1]);
    if (roll !== undefined) rolls.push({ ...place, ...roll });
    const before = state;
    state = evolve(state, event);
    if (event.type !== "game-won") continue;
    if (!isForfeit(event.reason)) ended.set(before.game, worthOfResult(before, event) - start);
    start = worthAtStart(judge, state);
  }
  const result = [...ended.values()].reduce((sum, won) => sum + won, 0);
  const luck = rolls.reduce(
    (sum, { game, seat, luck: { worth } }) =>
      ended.has(game) ? sum + (seat === WHITE ? worth : -worth) : sum,
    0,
  );
  const seatOf = (seat: Seat, own: number, ownLuck: number): SeatAnalysis =>
    seatAnalysis({
      decisions: decisions.filter((decision) => decision.seat === seat),
      luck: rolls.filter((roll) => roll.seat === seat).map((roll) => roll.luck),
      result: own,
      luckInResult: ownLuck,
    });
  return {
    build: evaluator.build,
    plies,
    worth: options.contest.kind === "match" ? "match-chance" : "points",
    decisions,
    rolls,
    seats: [seatOf(WHITE, result, luck), seatOf(BLACK, 0 - result, 0 - luck)],
  };
};

/** White's, when a game begins, at its opening or as it was set up. */
const worthAtStart = (judge: Judge, state: State): number => {
  const equity = goingOn(judge, state, WHITE);
  return equity === undefined ? worthBefore(state, WHITE) : worthWithin(state, WHITE, equity);
};

/** White's, when the game of the state has ended so. */
const worthOfResult = (
  state: State,
  { winner, points }: Event & { readonly type: "game-won" },
): number => worthAfter(state, WHITE, winner === WHITE ? points : -points);

/**
 * The roll that the event tells of.
 *
 * @param next - it may turn the cube that an opening is played with
 */
const rolled = (
  evaluator: CubeEvaluator,
  before: State,
  event: Event,
  next: Event | undefined,
): Roll | undefined => {
  switch (event.type) {
    case "opening-rolled":
    case "opening-imported": {
      const { seat, dice } = event;
      const state = next?.type === "cube-turned" ? evolve(before, next) : before;
      return { seat, dice, luck: openingLuck(evaluator, state, seat, dice) };
    }
    case "dice-rolled":
    case "dice-imported": {
      const { seat, dice } = event;
      return { seat, dice, luck: rollLuck(evaluator, before, seat, dice) };
    }
    default:
      return undefined;
  }
};
