import type { Pair } from "../../kernel/draw.ts";
import type { ConcessionReason } from "../../kernel/game.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { CheckerMove, Dice } from "./board.ts";
import type { GameResult } from "./state.ts";
import type { WinKind } from "./value.ts";

/** What happened. Never changed once it is logged. */
export type Event =
  /** One die each, [white's, black's], again while they tie; `seat` begins and plays `dice`, the higher first. */
  | {
      readonly type: "opening-rolled";
      readonly rolls: readonly Pair[];
      readonly seat: Seat;
      readonly dice: Dice;
    }
  /** Ties of the opening have turned the centred cube to `value`. */
  | { readonly type: "cube-turned"; readonly value: number }
  | { readonly type: "roll-requested"; readonly seat: Seat }
  | { readonly type: "dice-rolled"; readonly seat: Seat; readonly dice: Dice }
  /** An opening or a roll that another program made; the audit knows nothing of it. */
  | { readonly type: "opening-imported"; readonly seat: Seat; readonly dice: Dice }
  | { readonly type: "dice-imported"; readonly seat: Seat; readonly dice: Dice }
  /** The roll has no legal play. */
  | { readonly type: "turn-skipped"; readonly seat: Seat; readonly dice: Dice }
  | {
      readonly type: "played";
      readonly seat: Seat;
      /** Canonical text of `moves`. */
      readonly play: string;
      readonly moves: readonly CheckerMove[];
      /** There where the one legal play was made by itself. */
      readonly automatic?: true | undefined;
    }
  /** The seat has doubled, beavered or raccooned: a take makes the cube `value`. */
  | { readonly type: "cube-offered"; readonly seat: Seat; readonly value: number }
  | { readonly type: "beavered"; readonly seat: Seat; readonly value: number }
  | { readonly type: "raccooned"; readonly seat: Seat; readonly value: number }
  | {
      readonly type: "cube-taken";
      readonly seat: Seat;
      readonly value: number;
      readonly owner: Seat;
    }
  | { readonly type: "cube-passed"; readonly seat: Seat }
  /** The seat offers to lose the game as `value`, which is `points`. */
  | {
      readonly type: "resignation-offered";
      readonly seat: Seat;
      readonly value: WinKind;
      readonly points: number;
    }
  | { readonly type: "resignation-accepted"; readonly seat: Seat }
  | { readonly type: "resignation-refused"; readonly seat: Seat }
  /** Another program's game was resigned so, whoever's turn it was. */
  | {
      readonly type: "resignation-recorded";
      readonly seat: Seat;
      readonly value: WinKind;
      readonly points: number;
    }
  | { readonly type: "next-game-asked"; readonly seat: Seat }
  | { readonly type: "match-resigned"; readonly seat: Seat }
  /** The seat loses the match without a last play. */
  | { readonly type: "seat-forfeited"; readonly seat: Seat; readonly reason: ConcessionReason }
  | ({ readonly type: "game-won" } & GameResult);
