import { unreachable } from "../kernel/assert.ts";
import type { Rejection, Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Seat } from "../kernel/seat.ts";
import { seat } from "../kernel/seat.ts";
import type { ServiceCode } from "./failure.ts";
import type { MatchRecord } from "./match.ts";
import type { AppStore, Scope } from "./ports.ts";
import { SCOPES } from "./ports.ts";
import { tokenHash, tokenKind } from "./tokens.ts";

/** The bearer of a token, before it is known which match the request is about. */
export type Caller =
  | { readonly kind: "anonymous" }
  | { readonly kind: "holder"; readonly of: "seat" | "inv"; readonly tokenHash: string }
  | App
  | Unknown;

/** An app, by one of its keys. */
interface App {
  readonly kind: "app";
  readonly app: string;
  readonly scopes: readonly Scope[];
}

/** A token that is malformed, dead, or of another match. */
type Unknown = { readonly kind: "unknown" };

/**
 * Who is asking: in respect of one match, or of none. `elsewhere` bears a token that means something at its
 * own match only.
 */
export type Principal =
  | { readonly kind: "anonymous" }
  | { readonly kind: "seat"; readonly seat: Seat }
  | { readonly kind: "invite"; readonly seat: Seat }
  | { readonly kind: "elsewhere" }
  | App;

/** What somebody wants of a match. */
export type MatchAction = "see" | "legal" | "hint" | "act" | "claim" | "reply" | "rotate";

/** What somebody wants of the house. */
export type HouseAction = "open" | "list" | "list-players" | "read-statistics";

export type Action = MatchAction | HouseAction;

/** Who bears the token. The keys of apps are looked up each time, so a revoked one is dead at once. */
export const identify = async (
  { apps }: { readonly apps: AppStore },
  token: string | undefined,
): Promise<Caller> => {
  if (token === undefined) return { kind: "anonymous" };
  const kind = tokenKind(token);
  if (kind === undefined) return { kind: "unknown" };
  if (kind !== "app") return { kind: "holder", of: kind, tokenHash: tokenHash(token) };
  const key = await apps.live(tokenHash(token));
  return key === undefined
    ? { kind: "unknown" }
    : { kind: "app", app: key.app, scopes: key.scopes };
};

/** Under whose name answers are stored: another principal's key never returns them. */
export const answerPrincipal = (caller: Caller): string => {
  switch (caller.kind) {
    case "holder":
      return caller.tokenHash;
    case "app":
      return `app ${caller.app}`;
    case "anonymous":
    case "unknown":
      return caller.kind;
    default:
      return unreachable(caller);
  }
};

/** Who the caller is at this match. */
const principalAt = (record: MatchRecord, caller: Caller): Principal | Unknown => {
  if (caller.kind !== "holder") return caller;
  const place = record.seats.findIndex((held) =>
    caller.of === "seat"
      ? held.kind === "human" && held.tokenHash === caller.tokenHash
      : held.kind !== "engine" && held.inviteHash === caller.tokenHash,
  );
  if (place < 0) return { kind: "unknown" };
  return { kind: caller.of === "seat" ? "seat" : "invite", seat: seat(place) };
};

/**
 * Whether the principal may do it, at this match where the action is about one. The only place that decides.
 */
export const can = (principal: Principal, action: Action, match?: MatchRecord): boolean => {
  switch (action) {
    case "open":
      return principal.kind === "anonymous" || hasScope(principal, "open-matches");
    case "list":
      return true;
    case "list-players":
      return hasScope(principal, "read-matches");
    case "read-statistics":
      return hasScope(principal, "read-statistics");
    case "see":
      return isForAll(principal, match) || isOwn(principal, "read-matches", match);
    case "reply":
      return isForAll(principal, match) || isOwn(principal, "open-matches", match);
    case "rotate":
      return principal.kind === "seat" || isOwn(principal, "open-matches", match);
    case "legal":
    case "hint":
    case "act":
      return principal.kind === "seat";
    case "claim":
      return principal.kind === "invite";
    default:
      return unreachable(action);
  }
};

const hasScope = (principal: Principal, scope: Scope): boolean =>
  principal.kind === "app" && principal.scopes.includes(scope);

/** Public, or the principal sits at it, or may still sit down. */
const isForAll = (principal: Principal, match: MatchRecord | undefined): boolean =>
  match?.visibility === "public" ||
  principal.kind === "seat" ||
  (principal.kind === "invite" && match?.seats[principal.seat]?.kind === "open");

const opened = (principal: Principal, match: MatchRecord | undefined): boolean =>
  principal.kind === "app" && match?.app === principal.app;

const isOwn = (principal: Principal, scope: Scope, match: MatchRecord | undefined): boolean =>
  opened(principal, match) && hasScope(principal, scope);

/** Whether the principal is shown the references of the match's players. */
export const knowsPlayers = (principal: Principal, match: MatchRecord): boolean =>
  isOwn(principal, "read-matches", match);

/** The principal at a match, with the match. */
export interface Admitted {
  readonly record: MatchRecord;
  readonly principal: Principal;
}

/** The match and who asks, where the caller may do it. A match that is not the caller's to see does not exist. */
export const admit = (
  record: MatchRecord | undefined,
  caller: Caller,
  action: MatchAction,
): Result<Admitted, Rejection<ServiceCode>> => {
  if (record === undefined) return reject("match-not-found");
  const principal = principalAt(record, caller);
  if (principal.kind === "unknown") {
    return reject(record.visibility === "private" ? "match-not-found" : "token-unknown");
  }
  if (can(principal, action, record)) return ok({ record, principal });
  const mayKnow = isForAll(principal, record) || opened(principal, record);
  return mayKnow ? refused(principal, action, record) : reject("match-not-found");
};

/** Who asks something that is about no match, where the caller may. */
export const admitHere = (
  caller: Caller,
  action: HouseAction,
): Result<Principal, Rejection<ServiceCode>> => {
  if (caller.kind === "unknown") return reject("token-unknown");
  const principal: Principal = caller.kind === "holder" ? { kind: "elsewhere" } : caller;
  return can(principal, action) ? ok(principal) : refused(principal, action);
};

const refused = (
  principal: Principal,
  action: Action,
  match?: MatchRecord,
): Result<never, Rejection<ServiceCode>> => {
  if (principal.kind === "anonymous") return reject("token-missing");
  if (principal.kind !== "app") return reject("not-allowed");
  const scope = SCOPES.find((one) => can({ ...principal, scopes: [one] }, action, match));
  return scope === undefined ? reject("not-allowed") : reject("scope-missing", { scope });
};
