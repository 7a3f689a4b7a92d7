import { assert } from "../../kernel/assert.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { ownReader, reader } from "../codec.ts";
import type { HostedGame } from "../host.ts";
import { host } from "../host.ts";
import { clockPlan, nudgeAfterMs } from "../table-options.ts";
import { backgammonFiles } from "./files/formats.ts";
import { backgammon } from "./game.ts";
import { firstReleaseOptions, printOptions, readOptions } from "./options-wire.ts";
import { VARIANTS } from "./start.ts";
import type { State } from "./state.ts";
import { commandSchema, stateSchema } from "./wire.ts";

const RULESET = "backgammon/2";
/** Those that some release has written into a log. */
const RULESETS: readonly string[] = ["backgammon/1", RULESET];

/** Backgammon as the registry holds it. */
export const hostedBackgammon: HostedGame = host(
  {
    id: "backgammon",
    title: { en: "Backgammon", zh: "双陆棋" },
    seats: { min: 2, max: 2 },
    information: "perfect",
    variants: VARIANTS,
    ruleset: RULESET,
  },
  backgammon,
  {
    readOptions,
    readLoggedOptions: (ruleset, variant, json) => {
      assert(RULESETS.includes(ruleset), "a logged ruleset is one of ours");
      return ruleset === RULESET ? readOptions(variant, json) : firstReleaseOptions(variant);
    },
    readCommand: reader(commandSchema),
    printCommand: plain,
    needsVersion: ({ options }, command) =>
      options.autoRoll &&
      command.type === "play" &&
      command.dice === undefined &&
      !("resultingPositionId" in command),
    printOptions: (options) => plain(printOptions(options)),
    clock: clockPlan,
    nudgeAfterMs,
    printState: plain,
    readState: ownReader(stateSchema),
    printView: plain,
    printLegal: plain,
    printEventView: plain,
    score: (state) => state.score,
    result: resultOf,
    ended: (state) =>
      state.results.map(({ winner, points, kind, reason }) => ({ winner, points, kind, reason })),
  },
  backgammonFiles,
);

/** Backgammon's values are JSON as they stand. */
function plain(value: object): JsonObject {
  return value as unknown as JsonObject;
}

function resultOf(state: State): JsonObject | undefined {
  if (state.phase !== "match-over") return undefined;
  const { winner, reason, score, results } = state;
  return plain({ winner, reason, score, games: results });
}
