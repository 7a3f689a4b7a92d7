import type { Seat } from "../../kernel/seat.ts";
import { stakeNow } from "./cube.ts";
import { moneyRules } from "./options.ts";
import type { GameResult, State, WinReason } from "./state.ts";
import { ofSeat, opponentOf } from "./state.ts";
import type { LosersCheckers, WinKind } from "./value.ts";
import { losersCheckers, MULTIPLIERS } from "./value.ts";

/** How a game is won that ends now. */
export interface Win {
  readonly winner: Seat;
  readonly reason: WinReason;
  readonly kind: WinKind;
  /** The loser's checkers, where a last play has moved them since the state. */
  readonly loser?: LosersCheckers;
}

/** The points of a win: the kind's multiple of the cube, and whether Jacoby makes it count as a single. */
export const pointsOf = (
  state: State,
  kind: WinKind,
): { readonly points: number; readonly jacoby?: true } => {
  const isSingle =
    kind !== "single" && moneyRules(state.options.contest).jacoby && !state.isDoubled;
  const stake = stakeNow(state);
  return isSingle ? { points: stake, jacoby: true } : { points: stake * MULTIPLIERS[kind] };
};

/** The result of the game that ends now. */
export const resultOf = (state: State, { winner, reason, kind, loser }: Win): GameResult => ({
  game: state.game,
  winner,
  reason,
  kind,
  ...pointsOf(state, kind),
  cube: stakeNow(state),
  ...(loser ?? losersCheckers(ofSeat(state.sides, opponentOf(winner)))),
});
