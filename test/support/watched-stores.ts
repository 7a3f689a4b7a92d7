import type { MatchId } from "../../src/application/match.ts";
import type { AnswerKey, Change } from "../../src/application/ports.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";

/** Stores in memory whose whole content a test can read. */
export interface WatchedStores {
  readonly stores: Stores;
  /** How many writes have been done. */
  writes(): number;
  /** Every match with its lines and stored answers, as one text. */
  content(): Promise<string>;
}

const LINES_MAX = 1_000;

/** Stores that remember what was written to them, so that `content` can ask for all of it. */
export const watchedStores = (): WatchedStores => {
  const { matches, ...others } = memoryStores(Date.now);
  const ids = new Set<MatchId>();
  const keys: AnswerKey[] = [];
  let writes = 0;
  const note = ({ next, answer }: Change): void => {
    writes += 1;
    ids.add(next.id);
    if (answer !== undefined) keys.push({ match: next.id, ...answer });
  };
  const watched: Stores["matches"] = {
    ...matches,
    create: async (change) => {
      const created = await matches.create(change);
      if (created === "done") note(change);
      return created;
    },
    change: async (expected, change) => {
      const changed = await matches.change(expected, change);
      if (changed === "done") note(change);
      return changed;
    },
    removeOpen: (id, claims) => {
      writes += 1;
      return matches.removeOpen(id, claims);
    },
  };
  const content = async (): Promise<string> => {
    const found = await Promise.all(
      [...ids].map(async (id) => [await matches.load(id), await matches.lines(id, -1, LINES_MAX)]),
    );
    return JSON.stringify([found, await Promise.all(keys.map(matches.answer))]);
  };
  return { stores: { ...others, matches: watched }, writes: () => writes, content };
};
