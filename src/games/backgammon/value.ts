import { at, BAR, OFF, type Side } from "./board.ts";

/** The three ways to win, and what they are worth in multiples of the cube. */
export const MULTIPLIERS = { single: 1, gammon: 2, backgammon: 3 } as const;

export const WIN_KINDS = ["single", "gammon", "backgammon"] as const;
/** A single (单胜), a gammon (全胜) or a backgammon (大胜). */
export type WinKind = (typeof WIN_KINDS)[number];

/** The loser's checkers that decide what a game is worth. */
export interface LosersCheckers {
  /** The loser's checkers borne off, 0..14. */
  readonly loserBorneOff: number;
  /** The loser's checkers on the bar, 0..15. */
  readonly loserOnBar: number;
  /** The loser's checkers in the winner's home board, its own points 19 to 24, 0..15. */
  readonly loserInWinnersHome: number;
}

/**
 * Where the loser's checkers stand.
 *
 * @param loser - the loser's side in its own coordinates
 */
export const losersCheckers = (loser: Side): LosersCheckers => ({
  loserBorneOff: at(loser, OFF),
  loserOnBar: at(loser, BAR),
  loserInWinnersHome: loser.slice(19, BAR).reduce((sum, count) => sum + count, 0),
});

/**
 * How the side that has borne off all its checkers has won.
 *
 * Single if the loser has borne off a checker, wherever its others stand; else backgammon if one is on
 * the bar or in the winner's home board; else gammon. (USBGF rules of play, "Scoring".)
 */
export const winKind = (loser: LosersCheckers): WinKind => {
  if (loser.loserBorneOff > 0) return "single";
  return loser.loserOnBar + loser.loserInWinnersHome > 0 ? "backgammon" : "gammon";
};
