import { unreachable } from "../kernel/assert.ts";
import type { Seat } from "../kernel/seat.ts";
import { seat } from "../kernel/seat.ts";
import type { MatchRecord } from "./match.ts";
import { tokenHash, tokenKind } from "./tokens.ts";

/** Who is asking, in respect of one match. */
export type Principal =
  | { readonly kind: "anonymous" }
  | { readonly kind: "seat"; readonly seat: Seat }
  | { readonly kind: "invite"; readonly seat: Seat };

/** What somebody wants of a match. */
export type Action = "see" | "act" | "claim" | "reply";

/** A token that is malformed, dead, or of another match. */
export type Unknown = { readonly kind: "unknown" };

/** Who the bearer of a token is at this match; no token: anybody. */
export const principalAt = (
  record: MatchRecord,
  token: string | undefined,
): Principal | Unknown => {
  if (token === undefined) return { kind: "anonymous" };
  const kind = tokenKind(token);
  if (kind === undefined) return { kind: "unknown" };
  const hash = tokenHash(token);
  const place = record.seats.findIndex((held) =>
    kind === "seat"
      ? held.kind === "human" && held.tokenHash === hash
      : held.kind !== "engine" && held.inviteHash === hash,
  );
  if (place < 0) return { kind: "unknown" };
  return kind === "seat"
    ? { kind: "seat", seat: seat(place) }
    : { kind: "invite", seat: seat(place) };
};

/** Whether the principal may do it at this match. The only place that decides. */
export const can = (principal: Principal, action: Action, record: MatchRecord): boolean => {
  switch (action) {
    case "see":
    case "reply":
      return record.visibility === "public" || principal.kind !== "anonymous";
    case "act":
      return principal.kind === "seat";
    case "claim":
      return principal.kind === "invite";
    default:
      return unreachable(action);
  }
};
