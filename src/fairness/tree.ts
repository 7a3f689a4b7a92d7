import { assert, present } from "../kernel/assert.ts";
import { isHash, sha256Hex } from "./hash.ts";

// The Merkle tree of RFC 6962 and RFC 9162, built level by level. A node without a right neighbour
// moves up as it is, which gives the tree that the RFCs define by splitting at powers of two.

/** A tree over entries, with all its nodes kept: 32 bytes in hex each. */
export interface Tree {
  /** Entries. */
  readonly size: number;
  /** Hex. */
  readonly root: string;
  /** The audit path of entry `index`, 0 ≤ index < size: hashes in hex, from the leaf's sibling up. */
  proof(index: number): readonly string[];
}

/** What somebody claims about a tree: that `entry` stands at `index` of `size`. */
export interface Inclusion {
  readonly entry: Uint8Array;
  readonly index: number;
  readonly size: number;
  /** Hashes in hex, from the leaf's sibling up. */
  readonly proof: readonly string[];
}

/** Largest tree: its indexes fit the 32-bit shifts below. */
const SIZE_MAX = 2 ** 31 - 1;

/**
 * The tree over entries in order (RFC 6962, section 2.1).
 *
 * @param entries - at least one
 */
export const treeOf = (entries: readonly Uint8Array[]): Tree => {
  assert(entries.length >= 1 && entries.length <= SIZE_MAX, "a tree has entries");
  let level: readonly string[] = entries.map(leafHash);
  const levels = [level];
  while (level.length > 1) {
    level = levelAbove(level);
    levels.push(level);
  }
  return {
    size: entries.length,
    root: present(level[0], "the last level is the root"),
    proof: (index) => {
      assert(Number.isInteger(index) && index >= 0 && index < entries.length, "an entry's index");
      return levels.flatMap((nodes, height) => nodes[(index >> height) ^ 1] ?? []);
    },
  };
};

/**
 * The root that an inclusion proof leads to (RFC 9162, section 2.1.3.2).
 *
 * The proof must have the exact length for its index and size. A longer one would let an operator
 * hide a second entry at the same place in a deeper tree.
 *
 * @returns hex; nothing where the proof is too short, too long or malformed, or the index not in the tree
 */
export const inclusionRoot = ({ entry, index, size, proof }: Inclusion): string | undefined => {
  if (!Number.isInteger(index) || !Number.isInteger(size)) return undefined;
  if (index < 0 || index >= size || size > SIZE_MAX || !proof.every(isHash)) return undefined;
  let node = index;
  let last = size - 1;
  let hash = leafHash(entry);
  for (const sibling of proof) {
    if (last === 0) return undefined;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash({ left: sibling, right: hash });
      while (node % 2 === 0 && node !== 0) {
        node >>= 1;
        last >>= 1;
      }
    } else {
      hash = nodeHash({ left: hash, right: sibling });
    }
    node >>= 1;
    last >>= 1;
  }
  return last === 0 ? hash : undefined;
};

/** Whether the proof shows that the entry stands at its index in the tree of this root (hex). */
export const isIncluded = (inclusion: Inclusion, root: string): boolean =>
  inclusionRoot(inclusion) === root;

const levelAbove = (level: readonly string[]): readonly string[] => {
  const above: string[] = [];
  for (let index = 0; index < level.length; index += 2) {
    const left = present(level[index], "the index is below the length");
    const right = level[index + 1];
    above.push(right === undefined ? left : nodeHash({ left, right }));
  }
  return above;
};

/** `H(0x00 ‖ entry)`. */
const leafHash = (entry: Uint8Array): string => sha256Hex(Buffer.concat([LEAF, entry]));

/** `H(0x01 ‖ left ‖ right)`. */
const nodeHash = ({ left, right }: { readonly left: string; readonly right: string }): string =>
  sha256Hex(Buffer.from(`01${left}${right}`, "hex"));

const LEAF = Buffer.from([0]);
