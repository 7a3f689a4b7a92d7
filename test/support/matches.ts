import { randomUUID } from "node:crypto";
import { type MatchId, type MatchRecord, matchId } from "../../src/application/match.ts";
import type { Change, NewAnswer } from "../../src/application/ports.ts";

/*
 * Matches for tests of the stores. Their games mean nothing; a line says which match it belongs to and what
 * the test wants to find again.
 */

export const newId = (): MatchId => matchId(randomUUID());

/** A match that plays since its line 0. */
export const playing = (overrides: Partial<MatchRecord> = {}): MatchRecord => ({
  id: newId(),
  game: "backgammon",
  variant: "standard",
  options: { length: 5, cube: { jacoby: false } },
  visibility: "private",
  status: "playing",
  seats: [
    { kind: "human", name: "双陆", tokenHash: "ab".repeat(32) },
    { kind: "engine", level: "expert" },
  ],
  claims: 0,
  version: 0,
  head: "00".repeat(32),
  createdAt: 1_700_000_000_000,
  at: 1_700_000_000_000,
  snapshot: { position: [1, 2, 3], onRoll: null },
  hidden: null,
  ...overrides,
});

/** A match whose second seat is to be claimed. */
export const open = (overrides: Partial<MatchRecord> = {}): MatchRecord =>
  playing({
    status: "open",
    seats: [
      { kind: "human", tokenHash: "ab".repeat(32) },
      { kind: "open", inviteHash: "cd".repeat(32) },
    ],
    version: -1,
    snapshot: null,
    ...overrides,
  });

export const line = (match: Pick<MatchRecord, "id">, seq: number, note = ""): string =>
  JSON.stringify({ match: match.id, note, seq });

export const answer = (overrides: Partial<NewAnswer> = {}): NewAnswer => ({
  principal: "seat-0",
  key: "7c9",
  requestHash: "ef".repeat(32),
  tag: "0",
  body: '{"version":0}',
  ...overrides,
});

/** The change that creates the match as it is, with the lines of its version. */
export const created = (match: MatchRecord, extra: Partial<Change> = {}): Change => ({
  next: match,
  lines: Array.from({ length: match.version + 1 }, (_, seq) => line(match, seq)),
  ...extra,
});

/** A change by `count` lines from where the match stands. */
export const moved = (match: MatchRecord, count = 1, extra: Partial<Change> = {}): Change => ({
  next: { ...match, version: match.version + count },
  lines: Array.from({ length: count }, (_, nth) => line(match, match.version + 1 + nth)),
  ...extra,
});
