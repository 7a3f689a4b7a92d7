import type { Dice } from "./board.ts";
import type { WinKind } from "./value.ts";

/** A checker's way as a client writes it; one or more dice. Mover's points, 25 the bar, 0 off. */
export interface Hop {
  readonly from: number;
  readonly to: number;
}

/** A play, named by its text, by its moves, or by where it leads; `dice`: the roll that it is meant for. */
export type PlayCommand = { readonly type: "play"; readonly dice?: Dice | undefined } & (
  | { readonly play: string }
  | { readonly moves: readonly Hop[] }
  | { readonly resultingPositionId: string }
);

export const PLAIN_COMMANDS = [
  "roll",
  "double",
  "take",
  "pass",
  "beaver",
  "raccoon",
  "accept-resignation",
  "refuse-resignation",
  "resign-match",
  "next-game",
] as const;

/** What a seat may ask. */
export type Command =
  | { readonly type: (typeof PLAIN_COMMANDS)[number] }
  | PlayCommand
  | { readonly type: "offer-resignation"; readonly value: WinKind };

/** Why a command is refused. */
export type RejectionCode =
  | "not-your-turn"
  | "wrong-phase"
  | "match-over"
  | "play-not-legal"
  | "other-dice"
  | "cube-not-available"
  | "resignation-not-higher";
