import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Vault } from "../../src/application/ports.ts";
import { seededPick } from "../../src/fairness/pick.ts";
import { SALT_BYTES, sealOf } from "../../src/fairness/seal.ts";
import { keyId, vault } from "../../src/fairness/vault.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";

const KEY = Buffer.alloc(32, 3);
const OTHER_KEY = Buffer.alloc(32, 4);
const SECRET = { deckSecret: "ab".repeat(32), 名: ["骰子", 1, null, true] };

describe("a vault", () => {
  const safe: Vault = vault(KEY);

  it("opens what it sealed, under the same label", () => {
    expect(safe.open("fair/1 deck 12", safe.seal("fair/1 deck 12", SECRET))).toEqual(SECRET);
    expect(vault(KEY).open("x", safe.seal("x", null))).toBeNull();
  });

  it("refuses another label, and another key", () => {
    const sealed = safe.seal("fair/1 deck 12", SECRET);
    expect(() => safe.open("fair/1 deck 13", sealed)).toThrow(InvariantViolation);
    expect(() => vault(OTHER_KEY).open("fair/1 deck 12", sealed)).toThrow(InvariantViolation);
  });

  it("refuses a text of which any character was changed", () => {
    const sealed = safe.seal("label", SECRET);
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1);
      expect(() => safe.open("label", changed), `character ${at}`).toThrow(InvariantViolation);
    }
  });

  it("refuses a text that was cut, lengthened, or is none", () => {
    const sealed = safe.seal("label", SECRET);
    for (const text of [
      "",
      "v1.",
      "v1.AAAA",
      "v2.AAAA",
      sealed.slice(0, -4),
      `${sealed}AAAA`,
      `${sealed}=`,
    ]) {
      expect(() => safe.open("label", text)).toThrow(InvariantViolation);
    }
  });

  it("never seals the same value to the same text, and shows nothing of it", () => {
    const texts = Array.from({ length: 100 }, () => safe.seal("label", SECRET));
    expect(new Set(texts).size).toBe(100);
    expect(texts[0]).toMatch(/^v1\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(texts[0]?.slice(3) ?? "", "base64url").toString("latin1")).not.toContain(
      "abab",
    );
  });

  it("needs a key of at least 32 bytes", () => {
    expect(() => vault(KEY.subarray(1))).toThrow(InvariantViolation);
    expect(() => keyId(KEY.subarray(1))).toThrow(InvariantViolation);
  });
});

describe("a key id", () => {
  it("names one key, and holds none of its bytes", () => {
    expect(keyId(KEY)).toBe(keyId(Buffer.from(KEY)));
    expect(keyId(KEY)).not.toBe(keyId(OTHER_KEY));
    expect(keyId(KEY)).toMatch(/^[0-9a-f]{16}$/);
    expect(keyId(KEY)).not.toContain("0303");
  });
});

describe("a seal", () => {
  const salt = "5a".repeat(SALT_BYTES);

  it("is the hash that the protocol says, over canonical JSON", () => {
    const text = `fair/1 seal\n${salt}\n{"a":[1,"骰"],"b":null}`;
    const hash = createHash("sha256").update(text).digest("hex");
    expect(sealOf({ salt, value: { b: null, a: [1, "骰"] } })).toBe(hash);
  });

  it("differs with the salt, and needs one of 32 bytes", () => {
    expect(sealOf({ salt, value: 1 })).not.toBe(sealOf({ salt: "5b".repeat(32), value: 1 }));
    expect(() => sealOf({ salt: "5a", value: 1 })).toThrow(InvariantViolation);
  });
});

describe("a seeded pick", () => {
  const seed = Buffer.alloc(32, 5);
  const take = (label: string, below: number, count: number, from = seed): number[] => {
    const pick = seededPick(from, label);
    return Array.from({ length: count }, () => pick(below));
  };

  it("is the same for the same seed and label, and different for others", () => {
    expect(take("seat 0", 1000, 50)).toEqual(take("seat 0", 1000, 50));
    expect(take("seat 0", 1000, 50)).not.toEqual(take("seat 1", 1000, 50));
    expect(take("seat 0", 1000, 50)).not.toEqual(take("seat 0", 1000, 50, Buffer.alloc(32, 6)));
  });

  // Chi-square with fixed seed; the bound is its 99.9th percentile for below − 1 degrees of freedom.
  it.each([
    [2, 10.83],
    [6, 20.52],
    [21, 45.31],
    [36, 66.62],
    [100, 148.23],
  ])("is uniform below %d: chi-square of 20,000 picks under %d", (below, bound) => {
    const cells = new Array<number>(below).fill(0);
    for (const number of take("uniform", below, 20_000))
      cells[number] = (cells[number] ?? Number.NaN) + 1;
    const expected = 20_000 / below;
    const chiSquare = cells.reduce((sum, cell) => sum + (cell - expected) ** 2 / expected, 0);
    expect(chiSquare).toBeLessThan(bound);
  });

  it("skips words in the ragged top: below 2^31 − 1 every pick is in range", () => {
    // Three in 2³² are skipped there; below 3 × 2²⁹ a third of the words is, which shows.
    expect(take("x", 2 ** 31 - 1, 1000).every((number) => number < 2 ** 31 - 1)).toBe(true);
    const numbers = take("x", 3 * 2 ** 29, 3000);
    const low = numbers.filter((number) => number < 2 ** 29).length;
    expect(low).toBeGreaterThan(850); // a third is 1,000; without rejection it would be a half
    expect(low).toBeLessThan(1150);
  });

  it("takes bounds from 1 to 2^31", () => {
    expect(take("x", 1, 3)).toEqual([0, 0, 0]);
    expect(take("x", 2 ** 31, 100).some((number) => number > 2 ** 30)).toBe(true);
    for (const below of [0, -1, 1.5, 2 ** 31 + 1, Number.NaN]) {
      expect(() => seededPick(seed, "x")(below)).toThrow(InvariantViolation);
    }
  });
});
