import { expect } from "vitest";
import { assert, unreachable } from "../../src/kernel/assert.ts";
import type { Draw, Drawn, Pair } from "../../src/kernel/draw.ts";
import type { Pick } from "../../src/kernel/game.ts";

/** Answers what the rules ask of chance. */
export type Drawing = (request: Draw) => Drawn;

/**
 * Draws exactly these rolls, in this order. Asking for more fails the test, and so does `expectSpent` where
 * some are left. An opening takes pairs up to the first whose dice differ: `scriptedDraw([3, 3], [6, 1])`.
 */
export const scriptedDraw = (...script: readonly Pair[]) => {
  let used = 0;
  const next = (): Pair => {
    const pair = script[used];
    used += 1;
    assert(pair !== undefined, `roll ${used} was not scripted`);
    return pair;
  };
  const draw: Drawing = (request) => {
    if (request.kind === "2d6") return { kind: "2d6", pair: next() };
    assert(request.kind === "open", "only dice are scripted");
    const pairs = [next()];
    while (isTie(pairs)) pairs.push(next());
    return { kind: "open", pairs };
  };
  return { draw, expectSpent: () => expect(used, "rolls that were drawn").toBe(script.length) };
};

/** Draws by a pick, each result as likely as another. */
export const pickedDraw = (pick: Pick): Drawing => {
  const pair = (): Pair => [1 + pick(6), 1 + pick(6)];
  return (request) => {
    switch (request.kind) {
      case "2d6":
        return { kind: "2d6", pair: pair() };
      case "open": {
        const pairs = [pair()];
        while (isTie(pairs)) pairs.push(pair());
        return { kind: "open", pairs };
      }
      case "number":
        return { kind: "number", number: pick(request.below) };
      case "shuffle": {
        const rest = Array.from({ length: request.size }, (_, index) => index);
        const order = rest.map(() => rest.splice(pick(rest.length), 1)[0] ?? 0);
        return { kind: "shuffle", order };
      }
      default:
        return unreachable(request);
    }
  };
};

const isTie = (pairs: readonly Pair[]): boolean => {
  const last = pairs.at(-1);
  return last !== undefined && last[0] === last[1];
};
