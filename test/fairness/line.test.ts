import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { chainLine, GENESIS, isLoggable, lineHash } from "../../src/fairness/line.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";
import type { JsonObject } from "../../src/kernel/json.ts";

const AT = "2026-01-01T00:00:04.000Z";
const draft = {
  match: "m-1",
  seq: 0,
  prev: GENESIS,
  at: AT,
  body: { type: "open", z: 1, a: "骰" },
};

describe("a line", () => {
  it("is canonical JSON, and its hash is that of its bytes", () => {
    const { text, hash } = chainLine(draft);
    expect(text).toBe(
      `{"a":"骰","at":"${AT}","match":"m-1","prev":"${GENESIS}","seq":0,"type":"open","z":1}`,
    );
    expect(hash).toBe(createHash("sha256").update(Buffer.from(text)).digest("hex"));
    expect(lineHash(text)).toBe(hash);
  });

  it("may hold any whole numbers and any text", () => {
    expect(isLoggable({ a: [null, true, -(2 ** 53) + 1], "🎲": "骰子 🎲 \u0000" })).toBe(true);
    expect(isLoggable(2 ** 53)).toBe(false);
  });

  it("names the line before it", () => {
    const first = chainLine(draft);
    const second = chainLine({ ...draft, seq: 1, prev: first.hash, body: { type: "roll" } });
    expect(JSON.parse(second.text)).toMatchObject({ seq: 1, prev: first.hash });
  });

  it.each<[string, Partial<typeof draft> | { body: JsonObject }]>([
    ["a body that overwrites match", { body: { type: "x", match: "m-2" } }],
    ["a body that overwrites seq", { body: { type: "x", seq: 3 } }],
    ["a body that overwrites prev", { body: { type: "x", prev: GENESIS } }],
    ["a body that overwrites at", { body: { type: "x", at: AT } }],
    ["a body without type", { body: { kind: "x" } }],
    ["a fraction", { body: { type: "x", deep: [{ equity: 0.5 }] } }],
    ["half of a character", { body: { type: "x", text: "\ud83c" } }],
    ["half of a character in a name", { body: { type: "x", "\udfb2": 1 } }],
    ["a number that is none", { body: { type: "x", value: Number.NaN } }],
    ["a first line with a line before it", { prev: "ab".repeat(32) }],
    ["a later line without one", { seq: 1 }],
    ["a hash that is none", { seq: 1, prev: "ab" }],
    ["a negative seq", { seq: -1 }],
    ["a time that is not UTC", { at: "2026-01-01T00:00:04.000+02:00" }],
  ])("refuses %s", (_, change) => {
    expect(() => chainLine({ ...draft, ...change })).toThrow(InvariantViolation);
  });
});
