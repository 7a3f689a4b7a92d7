import type { Question, Questions } from "./application/thinking.ts";
import { answerTo } from "./application/thinking.ts";
import { openEngines } from "./engine-files.ts";
import type { Engines } from "./engines/registry.ts";
import type { DeckPlan } from "./fairness/deck.ts";
import * as deck from "./fairness/deck.ts";

// What the worker threads can do, by name. See pool.ts.

/** The tips of a deck: `deckTips` of fairness/deck.ts, off the main thread. */
export const deckTips = (plan: DeckPlan): readonly string[] => deck.deckTips(plan);

/** A question with what is asked. */
export interface Asking<Name extends Question> {
  readonly question: Name;
  readonly asked: Questions[Name]["asked"];
}

/** The thread's engines: read when it is first asked, and kept. */
let engines: Engines | undefined;

/** An engine's answer: `answerTo` of application/thinking.ts, off the main thread. */
export const answer = <Name extends Question>({
  question,
  asked,
}: Asking<Name>): Questions[Name]["answer"] => {
  engines ??= openEngines();
  return answerTo(engines, question, asked);
};
