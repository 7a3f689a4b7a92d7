import type { Seat } from "../../kernel/seat.ts";
import { seat } from "../../kernel/seat.ts";
import type { TableOptions } from "../table-options.ts";
import type { Dice, Position, Side } from "./board.ts";
import type { Variant } from "./start.ts";
import type { GameValue } from "./value.ts";

export const WHITE: Seat = seat(0);
export const BLACK: Seat = seat(1);

/** The other side of the table. */
export const opponentOf = (of: Seat): Seat => (of === WHITE ? BLACK : WHITE);

/** One value for white, one for black. */
export type BySeat<Value> = readonly [white: Value, black: Value];

export const ofSeat = <Value>([white, black]: BySeat<Value>, of: Seat): Value =>
  of === WHITE ? white : black;

/** What a match of backgammon is played by. */
export interface Options extends TableOptions {
  readonly variant: Variant;
}

/** The doubling cube. `owner` null: in the middle, both may double. */
export interface Cube {
  readonly value: number;
  readonly owner: Seat | null;
}

export const WIN_REASONS = ["borne-off", "flag-fall", "idle", "abandoned"] as const;
/** What ended the game: the last checker, or a seat that no longer plays. */
export type WinReason = (typeof WIN_REASONS)[number];

/** How a game ended, with the loser's checkers that decided its value. */
export interface GameResult {
  /** Its number in the match, from 1. */
  readonly game: number;
  readonly winner: Seat;
  readonly reason: WinReason;
  readonly kind: GameValue["kind"];
  /** The kind's 1, 2 or 3 times the cube. */
  readonly points: number;
  readonly cube: number;
  readonly loserBorneOff: number;
  readonly loserOnBar: number;
  readonly loserInWinnersHome: number;
}

interface Table {
  readonly options: Options;
  /** Each side in its own coordinates. */
  readonly sides: BySeat<Side>;
  readonly cube: Cube;
  /** The number of the game in the match, from 1. */
  readonly game: number;
  readonly score: BySeat<number>;
  /** The games that have ended, in order. */
  readonly results: readonly GameResult[];
}

/** A state in which a seat may play its roll. */
export type ToPlay = Table & {
  readonly phase: "to-play";
  readonly onRoll: Seat;
  readonly dice: Dice;
};

/**
 * A match of backgammon at a moment. Dice exist only where there are dice to play.
 *
 * `opening` and `rolling` wait for chance, `to-roll` and `to-play` for the seat on roll. In `match-over`
 * `onRoll` is the seat that would have been next.
 */
export type State =
  | (Table & { readonly phase: "opening" })
  | (Table & { readonly phase: "to-roll"; readonly onRoll: Seat })
  | (Table & { readonly phase: "rolling"; readonly onRoll: Seat })
  | ToPlay
  | (Table & { readonly phase: "match-over"; readonly onRoll: Seat; readonly winner: Seat });

export type Phase = State["phase"];

/** The position as the seat sees it when it is on roll. */
export const positionFor = (state: State, onRoll: Seat): Position => ({
  onRoll: ofSeat(state.sides, onRoll),
  opponent: ofSeat(state.sides, opponentOf(onRoll)),
});
