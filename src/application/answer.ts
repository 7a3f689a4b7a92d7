import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";
import type { MatchId, MatchRecord } from "./match.ts";
import type { NewAnswer, StoredAnswer } from "./ports.ts";
import type { TokenKind, TokenSource } from "./tokens.ts";
import { storedKey } from "./tokens.ts";

/** What makes a request repeatable: its key, and a hash of all that it asks. */
export interface Repeatable {
  readonly key?: string;
  readonly requestHash: string;
}

/** Fewest characters of a key that is all there is to tell its sender from others. */
const SECRET_KEY_LENGTH_MIN = 22;

/** The refusal of a key that somebody else might come upon, where the key alone gives the answer again. */
export const weakKey = (key: string | undefined): Result<never, Failure> | undefined =>
  key !== undefined && key.length < SECRET_KEY_LENGTH_MIN
    ? reject("idempotency-key-weak", { lengthMin: SECRET_KEY_LENGTH_MIN })
    : undefined;

/** A request about one match, as an adapter hands it over. */
export interface MatchRequest extends Repeatable {
  readonly match: MatchId;
  readonly token?: string;
  /** The version that the caller acts on, where it says so. */
  readonly expected?: number;
}

/** An answer: the body to send, byte for byte, and what names the state that it shows. */
export interface Answer {
  readonly body: string;
  /** The version, or `open-n` while a seat is open. */
  readonly tag: string;
  readonly replayed: boolean;
  readonly match: MatchId;
}

/** What names the state of a match for its clients. It never depends on hidden content. */
export const tagOf = (record: MatchRecord): string =>
  record.status === "open" ? `open-${record.claims}` : String(record.version);

/** The answer that a twin of the request got, or a refusal where the key was another request's. */
export const replay = (
  match: MatchId,
  stored: StoredAnswer,
  requestHash: string,
): Result<Answer, Failure> =>
  stored.requestHash === requestHash
    ? ok({ match, body: stored.body, tag: stored.tag, replayed: true })
    : reject("idempotency-key-reused");

/** The answer as it is stored for a twin, where the request has a key. */
export const toStore = (
  serviceKey: Buffer,
  principal: string,
  request: Repeatable,
  { body, tag }: { readonly body: string; readonly tag: string },
): { readonly answer?: NewAnswer } =>
  request.key === undefined
    ? {}
    : {
        answer: {
          principal,
          key: storedKey(serviceKey, request.key),
          requestHash: request.requestHash,
          tag,
          body,
        },
      };

/**
 * Stands in a body where a token will be, so that none is stored. The control character cannot come
 * from a client, and JSON prints it as an escape.
 */
export const tokenPlaceholder = (kind: TokenKind, seat: number): string =>
  `\u0001${kind} ${seat}\u0001`;

const PLACEHOLDER = /\\u0001(seat|inv) (\d+)\\u0001/g;

/** The body with the tokens of its request in it. */
export const withTokens = (answer: Answer, source: TokenSource): Answer => ({
  ...answer,
  body: answer.body.replaceAll(PLACEHOLDER, (_, kind: string, seat: string) =>
    source.token(kind === "seat" ? "seat" : "inv", Number(seat)),
  ),
});
