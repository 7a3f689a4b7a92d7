import type { Draw, Drawn } from "./draw.ts";
import type { Json } from "./json.ts";
import type { Rejection, Result } from "./result.ts";
import type { Seat, Viewer } from "./seat.ts";

/** Who acts next: seats, chance, or nobody. It drives the endpoints, the engines, tests and clients. */
export type Turn =
  | { readonly kind: "seats"; readonly seats: readonly Seat[] }
  | {
      readonly kind: "chance";
      readonly draw: Draw;
      /** Whose turn goes on while it is drawn: a seat that rolls has not ended its turn. Absent: nobody's. */
      readonly seat?: Seat;
    }
  | { readonly kind: "over"; readonly outcome: Outcome };

/** How a match ended. `points` has one number a seat and sums to zero; no winner: a draw. */
export interface Outcome {
  readonly winner?: Seat;
  readonly points: readonly number[];
}

/** The commands open to a seat: every one of them, or, where they are too many, a way to sample. */
export type Legal<Command> =
  | { readonly kind: "listed"; readonly commands: readonly Command[] }
  | { readonly kind: "open"; readonly sample: (pick: Pick) => Command };

/** A uniform whole number in [0, below). The only source of variety that pure code is given. */
export type Pick = (below: number) => number;

/** Why the application ends a match that nobody ends by a command. */
export type ConcessionReason = "flag-fall" | "idle" | "abandoned";

/** The types that make a game. */
export interface GameTypes {
  readonly options: unknown;
  readonly state: unknown;
  readonly command: unknown;
  readonly event: unknown;
  readonly view: unknown;
  readonly legalView: unknown;
  readonly eventView: unknown;
  readonly rejection: string;
}

/**
 * A game at a table, as pure functions over immutable values: no clock, no randomness, no I/O.
 *
 * The laws that every game keeps are stated once, in `test/contract/game-laws.ts`.
 */
export interface Game<T extends GameTypes> {
  /** The state in which the match begins. */
  init(options: T["options"]): T["state"];
  turn(state: T["state"]): Turn;
  /** What the seat may do now; nothing for a seat that is not to act. */
  legal(state: T["state"], seat: Seat): Legal<T["command"]>;
  /** What follows from a command, or why it is refused. Takes no dice and no clock: a retry is safe. */
  decide(
    state: T["state"],
    seat: Seat,
    command: T["command"],
  ): Result<readonly T["event"][], Rejection<T["rejection"]>>;
  /** What follows from chance. The only way that chance enters. Called only when `turn` is `chance`. */
  resolve(state: T["state"], drawn: Drawn): readonly T["event"][];
  /** The state after an event. */
  evolve(state: T["state"], event: T["event"]): T["state"];
  /** What follows when the application's clock speaks: the seat loses the match. */
  concede(state: T["state"], seat: Seat, reason: ConcessionReason): readonly T["event"][];
  /** The state as the viewer may see it: built up, never stripped down. */
  view(state: T["state"], viewer: Viewer): T["view"];
  /** What the seat may do now, as clients and engines read it. */
  legalView(state: T["state"], seat: Seat): T["legalView"];
  viewEvent(event: T["event"], viewer: Viewer): T["eventView"];
  /** What the public line shows, and what is sealed beside it. */
  split(event: T["event"]): { readonly line: EventLine; readonly secret?: Json };
  /** `join(split(e)) = e`. */
  join(line: EventLine, secret: Json | undefined): T["event"];
}

/** An event as the log shows it: a past-tense type, and what belongs to it. */
export type EventLine = { readonly type: string } & { readonly [key: string]: Json };
