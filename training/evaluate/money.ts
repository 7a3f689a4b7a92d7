import type { Chances } from "../../src/engines/backgammon/chances.ts";
import type { Preference } from "../../src/engines/backgammon/evaluator.ts";

/** Expected points of a game without a cube, of the side whose chances they are; -3..3. */
export const equityOf = (chances: Chances): number =>
  2 * chances.win -
  1 +
  chances.winGammon +
  chances.winBackgammon -
  chances.loseGammon -
  chances.loseBackgammon;

/** Plays compared by the points of a game without a cube. */
export const MONEY: Preference = {
  worth: equityOf,
  slopes: { win: 2, winGammon: 1, winBackgammon: 1, loseGammon: -1, loseBackgammon: -1 },
};
