import { assert, present } from "../kernel/assert.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import { SPECTATOR } from "../kernel/seat.ts";
import { tagOf } from "./answer.ts";
import type { Failure } from "./failure.ts";
import { upToDate } from "./forfeit.ts";
import { allLines, tableOf } from "./load.ts";
import type { MatchId, MatchRecord } from "./match.ts";
import { shownTo } from "./players.ts";
import type { Admitted, MatchAction, Principal } from "./policy.ts";
import { admit, admitHere, can, identify } from "./policy.ts";
import type { MatchFilter } from "./ports.ts";
import type { Service } from "./service.ts";
import type { EventView, MatchView } from "./view.ts";
import { openView, storedEventView, tableView, viewerOf } from "./view.ts";

/** Who reads which match. */
export interface Reading {
  readonly match: MatchId;
  readonly token?: string;
}

/** A value, and what names the state that it shows. */
export interface Tagged<Value> {
  readonly value: Value;
  readonly tag: string;
}

/** The match as the caller may see it. */
export const readMatch = async (
  service: Service,
  reading: Reading,
): Promise<Result<Tagged<MatchView>, Failure>> => {
  const found = await seen(service, reading);
  if (!found.ok) return found;
  const { record, principal } = found.value;
  return ok({ value: await viewOf(service, record, principal), tag: tagOf(record) });
};

/** The match as the principal may see it. */
export const viewOf = async (
  service: Service,
  record: MatchRecord,
  principal: Principal,
): Promise<MatchView> => {
  const viewer = viewerOf(principal);
  const view =
    record.status === "open"
      ? openView(record, viewer, service.clock())
      : tableView(await tableOf(service, record), viewer, service.clock());
  return shownTo(principal, record, view);
};

/** What the caller's seat may do now; nothing where it is not to act. */
export const readLegal = async (
  service: Service,
  reading: Reading,
): Promise<Result<Tagged<JsonObject>, Failure>> => {
  const found = await seen(service, reading, "legal");
  if (!found.ok) return found;
  const { record, principal } = found.value;
  assert(principal.kind === "seat", "only a seat is told what it may do");
  if (record.status === "open") return reject("match-not-begun");
  const { game, state } = await tableOf(service, record);
  return ok({ value: game.legalView(state, principal.seat), tag: tagOf(record) });
};

/** A page of the match's events, as the caller may see them, with seq > after. */
export const readEvents = async (
  service: Service,
  reading: Reading & { readonly after: number; readonly limit: number },
): Promise<
  Result<{ readonly events: readonly EventView[]; readonly version?: number }, Failure>
> => {
  const found = await seen(service, reading);
  if (!found.ok) return found;
  const { record, principal } = found.value;
  if (record.status === "open") return ok({ events: [] });
  const game = present(service.games.get(record.game), "a stored match is of a known game");
  // The lines are read after the row and may go further, into the middle of an append.
  const known = Math.max(0, record.version - reading.after);
  const lines = await service.matches.lines(record.id, reading.after, reading.limit);
  const viewer = viewerOf(principal);
  return ok({
    events: lines.slice(0, known).map((line) => storedEventView(game, line, viewer)),
    version: record.version,
  });
};

/**
 * The match's public lines up to its version, exact bytes. Read whole before the first is given: a log that
 * broke off half-way would look like a shorter one.
 */
export const readLog = async (
  service: Service,
  reading: Reading,
): Promise<Result<Tagged<readonly string[]>, Failure>> => {
  const found = await seen(service, reading);
  if (!found.ok) return found;
  const { record } = found.value;
  const lines = await allLines(service.matches, record.id);
  assert(lines.length > record.version, "a match has every line up to its version");
  return ok({ value: lines.slice(0, record.version + 1), tag: tagOf(record) });
};

/** A match in a list. */
export type MatchSummary = Pick<
  MatchRecord,
  "id" | "game" | "variant" | "visibility" | "status" | "createdAt" | "version"
> & { readonly seats: MatchView["seats"] };

/** Which matches somebody wants to see. */
export interface Listing extends MatchFilter {
  readonly token?: string;
  /** Only the caller's own matches with this player in a seat; with `onTurn`, where the player is to act. */
  readonly sat?: { readonly player: string; readonly onTurn: boolean };
}

/** Matches, newest first: public ones, and the private ones that the calling app opened. */
export const listMatches = async (
  service: Service,
  listing: Listing,
): Promise<Result<readonly MatchSummary[], Failure>> => {
  const { token, sat, ...filter } = listing;
  const admitted = admitHere(
    await identify(service, token),
    sat === undefined ? "list" : "list-players",
  );
  if (!admitted.ok) return admitted;
  const principal = admitted.value;
  const own = principal.kind === "app" && can(principal, "list-players") ? principal : undefined;
  const records =
    own === undefined || sat === undefined
      ? await service.matches.list(own === undefined ? filter : { ...filter, app: own.app })
      : await service.matches.listOfPlayer({ ...filter, ...sat, app: own.app });
  return ok(records.map((record) => summaryOf(principal, record, service.clock())));
};

const summaryOf = (principal: Principal, record: MatchRecord, now: number): MatchSummary => {
  const { id, game, variant, visibility, status, createdAt, version } = record;
  const { seats } = shownTo(principal, record, openView(record, SPECTATOR, now));
  return { id, game, variant, visibility, status, createdAt, version, seats };
};

/** The match as it is at this moment, and who looks at it, where the caller may. */
export const seen = async (
  service: Service,
  { match, token }: Reading,
  action: MatchAction = "see",
): Promise<Result<Admitted, Failure>> => {
  const caller = await identify(service, token);
  const admitted = admit(await service.matches.load(match), caller, action);
  if (!admitted.ok) return admitted;
  const { record, principal } = admitted.value;
  return ok({ record: await upToDate(service, record), principal });
};
