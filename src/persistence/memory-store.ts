import type { MatchId, MatchRecord } from "../application/match.ts";
import type {
  AnswerKey,
  AppKey,
  AppStore,
  Change,
  Clock,
  DeckRecord,
  DeckStore,
  LeaseStore,
  MatchFilter,
  MatchStore,
  PlayedGame,
  Player,
  PlayerRecord,
  StoredAnswer,
} from "../application/ports.ts";
import { LIVE_KEYS_MAX, StoreUnavailable } from "../application/ports.ts";
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
    apps: appStore(open),
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
  const turns = new Map<MatchId, readonly number[]>();
  const played: Played[] = [];

  const isAnswered = ({ next, answer }: Change): boolean =>
    answer !== undefined && answers.get(next.id)?.has(address(answer)) === true;

  const write = ({ next, lines, answer, onTurn, played: ended = [] }: Change): void => {
    matches.set(next.id, structuredClone(next));
    if (onTurn !== undefined) turns.set(next.id, [...onTurn]);
    const { id: match, app, game, at: endedAt } = next;
    if (app !== undefined) {
      played.push(...ended.map((one) => ({ ...one, match, app, game, endedAt })));
    }
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
      const { app: _app, ...moved } = change.next;
      const opener = old.app === undefined ? {} : { app: old.app };
      const kept = { game, variant, options, visibility, createdAt, ...opener };
      write({ ...change, next: { ...moved, ...kept } });
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

    list: async (filter) => {
      open();
      const { app } = filter;
      const isShown = (match: MatchRecord): boolean =>
        match.visibility === "public" || (app !== undefined && match.app === app);
      return pageOf([...matches.values()].filter(isShown), filter);
    },

    listOfPlayer: async (filter) => {
      open();
      const isShown = (match: MatchRecord): boolean => {
        const seat = seatOfPlayer(match, filter);
        return seat >= 0 && (!filter.onTurn || turns.get(match.id)?.includes(seat) === true);
      };
      return pageOf([...matches.values()].filter(isShown), filter);
    },

    playerRecord: async (player) => {
      open();
      const games = played
        .filter((game) => game.app === player.app && game.player === player.player)
        .sort(firstEnded);
      const isKnown = [...matches.values()].some((match) => seatOfPlayer(match, player) >= 0);
      return isKnown ? recordOf(games) : undefined;
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
      turns.delete(id);
    },
  };
};

/** A game that has ended, with what its match says of it. */
interface Played extends PlayedGame {
  readonly match: MatchId;
  readonly app: string;
  readonly game: string;
  readonly endedAt: number;
}

const firstEnded = (a: Played, b: Played): number =>
  a.endedAt - b.endedAt || byText(a.match, b.match) || a.nth - b.nth;

/** The seat in which the app's player sits, −1 if none. */
const seatOfPlayer = ({ app, seats }: MatchRecord, player: Player): number =>
  app === player.app
    ? seats.findIndex((held) => held.kind === "human" && held.player === player.player)
    : -1;

/** @param games - in the order in which they ended */
const recordOf = (games: readonly Played[]): PlayerRecord => {
  let [streak, longestStreak] = [0, 0];
  for (const { won } of games) {
    streak = won ? streak + 1 : 0;
    longestStreak = Math.max(longestStreak, streak);
  }
  const groups = games.map(({ game, opponent, won, kind, points }) => ({
    ...{ game, opponent, won, points, games: 1 },
    ...(kind === undefined ? {} : { kind }),
  }));
  return { groups, longestStreak };
};

/** A page of a list, newest first. */
const pageOf = (
  shown: readonly MatchRecord[],
  { game, status, before, limit }: MatchFilter,
): readonly MatchRecord[] => {
  assertLimit(limit);
  return shown
    .filter((match) => game === undefined || match.game === game)
    .filter((match) => status === undefined || match.status === status)
    .filter((match) => before === undefined || newestFirst(before, match) < 0)
    .sort(newestFirst)
    .slice(0, limit)
    .map((match) => structuredClone(match));
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

const appStore = (open: () => void): AppStore => {
  const keys = new Map<string, AppKey>();
  return {
    live: async (keyHash) => {
      open();
      const key = keys.get(keyHash);
      return key?.revokedAt === undefined ? key : undefined;
    },
    add: async (key, keyHash) => {
      open();
      const good = [...keys.values()].filter(
        ({ app, revokedAt }) => app === key.app && revokedAt === undefined,
      );
      if (good.length >= LIVE_KEYS_MAX) return false;
      keys.set(keyHash, { ...key });
      return true;
    },
    revoke: async (id, revokedAt) => {
      open();
      const found = [...keys].find(([, key]) => key.id === id && key.revokedAt === undefined);
      if (found === undefined) return false;
      keys.set(found[0], { ...found[1], revokedAt });
      return true;
    },
    list: async () => {
      open();
      return [...keys.values()].sort(
        (a, b) => byText(a.app, b.app) || a.createdAt - b.createdAt || byText(a.id, b.id),
      );
    },
  };
};
