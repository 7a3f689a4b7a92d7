import type { Seat } from "../../kernel/seat.ts";
import { seat } from "../../kernel/seat.ts";
import type { Dice, Position, Side } from "./board.ts";
import type { Options } from "./options.ts";
import type { WinKind } from "./value.ts";

export const WHITE: Seat = seat(0);
export const BLACK: Seat = seat(1);

/** The other side of the table. */
export const opponentOf = (of: Seat): Seat => (of === WHITE ? BLACK : WHITE);

/** One value for white, one for black. */
export type BySeat<Value> = readonly [white: Value, black: Value];

export const ofSeat = <Value>([white, black]: BySeat<Value>, of: Seat): Value =>
  of === WHITE ? white : black;

/** The pair with the seat's value replaced. */
export const withSeat = <Value>(
  [white, black]: BySeat<Value>,
  of: Seat,
  value: Value,
): BySeat<Value> => (of === WHITE ? [value, black] : [white, value]);

/** The doubling cube. `owner` null: in the middle, both may double. */
export interface Cube {
  readonly value: number;
  readonly owner: Seat | null;
}

export const FORFEITS = ["flag-fall", "idle", "abandoned", "match-resigned"] as const;
/** Why a seat lost the whole match without playing it out. */
export type Forfeit = (typeof FORFEITS)[number];

export const WIN_REASONS = ["borne-off", "passed", "resigned", ...FORFEITS] as const;
/** What ended a game: the last checker, a double that was passed, a resignation, or a lost match. */
export type WinReason = (typeof WIN_REASONS)[number];

/** Whether the reason ends the match with its game. */
export const isForfeit = (reason: WinReason): reason is Forfeit =>
  FORFEITS.some((forfeit) => forfeit === reason);

/** How a game ended, with the loser's checkers that decided its value. */
export interface GameResult {
  /** Its number in the match, from 1. */
  readonly game: number;
  readonly winner: Seat;
  readonly reason: WinReason;
  readonly kind: WinKind;
  /** What it counted: the kind's 1, 2 or 3 times the cube; 1 times where Jacoby made it a single. */
  readonly points: number;
  readonly cube: number;
  /** There where the kind counted as a single only, as no double had been taken. */
  readonly jacoby?: true | undefined;
  readonly loserBorneOff: number;
  readonly loserOnBar: number;
  readonly loserInWinnersHome: number;
}

interface Table {
  readonly options: Options;
  /** Each side in its own coordinates. */
  readonly sides: BySeat<Side>;
  /** As before the double, while one is to be answered. */
  readonly cube: Cube;
  /** Whether a double was taken in this game. Automatic doubles are none. */
  readonly isDoubled: boolean;
  /** The number of the game in the match, from 1. */
  readonly game: number;
  /** Whether this is the Crawford game. */
  readonly crawford: boolean;
  readonly score: BySeat<number>;
  /** The games that have ended, in order. */
  readonly results: readonly GameResult[];
}

/** The multiplier of the highest resignation that was refused in this turn; 0: none. */
export type Refused = 0 | 1 | 2 | 3;

/** What a resignation interrupts: a turn before the roll, or with dice to play. */
type Interrupted =
  | { readonly phase: "to-roll" }
  | { readonly phase: "to-play"; readonly dice: Dice };

/** A state in which a seat may roll or double. */
export type ToRoll = Table & {
  readonly phase: "to-roll";
  readonly onRoll: Seat;
  readonly refused: Refused;
};

/** A state in which a seat may play its roll. */
export type ToPlay = Table & {
  readonly phase: "to-play";
  readonly onRoll: Seat;
  readonly dice: Dice;
  readonly refused: Refused;
};

export const OFFERS = ["double", "beaver", "raccoon"] as const;
/** What was done with the cube that is to be answered. */
export type Offer = (typeof OFFERS)[number];

/** A state in which a seat must answer a double, a beaver or a raccoon. `onRoll` made the first double. */
export type TakeOrPass = Table & {
  readonly phase: "take-or-pass";
  readonly onRoll: Seat;
  readonly offer: Offer;
  readonly refused: Refused;
};

/** A state in which a resignation of the seat on roll is to be answered; refused, `interrupted` goes on. */
export type ResignationOffered = Table & {
  readonly phase: "resignation-offered";
  readonly onRoll: Seat;
  readonly value: WinKind;
  readonly interrupted: Interrupted;
};

/**
 * A match of backgammon at a moment. Dice exist only where there are dice to play.
 *
 * `opening` and `rolling` wait for chance; the others for a seat, `between-games` for those that are not
 * ready. In `match-over` `onRoll` is the loser of the last game, `winner` null a money session that ended level.
 */
export type State =
  | (Table & { readonly phase: "opening" })
  | ToRoll
  | (Table & { readonly phase: "rolling"; readonly onRoll: Seat; readonly refused: Refused })
  | ToPlay
  | TakeOrPass
  | ResignationOffered
  | (Table & { readonly phase: "between-games"; readonly ready: BySeat<boolean> })
  | (Table & {
      readonly phase: "match-over";
      readonly onRoll: Seat;
      readonly winner: Seat | null;
      readonly reason: "points" | Forfeit;
    });

export type Phase = State["phase"];

/** The position as the seat sees it when it is on roll. */
export const positionFor = (
  { sides }: { readonly sides: BySeat<Side> },
  onRoll: Seat,
): Position => ({
  onRoll: ofSeat(sides, onRoll),
  opponent: ofSeat(sides, opponentOf(onRoll)),
});
