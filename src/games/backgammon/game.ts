import { assert, unreachable } from "../../kernel/assert.ts";
import type { Drawn } from "../../kernel/draw.ts";
import type { EventLine, Game, Legal, Outcome, Turn } from "../../kernel/game.ts";
import type { Json } from "../../kernel/json.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Dice } from "./board.ts";
import type { Command, RejectionCode } from "./command.ts";
import { automaticallyDoubled } from "./cube.ts";
import { concede, decide, played } from "./decide.ts";
import type { Event } from "./event.ts";
import { evolve, init } from "./evolve.ts";
import { playsOf } from "./legal.ts";
import type { Options } from "./options.ts";
import { countPlays } from "./plays.ts";
import type { State } from "./state.ts";
import { BLACK, positionFor, WHITE } from "./state.ts";
import type { LegalView, View } from "./view.ts";
import { legalCommands, legalView, seatsToAct, view } from "./view.ts";
import { joinEvent, splitEvent } from "./wire.ts";

export interface BackgammonTypes {
  readonly options: Options;
  readonly state: State;
  readonly command: Command;
  readonly event: Event;
  readonly view: View;
  readonly legalView: LegalView;
  readonly eventView: EventLine;
  readonly rejection: RejectionCode;
}

/** Backgammon (双陆棋) by the rules of play of the USBGF: single games, matches and money sessions. */
export const backgammon: Game<BackgammonTypes> = {
  init,
  turn,
  legal,
  decide,
  resolve,
  evolve,
  concede,
  view,
  legalView,
  viewEvent: (event) => splitEvent(event),
  split: (event) => ({ line: splitEvent(event) }),
  join: (line: EventLine, _secret: Json | undefined) => joinEvent(line),
};

function turn(state: State): Turn {
  switch (state.phase) {
    case "opening":
      return { kind: "chance", draw: { kind: "open" } };
    case "rolling":
      return { kind: "chance", draw: { kind: "2d6" }, seat: state.onRoll };
    case "to-roll":
    case "to-play":
    case "take-or-pass":
    case "resignation-offered":
    case "between-games":
      return { kind: "seats", seats: seatsToAct(state) };
    case "match-over":
      return { kind: "over", outcome: outcomeOf(state) };
    default:
      return unreachable(state);
  }
}

/** A match is one point, whatever its score; else the points of its games count. */
const outcomeOf = (state: State & { readonly phase: "match-over" }): Outcome => {
  const { winner, score, options } = state;
  const [white, black] =
    options.contest.kind === "match" ? [winner === WHITE ? 1 : 0, winner === BLACK ? 1 : 0] : score;
  const points = [white - black, black - white];
  return winner === null ? { points } : { winner, points };
};

function legal(state: State, seat: Seat): Legal<Command> {
  return { kind: "listed", commands: legalCommands(state, seat) };
}

function resolve(state: State, drawn: Drawn): readonly Event[] {
  if (state.phase === "opening") {
    assert(drawn.kind === "open", "a game is opened by the opening roll");
    const [white, black] = drawn.pairs[drawn.pairs.length - 1] ?? [0, 0];
    assert(white !== black, "the opening is rolled until the dice differ");
    const seat = white > black ? WHITE : BLACK;
    const dice: Dice = [Math.max(white, black), Math.min(white, black)];
    const value = automaticallyDoubled(state, drawn.pairs.length - 1);
    return rolled(state, [
      { type: "opening-rolled", rolls: drawn.pairs, seat, dice },
      ...(value === state.cube.value ? [] : [{ type: "cube-turned", value } as const]),
    ]);
  }
  assert(state.phase === "rolling" && drawn.kind === "2d6", "dice are drawn only when owed");
  return rolled(state, [{ type: "dice-rolled", seat: state.onRoll, dice: drawn.pair }]);
}

/** The roll, and what follows by itself: the turn passes where it has no legal play; the only play may be made. */
const rolled = (state: State, roll: readonly Event[]): readonly Event[] => {
  const after = roll.reduce(evolve, state);
  assert(after.phase === "to-play", "a roll is to be played");
  const { onRoll: seat, dice } = after;
  const plays = countPlays(positionFor(after, seat), dice);
  if (plays === 0) return [...roll, { type: "turn-skipped", seat, dice }];
  const [only] = plays === 1 && after.options.autoPlay ? playsOf(after) : [];
  return only === undefined ? roll : [...roll, ...played(after, only, { automatic: true })];
};
