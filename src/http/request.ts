import type { Context } from "hono";
import type { MatchRequest } from "../application/answer.ts";
import type { MatchId } from "../application/match.ts";
import { parseMatchId } from "../application/match.ts";
import { requestHash } from "../application/tokens.ts";
import type { Rejection, Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";

/** The bearer token of a request; other schemes count as an unknown token. */
export const bearerToken = (c: Context): string | undefined => {
  const header = c.req.header("Authorization");
  if (header === undefined) return undefined;
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? header;
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
  const version = /^"(\d+)"$/.exec(c.req.header("If-Match") ?? "")?.[1];
  return ok({
    match: match.value,
    ...(await repeatable(c)),
    ...(token === undefined ? {} : { token }),
    ...(version === undefined ? {} : { expected: Number(version) }),
  });
};
