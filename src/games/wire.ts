import { optionsSchema as backgammonOptions } from "./backgammon/options-wire.ts";
import * as backgammon from "./backgammon/wire.ts";

// What the games put on the wire, as one schema each. A new game joins each union.

export const commandSchema = backgammon.commandSchema;
export const optionsSchema = backgammonOptions;
export const stateViewSchema = backgammon.viewSchema;
export const legalSchema = backgammon.legalSchema;
export const resultSchema = backgammon.resultSchema;

/** The members of the games' events, each with its `type`. */
export const eventShapes = backgammon.eventShapes;
