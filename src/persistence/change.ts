import type { AnswerKey, Change } from "../application/ports.ts";
import { assert } from "../kernel/assert.ts";

/*
 * What every store demands of a change before it looks at anything stored. To break one of these is a bug
 * of the caller, never a client's mistake, so they throw.
 */

const LIMIT_MAX = 1_000;

/** Where a match must be for a change to happen. */
export interface Expected {
  readonly version: number;
  readonly claims: number;
}

/** A change moves the version by its lines; without lines it claims a seat. */
export const assertChange = (expected: Expected, change: Change): void => {
  const { next, lines } = change;
  const claimed = next.claims - expected.claims;
  assert(claimed === 0 || claimed === 1, "a change claims one seat at most");
  assert(lines.length > 0 || claimed === 1, "a change without lines claims a seat");
  assert(next.version === expected.version + lines.length, "each line moves the version by one");
  assertTexts(change);
};

/** A new match has as many lines as its version says. */
export const assertCreation = (change: Change): void => {
  assert(change.next.version === change.lines.length - 1, "a new match starts with its line 0");
  assertTexts(change);
};

/** Text columns have no place for U+0000; who lets a client's key through must have refused it. */
export const assertAnswerKey = ({ principal, key }: Pick<AnswerKey, "principal" | "key">): void => {
  assert(!hasNul(principal) && !hasNul(key), "the key of an answer has no U+0000");
};

export const assertLimit = (limit: number): void => {
  assert(
    Number.isInteger(limit) && limit >= 1 && limit <= LIMIT_MAX,
    `a limit is 1..${LIMIT_MAX.toString()}`,
  );
};

const assertTexts = ({ lines, answer }: Change): void => {
  for (const line of lines) {
    assert(
      line.length > 0 && !line.includes("\n") && !hasNul(line),
      "a line is one JSON text without newline",
    );
  }
  if (answer === undefined) return;
  assertAnswerKey(answer);
  const { requestHash, tag, body } = answer;
  assert(![requestHash, tag, body].some(hasNul), "an answer's texts have no U+0000");
};

const hasNul = (text: string): boolean => text.includes("\u0000");
