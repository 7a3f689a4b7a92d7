import type { MatchId, MatchRecord } from "../application/match.ts";
import type {
  AnswerKey,
  Change,
  Clock,
  DeckRecord,
  DeckStore,
  LeaseStore,
  MatchStore,
  StoredAnswer,
} from "../application/ports.ts";
import { StoreUnavailable } from "../application/ports.ts";
import { assert } from "../kernel/assert.ts";
import { assertAnswerKey, assertChange, assertCreation, assertLimit } from "./change.ts";
import type { Stores } from "./stores.ts";

/**
 * The ports in memory, for tests. A method looks and acts without a pause between, so it is atomic; records
 * are copied on their way in and out, as a database would.
 */
export const memoryStores = (clock: Clock): Stores => {
  let closed = false;
  let claimed: string | undefined;
  const open = (): void => {
    if (closed) throw new StoreUnavailable("the store is closed");
  };
  return {
    matches: matchStore(open),
    decks: deckStore(open),
    leases: leaseStore(open, clock),
    claimKey: async (keyId) => {
      open();
      claimed ??= keyId;
      return claimed === keyId;
    },
    durability: async () => "process",
    server: async () => ({ kind: "memory", version: "1" }),
    ping: async () => open(),
    close: async () => {
      closed = true;
    },
  };
};

const matchStore = (open: () => void): MatchStore => {
  const matches = new Map<MatchId, MatchRecord>();
  const logs = new Map<MatchId, readonly string[]>();
  const answers = new Map<MatchId, Map<string, StoredAnswer>>();

  const isAnswered = ({ next, answer }: Change): boolean =>
    answer !== undefined && answers.get(next.id)?.has(address(answer)) === true;

  const write = ({ next, lines, answer }: Change): void => {
    matches.set(next.id, structuredClone(next));
    logs.set(next.id, [...(logs.get(next.id) ?? []), ...lines]);
    if (answer === undefined) return;
    const { requestHash, tag, body } = answer;
    const kept = answers.get(next.id) ?? new Map<string, StoredAnswer>();
    answers.set(next.id, kept.set(address(answer), { requestHash, tag, body }));
  };

  return {
    create: async (change) => {
      open();
      assertCreation(change);
      if (matches.has(change.next.id) || isAnswered(change)) return "answered";
      write(change);
      return "done";
    },

    load: async (id) => {
      open();
      return structuredClone(matches.get(id));
    },

    loadWithAnswer: async (key) => {
      open();
      assertAnswerKey(key);
      const record = structuredClone(matches.get(key.match));
      const answer = answers.get(key.match)?.get(address(key));
      if (record === undefined) return undefined;
      return answer === undefined ? { record } : { record, answer };
    },

    change: async (expected, change) => {
      open();
      assertChange(expected, change);
      const old = matches.get(change.next.id);
      if (old === undefined || old.version !== expected.version || old.claims !== expected.claims) {
        return "stale";
      }
      if (isAnswered(change)) return "answered";
      assert(
        logs.get(old.id)?.length === expected.version + 1,
        "the guard held but the line existed",
      );
      const { game, variant, options, visibility, createdAt } = old;
      write({ ...change, next: { ...change.next, game, variant, options, visibility, createdAt } });
      return "done";
    },

    answer: async (key) => {
      open();
      assertAnswerKey(key);
      return answers.get(key.match)?.get(address(key));
    },

    lines: async (id, after, limit) => {
      open();
      assertLimit(limit);
      const from = Math.max(0, after + 1);
      return (logs.get(id) ?? []).slice(from, from + limit);
    },

    list: async ({ game, status, before, limit }) => {
      open();
      assertLimit(limit);
      return [...matches.values()]
        .filter((match) => match.visibility === "public")
        .filter((match) => game === undefined || match.game === game)
        .filter((match) => status === undefined || match.status === status)
        .filter((match) => before === undefined || newestFirst(before, match) < 0)
        .sort(newestFirst)
        .slice(0, limit)
        .map((match) => structuredClone(match));
    },

    due: async (now, limit) => {
      open();
      assertLimit(limit);
      return [...matches.values()]
        .flatMap(({ id, dueAt }) => (dueAt !== undefined && dueAt <= now ? [{ id, dueAt }] : []))
        .sort((a, b) => a.dueAt - b.dueAt || byText(a.id, b.id))
        .slice(0, limit)
        .map(({ id }) => id);
    },

    removeOpen: async (id, claims) => {
      open();
      const match = matches.get(id);
      if (match?.status !== "open" || match.claims !== claims) return;
      matches.delete(id);
      logs.delete(id);
      answers.delete(id);
    },
  };
};

const address = ({ principal, key }: Pick<AnswerKey, "principal" | "key">): string =>
  JSON.stringify([principal, key]);

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Listed = Pick<MatchRecord, "createdAt" | "id">;

const newestFirst = (a: Listed, b: Listed): number =>
  b.createdAt - a.createdAt || byText(b.id, a.id);

const deckStore = (open: () => void): DeckStore => {
  const decks = new Map<number, DeckRecord>();
  return {
    last: async () => {
      open();
      return Math.max(0, ...decks.keys());
    },
    add: async (deck) => {
      open();
      if (decks.has(deck.deck)) return false;
      decks.set(deck.deck, { ...deck });
      return true;
    },
    get: async (deck) => {
      open();
      return decks.get(deck);
    },
    list: async (after, limit) => {
      open();
      assertLimit(limit);
      return [...decks.values()]
        .filter(({ deck }) => deck > after)
        .sort((a, b) => a.deck - b.deck)
        .slice(0, limit);
    },
  };
};

const leaseStore = (open: () => void, clock: Clock): LeaseStore => {
  const leases = new Map<string, { readonly holder: string; readonly lapsesAt: number }>();
  return {
    acquire: async (name, holder, forMs) => {
      open();
      const held = leases.get(name);
      const now = clock();
      if (held !== undefined && held.holder !== holder && held.lapsesAt > now) return false;
      leases.set(name, { holder, lapsesAt: now + forMs });
      return true;
    },
  };
};
