import { z } from "zod";
import { optionsSchema as backgammonOptions } from "./backgammon/options-wire.ts";
import * as backgammon from "./backgammon/wire.ts";
import { nudgedShape, nudgeSchema } from "./table-wire.ts";

// What the games put on the wire, as one schema each. A new game joins each union.

/** What a seat may send: a command of its game, or the table's own. */
export const commandSchema = z
  .union([...backgammon.commandSchema.options, nudgeSchema])
  .meta({ id: "Command" });
export const optionsSchema = backgammonOptions;
export const stateViewSchema = backgammon.viewSchema;
export const legalSchema = backgammon.legalSchema;
export const resultSchema = backgammon.resultSchema;

/** The members of the games' events and of the table's own, each with its `type`. */
export const eventShapes = [...backgammon.eventShapes, nudgedShape];
