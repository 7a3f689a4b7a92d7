import type { TableOptions } from "../table-options.ts";
import type { Side } from "./board.ts";
import type { Variant } from "./start.ts";
import type { BySeat, Cube } from "./state.ts";

/** Rules of money play. A match has none of them. */
export interface MoneyRules {
  /** A gammon or backgammon counts as a single until a double has been taken in the game. */
  readonly jacoby: boolean;
  /** Who is doubled may double again at once and keep the cube. */
  readonly beavers: boolean;
  /** Whose double was beavered may double once more. */
  readonly raccoons: boolean;
  /** Ties of the opening that double the centred cube, at most; 0: none. */
  readonly automaticDoubles: number;
}

/** What is played for: one game; first to `length` points; or points without end. */
export type Contest =
  | ({ readonly kind: "single-game" } & MoneyRules)
  | ({ readonly kind: "money-session" } & MoneyRules)
  | {
      readonly kind: "match";
      /** Points to win, 1..`LENGTH_MAX`. */
      readonly length: number;
      /** Whether the first game with one side a point away is played without the cube. */
      readonly crawford: boolean;
    };

export const LENGTH_MAX = 1_000;
/** The highest cube that can be agreed on: what GNU's Match ID and XGID hold. */
export const CUBE_LIMIT_MAX = 2 ** 15;
export const CUBE_LIMIT_DEFAULT = 64;
export const AUTOMATIC_DOUBLES_MAX = 15;

/** A table that is set up instead of the start: white is on roll, or has doubled. It has no history. */
export interface SetUp {
  readonly sides: BySeat<Side>;
  readonly cube: Cube;
  readonly score: BySeat<number>;
  readonly crawford: boolean;
  /** White has offered a double that black must answer. */
  readonly isDoubleOffered: boolean;
}

/** What a match of backgammon is played by. */
export interface Options extends TableOptions {
  readonly variant: Variant;
  readonly contest: Contest;
  /** The highest value that the cube may take, a power of two up to `CUBE_LIMIT_MAX`; 1: there is no cube. */
  readonly cubeLimit: number;
  /** Roll at once where the roller may not double. */
  readonly autoRoll: boolean;
  /** Play at once where the roll has one legal play. */
  readonly autoPlay: boolean;
  /** Whether the next game waits until both seats have asked for it. */
  readonly nextGame: "auto" | "ask";
  readonly start: SetUp | null;
}

/** The money rules of a contest; in a match none applies. */
export const moneyRules = (contest: Contest): MoneyRules => {
  if (contest.kind === "match") return NO_MONEY_RULES;
  const { jacoby, beavers, raccoons, automaticDoubles } = contest;
  return { jacoby, beavers, raccoons, automaticDoubles };
};

const NO_MONEY_RULES: MoneyRules = {
  jacoby: false,
  beavers: false,
  raccoons: false,
  automaticDoubles: 0,
};
