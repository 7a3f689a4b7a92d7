import type { Thinker } from "../../src/application/thinking.ts";
import type { Engines } from "../../src/engines/registry.ts";
import { reject } from "../../src/kernel/result.ts";
import { atOnce, ENGINES } from "./engines.ts";

/** What a thinker does with the next questions. */
type Mood = "answers" | "busy" | "holds";

/** A thinker that does as the test says. */
export interface HeldThinker extends Thinker {
  /** From now on. */
  become(mood: Mood): void;
  /** Answers the questions that it holds. */
  release(): void;
  /** Settles once it holds so many. */
  holding(count: number): Promise<void>;
  /** How many questions it was asked. */
  asked(): number;
}

/** A thinker that answers, says that it is busy, or holds questions back, until a test says otherwise. */
export const heldThinker = (engines: Engines = ENGINES): HeldThinker => {
  let mood: Mood = "answers";
  let count = 0;
  const held: (() => void)[] = [];
  const watchers: { readonly count: number; readonly seen: () => void }[] = [];
  const hold = (): Promise<void> =>
    new Promise((resolve) => {
      held.push(resolve);
      for (const watcher of watchers) if (watcher.count <= held.length) watcher.seen();
    });
  /** As the mood is; undefined where it is to answer. */
  const met = async () => {
    count += 1;
    if (mood === "busy") return reject("engines-busy", { retryAfterSeconds: 1 });
    if (mood === "holds") await hold();
    return undefined;
  };
  const { think, analyse } = atOnce(engines);
  return {
    think: async (question, asked) => (await met()) ?? think(question, asked),
    analyse: async (asked, gather) => (await met()) ?? analyse(asked, gather),
    become: (next) => {
      mood = next;
    },
    release: () => {
      for (const resolve of held.splice(0)) resolve();
    },
    holding: (wanted) =>
      new Promise((seen) => {
        if (held.length >= wanted) seen();
        else watchers.push({ count: wanted, seen });
      }),
    asked: () => count,
  };
};
