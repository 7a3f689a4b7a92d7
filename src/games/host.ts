import type { ClockPlan } from "../kernel/clock.ts";
import type { Drawn } from "../kernel/draw.ts";
import type { ConcessionReason, EventLine, Game, GameTypes, Legal, Turn } from "../kernel/game.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { Rejection, Result } from "../kernel/result.ts";
import type { Seat, Viewer } from "../kernel/seat.ts";
import type { Reader } from "./codec.ts";

declare const sealed: unique symbol;

/** Values of a hosted game, opaque to everybody but the game that made them. */
export type HostedOptions = { readonly [sealed]: "options" };
export type HostedState = { readonly [sealed]: "state" };
export type HostedCommand = { readonly [sealed]: "command" };
export type HostedEvent = { readonly [sealed]: "event" };

/** What a catalogue says of a game. */
export interface GameCard {
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  readonly seats: { readonly min: number; readonly max: number };
  readonly information: "perfect" | "hidden";
  readonly variants: readonly [string, ...string[]];
  /** What the rules are called in the log: another number where an old log would mean something else. */
  readonly ruleset: string;
}

/** A game of a match that has ended; in a match of one game the match itself. */
export interface EndedGame {
  readonly winner: Seat;
  /** At least 1: what the winner gets and the others lose. */
  readonly points: number;
  /** The game's own word for how it was won. */
  readonly kind?: string;
  readonly reason: string;
}

/** A match as a file of another program tells it, by the rules of the game. */
export interface ImportedMatch<Options, Event> {
  readonly variant: string;
  readonly options: Options;
  /** Names in seat order; empty where the file has none. */
  readonly players: readonly string[];
  /** Everything that happened, its dice marked as imported. */
  readonly events: readonly Event[];
}

/** A match that is to be written as a file. */
export interface ExportedMatch<Options, Event> {
  readonly options: Options;
  readonly players: readonly string[];
  /** The day of the match, `YYYY-MM-DD`, UTC. */
  readonly date: string;
  readonly events: readonly Event[];
}

/** How a game speaks the files of other programs. A refusal says what of the file, or of the match, it is. */
export interface GameFiles<Options, Event> {
  read(format: FileFormat, text: string): Result<ImportedMatch<Options, Event>, Rejection<string>>;
  write(
    format: ExportFormat,
    match: ExportedMatch<Options, Event>,
  ): Result<string, Rejection<string>>;
}

export const FILE_FORMATS = ["mat", "sgf"] as const;
/** Jellyfish match text, or the Smart Game Format. */
export type FileFormat = (typeof FILE_FORMATS)[number];

export const EXPORT_FORMATS = [...FILE_FORMATS, "json"] as const;
/** What a match can be written as; `json` is the value that the files are made of. */
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How a typed game speaks JSON. Printing is the identity where a value is JSON already. */
export interface Codecs<T extends GameTypes> {
  /** The options as a client gives them, and the variant, one of the card's. */
  readonly readOptions: (variant: string, json: Json) => ReturnType<Reader<T["options"]>>;
  /** The options of a log of any ruleset that a release has written. */
  readonly readLoggedOptions: (
    ruleset: string,
    variant: string,
    json: Json,
  ) => ReturnType<Reader<T["options"]>>;
  readonly readCommand: Reader<T["command"]>;
  readonly printCommand: (command: T["command"]) => JsonObject;
  /** Whether a retry that names no version could do the command a second time. */
  readonly needsVersion: (state: T["state"], command: T["command"]) => boolean;
  readonly printOptions: (options: T["options"]) => JsonObject;
  readonly printState: (state: T["state"]) => JsonObject;
  /** Throws where the snapshot is not of this release's shape. */
  readonly readState: (json: Json) => T["state"];
  readonly printView: (view: T["view"]) => JsonObject;
  readonly printLegal: (legal: T["legalView"]) => JsonObject;
  readonly printEventView: (event: T["eventView"]) => JsonObject;
  /** The match's clock, and how long a seat may be idle before it is nudged: one of them at most. */
  readonly clock: (options: T["options"]) => ClockPlan | undefined;
  readonly nudgeAfterMs: (options: T["options"]) => number | undefined;
  /** The score of a view, one number a seat, and the result once the match is over. */
  readonly score: (state: T["state"]) => readonly number[];
  readonly result: (state: T["state"]) => JsonObject | undefined;
  /** The games of the match that have ended, in order; evolving never takes one away. */
  readonly ended: (state: T["state"]) => readonly EndedGame[];
}

