import type { Dice, Play, Position } from "../../games/backgammon/board.ts";
import type { Chances } from "./chances.ts";

/** How many rolls are looked ahead, counted as GNU Backgammon does: 0 judges the position itself. */
export type Plies = 0 | 1 | 2;

/** By what plays are compared. */
export interface Preference {
  /**
   * Worth of a position to the side that has just played, by that side's chances. For the plays at hand.
   *
   * @param after - the position once played; the other side is on roll
   */
  worth(chances: Chances, after: Position): number;
  /** Its slope by each of the five chances, for the replies within a look ahead. */
  readonly slopes: Chances;
}

/** A legal play and what is thought of it. */
export interface JudgedPlay {
  readonly play: Play;
  /** Of the side that plays, after the play. */
  readonly chances: Chances;
  /** What the preference makes of the chances. */
  readonly worth: number;
  /** How far this play was looked ahead; less than asked for where it was soon seen to be worse. */
  readonly plies: Plies;
}

/** What judges positions: the one thing that levels, advice and analysis ask. Pure, and always the same. */
export interface Evaluator {
  /** Names the code and the weights; another name wherever it may judge otherwise. */
  readonly build: string;
  /** The chances of the side on roll, before its roll, the game played out without a cube. */
  chances(position: Position, plies: Plies): Chances;
  /** All legal plays of the roll: best first. Those looked ahead further come before the others. */
  plays(
    position: Position,
    dice: Dice,
    plies: Plies,
    preference: Preference,
  ): readonly JudgedPlay[];
}
