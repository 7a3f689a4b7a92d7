import { at, BAR, OFF, type Side } from "./board.ts";

/** The three ways to win, and what they are worth in multiples of the cube. */
const POINTS = { single: 1, gammon: 2, backgammon: 3 } as const;

/** How a game was won by bearing off, and the loser's checkers that make it so. */
export interface GameValue {
  readonly kind: keyof typeof POINTS;
  /** Points, before the cube: 1 single, 2 gammon, 3 backgammon. */
  readonly points: 1 | 2 | 3;
  /** The loser's checkers borne off, 0..14. */
  readonly loserBorneOff: number;
  /** The loser's checkers on the bar, 0..15. */
  readonly loserOnBar: number;
  /** The loser's checkers in the winner's home board, its own points 19 to 24, 0..15. */
  readonly loserInWinnersHome: number;
}

/**
 * What the game is worth to the side that has borne off all its checkers.
 *
 * Single if the loser has borne off a checker, wherever its others stand; else backgammon if one is on
 * the bar or in the winner's home board; else gammon. (USBGF rules of play, "Scoring".)
 *
 * @param loser - the loser's side in its own coordinates
 */
export const gameValue = (loser: Side): GameValue => {
  const loserBorneOff = at(loser, OFF);
  const loserOnBar = at(loser, BAR);
  const loserInWinnersHome = loser.slice(19, BAR).reduce((sum, count) => sum + count, 0);
  const kind =
    loserBorneOff > 0 ? "single" : loserOnBar + loserInWinnersHome > 0 ? "backgammon" : "gammon";
  return { kind, points: POINTS[kind], loserBorneOff, loserOnBar, loserInWinnersHome };
};