/** A game behind JSON: the registry holds different games as one type. */
export interface HostedGame {
  readonly card: GameCard;
  readOptions(variant: string, json: Json): ReturnType<Reader<HostedOptions>>;
  readLoggedOptions(
    ruleset: string,
    variant: string,
    json: Json,
  ): ReturnType<Reader<HostedOptions>>;
  readCommand(json: Json): ReturnType<Reader<HostedCommand>>;
  printCommand(command: HostedCommand): JsonObject;
  needsVersion(state: HostedState, command: HostedCommand): boolean;
  printOptions(options: HostedOptions): JsonObject;
  clock(options: HostedOptions): ClockPlan | undefined;
  nudgeAfterMs(options: HostedOptions): number | undefined;
  init(options: HostedOptions): HostedState;
  turn(state: HostedState): Turn;
  legal(state: HostedState, seat: Seat): Legal<HostedCommand>;
  decide(
    state: HostedState,
    seat: Seat,
    command: HostedCommand,
  ): Result<readonly HostedEvent[], Rejection<string>>;
  resolve(state: HostedState, drawn: Drawn): readonly HostedEvent[];
  evolve(state: HostedState, event: HostedEvent): HostedState;
  concede(state: HostedState, seat: Seat, reason: ConcessionReason): readonly HostedEvent[];
  view(state: HostedState, viewer: Viewer): JsonObject;
  legalView(state: HostedState, seat: Seat): JsonObject;
  viewEvent(event: HostedEvent, viewer: Viewer): JsonObject;
  split(event: HostedEvent): { readonly line: EventLine; readonly secret?: Json };
  join(line: EventLine, secret: Json | undefined): HostedEvent;
  printState(state: HostedState): JsonObject;
  readState(json: Json): HostedState;
  score(state: HostedState): readonly number[];
  result(state: HostedState): JsonObject | undefined;
  ended(state: HostedState): readonly EndedGame[];
  /** Absent where no other program has files of the game. */
  readonly files?: GameFiles<HostedOptions, HostedEvent>;
}

/** Seals a typed game behind JSON. The only place where opaque values and typed ones meet. */
export const host = <T extends GameTypes>(
  card: GameCard,
  game: Game<T>,
  codecs: Codecs<T>,
  files?: GameFiles<T["options"], T["event"]>,
): HostedGame => {
  const typed = game as unknown as Game<AnyTypes>;
  const spoken = codecs as unknown as Codecs<AnyTypes>;
  const hosted = { card, ...typed, ...spoken, ...inJson(typed, spoken) };
  return files === undefined
    ? hosted
    : { ...hosted, files: files as unknown as GameFiles<HostedOptions, HostedEvent> };
};

/** The types of a game whose values are opaque. */
interface AnyTypes extends GameTypes {
  readonly options: HostedOptions;
  readonly state: HostedState;
  readonly command: HostedCommand;
  readonly event: HostedEvent;
}

const inJson = (game: Game<AnyTypes>, codecs: Codecs<AnyTypes>) => ({
  view: (state: HostedState, viewer: Viewer) => codecs.printView(game.view(state, viewer)),
  legalView: (state: HostedState, seat: Seat) => codecs.printLegal(game.legalView(state, seat)),
  viewEvent: (event: HostedEvent, viewer: Viewer) =>
    codecs.printEventView(game.viewEvent(event, viewer)),
});
