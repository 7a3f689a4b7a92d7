import type { Play } from "./board.ts";
import { legalPlays } from "./plays.ts";
import type { ToPlay } from "./state.ts";
import { positionFor } from "./state.ts";

const known = new WeakMap<ToPlay, readonly Play[]>();

/**
 * The legal plays of the roll in a state, in the order of `legalPlays`.
 *
 * A state is shown, decided on and offered to an engine; its plays are made once and kept as long as the
 * state is.
 */
export const playsOf = (state: ToPlay): readonly Play[] => {
  const made = known.get(state) ?? legalPlays(positionFor(state, state.onRoll), state.dice);
  known.set(state, made);
  return made;
};
