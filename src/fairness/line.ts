import { assert } from "../kernel/assert.ts";
import { canonical, type Json, type JsonObject } from "../kernel/json.ts";
import { isHash, sha256Hex } from "./hash.ts";

/** What stands for the line before the first one: 64 zeros. */
export const GENESIS = "0".repeat(64);

/** A line before it is written. */
export interface LineDraft {
  /** The match's id. */
  readonly match: string;
  /** 0, 1, 2 … */
  readonly seq: number;
  /** Hash of the line before, hex; `GENESIS` for line 0. */
  readonly prev: string;
  /** RFC 3339 in UTC with milliseconds, as `toISOString` prints it. Information only. */
  readonly at: string;
  /** `type` and what belongs to it; none of the four names above. See `isLoggable`. */
  readonly body: JsonObject;
}

/** A line of the log: canonical JSON (RFC 8785) without newline, and its SHA-256 in hex. */
export interface Line {
  readonly text: string;
  readonly hash: string;
}

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const LONE_SURROGATE = /\p{Surrogate}/u;
const OWN_FIELDS = ["match", "seq", "prev", "at"] as const;

/** The next line of a match's hash chain (design.md 4). */
export const chainLine = ({ match, seq, prev, at, body }: LineDraft): Line => {
  assert(Number.isSafeInteger(seq) && seq >= 0, "lines count from 0");
  assert(isHash(prev) && (prev === GENESIS) === (seq === 0), "only line 0 has no line before it");
  assert(TIME.test(at), "a time is RFC 3339 in UTC with milliseconds");
  assert(typeof body["type"] === "string", "a line has a type");
  assert(!OWN_FIELDS.some((field) => Object.hasOwn(body, field)), "a body keeps off the chain");
  assert(isLoggable(body), "a line's numbers are whole and its texts well formed");
  const text = canonical({ ...body, match, seq, prev, at });
  return { text, hash: lineHash(text) };
};

/** The hash of a line: SHA-256 of its exact bytes without newline, hex. */
export const lineHash = (text: string): string => sha256Hex(text);

/**
 * Whether a value reads the same in every language: whole numbers, |n| < 2⁵³, and texts without lone
 * surrogates (design.md 4). A checker refuses others, so a client's texts must be tested before.
 */
export const isLoggable = (value: Json): boolean => {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value === "string") return !LONE_SURROGATE.test(value);
  if (value === null || typeof value !== "object") return true;
  return Object.entries(value).every(([key, member]) => isLoggable(key) && isLoggable(member));
};
