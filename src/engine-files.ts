import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Evaluator } from "./engines/backgammon/evaluator.ts";
import { openKernel } from "./engines/backgammon/kernel.ts";
import { netEvaluator } from "./engines/backgammon/net-evaluator.ts";
import type { Engines } from "./engines/registry.ts";
import { makeEngines } from "./engines/registry.ts";
import { START } from "./games/backgammon/start.ts";
import { assert } from "./kernel/assert.ts";

/** Where the files are: in the tree, or beside the bundle, where `npm run build` puts them. */
const FOLDER = new URL(
  import.meta.url.endsWith(".ts") ? "./engines/backgammon/" : "./",
  import.meta.url,
);

/** The engines' files are missing or damaged. */
export class EngineFilesUnusable extends Error {
  override readonly name = "EngineFilesUnusable";
}

/** The engines, on whichever thread: the same files make the same engines. Takes some tenths of a second. */
export const openEngines = (folder: URL = FOLDER): Engines => {
  try {
    const code = readFileSync(new URL("kernel.wasm", folder));
    const weights = readFileSync(new URL("weights.bin", folder));
    const hash = createHash("sha256").update(code).update(weights).digest("hex");
    const evaluator = netEvaluator(openKernel(code, weights), `net/2-${hash.slice(0, 12)}`);
    assert(knowsTheGame(evaluator), "what they say of the opening is near what is known of it");
    return makeEngines(evaluator);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EngineFilesUnusable(
      `the engine's files kernel.wasm and weights.bin cannot be used: ${reason}`,
      { cause: error },
    );
  }
};

/** Who is on roll in the opening position wins 52.5 % of the games (GNU Backgammon, 2 plies). */
const OPENING_WIN = 0.525;
const OPENING_OFF = 0.03;

/** Whether the weights are likely those of trained nets, in their places. */
const knowsTheGame = (evaluator: Evaluator): boolean => {
  const opening = { onRoll: START.standard, opponent: START.standard };
  return Math.abs(evaluator.chances(opening, 0).win - OPENING_WIN) < OPENING_OFF;
};
