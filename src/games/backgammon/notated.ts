import { printMatchId } from "./match-id.ts";
import { moneyRules } from "./options.ts";
import type { MatchStanding, Player, StandingTurn } from "./standing.ts";
import type { State } from "./state.ts";
import { ofSeat, opponentOf, positionFor, WHITE } from "./state.ts";
import { printXgid } from "./xgid.ts";

/** A state as other programs write it; absent where a notation cannot say it. */
export interface Notations {
  /** GNU Match ID; seat 0 is GNU's player 0. */
  readonly matchId?: string;
  /** With the side on roll as the bottom player. */
  readonly xgid?: string;
}

/**
 * The Match ID and the XGID of a state. None before the opening, between games, after the end, and while a
 * beaver or a raccoon is to be answered; no XGID while a resignation is.
 */
export const notationsOf = (state: State): Notations => {
  const standing = standingOf(state);
  if (standing === undefined || !("onRoll" in state)) return {};
  const player: Player = state.onRoll === WHITE ? 0 : 1;
  const matchId = printMatchId(standing, player);
  const xgid = printXgid({ ...standing, position: positionFor(state, state.onRoll) });
  return {
    ...(matchId === undefined ? {} : { matchId }),
    ...(xgid === undefined ? {} : { xgid }),
  };
};

const standingOf = (state: State): MatchStanding | undefined => {
  const turn = turnOf(state);
  if (turn === undefined || !("onRoll" in state)) return undefined;
  const { onRoll, cube, score, options } = state;
  const { contest } = options;
  const { jacoby, beavers } = moneyRules(contest);
  const owned = cube.owner === onRoll ? "onRoll" : "opponent";
  return {
    turn,
    cube: { value: cube.value, owner: cube.owner === null ? "centre" : owned },
    score: [ofSeat(score, onRoll), ofSeat(score, opponentOf(onRoll))],
    matchLength: contest.kind === "match" ? contest.length : 0,
    crawford: state.crawford,
    jacoby,
    beavers,
    cubeLimit: options.cubeLimit,
  };
};

const turnOf = (state: State): StandingTurn | undefined => {
  switch (state.phase) {
    case "to-roll":
      return { phase: "to-roll" };
    case "to-play":
      return { phase: "to-play", dice: state.dice };
    case "take-or-pass":
      return state.offer === "double" ? { phase: "take-or-pass" } : undefined;
    case "resignation-offered": {
      const { value, interrupted } = state;
      const dice = interrupted.phase === "to-play" ? { dice: interrupted.dice } : {};
      return { phase: "resignation-offered", value, by: "onRoll", ...dice };
    }
    default:
      return undefined;
  }
};
