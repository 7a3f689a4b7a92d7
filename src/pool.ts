import { availableParallelism } from "node:os";
import { Piscina } from "piscina";
import type { ShortQuestion, Thinker } from "./application/thinking.ts";
import { answerTo, paceOf } from "./application/thinking.ts";
import type { Engines } from "./engines/registry.ts";
import type { DeckPlan } from "./fairness/deck.ts";
import { ok, reject } from "./kernel/result.ts";
import type { Urgency } from "./queue.ts";
import { openQueue } from "./queue.ts";

/** Worker threads for what would hold up requests. */
export interface Pool {
  readonly thinker: Thinker;
  deckTips(plan: DeckPlan): Promise<readonly string[]>;
  /** Ends all analyses, for good: a service that stops cannot wait for them. Whoever waits is told to come again. */
  giveUpAnalyses(): void;
  close(): Promise<void>;
}

/** What a pool may be told; the rest is as in production. */
export interface PoolSettings {
  readonly engines: Engines;
  /** What the threads run: see worker.ts. */
  readonly worker?: URL;
  /** How many of them answer questions. */
  readonly threads?: number;
  readonly waitingMax?: Readonly<Record<Urgency, number>>;
  readonly analysesWaitingMax?: number;
}

/** A thread that has been idle so long ends; the next one reads the engines' files again. */
const IDLE_MS = 10 * 60_000;
/** Questions that may wait for a thread. A reply takes some 10 to 150 ms, so the last one waits for seconds. */
const WAITING_MAX: Readonly<Record<Urgency, number>> = { play: 32, tool: 16 };
/** An analysis takes seconds to a minute. */
const ANALYSES_WAITING_MAX = 4;
/** How much an analysis stands back behind everything else that computes (see nice(2)). */
const ANALYSIS_NICENESS = 10;

const RETRY_AFTER_SECONDS = { question: 1, analysis: 15 };

/** How urgent a question is. */
const URGENCY: Readonly<Record<ShortQuestion, Urgency>> = {
  reply: "play",
  hints: "play",
  evaluation: "tool",
  bestPlays: "tool",
  cubeAction: "tool",
};

/**
 * A pool of (cores − 1) threads, at least one, and one thread more for analyses, which stands back; they
 * start when there is work.
 *
 * Who leaves while a question waits leaves the queue. A question that a thread is at is finished: it is bounded by its
 * node budget, some tenths of a second, and to end the thread would cost the next question the reading of
 * weights and tables, which takes as long. An analysis is longer by far, so there the thread is ended.
 */
export const openPool = ({ engines, worker = workerFile(), ...bounds }: PoolSettings): Pool => {
  const filename = worker.href;
  const size = bounds.threads ?? Math.max(1, availableParallelism() - 1);
  const shared = { filename, minThreads: 0, idleTimeout: IDLE_MS };
  const threads = new Piscina({ ...shared, maxThreads: size });
  const analysts = new Piscina({ ...shared, maxThreads: 1, niceIncrement: ANALYSIS_NICENESS });
  const questions = openQueue(size, bounds.waitingMax ?? WAITING_MAX);
  const analyses = openQueue(1, {
    play: 0,
    tool: bounds.analysesWaitingMax ?? ANALYSES_WAITING_MAX,
  });

  const given = new AbortController();

  const thinker: Thinker = {
    think: async (question, asked, signal) => {
      if (paceOf(engines, question, asked) === "quick") {
        return ok(answerTo(engines, question, asked));
      }
      const asking = { question, asked };
      const work = () => threads.run(asking, { name: "answer" });
      const answer = await questions.run(URGENCY[question], work, signal);
      return answer === undefined ? busy(RETRY_AFTER_SECONDS.question) : ok(answer);
    },
    analyse: async (asked, gather, signal) => {
      const ended = signal === undefined ? given.signal : AbortSignal.any([given.signal, signal]);
      const work = async () => {
        const asking = { question: "analysis", asked: { ...asked, task: await gather() } } as const;
        return analysts.run(asking, { name: "answer", signal: ended });
      };
      try {
        const answer = await analyses.run("tool", work, ended);
        return answer === undefined ? busy(RETRY_AFTER_SECONDS.analysis) : ok(answer);
      } catch (error) {
        if (given.signal.aborted) return busy(RETRY_AFTER_SECONDS.analysis);
        throw error;
      }
    },
  };
  return {
    thinker,
    giveUpAnalyses: () => given.abort(),
    deckTips: (plan) => threads.run(plan, { name: "deckTips" }),
    close: async () => {
      await Promise.all([threads.destroy(), analysts.destroy()]);
    },
  };
};

const busy = (retryAfterSeconds: number) => reject("engines-busy", { retryAfterSeconds });

const workerFile = (): URL => {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  return new URL(`./worker.${extension}`, import.meta.url);
};
