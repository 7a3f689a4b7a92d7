/** A checker's way as a client writes it; one or more dice. Mover's points, 25 the bar, 0 off. */
export interface Hop {
  readonly from: number;
  readonly to: number;
}

/** What a seat may ask. A play is named by its text, by its moves, or by where it leads. */
export type Command =
  | { readonly type: "roll" }
  | { readonly type: "play"; readonly play: string }
  | { readonly type: "play"; readonly moves: readonly Hop[] }
  | { readonly type: "play"; readonly resultingPositionId: string };

/** Why a command is refused. */
export type RejectionCode = "not-your-turn" | "wrong-phase" | "match-over" | "play-not-legal";
