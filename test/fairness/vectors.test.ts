import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseCard } from "../../src/fairness/card.ts";
import { chain } from "../../src/fairness/chain.ts";
import { derive, kindOf, textContribution } from "../../src/fairness/derive.ts";
import { isIncluded } from "../../src/fairness/tree.ts";
import type { Draw } from "../../src/kernel/draw.ts";

// The published answers of fair/1, copied from the protocol's folder.

interface Vector {
  readonly name: string;
  readonly card: string;
  readonly len: number;
  readonly roll: number;
  readonly kind: string;
  readonly server_seed: string;
  readonly white_seed?: string | null;
  readonly black_seed?: string | null;
  readonly white_text?: string | null;
  readonly black_text?: string | null;
  readonly beacon?: string | null;
  readonly links: unknown;
  readonly server_tip: string;
  readonly out: unknown;
  readonly valid?: boolean;
}

interface TreeVector {
  readonly why?: string;
  readonly entry: string;
  readonly index: number;
  readonly size: number;
  readonly root: string;
  readonly proof: readonly string[];
  readonly valid?: boolean;
}

const file = new URL("../golden/fairness/test-vectors.json", import.meta.url);
const golden = JSON.parse(readFileSync(file, "utf8")) as {
  readonly vectors: readonly Vector[];
  readonly tree_vectors: readonly TreeVector[];
};

const drawOf = (kind: string): Draw => {
  if (kind === "2d6" || kind === "open") return { kind };
  const size = Number(/\d+$/.exec(kind)?.[0]);
  return kind.startsWith("shuffle")
    ? { kind: "shuffle", size, hidden: false }
    : { kind: "number", below: size };
};

const seatPart = (vector: Vector, seed?: string | null, text?: string | null): string | null => {
  if (typeof text === "string") return textContribution(text);
  return typeof seed !== "string" ? null : chain(seed, vector.len).link(vector.roll);
};

const answer = (vector: Vector) => {
  const { card, roll, len, beacon = null } = vector;
  const server = chain(vector.server_seed, len);
  const white = seatPart(vector, vector.white_seed, vector.white_text);
  const black = seatPart(vector, vector.black_seed, vector.black_text);
  const draw = drawOf(vector.kind);
  expect(kindOf(draw)).toBe(vector.kind);
  expect(parseCard(card)).toBeDefined();
  const { out } = derive(draw, server.link(roll), { card, roll, seats: [white, black], beacon });
  return { links: { server: server.link(roll), white, black }, server_tip: server.tip, out };
};

describe("the published vectors", () => {
  it("are thirty, and twelve of trees", () => {
    expect(golden.vectors).toHaveLength(30);
    expect(golden.tree_vectors).toHaveLength(12);
  });

  it.each(golden.vectors)("$name", (vector) => {
    const { links, server_tip, out } = vector;
    const matcher = expect(answer(vector));
    if (vector.valid === false) matcher.not.toEqual({ links, server_tip, out });
    else matcher.toEqual({ links, server_tip, out });
  });

  it.each(golden.tree_vectors)("tree of $size, index $index: $why", (vector) => {
    const { index, size, proof, root } = vector;
    const entry = Buffer.from(vector.entry, "hex");
    expect(isIncluded({ entry, index, size, proof }, root)).toBe(vector.valid ?? true);
  });
});
