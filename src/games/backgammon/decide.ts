import { unreachable } from "../../kernel/assert.ts";
import type { ConcessionReason } from "../../kernel/game.ts";
import type { Rejection, Result } from "../../kernel/result.ts";
import { ok, reject } from "../../kernel/result.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Play } from "./board.ts";
import type { Command, PlayCommand, RejectionCode } from "./command.ts";
import { answererOf, counterOf, doubleRefusal, stakesOf, takenCube } from "./cube.ts";
import type { Event } from "./event.ts";
import { playsOf } from "./legal.ts";
import { findResult, readMoves, readPlay } from "./notation.ts";
import { isOver } from "./position.ts";
import type { Win } from "./result.ts";
import { pointsOf, resultOf } from "./result.ts";
import type { Forfeit, Offer, State, TakeOrPass, ToPlay, ToRoll } from "./state.ts";
import { ofSeat, opponentOf, positionFor } from "./state.ts";
import type { WinKind } from "./value.ts";
import { losersCheckers, MULTIPLIERS, winKind } from "./value.ts";

type Decided = Result<readonly Event[], Rejection<RejectionCode>>;

/** What follows from a seat's command, or why it is refused. */
export const decide = (state: State, seat: Seat, command: Command): Decided => {
  if (state.phase === "match-over") return reject("match-over");
  if (command.type === "resign-match") return resignMatch(state, seat);
  switch (state.phase) {
    case "opening":
      return reject("not-your-turn", { seat });
    case "rolling":
      return state.onRoll === seat ? wrongPhase(state, command) : reject("not-your-turn", { seat });
    case "to-roll":
      return state.onRoll === seat ? beforeRoll(state, command) : reject("not-your-turn", { seat });
    case "to-play":
      return state.onRoll === seat ? withDice(state, command) : reject("not-your-turn", { seat });
    case "take-or-pass":
      return answererOf(state) === seat
        ? onDouble(state, command)
        : reject("not-your-turn", { seat });
    case "resignation-offered":
      return state.onRoll === seat
        ? reject("not-your-turn", { seat })
        : onResignation(state, command);
    case "between-games":
      if (ofSeat(state.ready, seat)) return reject("not-your-turn", { seat });
      return command.type === "next-game"
        ? ok([{ type: "next-game-asked", seat }])
        : wrongPhase(state, command);
    default:
      return unreachable(state);
  }
};

const wrongPhase = (state: State, command: Command): Decided =>
  reject("wrong-phase", { phase: state.phase, command: command.type });

const beforeRoll = (state: ToRoll, command: Command): Decided => {
  const { onRoll: seat } = state;
  switch (command.type) {
    case "roll":
      return ok([{ type: "roll-requested", seat }]);
    case "double": {
      const reason = doubleRefusal(state, seat);
      if (reason !== undefined) return reject("cube-not-available", { command: "double", reason });
      return ok([{ type: "cube-offered", seat, value: 2 * state.cube.value }]);
    }
    case "offer-resignation":
      return offerResignation(state, command.value);
    default:
      return wrongPhase(state, command);
  }
};

const withDice = (state: ToPlay, command: Command): Decided => {
  switch (command.type) {
    case "play":
      return play(state, command);
    case "offer-resignation":
      return offerResignation(state, command.value);
    default:
      return wrongPhase(state, command);
  }
};

const play = (state: ToPlay, command: PlayCommand): Decided => {
  if (command.dice !== undefined && !isSameRoll(command.dice, state.dice)) {
    return reject("other-dice", { dice: state.dice.join("-") });
  }
  const legal = playsOf(state);
  const chosen = choose(state, legal, command);
  if (!chosen.ok) {
    const legalTexts = legal.map(({ text }) => text);
    return reject("play-not-legal", { ...chosen.error.facts, legalPlays: legalTexts });
  }
  return ok(played(state, chosen.value));
};

