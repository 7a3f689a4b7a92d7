import type { Rejection } from "../kernel/result.ts";

/** What the application itself refuses, besides what a game's rules refuse. */
export type ServiceCode =
  | "match-not-found"
  | "token-missing"
  | "token-unknown"
  | "not-allowed"
  | "scope-missing"
  | "stale-version"
  | "version-needed"
  | "version-conflict"
  | "idempotency-key-reused"
  | "idempotency-key-weak"
  | "match-not-begun"
  | "match-over"
  | "seat-taken"
  | "no-reply-owed"
  | "engines-busy"
  | "game-has-no-adviser"
  | "match-not-over"
  | "nudge-not-offered"
  | "not-nudgeable"
  | "already-nudged"
  | "nudge-too-early"
  | "game-unknown"
  | "variant-unknown"
  | "engine-level-unknown"
  | "seats-not-possible"
  | "private-for-nobody"
  | "game-has-no-files"
  | "player-needs-app-key"
  | "player-twice"
  | "player-not-found"
  | "seat-has-no-token"
  | "malformed-command"
  | "malformed-options"
  | "position-said-twice"
  | "dice-contradict"
  | "dice-missing";

/** A use case that did not happen: a code of the service or of a game, and facts. */
export type Failure = Rejection<string>;
