import type { Side } from "../../games/backgammon/board.ts";
import { contactChances } from "./contact.ts";
import { hasContact } from "./evaluate.ts";
import { raceChances, raceLength } from "./race.ts";

/** Chances of a side before its roll, each 0..1, if the game is played out without a cube. */
export interface Chances {
  /** To win at all; what is left is lost, there are no draws. */
  readonly win: number;
  /** To win a gammon or a backgammon; at most `win`. */
  readonly winGammon: number;
  /** To win a backgammon; at most `winGammon`. */
  readonly winBackgammon: number;
  readonly loseGammon: number;
  readonly loseBackgammon: number;
}

/**
 * A cheap static estimate of the chances, fair enough for the cube until an engine looks ahead.
 *
 * @param own - the side on roll; both sides have checkers left
 */
export const chances = (own: Side, other: Side): Chances =>
  hasContact(own, other) ? contactChances(own, other) : raceChances(own, other);

/** The same chances as the other side has them. */
export const reversed = (of: Chances): Chances => ({
  win: 1 - of.win,
  winGammon: of.loseGammon,
  winBackgammon: of.loseBackgammon,
  loseGammon: of.winGammon,
  loseBackgammon: of.winBackgammon,
});

/**
 * How much a cube is worth of one that is always turned at the right moment, 0..1. Two thirds in an
 * ordinary game (R. Janowski, "Take-Points in Money Games", 1993). A race that the next roll of either
 * ends leaves no time to turn it.
 */
export const liveness = (own: Side, other: Side): number =>
  hasContact(own, other) ? LIVE : Math.min(LIVE, Math.max(0, (raceLength(own, other) - 1) * 0.2));

const LIVE = 0.68;
