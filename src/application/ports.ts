import type { Json } from "../kernel/json.ts";
import type { MatchId, MatchRecord, Status } from "./match.ts";

/** An answer kept for a retry: the first one, byte for byte. Kept for the life of the match. */
export interface StoredAnswer {
  /** SHA-256 of the request in hex: the same key with another request is refused. */
  readonly requestHash: string;
  /** What names the state that the answer shows: its version, or `open-n` while a seat is open. */
  readonly tag: string;
  readonly body: string;
}

/** Where an answer is kept. Another principal's key never returns it. */
export interface AnswerKey {
  readonly match: MatchId;
  readonly principal: string;
  readonly key: string;
}

/** An answer to be stored together with the change that it answers. */
export interface NewAnswer extends StoredAnswer {
  readonly principal: string;
  readonly key: string;
}

/** One change of a match: all of it happens, or none. */
export interface Change {
  /** The match as it is to be. `next.version` = expected version + number of lines. */
  readonly next: MatchRecord;
  /** Canonical JSON texts, without newline; the first has seq `next.version − lines.length + 1`. */
  readonly lines: readonly string[];
  readonly answer?: NewAnswer;
  /** The seats that are to act after it, for the lists of their players; absent: as before. */
  readonly onTurn?: readonly number[];
  /** The games that end with it, once for each player of an app. They are of `next`'s time. */
  readonly played?: readonly PlayedGame[];
}

/** Who a player plays against: a human, or an engine of a level. */
export type Opponent =
  | { readonly kind: "human" }
  | { readonly kind: "engine"; readonly level: string };

/** A game that has ended, as it counts for one of its players. */
export interface PlayedGame {
  /** Its number in the match, from 1. */
  readonly nth: number;
  readonly seat: number;
  readonly player: string;
  readonly opponent: Opponent;
  readonly won: boolean;
  /** Won, or lost: then negative. */
  readonly points: number;
  /** The game's own word for how it was won. */
  readonly kind?: string;
  readonly reason: string;
}

/** What a change met: done; somebody was faster; or a twin of the request has its answer stored. */
export type Changed = "done" | "stale" | "answered";

/** The matches that a list shows, newest first, by (createdAt, id) descending. */
export interface MatchFilter {
  readonly game?: string;
  readonly status?: Status;
  /** Only matches that come after this one in the list's order. */
  readonly before?: { readonly createdAt: number; readonly id: MatchId };
  /** 1..100 */
  readonly limit: number;
}

/** A player of an app. Another app may call another player the same. */
export interface Player {
  readonly app: string;
  readonly player: string;
}

/** Games of a player that count alike. */
export interface GameGroup {
  readonly game: string;
  readonly opponent: Opponent;
  readonly won: boolean;
  readonly kind?: string;
  /** At least 1. */
  readonly games: number;
  /** The sum over the group. */
  readonly points: number;
}

/** All games of a player that have ended. */
export interface PlayerRecord {
  readonly groups: readonly GameGroup[];
  /** Games won in a row at most, in the order in which they ended. */
  readonly longestStreak: number;
}

/**
 * Matches and their streams. Every method may throw `StoreUnavailable`; what was asked is then unknown
 * to have happened or not.
 */
export interface MatchStore {
  /** A new match with its first lines; `answered` where the id exists already. */
  create(change: Change): Promise<"done" | "answered">;
  load(id: MatchId): Promise<MatchRecord | undefined>;
  /** The match, and the answer under the key: of one moment, so neither is older than the other. */
  loadWithAnswer(
    key: AnswerKey,
  ): Promise<{ readonly record: MatchRecord; readonly answer?: StoredAnswer } | undefined>;
  /** Moves the match from `expected` to `change.next`, only if nobody else has moved it. */
  change(
    expected: { readonly version: number; readonly claims: number },
    change: Change,
  ): Promise<Changed>;
  answer(key: AnswerKey): Promise<StoredAnswer | undefined>;
  /** Lines with seq > after, in order, at most `limit` (1..1,000). */
  lines(id: MatchId, after: number, limit: number): Promise<readonly string[]>;
  /** Public matches, and, where an app asks, the private ones that it opened. */
  list(filter: MatchFilter & { readonly app?: string }): Promise<readonly MatchRecord[]>;
  /** The matches that the app opened with this player in a seat; or only those where the player is to act. */
  listOfPlayer(
    filter: MatchFilter & Player & { readonly onTurn: boolean },
  ): Promise<readonly MatchRecord[]>;
  /** The player's games; undefined where the app never seated such a player. */
  playerRecord(player: Player): Promise<PlayerRecord | undefined>;
  /** Matches with `dueAt` ≤ now, oldest first. */
  due(now: number, limit: number): Promise<readonly MatchId[]>;
  /** Removes a match that still waits for a seat to be claimed, with its stored answers. */
  removeOpen(id: MatchId, claims: number): Promise<void>;
}

export const SCOPES = ["open-matches", "read-matches", "read-statistics"] as const;
/**
 * What an app's key is good for. `open-matches`: to open matches, and, in its own, to let engines reply and
 * to rotate seats' tokens; `read-matches`: to list and see its own, private ones too;
 * `read-statistics`: its players' records.
 */
export type Scope = (typeof SCOPES)[number];

/** Keys of an app that are good at the same time: the old one and its successor. */
export const LIVE_KEYS_MAX = 2;

/** A key of an app, without what could be used. */
export interface AppKey {
  readonly id: string;
  readonly app: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: number;
  readonly revokedAt?: number;
}

export interface AppStore {
  /** The key with this SHA-256, in hex, while it is not revoked. */
  live(keyHash: string): Promise<AppKey | undefined>;
  /** False where the app has `LIVE_KEYS_MAX` keys that are not revoked. */
  add(key: AppKey, keyHash: string): Promise<boolean>;
  /** False where no key of this id is good. */
  revoke(id: string, at: number): Promise<boolean>;
  /** All keys ever made, by app and age. */
  list(): Promise<readonly AppKey[]>;
}

/** A committed deck. Its secret is sealed under the service key and stands in no event table. */
export interface DeckRecord {
  readonly deck: number;
  /** Cards in the deck. */
  readonly size: number;
  /** Links in each card's chain. */
  readonly length: number;
  /** Root of the RFC 6962 tree over the card leaves, hex. */
  readonly root: string;
  readonly sealedSecret: string;
  readonly createdAt: number;
}

export interface DeckStore {
  /** The highest deck number so far, 0 if none. */
  last(): Promise<number>;
  /** False where the number is taken. */
  add(deck: DeckRecord): Promise<boolean>;
  get(deck: number): Promise<DeckRecord | undefined>;
  /** Decks with a number > after, in order, at most `limit`. */
  list(after: number, limit: number): Promise<readonly DeckRecord[]>;
}

/** A right that one process holds at a time, until it lapses. */
export interface LeaseStore {
  /** True where `holder` has the lease now, for `forMs` from now; renews its own. */
  acquire(name: string, holder: string, forMs: number): Promise<boolean>;
}

/** How an acknowledged command survives: `disk` a power loss, `process` only a killed process. */
export type Durability = "disk" | "process";

/** The service's time, milliseconds since 1970. */
export type Clock = () => number;

/** The store did not answer in time, or could not be reached. Retry: with a key that is safe. */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}

/** A value sealed under the service key (AES-256-GCM); `label` is bound to it. */
export interface Vault {
  seal(label: string, value: Json): string;
  /** Throws where the text was not sealed by this key under this label. */
  open(label: string, sealed: string): Json;
}
