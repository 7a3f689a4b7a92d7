import type { Seat } from "../../../kernel/seat.ts";
import type { Dice, Side } from "../board.ts";
import type { Hop } from "../play-text.ts";
import type { Variant } from "../start.ts";
import type { BySeat, Cube } from "../state.ts";

/*
 * What a file of another program says about a match, whatever its format. White, seat 0, is the left
 * column of a .mat, White of an SGF and player 0 of GNU Backgammon.
 *
 * It is what the file says, not yet a match: the turns alternate, every checker that moves is there and
 * cube actions answer each other, but whether a play is legal, and whether score and points are right, is
 * for the rules.
 */

/** A match, or a part of one, as a file tells it. */
export interface MatchFile {
  /** Names; empty where the file has none. */
  readonly players: BySeat<string>;
  /** Points to win; 0 for a money session and for a single game. */
  readonly length: number;
  readonly variant: Variant;
  readonly rules: FileRules;
  readonly about: FileAbout;
  /** In the order of the file. */
  readonly games: readonly FileGame[];
}

/** The rules that the file names. What it does not speak of is absent. */
export interface FileRules {
  /** Played without the cube. */
  readonly cube?: false;
  readonly crawford?: boolean;
  readonly jacoby?: boolean;
  readonly beavers?: boolean;
  /** The largest value of the cube, a whole number from 2. */
  readonly cubeLimit?: number;
  /** How often a tied opening roll doubles the cube, a whole number from 0. */
  readonly automaticDoubles?: number;
}

/** When and where; one line of text each. */
export interface FileAbout {
  /** `YYYY-MM-DD`. */
  readonly date?: string;
  readonly event?: string;
  readonly round?: string;
  readonly place?: string;
}

/** One game. `end` is absent where the file does not say how it ended. */
export type FileGame = {
  /** Points before the game. */
  readonly score: BySeat<number>;
  /** Whether this is the Crawford game, where the file says so. */
  readonly crawford?: boolean;
  /** Where the file sets it up; absent where the game starts as usual. */
  readonly start?: FileStart;
  readonly actions: readonly FileAction[];
} & FileEnding;

/** How a game ended, or that it did not. `rolled`: a roll that was not played any more. */
export type FileEnding =
  | { readonly end: FileEnd<"played" | "passed">; readonly rolled?: never }
  | { readonly end?: FileEnd<"resigned">; readonly rolled?: FileRoll };

/** How the game ended. `points` as the file counts them, times the cube. */
export interface FileEnd<Reason extends "played" | "passed" | "resigned"> {
  readonly winner: Seat;
  readonly points: number;
  readonly reason: Reason;
}

/** A game that does not start as usual. */
export interface FileStart {
  /** Each side in its own coordinates. */
  readonly sides: BySeat<Side>;
  readonly cube: Cube;
  /** Who is on roll, where the file says it. */
  readonly onRoll?: Seat;
}

export interface FileRoll {
  readonly seat: Seat;
  /** In the order written. */
  readonly dice: Dice;
}

/** What a seat did. Roll and play are one; the answers to a double follow it. */
export type FileAction =
  | (FileRoll & {
      readonly type: "play";
      /**
       * In the order written, which need not be the order played; in the mover's coordinates. `hit` is where the
       * checker lands on a blot, marked in the file or not. None: no move.
       */
      readonly moves: readonly Hop[];
    })
  | { readonly seat: Seat; readonly type: "double" | "take" | "pass" | "beaver" | "raccoon" };
