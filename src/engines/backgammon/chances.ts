import type { Side } from "../../games/backgammon/board.ts";
import { at, checkers, OFF, pipCount } from "../../games/backgammon/board.ts";
import { legalPlays } from "../../games/backgammon/plays.ts";
import { isOver } from "../../games/backgammon/position.ts";
import type { WinKind } from "../../games/backgammon/value.ts";
import { losersCheckers, winKind } from "../../games/backgammon/value.ts";
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
 * A cheap static estimate of the chances, fair enough for the cube until an engine looks ahead. Where
 * every roll bears off the last checkers, it is exact.
 *
 * @param own - the side on roll; both sides have checkers left
 */
export const chances = (own: Side, other: Side): Chances => {
  if (!hasContact(own, other)) return raceChances(own, other);
  const estimate = contactChances(own, other);
  const atOnce = bearsOffAtOnce(own, other);
  if (atOnce === 1) return wonBy(winKind(losersCheckers(other)));
  return atOnce > estimate.win ? withWin(estimate, atOnce) : estimate;
};

/** The chance that the next roll bears off every checker, where so few are left that it may. */
const bearsOffAtOnce = (own: Side, other: Side): number => {
  if (checkers(own) - at(own, OFF) > 4 || own.slice(7).some((count) => count > 0)) return 0;
  let rolls = 0;
  for (let first = 1; first <= 6; first++) {
    for (let second = 1; second <= first; second++) {
      const plays = legalPlays({ onRoll: own, opponent: other }, [first, second]);
      if (plays.some(({ after }) => isOver(after))) rolls += first === second ? 1 : 2;
    }
  }
  return rolls / 36;
};

/** Of the side that has won so. */
export const wonBy = (kind: WinKind): Chances => ({
  win: 1,
  winGammon: kind === "single" ? 0 : 1,
  winBackgammon: kind === "backgammon" ? 1 : 0,
  loseGammon: 0,
  loseBackgammon: 0,
});

/**
 * The same shares of gammons at another chance to win.
 *
 * @param shareMax - no share is taken to be higher
 */
export const withWin = (of: Chances, win: number, shareMax = 1): Chances => {
  const ofWins = (part: number) => win * Math.min(shareMax, of.win <= 0 ? 0 : part / of.win);
  const ofLosses = (part: number) =>
    (1 - win) * Math.min(shareMax, of.win >= 1 ? 0 : part / (1 - of.win));
  return {
    win,
    winGammon: ofWins(of.winGammon),
    winBackgammon: ofWins(of.winBackgammon),
    loseGammon: ofLosses(of.loseGammon),
    loseBackgammon: ofLosses(of.loseBackgammon),
  };
};

/** The same chances as the other side has them. */
export const reversed = (of: Chances): Chances => ({
  win: 1 - of.win,
  winGammon: of.loseGammon,
  winBackgammon: of.loseBackgammon,
  loseGammon: of.winGammon,
  loseBackgammon: of.winBackgammon,
});

/**
 * How much a cube is worth of one that is always turned at the right moment, 0..1. About two thirds in an
 * ordinary game (R. Janowski, "Take-Points in Money Games", 1993). A race that the next roll of either
 * ends leaves no time to turn it.
 *
 * @param own - the side on roll
 */
export const liveness = (own: Side, other: Side): number =>
  hasContact(own, other) || isLong(own, other)
    ? LIVE
    : Math.min(LIVE, Math.max(0, (raceLength(own, other) - 1) / 4));

/** Whether a race is so long that its length in rolls, which takes time to tell, does not matter. */
const isLong = (own: Side, other: Side): boolean =>
  Math.min(pipCount(own), pipCount(other)) > PIPS_A_ROLL * (1 + 4 * LIVE);

const PIPS_A_ROLL = 49 / 6;

/** Costs least on the positions of `cubeful.ts`: 0.68 and 0.72 are not told from it, 0.6 and 0.76 are. */
const LIVE = 0.7;
