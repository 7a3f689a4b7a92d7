import type {
  AppStore,
  DeckStore,
  Durability,
  LeaseStore,
  MatchStore,
} from "../application/ports.ts";

/** What answers behind the stores, for `GET /v1/meta`. */
interface Server {
  readonly kind: "postgresql" | "memory";
  readonly version: string;
}

/** The ports that need a store, and what the process must know about it. */
export interface Stores {
  readonly matches: MatchStore;
  readonly decks: DeckStore;
  readonly leases: LeaseStore;
  readonly apps: AppStore;
  /**
   * Binds the store to a service key, by the key's id: the first one to be claimed stays.
   *
   * @returns false where the store belongs to another key, and nothing in it can be opened
   */
  claimKey(keyId: string): Promise<boolean>;
  /** Read from the server at each call: a setting may change under a running service. */
  durability(): Promise<Durability>;
  server(): Promise<Server>;
  /** Settles where the store answers, and throws `StoreUnavailable` where it does not. */
  ping(): Promise<void>;
  /** Waits for what is under way, at most one deadline; later calls throw `StoreUnavailable`. */
  close(): Promise<void>;
}
