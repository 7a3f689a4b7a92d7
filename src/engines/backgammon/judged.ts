import type { DecisionKind, ErrorClass } from "../../games/backgammon/advice.ts";
import { doubleRefusal } from "../../games/backgammon/cube.ts";
import type { Event } from "../../games/backgammon/event.ts";
import { evolve } from "../../games/backgammon/evolve.ts";
import { pointsOf } from "../../games/backgammon/result.ts";
import type { State } from "../../games/backgammon/state.ts";
import { assert, present, unreachable } from "../../kernel/assert.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Choice, Choices, Judge } from "./decision.ts";
import {
  answerChoices,
  doubleChoices,
  playChoices,
  resignationChoices,
  settlementChoices,
} from "./decision.ts";
import type { Plies } from "./evaluator.ts";
import type { Amount } from "./standpoint.ts";
import { amountOf, worthAfter } from "./standpoint.ts";

/** What costs so much equity is an error, or a blunder, as eXtreme Gammon has it. */
const ERROR_MIN = 0.02;
const BLUNDER_MIN = 0.08;

/** A decision, and what it cost. */
export interface Decision {
  readonly seat: Seat;
  readonly kind: DecisionKind;
  /** What was done, as `Choice` names it. */
  readonly done: string;
  /** What was worth most; the same as `done` where nothing was lost. */
  readonly best: string;
  /**
   * What was open. Of plays only the best one and the one made, none where one alone was legal. Of a double
   * `roll`, and what it comes to by its answers: `double-take`, `double-pass`, `double-beaver`.
   */
  readonly choices: readonly Choice[];
  /** What was lost, 0 or more. */
  readonly error: Amount;
  readonly class: ErrorClass;
  /** Whether it counts for the rating; see `rating.ts`. */
  readonly counted: boolean;
  /** How far it was looked ahead. */
  readonly plies: Plies;
}

/** The decision that the event tells of, in the state before it; undefined where nobody decided. */
export const judged = (judge: Judge, state: State, event: Event): Decision | undefined => {
  switch (event.type) {
    case "played":
      return judgedPlay(judge, state, event);
    case "roll-requested":
      return judgedDouble(judge, state, event.seat, "roll");
    case "cube-offered":
      return judgedDouble(judge, state, event.seat, "double");
    case "cube-taken":
      return judgedAnswer(judge, state, "take");
    case "cube-passed":
      return judgedAnswer(judge, state, "pass");
    case "beavered":
      return judgedAnswer(judge, state, "beaver");
    case "raccooned":
      return judgedAnswer(judge, state, "raccoon");
    case "resignation-offered":
    case "resignation-recorded": {
      const open = resignationChoices(judge, state, event.seat, event.points);
      return open && decision(open, { kind: "resignation", done: "resign", counted: false });
    }
    case "resignation-accepted":
      return judgedSettlement(judge, state, event.seat, "accept");
    case "resignation-refused":
      return judgedSettlement(judge, state, event.seat, "refuse");
    case "opening-rolled":
    case "opening-imported":
    case "cube-turned":
    case "dice-rolled":
    case "dice-imported":
    case "turn-skipped":
    case "next-game-asked":
    case "match-resigned":
    case "seat-forfeited":
    case "game-won":
      return undefined;
    default:
      return unreachable(event);
  }
};

/** Plays that differ by less equity are no choice: to the thousandth they are worth the same. */
const SAME = 0.0005;

const judgedPlay = (
  judge: Judge,
  state: State,
  { seat, play }: Event & { readonly type: "played" },
): Decision => {
  assert(state.phase === "to-play", "a play follows its roll");
  const open = playChoices(judge, state, play);
  if (open === undefined) return forced(seat, play);
  const equities = open.choices.map(({ equity }) => equity);
  const spread = Math.max(...equities) - Math.min(...equities);
  const made = decision(open, { kind: "play", done: play, counted: spread >= SAME });
  const shown = new Set([made.best, made.done]);
  return { ...made, choices: made.choices.filter(({ action }) => shown.has(action)) };
};

const NOTHING: Amount = { equity: 0, worth: 0 };

const forced = (seat: Seat, play: string): Decision => ({
  seat,
  kind: "play",
  done: play,
  best: play,
  choices: [],
  error: NOTHING,
  class: "none",
  counted: false,
  plies: 0,
});

/**
 * To roll without a double counts where the double was so near and the side is not behind; not where it wins the
 * match without.
 */
const CLOSE = 0.2;

const judgedDouble = (
  judge: Judge,
  state: State,
  seat: Seat,
  done: "roll" | "double",
): Decision | undefined => {
  assert(state.phase === "to-roll", "a double comes before the roll");
  if (doubleRefusal(state, seat) !== undefined) return undefined;
  const { noDouble, doubled, answers, ...open } = doubleChoices(judge, state);
  const [won, more] = [1, 2].map((times) => worthAfter(state, seat, times * state.cube.value));
  const isClose = won !== more && noDouble > 0 && noDouble - doubled < CLOSE;
  const counted = done === "double" || isClose || doubled > noDouble + EVEN;
  const choices = [
    { action: "roll", equity: noDouble },
    ...answers.map(({ action, equity }) => ({ action: `double-${action}`, equity })),
  ];
  return { ...decision(open, { kind: "double", done, counted }), choices };
};

const judgedAnswer = (judge: Judge, state: State, done: string): Decision => {
  assert(state.phase === "take-or-pass", "an answer follows a double");
  return decision(answerChoices(judge, state), { kind: "answer", done, counted: true });
};

const judgedSettlement = (
  judge: Judge,
  state: State,
  seat: Seat,
  done: "accept" | "refuse",
): Decision => {
  assert(state.phase === "resignation-offered", "what is answered was offered");
  const { points } = pointsOf(state, state.value);
  const interrupted = evolve(state, { type: "resignation-refused", seat });
  const open = settlementChoices(judge, interrupted, seat, points);
  return decision(open, { kind: "resignation-answer", done, counted: false });
};

/** Less than this, in equity, is no difference. */
const EVEN = 1e-9;

const decision = (
  { standpoint, choices, plies }: Choices,
  what: Pick<Decision, "kind" | "done" | "counted">,
): Decision => {
  const done = present(
    choices.find(({ action }) => action === what.done),
    "what was done was open",
  );
  const best = choices.reduce((one, other) => (other.equity > one.equity ? other : one), done);
  const lost = best.equity - done.equity;
  const isRight = lost < EVEN;
  return {
    seat: standpoint.seat,
    ...what,
    best: isRight ? what.done : best.action,
    choices,
    error: isRight ? NOTHING : amountOf(standpoint, lost),
    class: classOf(lost),
    plies,
  };
};

const classOf = (equity: number): ErrorClass => {
  if (equity < ERROR_MIN) return "none";
  return equity < BLUNDER_MIN ? "error" : "blunder";
};
