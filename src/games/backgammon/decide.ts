import { unreachable } from "../../kernel/assert.ts";
import type { Rejection, Result } from "../../kernel/result.ts";
import { ok, reject } from "../../kernel/result.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Play, Side } from "./board.ts";
import { at, OFF } from "./board.ts";
import type { Command, RejectionCode } from "./command.ts";
import type { Event } from "./event.ts";
import { playsOf } from "./legal.ts";
import { findResult, readMoves, readPlay } from "./notation.ts";

import { isOver } from "./position.ts";
import type { GameResult, State, ToPlay, WinReason } from "./state.ts";
import { ofSeat, opponentOf, positionFor } from "./state.ts";
import { gameValue } from "./value.ts";

type Decided = Result<readonly Event[], Rejection<RejectionCode>>;

/** What follows from a seat's command, or why it is refused. */
export const decide = (state: State, seat: Seat, command: Command): Decided => {
  if (state.phase === "match-over") return reject("match-over");
  if (state.phase === "opening" || state.onRoll !== seat) return reject("not-your-turn", { seat });
  switch (command.type) {
    case "roll":
      return state.phase === "to-roll"
        ? ok([{ type: "roll-requested", seat }])
        : wrongPhase(state, command);
    case "play":
      return state.phase === "to-play" ? play(state, command) : wrongPhase(state, command);
    default:
      return unreachable(command);
  }
};

const wrongPhase = (state: State, command: Command): Decided =>
  reject("wrong-phase", { phase: state.phase, command: command.type });

const play = (state: ToPlay, command: Command & { readonly type: "play" }): Decided => {
  const legal = playsOf(state);
  const chosen = choose(state, legal, command);
  if (!chosen.ok) {
    const legalTexts = legal.map(({ text }) => text);
    return reject("play-not-legal", { ...chosen.error.facts, legalPlays: legalTexts });
  }
  const { text, moves, after } = chosen.value;
  const played: Event = { type: "played", seat: state.onRoll, play: text, moves };
  if (!isOver(after)) return ok([played]);
  const end = { winner: state.onRoll, loser: after.onRoll };
  return ok([played, { type: "game-won", ...won(state, end, "borne-off") }]);
};

const choose = (state: ToPlay, legal: readonly Play[], command: Command & { type: "play" }) => {
  const position = positionFor(state, state.onRoll);
  if ("play" in command) return readPlay(position, state.dice, legal, command.play);
  if ("moves" in command) return readMoves(position, state.dice, legal, command.moves);
  return findResult(legal, command.resultingPositionId);
};

const won = (
  state: State,
  { winner, loser }: { readonly winner: Seat; readonly loser: Side },
  reason: WinReason,
): GameResult => {
  const value = gameValue(loser);
  return {
    game: state.game,
    winner,
    reason,
    kind: value.kind,
    points: value.points * state.cube.value,
    cube: state.cube.value,
    loserBorneOff: value.loserBorneOff,
    loserOnBar: value.loserOnBar,
    loserInWinnersHome: value.loserInWinnersHome,
  };
};

/** The seat loses the match: a single game counts as a single, times the cube. */
export const concede = (
  state: State,
  seat: Seat,
  reason: "flag-fall" | "idle" | "abandoned",
): readonly Event[] => {
  if (state.phase === "match-over") return [];
  const value = gameValue(ofSeat(state.sides, seat));
  return [
    { type: "seat-forfeited", seat, reason },
    {
      type: "game-won",
      game: state.game,
      winner: opponentOf(seat),
      reason,
      kind: "single",
      points: state.cube.value,
      cube: state.cube.value,
      loserBorneOff: at(ofSeat(state.sides, seat), OFF),
      loserOnBar: value.loserOnBar,
      loserInWinnersHome: value.loserInWinnersHome,
    },
  ];
};
