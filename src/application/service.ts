import type { HostedGame } from "../games/host.ts";
import type { AnalysisCache } from "./analysis.ts";
import type { TableCache } from "./load.ts";
import type { AppStore, DeckStore, MatchStore, Vault } from "./ports.ts";
import type { Croupier } from "./settle.ts";

/** All that the use cases need. */
export interface Service extends Croupier {
  readonly games: ReadonlyMap<string, HostedGame>;
  readonly matches: MatchStore;
  readonly decks: DeckStore;
  readonly apps: AppStore;
  readonly vault: Vault;
  /** Derives ids and tokens. */
  readonly serviceKey: Buffer;
  readonly tables: TableCache;
  readonly analyses: AnalysisCache;
}

/** Engine commands that one human command brings along at most; more are owed. */
export const REPLIES_MAX = 32;
/** Engine commands that one `replies` request may ask for. */
export const REPLIES_ASKED_MAX = 100;
/** A match that nobody touches for so long is abandoned; an invite lives for a day. */
export const IDLE_MS_MAX = 7 * 24 * 3_600_000;
export const OPEN_MS_MAX = 24 * 3_600_000;
