import type { JsonObject } from "../../kernel/json.ts";
import { err, ok } from "../../kernel/result.ts";
import { ownReader, reader } from "../codec.ts";
import type { HostedGame } from "../host.ts";
import { host } from "../host.ts";
import { backgammon } from "./game.ts";
import { VARIANTS } from "./start.ts";
import type { State } from "./state.ts";
import { commandSchema, optionsOf, optionsSchema, stateSchema } from "./wire.ts";

/** Backgammon as the registry holds it. */
export const hostedBackgammon: HostedGame = host(
  {
    id: "backgammon",
    title: { en: "Backgammon", zh: "双陆棋" },
    seats: { min: 2, max: 2 },
    information: "perfect",
    variants: VARIANTS,
    ruleset: "backgammon/1",
  },
  backgammon,
  {
    readOptions: (variant, json) => {
      const given = reader(optionsSchema)(json);
      if (!given.ok) return given;
      const named = VARIANTS.find((one) => one === variant);
      if (named === undefined) return err([{ pointer: "", message: `no variant ${variant}` }]);
      return ok(optionsOf(named));
    },
    readCommand: reader(commandSchema),
    printCommand: plain,
    printOptions: ({ variant: _variant, ...options }) => options,
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
);

/** Backgammon's values are JSON as they stand. */
function plain(value: object): JsonObject {
  return value as unknown as JsonObject;
}

function resultOf(state: State): JsonObject | undefined {
  if (state.phase !== "match-over") return undefined;
  return plain({ winner: state.winner, score: state.score, games: state.results });
}
