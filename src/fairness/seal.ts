import { assert } from "../kernel/assert.ts";
import { canonical, type Json } from "../kernel/json.ts";
import { isHash, sha256Hex } from "./hash.ts";

/** Bytes of a seal's salt, from the operating system's generator. */
export const SALT_BYTES = 32;

/** What opens a seal. */
export interface Opening {
  /** 32 random bytes, hex: without them a value of few possibilities could be guessed. */
  readonly salt: string;
  readonly value: Json;
}

/**
 * The seal on a value: `hex(H("fair/1 seal\n" ‖ hex(salt) ‖ "\n" ‖ JCS(value)))` (design.md 1).
 *
 * It fixes the value and shows nothing of it, not even its length.
 */
export const sealOf = ({ salt, value }: Opening): string => {
  assert(isHash(salt), "a salt is 32 bytes in hex");
  return sha256Hex(`fair/1 seal\n${salt}\n${canonical(value)}`);
};
