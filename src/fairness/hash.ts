import { createHmac, hash } from "node:crypto";
import { assert } from "../kernel/assert.ts";

const HASH = /^[0-9a-f]{64}$/;

/**
 * SHA-256 of bytes, or of a text as UTF-8, in lower-case hex.
 *
 * `crypto.hash` answering in hex takes 0.6 µs; asked for a buffer, or as `createHash`, 3 µs (Node
 * 20.20.2, 44 bytes). So hashes and links are hex here, as they are in the log.
 */
export const sha256Hex = (data: Uint8Array | string): string => hash("sha256", data, "hex");

/** HMAC-SHA256 of a text as UTF-8, 32 bytes (RFC 2104). */
export const hmacSha256 = (key: Uint8Array, text: string): Buffer =>
  createHmac("sha256", key).update(text).digest();

/** Whether a text is 32 bytes in lower-case hex: a hash, a link or a seed. */
export const isHash = (text: string): boolean => HASH.test(text);

/** The 32 bytes of a hash, link or seed. Throws `InvariantViolation` on any other text. */
export const hashBytes = (hex: string): Buffer => {
  assert(isHash(hex), "a hash or link is 64 lower-case hex digits");
  return Buffer.from(hex, "hex");
};
