import type { Position } from "../../games/backgammon/board.ts";
import type { Evaluator } from "./evaluator.ts";

/**
 * Equities for money that are known exactly, per unit of the cube, of the side on roll, which does not
 * double before this roll. No gammon is left to win.
 */
export interface ExactCube {
  /** The side on roll owns the cube. */
  readonly noDoubleOwned: number;
  readonly noDoubleCentred: number;
  /** The opponent owns it. */
  readonly opponentCube: number;
}

/** An evaluator that knows some endings exactly. */
export interface CubeEvaluator extends Evaluator {
  readonly exact?: ((position: Position) => ExactCube | undefined) | undefined;
}
