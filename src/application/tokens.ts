import { createHmac, hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { assert } from "../kernel/assert.ts";
import type { MatchId } from "./match.ts";
import { matchId } from "./match.ts";

const TOKEN_KINDS = ["seat", "inv", "app"] as const;
/** `seat` acts for a seat; `inv` claims one; `app` is the key of an app. */
export type TokenKind = (typeof TOKEN_KINDS)[number];

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BODY_LENGTH = 32;
const CHECK_LENGTH = 6;

/** What a token looks like: `qj_seat_`, `qj_inv_` or `qj_app_`, 32 characters, and 6 that check them. */
export const TOKEN = /qj_(seat|inv|app)_[0-9A-Za-z]{38}/g;

/** Where ids and tokens come from: the same request and key give the same ones again. */
export interface TokenSource {
  readonly match: MatchId;
  token(kind: TokenKind, seat: number): string;
}

/**
 * The tokens of one request, derived from the service key; so a replay gives them again and none is
 * stored. `secret` is what only this caller knows: its `Idempotency-Key`, or fresh random bytes.
 */
export const tokenSource = (
  serviceKey: Buffer,
  scope: { readonly principal: string; readonly secret: string; readonly match?: MatchId },
): TokenSource => {
  const derive = (what: string): Buffer =>
    createHmac("sha256", serviceKey)
      .update(`qiju token\n${what}\n${scope.match ?? "-"}\n${scope.principal}\n${scope.secret}`)
      .digest();
  return {
    match: scope.match ?? uuid(derive("match")),
    token: (kind, seat) => printToken(kind, derive(`${kind} ${seat}`)),
  };
};

/** A fresh key of an app. Nothing derives it, so nobody can be given it again. */
export const freshAppKey = (): string => printToken("app", randomBytes(32));

const KEY_ID_LENGTH = 12;

/** What an app's key is called where it must not be shown: the beginning of its hash, 12 hex digits. */
export const appKeyId = (keyHash: string): string => keyHash.slice(0, KEY_ID_LENGTH);

/** A secret for a request that brings no key of its own. */
export const freshSecret = (): string => randomBytes(32).toString("hex");

const uuid = (bytes: Buffer): MatchId => {
  const hex = bytes.toString("hex");
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 3) | 8).toString(16);
  return matchId(
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  );
};

const base62 = (value: bigint, length: number): string => {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = ALPHABET.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
};

const printToken = (kind: TokenKind, bytes: Buffer): string => {
  const body = `qj_${kind}_${base62(BigInt(`0x${bytes.toString("hex")}`), BODY_LENGTH)}`;
  return body + check(body);
};

const check = (body: string): string => base62(BigInt(crc32(body)), CHECK_LENGTH);

/** The kind of a well-formed token; a typing error is noticed without asking the database. */
export const tokenKind = (text: string): TokenKind | undefined => {
  const kind = TOKEN_KINDS.find((one) => text.startsWith(`qj_${one}_`));
  if (kind === undefined) return undefined;
  const length = `qj_${kind}_`.length + BODY_LENGTH;
  if (text.length !== length + CHECK_LENGTH) return undefined;
  return check(text.slice(0, length)) === text.slice(length) ? kind : undefined;
};

/** How a token is stored: SHA-256 in hex. A slow hash would add nothing to 190 random bits. */
export const tokenHash = (token: string): string => hash("sha256", token, "hex");

/**
 * How an `Idempotency-Key` is stored, hex. Keyed, since an anonymous caller's key is a secret that gives
 * tokens again: a copy of the database must not hold it, nor a way to try keys.
 */
export const storedKey = (serviceKey: Buffer, key: string): string =>
  createHmac("sha256", serviceKey).update(`qiju answer key\n${key}`).digest("hex");

/** What a request asks, as a hash: its operation and its body, byte for byte. */
export const requestHash = (operation: string, body: string): string => {
  assert(!operation.includes("\n"), "an operation is one line");
  return hash("sha256", `${operation}\n${body}`, "hex");
};
