import { heuristicEngine } from "./backgammon/heuristic.ts";
import type { Engine } from "./engine.ts";
import { randomEngine } from "./engine.ts";

/** The engine levels of each game, weakest first. */
export const ENGINES: ReadonlyMap<string, ReadonlyMap<string, Engine>> = new Map([
  [
    "backgammon",
    new Map([
      ["random", randomEngine],
      ["heuristic", heuristicEngine],
    ]),
  ],
]);
