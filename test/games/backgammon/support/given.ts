import type { Dice, Side } from "../../../../src/games/backgammon/board.ts";
import type { Command } from "../../../../src/games/backgammon/command.ts";
import type { Event } from "../../../../src/games/backgammon/event.ts";
import { init } from "../../../../src/games/backgammon/evolve.ts";
import { backgammon } from "../../../../src/games/backgammon/game.ts";
import type { Options } from "../../../../src/games/backgammon/options.ts";
import { readOptions } from "../../../../src/games/backgammon/options-wire.ts";
import type { State, ToPlay, ToRoll } from "../../../../src/games/backgammon/state.ts";
import { opponentOf } from "../../../../src/games/backgammon/state.ts";
import { assert } from "../../../../src/kernel/assert.ts";
import type { Json } from "../../../../src/kernel/json.ts";
import type { Seat } from "../../../../src/kernel/seat.ts";
import type { Drawing } from "../../../support/scripted-draw.ts";
import { fifteen } from "./positions.ts";

/** Checkers by point, a side's own; what is not listed is off. */
type Checkers = Readonly<Record<number, number>>;

interface Given {
  readonly white: Checkers;
  readonly black: Checkers;
  readonly onRoll: Seat;
  /** As a client gives them; default a single game. */
  readonly options?: Json;
}

/** The options that a client gives, in full; by default a single game of standard backgammon. */
export const optionsOf = (json: Json = {}, variant = "standard"): Options => {
  const read = readOptions(variant, json);
  assert(read.ok, "the options of a test are readable");
  return read.value;
};

/** A game of standard backgammon at some moment, the seat on roll yet to roll. */
export const toRoll = ({ white, black, onRoll, options }: Given): ToRoll => {
  const { phase: _phase, ...table } = init({ ...optionsOf(options), start: null });
  const sides: readonly [Side, Side] = [fifteen(white), fifteen(black)];
  return {
    ...(table as Omit<ToRoll, "phase" | "onRoll" | "refused">),
    sides,
    phase: "to-roll",
    onRoll,
    refused: 0,
  };
};

/** The same with the roll to be played. */
export const toPlay = (given: Given & { readonly dice: Dice }): ToPlay => ({
  ...toRoll(given),
  phase: "to-play",
  dice: given.dice,
});

/** The state after the events. */
export const folded = (state: State, events: readonly Event[]): State =>
  events.reduce(backgammon.evolve, state);

/** The events of an accepted command. */
export const accepted = (state: State, seat: Seat, command: Command): readonly Event[] => {
  const decided = backgammon.decide(state, seat, command);
  assert(decided.ok, `${JSON.stringify(command)} is accepted`);
  return decided.value;
};

/** Why a command is refused. */
export const refused = (state: State, seat: Seat, command: Command) => {
  const decided = backgammon.decide(state, seat, command);
  assert(!decided.ok, `${JSON.stringify(command)} is refused`);
  return decided.error;
};

/** The state and the events so far of a match; what chance owes is drawn as soon as it is owed. */
export interface Match {
  readonly state: State;
  readonly events: readonly Event[];
}

/** A match from its first roll. */
export const begun = (draw: Drawing, options: Json = {}): Match =>
  settled({ state: init(optionsOf(options)), events: [] }, draw);

/** The match after a command, and after the draws that it leads to. */
export const sent = (match: Match, seat: Seat, command: Command, draw: Drawing): Match =>
  settled(grown(match, accepted(match.state, seat, command)), draw);

const settled = (match: Match, draw: Drawing): Match => {
  const turn = backgammon.turn(match.state);
  if (turn.kind !== "chance") return match;
  return settled(grown(match, backgammon.resolve(match.state, draw(turn.draw))), draw);
};

const grown = ({ state, events }: Match, more: readonly Event[]): Match => ({
  state: folded(state, more),
  events: [...events, ...more],
});

/** The state with the colours exchanged: white has black's checkers, turn and dice, and the reverse. */
export const colourSwapped = (state: State): State => {
  const [white, black] = state.sides;
  const sides: readonly [Side, Side] = [black, white];
  return "onRoll" in state
    ? { ...state, sides, onRoll: opponentOf(state.onRoll) }
    : { ...state, sides };
};
