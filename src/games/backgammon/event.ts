import type { Pair } from "../../kernel/draw.ts";
import type { ConcessionReason } from "../../kernel/game.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { CheckerMove, Dice } from "./board.ts";
import type { GameResult } from "./state.ts";

/** What happened. Never changed once it is logged. */
export type Event =
  /** One die each, [white's, black's], again while they tie; `seat` begins and plays `dice`, the higher first. */
  | {
      readonly type: "opening-rolled";
      readonly rolls: readonly Pair[];
      readonly seat: Seat;
      readonly dice: Dice;
    }
  | { readonly type: "roll-requested"; readonly seat: Seat }
  | { readonly type: "dice-rolled"; readonly seat: Seat; readonly dice: Dice }
  /** The roll has no legal play. */
  | { readonly type: "turn-skipped"; readonly seat: Seat; readonly dice: Dice }
  | {
      readonly type: "played";
      readonly seat: Seat;
      /** Canonical text of `moves`. */
      readonly play: string;
      readonly moves: readonly CheckerMove[];
    }
  /** The seat loses the match without a last play. */
  | { readonly type: "seat-forfeited"; readonly seat: Seat; readonly reason: ConcessionReason }
  | ({ readonly type: "game-won" } & GameResult);
