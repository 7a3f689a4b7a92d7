import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { inclusionRoot, isIncluded, treeOf } from "../../src/fairness/tree.ts";
import { InvariantViolation, present } from "../../src/kernel/assert.ts";

const SIZE_TRIED_MAX = 70;
const entries = Array.from({ length: SIZE_TRIED_MAX }, (_, index) => Buffer.from(`entry ${index}`));

/** The definition of RFC 6962, section 2.1, word for word: split at the largest power of two below n. */
const definedRoot = (list: readonly Buffer[]): Buffer => {
  const hash = createHash("sha256");
  if (list.length === 1) return hash.update("\0").update(present(list[0], "one entry")).digest();
  const split = 2 ** Math.floor(Math.log2(list.length - 1));
  const [left, right] = [definedRoot(list.slice(0, split)), definedRoot(list.slice(split))];
  return hash.update("\x01").update(left).update(right).digest();
};

describe("a tree", () => {
  it("has the root that RFC 6962 defines, for sizes 1 to 70", () => {
    for (let size = 1; size <= SIZE_TRIED_MAX; size += 1) {
      const some = entries.slice(0, size);
      expect(treeOf(some).root).toBe(definedRoot(some).toString("hex"));
    }
  });

  it("proves every entry, and only at its own place, for sizes 1 to 70", () => {
    let accepted = 0;
    let shiftedAccepted = 0;
    for (let size = 1; size <= SIZE_TRIED_MAX; size += 1) {
      const tree = treeOf(entries.slice(0, size));
      for (let index = 0; index < size; index += 1) {
        const claim = {
          entry: present(entries[index], "an entry"),
          index,
          size,
          proof: tree.proof(index),
        };
        accepted += Number(isIncluded(claim, tree.root));
        const shifted = [
          { ...claim, index: (index + 1) % size },
          { ...claim, index: index + size },
          { ...claim, entry: Buffer.from("another entry") },
          { ...claim, proof: [...claim.proof, tree.root] },
          { ...claim, proof: claim.proof.slice(1) },
        ].filter(
          (other) =>
            other.index !== index ||
            other.entry !== claim.entry ||
            other.proof.length !== claim.proof.length,
        );
        shiftedAccepted += shifted.filter((other) => isIncluded(other, tree.root)).length;
      }
    }
    expect(accepted).toBe((SIZE_TRIED_MAX * (SIZE_TRIED_MAX + 1)) / 2);
    expect(shiftedAccepted).toBe(0);
  });

  it("is never empty and has no proof of what it does not hold", () => {
    expect(() => treeOf([])).toThrow(InvariantViolation);
    for (const index of [-1, 3, 0.5]) {
      expect(() => treeOf(entries.slice(0, 3)).proof(index)).toThrow(InvariantViolation);
    }
  });

  it("refuses claims that are no numbers or no hashes", () => {
    const claim = {
      entry: Buffer.from("entry 0"),
      index: 0,
      size: 2,
      proof: treeOf(entries.slice(0, 2)).proof(0),
    };
    expect(inclusionRoot(claim)).toBe(treeOf(entries.slice(0, 2)).root);
    expect(inclusionRoot({ ...claim, index: 0.5 })).toBeUndefined();
    expect(inclusionRoot({ ...claim, size: Number.NaN })).toBeUndefined();
    expect(inclusionRoot({ ...claim, size: 2 ** 31 })).toBeUndefined();
    expect(inclusionRoot({ ...claim, index: -1 })).toBeUndefined();
    expect(
      inclusionRoot({ ...claim, proof: claim.proof.map((hash) => hash.toUpperCase()) }),
    ).toBeUndefined();
  });
});
