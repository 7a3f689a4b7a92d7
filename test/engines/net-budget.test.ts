import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bestPlays, evaluation } from "../../src/engines/backgammon/advice.ts";
import type { Kernel } from "../../src/engines/backgammon/kernel.ts";
import { openKernel } from "../../src/engines/backgammon/kernel.ts";
import { netEvaluator } from "../../src/engines/backgammon/net-evaluator.ts";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Dice, Position } from "../../src/games/backgammon/board.ts";
import { side } from "../../src/games/backgammon/board.ts";
import { START } from "../../src/games/backgammon/start.ts";

const file = (name: string): Uint8Array =>
  readFileSync(new URL(`../../src/engines/backgammon/${name}`, import.meta.url));

const KERNEL = openKernel(file("kernel.wasm"), file("weights.bin"));

const moneyGame = (position: Position): Situation => ({
  position,
  cube: { value: 1, owner: "centre", limit: 64 },
  match: { length: 0, score: [0, 0], crawford: false },
  jacoby: false,
  beavers: false,
});

describe("a budget of positions", () => {
  /** Its positions cost so much that a decision is soon at its bound. */
  const costly = (times: number): Kernel => ({ ...KERNEL, nodes: () => times * KERNEL.nodes() });
  const ROLLS: readonly Dice[] = [
    [1, 1],
    [3, 3],
    [4, 3],
    [6, 2],
  ];

  it.each([5, 20, 100])(
    "answers the same whatever it was asked before, at %i times the cost",
    (times) => {
      const opening = moneyGame({ onRoll: START.standard, opponent: START.standard });
      const asked = netEvaluator(costly(times), "asked before");
      for (const dice of ROLLS) {
        const fresh = netEvaluator(costly(times), "fresh");
        const first = bestPlays(fresh, opening, dice, 2, 50);
        expect(bestPlays(fresh, opening, dice, 2, 50), "asked twice").toEqual(first);
        expect(bestPlays(asked, opening, dice, 2, 50), "after others").toEqual(first);
      }
    },
  );

  it("gives chances that are chances, where the mean of sure wins is no whole 1", () => {
    const evaluator = netEvaluator(KERNEL, "any");
    // Every roll bears off the last checker: the game is won.
    const won = moneyGame({
      onRoll: side({ 3: 1, 0: 2 }),
      opponent: side({ 4: 1, 13: 1, 0: 1 }),
    });
    const lost = moneyGame({
      onRoll: side({ 6: 1, 9: 1, 12: 1 }),
      opponent: side({ 1: 1, 2: 1, 0: 1 }),
    });
    for (const plies of [1, 2] as const) {
      expect(evaluation(evaluator, won, plies)).toMatchObject({ cubeless: 1, chances: { win: 1 } });
      for (const { chances } of bestPlays(evaluator, lost, [6, 1], plies, 50)) {
        expect(Math.min(...Object.values(chances))).toBeGreaterThanOrEqual(0);
        expect(chances.loseGammon).toBeLessThanOrEqual(1 - chances.win);
      }
    }
  });
});
