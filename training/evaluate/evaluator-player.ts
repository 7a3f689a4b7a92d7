import { bestPlays, cubeAction } from "../../src/engines/backgammon/advice.ts";
import type { Plies } from "../../src/engines/backgammon/evaluator.ts";
import type { CubeEvaluator } from "../../src/engines/backgammon/exact-cube.ts";
import { present } from "../../src/kernel/assert.ts";
import type { Player } from "./player.ts";

/** Who always does what the service advises, by this evaluator at so many plies. */
export const evaluatorPlayer = (evaluator: CubeEvaluator, plies: Plies): Player => ({
  name: `${evaluator.build} ${plies}-ply`,
  play: async (situation, dice) =>
    present(bestPlays(evaluator, situation, dice, plies, 1)[0], "a roll that is asked has plays")
      .play,
  doubles: async (situation) => cubeAction(evaluator, situation, plies).action === "double",
  takes: async (situation) => cubeAction(evaluator, situation, plies).response !== "pass",
});
