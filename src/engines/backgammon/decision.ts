import { answererOf, counterOf, doubleRefusal, stakesOf } from "../../games/backgammon/cube.ts";
import { countPlays } from "../../games/backgammon/plays.ts";
import { isOver } from "../../games/backgammon/position.ts";
import type { State, TakeOrPass, ToPlay, ToRoll } from "../../games/backgammon/state.ts";
import { present, unreachable } from "../../kernel/assert.ts";
import type { Seat } from "../../kernel/seat.ts";
import { reversed } from "./chances.ts";
import type { Outlook } from "./cubeful.ts";
import { cubeful } from "./cubeful.ts";
import type { Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { outlookBefore } from "./look-ahead.ts";
import { preferenceOf } from "./preference.ts";
import { equityOf } from "./situation.ts";
import type { Standpoint } from "./standpoint.ts";
import { equityOfPoints, standpointOf } from "./standpoint.ts";

/*
 * What could be done at a decision, and its equity to the seat that decides, if both sides do their best from
 * then on. What is won by one side is lost by the other, so the other's equity is the same below 0.
 */

/** Who judges, and how many rolls it looks ahead. */
export interface Judge {
  readonly evaluator: CubeEvaluator;
  readonly plies: Plies;
}

/** What a seat may do, and its equity. */
export interface Choice {
  /**
   * A play's text; `roll`, `double`; `take`, `pass`, `beaver`, `raccoon`; `resign`, `play-on`; `accept`, `refuse`.
   */
  readonly action: string;
  readonly equity: number;
}

/** The choices of a decision, at least two; how far they were looked ahead. */
export interface Choices {
  readonly standpoint: Standpoint;
  readonly choices: readonly Choice[];
  readonly plies: Plies;
}

/**
 * The legal plays of a roll, best first; undefined where there is but one.
 *
 * The evaluator may look less far at plays that are soon seen to be worse. The play that was made is judged as
 * far as the best one.
 *
 * @param made - its text
 */
export const playChoices = (
  { evaluator, plies }: Judge,
  state: ToPlay,
  made: string,
): Choices | undefined => {
  const standpoint = standpointOf(state, state.onRoll);
  const { situation } = standpoint;
  if (countPlays(situation.position, state.dice) < 2) return undefined;
  const preference = preferenceOf(evaluator, situation);
  const judged = evaluator.plays(situation.position, state.dice, plies, preference);
  const reached = present(judged[0], "a roll of several plays has a best one").plies;
  const choices = judged.map(({ play: { text, after }, worth, plies: looked }) => ({
    action: text,
    equity:
      text === made && looked < reached && !isOver(after)
        ? preference.worth(reversed(evaluator.chances(after, reached)), after)
        : worth,
  }));
  return { standpoint, choices, plies: reached };
};

/** Whether to double: to roll, and to double if the other side answers as it should. */
export interface DoubleChoices extends Choices {
  readonly noDouble: number;
  readonly doubled: number;
  /** What each answer to the double makes of it, to the doubler. */
  readonly answers: readonly Choice[];
}

/** Where a double costs more equity at 0 plies it is not looked at further. */
const CLEAR = 0.5;

/** Whether to double; the seat on roll may. */
export const doubleChoices = ({ evaluator, plies }: Judge, state: ToRoll): DoubleChoices => {
  const atOnce = doubleChoicesBy({ evaluator, plies: 0 }, state);
  const isClear = atOnce.noDouble - atOnce.doubled > CLEAR;
  return plies === 0 || isClear ? atOnce : doubleChoicesBy({ evaluator, plies }, state);
};

const doubleChoicesBy = (judge: Judge, state: ToRoll): DoubleChoices => {
  const turn = turnOf(judge, state);
  const offered: TakeOrPass = { ...state, phase: "take-or-pass", offer: "double" };
  const noDouble = rolledOn(turn);
  const doubled = answered(turn, offered);
  return {
    standpoint: turn.standpoint,
    plies: judge.plies,
    choices: [
      { action: "roll", equity: noDouble },
      { action: "double", equity: doubled },
    ],
    noDouble,
    doubled,
    answers: answers(turn, offered),
  };
};

/** What to answer to a double, a beaver or a raccoon. */
export const answerChoices = (judge: Judge, state: TakeOrPass): Choices => {
  const answerer = answererOf(state);
  const isDoubler = answerer === state.onRoll;
  return {
    standpoint: standpointOf(state, answerer),
    plies: judge.plies,
    choices: answers(turnOf(judge, state), state).map(({ action, equity }) => ({
      action,
      equity: isDoubler ? equity : 0 - equity,
    })),
  };
};

/** Whether to lose the game as so many points, or to go on; undefined where nobody is on roll. */
export const resignationChoices = (
  judge: Judge,
  state: State,
  seat: Seat,
  points: number,
): Choices | undefined => {
  const going = goingOn(judge, state, seat);
  if (going === undefined) return undefined;
  const standpoint = standpointOf(state, seat);
  return {
    standpoint,
    plies: judge.plies,
    choices: [
      { action: "resign", equity: equityOfPoints(standpoint, -points) },
      { action: "play-on", equity: going },
    ],
  };
};

/**
 * Whether to let the other side lose so many points, or to go on.
 *
 * @param interrupted - the state that was left when that was offered
 */
export const settlementChoices = (
  judge: Judge,
  interrupted: State,
  seat: Seat,
  points: number,
): Choices => {
  const standpoint = standpointOf(interrupted, seat);
  const going = goingOn(judge, interrupted, seat);
  return {
    standpoint,
    plies: judge.plies,
    choices: [
      { action: "accept", equity: equityOfPoints(standpoint, points) },
      { action: "refuse", equity: present(going, "a turn was interrupted") },
    ],
  };
};

/** The equity of the game as it stands, if both sides do their best; undefined where nobody is on roll. */
export const goingOn = (judge: Judge, state: State, seat: Seat): number | undefined => {
  switch (state.phase) {
    case "to-roll":
    case "rolling":
    case "to-play":
    case "take-or-pass": {
      const ofRoller = goingOnFor(judge, state);
      return seat === state.onRoll ? ofRoller : 0 - ofRoller;
    }
    case "opening":
    case "resignation-offered":
    case "between-games":
    case "match-over":
      return undefined;
    default:
      return unreachable(state);
  }
};

type Turn = State & { readonly phase: "to-roll" | "rolling" | "to-play" | "take-or-pass" };

const goingOnFor = (judge: Judge, state: Turn): number => {
  switch (state.phase) {
    case "to-roll": {
      if (doubleRefusal(state, state.onRoll) !== undefined) return rolledOn(turnOf(judge, state));
      const { noDouble, doubled } = doubleChoices(judge, state);
      return Math.max(noDouble, doubled);
    }
    case "rolling":
      return rolledOn(turnOf(judge, state));
    case "take-or-pass":
      return answered(turnOf(judge, state), state);
    case "to-play": {
      const { situation } = standpointOf(state, state.onRoll);
      const preference = preferenceOf(judge.evaluator, situation);
      const plays = judge.evaluator.plays(situation.position, state.dice, judge.plies, preference);
      return present(plays[0], "a roll to play has a legal play").worth;
    }
    default:
      return unreachable(state);
  }
};

/** A turn before its roll, as the side on roll sees it. */
interface BeforeRoll {
  readonly standpoint: Standpoint;
  readonly outlook: Outlook;
}

const turnOf = (
  { evaluator, plies }: Judge,
  state: State & { readonly onRoll: Seat },
): BeforeRoll => {
  const standpoint = standpointOf(state, state.onRoll);
  return { standpoint, outlook: outlookBefore(evaluator, standpoint.situation, plies) };
};

/** If nobody doubles. */
const rolledOn = ({ standpoint: { stakes }, outlook }: BeforeRoll): number =>
  equityOf(stakes, cubeful(outlook, stakes.cube));

/** What the offer is worth to the doubler, if it is answered as it should be. */
const answered = (turn: BeforeRoll, state: TakeOrPass): number => {
  const equities = answers(turn, state).map(({ equity }) => equity);
  return answererOf(state) === state.onRoll ? Math.max(...equities) : Math.min(...equities);
};

/** The answers that are open, and what each is worth to the doubler. */
const answers = (turn: BeforeRoll, state: TakeOrPass): readonly Choice[] => {
  const counter = counterOf(state);
  const raised =
    counter === undefined || counter.refusal !== undefined
      ? []
      : [{ action: counter.counter, equity: answered(turn, { ...state, offer: counter.counter }) }];
  const { standpoint, outlook } = turn;
  const { value, stake } = stakesOf(state);
  const passed = answererOf(state) === state.onRoll ? -stake : stake;
  return [
    {
      action: "take",
      equity: equityOf(standpoint.stakes, cubeful(outlook, { value, owner: "other" })),
    },
    { action: "pass", equity: equityOfPoints(standpoint, passed) },
    ...raised,
  ];
};
