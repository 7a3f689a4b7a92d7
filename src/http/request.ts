import type { Context } from "hono";
import type { MatchRequest } from "../application/answer.ts";
import type { MatchId } from "../application/match.ts";
import { parseMatchId } from "../application/match.ts";
import { requestHash } from "../application/tokens.ts";
import type { Rejection, Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";

/** The bearer token of a request; what is no bearer token is an empty one, which nobody knows. */
export const bearerToken = (c: Context): string | undefined => {
  const header = c.req.header("Authorization");
  if (header === undefined) return undefined;
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? "";
};

/** The match that the path names. What is no id names no match. */
export const matchOf = (c: Context): Result<MatchId, Rejection<"match-not-found">> => {
  const id = parseMatchId(c.req.param("id") ?? "");
  return id === undefined ? reject("match-not-found") : ok(id);
};

/** What makes the request repeatable: its key, and a hash of its operation and body. */
export const repeatable = async (
  c: Context,
): Promise<{ readonly key?: string; readonly requestHash: string }> => {
  const key = c.req.header("Idempotency-Key");
  const hash = requestHash(`${c.req.method} ${c.req.path}`, await c.req.text());
  return { requestHash: hash, ...(key === undefined ? {} : { key }) };
};

/** The request as the use cases about one match take it. */
export const matchRequest = async (
  c: Context,
): Promise<Result<MatchRequest, Rejection<"match-not-found">>> => {
  const match = matchOf(c);
  if (!match.ok) return match;
  const token = bearerToken(c);
  const version = versionAsked(c);
  return ok({
    match: match.value,
    ...(await repeatable(c)),
    ...(token === undefined ? {} : { token }),
    ...(version === undefined ? {} : { expected: version }),
  });
};

/** The version that the client acts on; −1 where it last saw a seat open. */
const versionAsked = (c: Context): number | undefined => {
  const tag = /^"(open-)?(\d+)"$/.exec(c.req.header("If-Match") ?? "");
  if (tag === null) return undefined;
  return tag[1] === undefined ? Number(tag[2]) : -1;
};

/** Whether the client has the state that `tag` names, by `If-None-Match` (RFC 9110, section 13.1.2). */
export const hasState = (c: Context, tag: string): boolean =>
  (c.req.header("If-None-Match") ?? "")
    .split(",")
    .map((given) => given.trim().replace(/^W\//, ""))
    .some((given) => given === "*" || given === `"${tag}"`);
