import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { DeckPlan } from "./fairness/deck.ts";

/** Worker threads for what would hold up requests. */
export interface Pool {
  deckTips(plan: DeckPlan): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A thread that has been idle so long ends. */
const IDLE_MS = 30_000;

/** A pool of (cores − 1) threads, at least one; they start when there is work. */
export const openPool = (): Pool => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const threads = new Piscina({
    filename: new URL(`./worker.${extension}`, import.meta.url).href,
    minThreads: 0,
    maxThreads: Math.max(1, availableParallelism() - 1),
    idleTimeout: IDLE_MS,
  });
  return {
    deckTips: (plan) => threads.run(plan, { name: "deckTips" }),
    close: () => threads.destroy(),
  };
};
