import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { assert, InvariantViolation } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";
import { hmacSha256 } from "./hash.ts";

// What must not be read out of a stolen database: AES-256-GCM, with a key for every label. A random
// IV of 96 bits is safe for 2³² values a key (NIST SP 800-38D, 8.3); a label's own key makes that
// a bound on each label instead of one on the whole service. The label is also bound as the AAD.

/** Seals JSON values under the service key. */
export interface SecretVault {
  /** The text `v1.` and base64url of IV (12 bytes), tag (16 bytes) and ciphertext. */
  seal(label: string, value: Json): string;
  /** The value; throws `InvariantViolation` unless the text was sealed by this key under this label. */
  open(label: string, sealed: string): Json;
}

/** Fewest bytes of a service key. */
const SECRET_KEY_BYTES_MIN = 32;

const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
const VERSION = "v1.";

/**
 * The vault of a service key.
 *
 * @param secretKey - at least 32 random bytes; used only to derive keys from (HKDF, RFC 5869)
 */
export const vault = (secretKey: Uint8Array): SecretVault => {
  const root = purposeKey(secretKey, "fair/1 vault");
  return {
    seal: (label, value) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, hmacSha256(root, label), iv);
      cipher.setAAD(Buffer.from(label));
      const text = Buffer.concat([cipher.update(JSON.stringify(value), "utf8"), cipher.final()]);
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url");
    },
    open: (label, sealed) => {
      const bytes = sealedBytes(sealed);
      const iv = bytes.subarray(0, IV_BYTES);
      const decipher = createDecipheriv(CIPHER, hmacSha256(root, label), iv, {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(label));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
      try {
        return JSON.parse(Buffer.concat([text, decipher.final()]).toString()) as Json;
      } catch (cause) {
        throw new InvariantViolation("a sealed value opens under its own key and label", { cause });
      }
    },
  };
};

/**
 * A short name of the service key, 16 hex digits. It reveals nothing about the key.
 *
 * Kept in the database, so that one made under another key is refused at the start.
 */
export const keyId = (secretKey: Uint8Array): string =>
  purposeKey(secretKey, "fair/1 key id").subarray(0, KEY_ID_BYTES).toString("hex");

/** A key of 32 bytes for one purpose (HKDF-SHA256, RFC 5869, without salt). */
const purposeKey = (secretKey: Uint8Array, purpose: string): Buffer => {
  assert(secretKey.length >= SECRET_KEY_BYTES_MIN, "a service key has at least 32 bytes");
  return Buffer.from(hkdfSync("sha256", secretKey, "", purpose, KEY_BYTES));
};

/** The bytes of a sealed text; only the one spelling that `seal` writes is read. */
const sealedBytes = (sealed: string): Buffer => {
  const encoded = sealed.slice(VERSION.length);
  const bytes = Buffer.from(encoded, "base64url");
  assert(
    sealed.startsWith(VERSION) && bytes.toString("base64url") === encoded,
    "a sealed text is v1 and base64url",
  );
  assert(bytes.length >= IV_BYTES + TAG_BYTES, "a sealed text holds an IV and a tag");
  return bytes;
};
