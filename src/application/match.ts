import type { FileFormat } from "../games/host.ts";
import { assert } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";

declare const matchIdBrand: unique symbol;

/** A match's id: a random UUID in lower case, made by us. */
export type MatchId = string & { readonly [matchIdBrand]: true };

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The id, where the text is one. */
export const parseMatchId = (text: string): MatchId | undefined =>
  UUID.test(text) ? (text as MatchId) : undefined;

/** The id of a text that must be one: from the database, or made by us. */
export const matchId = (text: string): MatchId => {
  assert(UUID.test(text), "a match id is a UUID in lower case");
  return text as MatchId;
};

/** The longest name of a seat, in code points. */
export const NAME_LENGTH_MAX = 40;

/** A place at the match as it is stored. Hashes are SHA-256 in hex of the whole token. */
export type SeatRecord =
  | {
      readonly kind: "human";
      readonly name?: string;
      /** Who sits there, as the app that opened the match calls them; only that app is shown it. */
      readonly player?: string;
      readonly tokenHash: string;
      /** The invite that the seat was claimed with: it claims nothing more. */
      readonly inviteHash?: string;
    }
  | { readonly kind: "engine"; readonly level: string }
  | { readonly kind: "open"; readonly inviteHash: string };

export const STATUSES = ["open", "playing", "over"] as const;
/** `open` while a seat is to be claimed, then `playing`, then `over`. */
export type Status = (typeof STATUSES)[number];

export const VISIBILITIES = ["public", "private"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * A match as one row: who sits there, and a snapshot of its stream.
 *
 * `version` is the `seq` of the last line, −1 while a seat is open; `head` is that line's hash in hex,
 * 64 zeros at first; `claims` counts the changes of who holds a seat: seats claimed and tokens rotated.
 * (`version`, `claims`) guards every change.
 */
export interface MatchRecord {
  readonly id: MatchId;
  readonly game: string;
  readonly variant: string;
  readonly options: Json;
  readonly visibility: Visibility;
  /** The format of the file that the match was imported from. */
  readonly imported?: FileFormat;
  /** The app that opened the match. */
  readonly app?: string;
  readonly status: Status;
  readonly seats: readonly SeatRecord[];
  readonly claims: number;
  readonly version: number;
  readonly head: string;
  /** When the match was opened; milliseconds since 1970, as are the next two. */
  readonly createdAt: number;
  /** The time of the last line or claim; it never runs backwards. */
  readonly at: number;
  /** When the sweeper should look at the match; absent: never. */
  readonly dueAt?: number;
  /** The public half of the folded state; `null` while a seat is open. */
  readonly snapshot: Json;
  /** The hidden half, sealed under the service key; `null` while a seat is open. */
  readonly hidden: string | null;
}
