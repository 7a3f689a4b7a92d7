import type { CubeEvaluator } from "./backgammon/exact-cube.ts";
import { backgammonEngines } from "./backgammon/hosted.ts";
import type { GameEngines } from "./level.ts";

/** Everything that thinks, for every game. */
export interface Engines {
  readonly games: ReadonlyMap<string, GameEngines>;
  /** What judges backgammon, for positions of no match. */
  readonly backgammon: CubeEvaluator;
}

/** The engines of each game, made of what judges its positions. */
export const makeEngines = (backgammon: CubeEvaluator): Engines => ({
  games: new Map([["backgammon", backgammonEngines(backgammon)]]),
  backgammon,
});
