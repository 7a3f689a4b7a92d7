import { createHash } from "node:crypto";
import type { Deck } from "./log-check.ts";

/** A request as a bare client sends it. */
export interface Sent {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly token?: string;
  readonly key?: string;
  /** The version that the request acts on. */
  readonly expected?: number;
  readonly body?: unknown;
}

/** A whole answer. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly isReplayed: boolean;
}

const ANSWER_MS_MAX = 20_000;

/** Sends a request once; throws where no whole answer came back, and then it is unknown what was done. */
export const send = async (url: string, request: Sent): Promise<Reply> => {
  const { method, path, token, key, expected, body } = request;
  const response = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(ANSWER_MS_MAX),
    headers: {
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(key === undefined ? {} : { "Idempotency-Key": key }),
      ...(expected === undefined ? {} : { "If-Match": `"${expected}"` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, isReplayed: headers.get("Idempotency-Replayed") === "true" };
};

/** The JSON of a GET that must succeed. */
export const getJson = async <Body>(url: string, path: string, token?: string): Promise<Body> =>
  JSON.parse(await getText(url, path, token)) as Body;

/** The text of a GET that must succeed. */
export const getText = async (url: string, path: string, token?: string): Promise<string> => {
  const request: Sent = { method: "GET", path, ...(token === undefined ? {} : { token }) };
  const reply = await send(url, request);
  if (reply.status !== 200) throw new Error(`GET ${path}: ${reply.status} ${reply.text}`);
  return reply.text;
};

/** Every committed deck, page by page. */
export const allDecks = async (url: string): Promise<readonly Deck[]> => {
  const decks: Deck[] = [];
  for (let after = 0; ; ) {
    const page = await getJson<{ decks: Deck[]; nextAfter?: number }>(
      url,
      `/v1/audit/decks?after=${after}`,
    );
    decks.push(...page.decks);
    if (page.nextAfter === undefined) return decks;
    after = page.nextAfter;
  }
};

export const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
