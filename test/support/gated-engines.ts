import type { Question } from "../../src/application/thinking.ts";
import { answerTo } from "../../src/application/thinking.ts";
import { randomEngine } from "../../src/engines/engine.ts";
import type { Level } from "../../src/engines/level.ts";
import type { Engines } from "../../src/engines/registry.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import type { Asking } from "../../src/worker.ts";
import { ENGINES } from "./engines.ts";

/*
 * Engines that are as slow as a test wants. A task's view holds a gate: memory that the threads share. The
 * engine says that it has begun, and thinks until the gate is open.
 */

const BEGUN = 0;
const OPEN = 1;

/** A gate, closed. */
export const newGate = (): Int32Array => new Int32Array(new SharedArrayBuffer(8));

/** Lets everybody through who waits at the gate, or comes later. */
export const openGate = (gate: Int32Array): void => {
  Atomics.store(gate, OPEN, 1);
  Atomics.notify(gate, OPEN);
};

/** Settles once so many engines have come to the gate. */
export const begunAt = async (gate: Int32Array, count: number): Promise<void> => {
  for (let seen = Atomics.load(gate, BEGUN); seen < count; seen = Atomics.load(gate, BEGUN)) {
    await waiting.waitAsync(gate, BEGUN, seen).value;
  }
};

/** Node has it; the compiler's library of 2023 has not. */
const waiting = Atomics as unknown as {
  waitAsync(shared: Int32Array, index: number, value: number): { readonly value: unknown };
};

/** How many engines have come to the gate. */
export const countAt = (gate: Int32Array): number => Atomics.load(gate, BEGUN);

const waitAt = ({ gate }: JsonObject): void => {
  const shared = gate as unknown as Int32Array;
  Atomics.add(shared, BEGUN, 1);
  Atomics.notify(shared, BEGUN);
  Atomics.wait(shared, OPEN, 0);
};

/** A task of the gated level: it answers with the name. */
export const gatedReply = (gate: Int32Array, name: string) => ({
  game: "gated",
  level: "gated",
  task: {
    view: { gate: gate as unknown as Json },
    commands: [{ type: name }],
    seat: 0,
    seed: "00",
    label: "0 1",
  },
});

/** A task of the gated adviser's. */
export const gatedAnalysis = (gate: Int32Array) =>
  [
    { game: "gated", level: "gated" },
    async () => ({ options: { gate: gate as unknown as Json }, events: [] }),
  ] as const;

const title = { en: "Gated", zh: "待放行" };

const gated: Level = {
  engine: {
    build: "gated/1",
    choose: (task) => {
      waitAt(task.view);
      return randomEngine.choose(task);
    },
  },
  pace: "deep",
  title,
  about: title,
};

const unwell: Level = {
  ...gated,
  engine: {
    build: "unwell/1",
    choose: () => {
      throw new TypeError("an engine has a bug");
    },
  },
};

export const GATED: Engines = {
  ...ENGINES,
  games: new Map([
    ...ENGINES.games,
    [
      "gated",
      {
        levels: new Map([
          ["gated", gated],
          ["unwell", unwell],
        ]),
        adviser: {
          build: "gated/1",
          paces: new Map([["gated", "deep"]]),
          hints: () => [],
          analysis: ({ options }) => {
            waitAt(options);
            return "analysed";
          },
        },
      },
    ],
  ]),
};

/** What gated-worker.mjs runs. */
export const answer = <Name extends Question>({ question, asked }: Asking<Name>) =>
  answerTo(GATED, question, asked);
