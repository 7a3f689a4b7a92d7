import type { View } from "../../games/backgammon/view.ts";
import { present, unreachable } from "../../kernel/assert.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Seat } from "../../kernel/seat.ts";
import { seat as seatOf } from "../../kernel/seat.ts";
import type { Hint, HintTask } from "../level.ts";
import { bestPlays, cubeAction, evaluation } from "./advice.ts";
import type { Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import type { Situation } from "./situation.ts";
import { equityOf, situationOf, stakesOf } from "./situation.ts";

/*
 * What a seat had better do, whatever it has to decide. Equities are those of `advice.ts`, of the seat that asks:
 * normalised to the cube as it stood before anything was offered.
 */

/** The most plays that a hint ranks. */
const HINTS_MAX = 50;

/** A command that is open, and its equity. */
type Valued = Omit<Hint, "difference">;

/** The commands that are worth a thought, best first. Nobody is advised to give up. */
export const hints = (evaluator: CubeEvaluator, task: HintTask, plies: Plies): readonly Hint[] => {
  const view = task.view as unknown as View;
  const judge = { evaluator, plies, view, own: seatOf(task.seat), commands: task.commands };
  const ranked = valued(judge);
  const best = present(ranked[0], "a seat on turn has something to do").equity;
  return ranked.map((hint) => ({ ...hint, difference: Math.min(0, hint.equity - best) }));
};

interface Judge {
  readonly evaluator: CubeEvaluator;
  readonly plies: Plies;
  readonly view: View;
  readonly own: Seat;
  readonly commands: readonly JsonObject[];
}

/** Best first: plays as `bestPlays` ranks them, to roll or to double as `cubeAction` advises. */
const valued = (judge: Judge): readonly Valued[] => {
  switch (judge.view.phase) {
    case "to-roll":
      return open(judge, toRoll(judge));
    case "to-play":
      return toPlay(judge);
    case "take-or-pass":
      return byEquity(open(judge, answers(judge)));
    case "resignation-offered":
      return byEquity(open(judge, resignation(judge)));
    case "between-games":
      return open(judge, { "next-game": 0 });
    case "opening":
    case "rolling":
    case "match-over":
      return [];
    default:
      return unreachable(judge.view.phase);
  }
};

/** Equities by the type of a command. */
type ByType = Readonly<Record<string, number>>;

/** Those of the commands that are open. */
const open = ({ commands }: Judge, equities: ByType): readonly Valued[] =>
  Object.entries(equities).flatMap(([type, equity]) => {
    const command = commands.find((one) => one["type"] === type);
    return command === undefined ? [] : [{ command, equity }];
  });

/** Best first; of those that differ by a rounding, as they stand. */
const byEquity = (answers: readonly Valued[]): readonly Valued[] =>
  [...answers].sort((a, b) => {
    const gain = b.equity - a.equity;
    return Math.abs(gain) < EVEN ? 0 : gain;
  });

const EVEN = 1e-9;

/** What is advised comes first, of equals too and of what differs by a rounding. */
const toRoll = ({ evaluator, plies, view }: Judge): ByType => {
  const { action, equities } = cubeAction(evaluator, onRollOf(view), plies);
  const roll = equities.noDouble;
  const double = Math.min(equities.doubleTake, equities.doublePass);
  return action === "double"
    ? { double, roll: Math.min(roll, double) }
    : { roll, double: Math.min(roll, double) };
};

const toPlay = ({ evaluator, plies, view, commands }: Judge): readonly Valued[] => {
  const dice = present(view.dice, "who is to play has dice");
  const plays = bestPlays(evaluator, onRollOf(view), dice, plies, HINTS_MAX);
  return plays.flatMap(({ play, equity, chances }) => {
    const command = commands.find((one) => one["play"] === play.text);
    return command === undefined ? [] : [{ command, equity, chances: { ...chances } }];
  });
};

/**
 * The answers to a double, a beaver or a raccoon. Beavers are of money sessions, where equities add up; whom it
 * costs less passes them.
 */
const answers = (judge: Judge): ByType => {
  const { evaluator, plies, view } = judge;
  /** Of the side on roll, at so many times the cube, which the opponent then owns. */
  const raised = (times: number): number => {
    const situation = onRollOf(view);
    const cube = {
      ...situation.cube,
      value: times * situation.cube.value,
      owner: "opponent",
    } as const;
    return times * evaluation(evaluator, { ...situation, cube, jacoby: false }, plies).cubeful;
  };
  switch (view.offer?.kind) {
    case "beaver":
      return { take: raised(4), pass: -2, raccoon: Math.min(raised(8), 4) };
    case "raccoon":
      return { take: -raised(8), pass: -4 };
    default: {
      const { equities } = cubeAction(evaluator, onRollOf(view), plies);
      const { doubleTake, doublePass } = equities;
      const beaver = mayBeaver(judge) ? Math.min(-raised(4), 2) : 0;
      return { take: -doubleTake, pass: -doublePass, beaver };
    }
  }
};

const mayBeaver = ({ commands }: Judge): boolean => commands.some(({ type }) => type === "beaver");

/** To take what is offered, or to play on: the seat that offered is on roll, and may have a roll to play. */
const resignation = ({ evaluator, plies, view }: Judge): ByType => {
  const points = present(view.resignation, "a resignation is offered").points;
  const situation = onRollOf(view);
  const stakes = stakesOf(situation);
  const [best] =
    view.dice === undefined ? [] : bestPlays(evaluator, situation, view.dice, plies, 1);
  const goesOn = best?.equity ?? evaluation(evaluator, situation, plies).cubeful;
  const givenUp = equityOf(stakes, stakes.worth(-points));
  return { "accept-resignation": -givenUp, "refuse-resignation": -goesOn };
};

/** The state from the side on roll. Of a double that is offered it says the cube as it was before. */
const onRollOf = (view: View): Situation =>
  situationOf(view, present(view.onRoll, "a side is on roll"));