const isSameRoll = (
  [a, b]: readonly [number, number],
  [c, d]: readonly [number, number],
): boolean => (a === c && b === d) || (a === d && b === c);

const choose = (state: ToPlay, legal: readonly Play[], command: PlayCommand) => {
  const position = positionFor(state, state.onRoll);
  if ("play" in command) return readPlay(position, state.dice, legal, command.play);
  if ("moves" in command) return readMoves(position, state.dice, legal, command.moves);
  return findResult(legal, command.resultingPositionId);
};

/** What follows from a legal play of the state's roll. */
export const played = (
  state: ToPlay,
  { text, moves, after }: Play,
  by: { readonly automatic?: true } = {},
): readonly Event[] => {
  const { onRoll: seat } = state;
  const made: Event = { type: "played", seat, play: text, moves, ...by };
  if (!isOver(after)) return [made];
  const loser = losersCheckers(after.onRoll);
  return [made, won(state, { winner: seat, reason: "borne-off", kind: winKind(loser), loser })];
};

const won = (state: State, win: Win): Event => ({ type: "game-won", ...resultOf(state, win) });

const onDouble = (state: TakeOrPass, command: Command): Decided => {
  const seat = answererOf(state);
  switch (command.type) {
    case "take":
      return ok([{ type: "cube-taken", seat, ...takenCube(state) }]);
    case "pass":
      return ok([
        { type: "cube-passed", seat },
        won(state, { winner: opponentOf(seat), reason: "passed", kind: "single" }),
      ]);
    case "beaver":
    case "raccoon":
      return doubleBack(state, command.type);
    default:
      return wrongPhase(state, command);
  }
};

const BACK = { beaver: "beavered", raccoon: "raccooned" } as const satisfies Partial<
  Record<Offer, Event["type"]>
>;

const doubleBack = (state: TakeOrPass, command: keyof typeof BACK): Decided => {
  const counter = counterOf(state);
  if (counter?.counter !== command) return wrongPhase(state, { type: command });
  const { refusal: reason } = counter;
  if (reason !== undefined) return reject("cube-not-available", { command, reason });
  const value = 2 * stakesOf(state).value;
  return ok([{ type: BACK[command], seat: answererOf(state), value }]);
};

const offerResignation = (state: ToRoll | ToPlay, value: WinKind): Decided => {
  if (MULTIPLIERS[value] <= state.refused) return reject("resignation-not-higher", { value });
  const { points } = pointsOf(state, value);
  return ok([{ type: "resignation-offered", seat: state.onRoll, value, points }]);
};

const onResignation = (
  state: State & { readonly phase: "resignation-offered" },
  command: Command,
): Decided => {
  const seat = opponentOf(state.onRoll);
  switch (command.type) {
    case "accept-resignation":
      return ok([
        { type: "resignation-accepted", seat },
        won(state, { winner: seat, reason: "resigned", kind: state.value }),
      ]);
    case "refuse-resignation":
      return ok([{ type: "resignation-refused", seat }]);
    default:
      return wrongPhase(state, command);
  }
};

/** Any seat may give the match up, whoever's turn it is; only the dice are waited for. */
const resignMatch = (state: State, seat: Seat): Decided => {
  if (state.phase === "opening" || state.phase === "rolling")
    return reject("not-your-turn", { seat });
  return ok([{ type: "match-resigned", seat }, ...forfeited(state, seat, "match-resigned")]);
};

/** The game in play, if there is one, is lost as a single, times the cube. */
const forfeited = (state: State, seat: Seat, reason: Forfeit): readonly Event[] =>
  state.phase === "between-games"
    ? []
    : [won(state, { winner: opponentOf(seat), reason, kind: "single" })];

/** What follows when the application's clock speaks: the seat loses the match. */
export const concede = (state: State, seat: Seat, reason: ConcessionReason): readonly Event[] =>
  state.phase === "match-over"
    ? []
    : [{ type: "seat-forfeited", seat, reason }, ...forfeited(state, seat, reason)];
