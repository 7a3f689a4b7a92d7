import type { Thinker } from "../../src/application/thinking.ts";
import { answerTo } from "../../src/application/thinking.ts";
import { openEngines } from "../../src/engine-files.ts";
import type { Engines } from "../../src/engines/registry.ts";
import { ok } from "../../src/kernel/result.ts";

/** The service's own engines. */
export const ENGINES: Engines = openEngines();

/** Every level of backgammon, weakest first. */
export const LEVELS: readonly string[] = [
  ...(ENGINES.games.get("backgammon")?.levels.keys() ?? []),
];

/** Thinks at once, however long it takes: there are no threads. */
export const atOnce = (engines: Engines = ENGINES): Thinker => ({
  think: async (question, asked) => ok(answerTo(engines, question, asked)),
  analyse: async (asked, gather) =>
    ok(answerTo(engines, "analysis", { ...asked, task: await gather() })),
});
