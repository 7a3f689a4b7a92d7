import type { DeckPlan } from "./fairness/deck.ts";
import * as deck from "./fairness/deck.ts";

// What the worker threads can do, by name. See pool.ts.

/** The tips of a deck: `deckTips` of fairness/deck.ts, off the main thread. */
export const deckTips = (plan: DeckPlan): readonly string[] => deck.deckTips(plan);
