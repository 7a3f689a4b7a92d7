import { assert, unreachable } from "../../kernel/assert.ts";
import type { Drawn } from "../../kernel/draw.ts";
import type { EventLine, Game, Legal, Turn } from "../../kernel/game.ts";
import type { Json } from "../../kernel/json.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Dice } from "./board.ts";
import type { Command, RejectionCode } from "./command.ts";
import { concede, decide } from "./decide.ts";
import type { Event } from "./event.ts";
import { evolve, init } from "./evolve.ts";
import { countPlays } from "./plays.ts";
import type { Options, State } from "./state.ts";
import { BLACK, positionFor, WHITE } from "./state.ts";
import type { LegalView, View } from "./view.ts";
import { legalCommands, legalView, view } from "./view.ts";
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

/** Backgammon (双陆棋) by the rules of play of the USBGF; a single game so far. */
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
      return { kind: "seats", seats: [state.onRoll] };
    case "match-over": {
      const [white, black] = state.score;
      return {
        kind: "over",
        outcome: { winner: state.winner, points: [white - black, black - white] },
      };
    }
    default:
      return unreachable(state);
  }
}

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
    return rolled(state, { type: "opening-rolled", rolls: drawn.pairs, seat, dice });
  }
  assert(state.phase === "rolling" && drawn.kind === "2d6", "dice are drawn only when owed");
  return rolled(state, { type: "dice-rolled", seat: state.onRoll, dice: drawn.pair });
}

/** The roll, and, where it leaves no legal play, the turn that passes. */
const rolled = (
  state: State,
  roll: Event & { readonly type: "opening-rolled" | "dice-rolled" },
): readonly Event[] => {
  const { seat, dice } = roll;
  const playable = countPlays(positionFor(state, seat), dice) > 0;
  return playable ? [roll] : [roll, { type: "turn-skipped", seat, dice }];
};
