import type { Dice, Position } from "../../games/backgammon/board.ts";
import type { BySeat } from "../../games/backgammon/state.ts";
import { ofSeat, opponentOf } from "../../games/backgammon/state.ts";
import type { BoardView } from "../../games/backgammon/view.ts";
import { sideOf } from "../../games/backgammon/view.ts";
import type { Seat } from "../../kernel/seat.ts";
import { chances, liveness, reversed } from "./chances.ts";
import type { Offer, Situation } from "./cube.ts";
import type { Worth } from "./cubeful.ts";
import { matchWorth } from "./match-equity.ts";

/** What an engine reads of a view to decide about the cube; pairs are [white, black]. */
export interface CubeView {
  readonly board: BoardView;
  readonly dice?: Dice;
  readonly cube: { readonly value: number; readonly owner: Seat | null };
  readonly cubeLimit: number;
  /** Points of the match; 0 in a money session, absent in a single game. */
  readonly length?: number;
  readonly score: BySeat<number>;
  readonly crawford: boolean;
  /** Whether gammons count single for now. */
  readonly jacoby: boolean;
  readonly offer?: Offer;
  readonly resignation?: { readonly points: number };
}

/** A position, and who is on roll in it. */
export interface Table {
  readonly position: Position;
  readonly onRoll: Seat;
}

/** The position with the seat on roll. */
export const tableFor = ({ board }: Pick<CubeView, "board">, onRoll: Seat): Table => ({
  position: { onRoll: sideOf(board, onRoll), opponent: sideOf(board, opponentOf(onRoll)) },
  onRoll,
});

/** The seat's decision about the cube, where `onRoll` is to roll next. */
export const situationOf = (view: CubeView, seat: Seat, { position, onRoll }: Table): Situation => {
  const ofRoller = chances(position.onRoll, position.opponent);
  const { value, owner } = view.cube;
  return {
    outlook: {
      chances: onRoll === seat ? ofRoller : reversed(ofRoller),
      liveness: liveness(position.onRoll, position.opponent),
      worth: worthOf(view, seat),
      cubeLimit: view.cubeLimit,
      jacoby: view.jacoby,
    },
    cube: { value, owner: owner === null ? null : owner === seat ? "own" : "other" },
  };
};

/** Points are points where there is no match; in one, what they make of its score. */
const worthOf = ({ length, score, crawford }: CubeView, seat: Seat): Worth => {
  if (length === undefined || length === 0) return (points) => points;
  const away = {
    own: length - ofSeat(score, seat),
    other: length - ofSeat(score, opponentOf(seat)),
  };
  // The Crawford game comes once: it is still to come only while both need two points or more.
  const isToCome = !crawford && Math.min(away.own, away.other) > 1;
  return matchWorth(away, isToCome ? "crawford" : "post-crawford");
};
