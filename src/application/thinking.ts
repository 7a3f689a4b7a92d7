import type { CubeAdvice, Evaluation, RankedPlay } from "../engines/backgammon/advice.ts";
import { bestPlays, cubeAction, evaluation } from "../engines/backgammon/advice.ts";
import { PACES, PLIES } from "../engines/backgammon/adviser.ts";
import type { Situation } from "../engines/backgammon/situation.ts";
import type { AnalysisTask, GameEngines, Hint, HintTask, Pace } from "../engines/level.ts";
import type { Engines } from "../engines/registry.ts";
import { seededPick } from "../fairness/pick.ts";
import type { AdviceLevel } from "../games/backgammon/advice.ts";
import type { Dice } from "../games/backgammon/board.ts";
import { present } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";
import type { Rejection, Result } from "../kernel/result.ts";

/*
 * What the service asks of engines. Questions and answers are plain data, and an answer follows from its question
 * alone: so it is the same on the thread that asks and on a worker thread.
 */

/** Of which game's engines, and of which level. */
interface Asked {
  readonly game: string;
  readonly level: string;
}

/** An engine's turn; its pick is made where it thinks. */
export interface ReplyTask extends HintTask {
  /** The match's secret of its engines, hex, and what these choices are for: see `seededPick`. */
  readonly seed: string;
  readonly label: string;
}

/** A position of no match. */
interface PositionTask {
  readonly situation: Situation;
  readonly level: AdviceLevel;
}

/** Every question by its name, with its answer. */
export interface Questions {
  reply: { readonly asked: Asked & { readonly task: ReplyTask }; readonly answer: Json };
  hints: { readonly asked: Asked & { readonly task: HintTask }; readonly answer: readonly Hint[] };
  analysis: { readonly asked: Asked & { readonly task: AnalysisTask }; readonly answer: Json };
  evaluation: { readonly asked: PositionTask; readonly answer: Evaluation };
  bestPlays: {
    readonly asked: PositionTask & { readonly dice: Dice; readonly limit: number };
    readonly answer: readonly RankedPlay[];
  };
  cubeAction: { readonly asked: PositionTask; readonly answer: CubeAdvice };
}

export type Question = keyof Questions;

/** Where engines think: at once what is quick, the rest on worker threads. */
export interface Thinker {
  /**
   * The engine's answer. Refused where too many others wait for one.
   *
   * @param signal - aborted once nobody wants the answer any more: then it throws
   */
  think<Name extends ShortQuestion>(
    question: Name,
    asked: Questions[Name]["asked"],
    signal?: AbortSignal,
  ): Promise<Thought<Name>>;

  /**
   * An analysis, which takes so long that only one is made at a time.
   *
   * @param gather - what is to be analysed; called once it is its turn
   */
  analyse(
    asked: Asked,
    gather: () => Promise<AnalysisTask>,
    signal?: AbortSignal,
  ): Promise<Thought<"analysis">>;
}

/** All but an analysis. */
export type ShortQuestion = Exclude<Question, "analysis">;

/** An answer, or a refusal where too many others wait for one. */
type Thought<Name extends Question> = Result<Questions[Name]["answer"], Rejection<"engines-busy">>;

/** How long the answer takes to find. */
export const paceOf = <Name extends ShortQuestion>(
  engines: Engines,
  question: Name,
  asked: Questions[Name]["asked"],
): Pace => PACE_OF[question](engines, asked);

type PaceOf<Name extends Question> = (engines: Engines, asked: Questions[Name]["asked"]) => Pace;

const ofPosition = (_: Engines, { level }: PositionTask): Pace => PACES[level];

const PACE_OF: { readonly [Name in ShortQuestion]: PaceOf<Name> } = {
  reply: (engines, asked) => levelOf(engines, asked).pace,
  hints: (engines, asked) =>
    present(adviserOf(engines, asked).paces.get(asked.level), "the adviser has the level"),
  evaluation: ofPosition,
  bestPlays: ofPosition,
  cubeAction: ofPosition,
};

/** The answer, on this thread. */
export const answerTo = <Name extends Question>(
  engines: Engines,
  question: Name,
  asked: Questions[Name]["asked"],
): Questions[Name]["answer"] => ANSWER_TO[question](engines, asked);

type AnswerTo<Name extends Question> = (
  engines: Engines,
  asked: Questions[Name]["asked"],
) => Questions[Name]["answer"];

const ANSWER_TO: { readonly [Name in Question]: AnswerTo<Name> } = {
  reply: (engines, { task, ...asked }) => {
    const { seed, label, ...seen } = task;
    const pick = seededPick(Buffer.from(seed, "hex"), label);
    return levelOf(engines, asked).engine.choose({ ...seen, pick });
  },
  hints: (engines, asked) => adviserOf(engines, asked).hints(asked.task, asked.level),
  analysis: (engines, asked) => adviserOf(engines, asked).analysis(asked.task, asked.level),
  evaluation: ({ backgammon }, { situation, level }) =>
    evaluation(backgammon, situation, PLIES[level]),
  bestPlays: ({ backgammon }, { situation, level, dice, limit }) =>
    bestPlays(backgammon, situation, dice, PLIES[level], limit),
  cubeAction: ({ backgammon }, { situation, level }) =>
    cubeAction(backgammon, situation, PLIES[level]),
};

const gameOf = ({ games }: Engines, { game }: Asked): GameEngines =>
  present(games.get(game), "a hosted game has engines");

const levelOf = (engines: Engines, asked: Asked) =>
  present(gameOf(engines, asked).levels.get(asked.level), "a stored engine level is known");

const adviserOf = (engines: Engines, asked: Asked) =>
  present(gameOf(engines, asked).adviser, "only an adviser is asked for advice");
