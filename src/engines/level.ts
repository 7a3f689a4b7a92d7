import type { Json, JsonObject } from "../kernel/json.ts";
import type { Engine } from "./engine.ts";

/** Whether an answer comes at once, or takes so long that it would hold up others: then a worker thread thinks. */
export type Pace = "quick" | "deep";

/** A text in the languages that the service speaks. */
interface Text {
  readonly en: string;
  readonly zh: string;
}

/** How well an engine plays, as clients choose it. */
export interface Level {
  readonly engine: Engine;
  readonly pace: Pace;
  readonly title: Text;
  /** What to expect of it, in a sentence. */
  readonly about: Text;
}

/** A command that can be sent as it stands, and what it is worth. */
export interface Hint {
  readonly command: JsonObject;
  /** Expected points of the seat, per point at stake. */
  readonly equity: number;
  /** Less the best command's: 0 for the best, below 0 for others. */
  readonly difference: number;
  /** Of the seat, where the command decides about them. */
  readonly chances?: JsonObject;
}

/** What a seat may know that asks for a hint. */
export interface HintTask {
  /** The game's state as the seat sees it. */
  readonly view: JsonObject;
  /** What the seat may do, each as it can be sent. */
  readonly commands: readonly JsonObject[];
  readonly seat: number;
}

/** A match that is over: what it was played by, and what happened. */
export interface AnalysisTask {
  /** The game's own value. */
  readonly options: JsonObject;
  /** The game's own events in order, each with the number of its line in the log. */
  readonly events: readonly { readonly seq: number; readonly event: JsonObject }[];
}

/** An engine that says what it thinks. */
export interface Adviser {
  /** Names the code and the weights; another name wherever it may say otherwise. */
  readonly build: string;
  /** The levels that advise, weakest first. */
  readonly paces: ReadonlyMap<string, Pace>;
  /** The commands that are worth a thought, best first; at least one. */
  hints(task: HintTask, level: string): readonly Hint[];
  /** What was done well or badly, and what was luck: events are named by their numbers in the log. */
  analysis(task: AnalysisTask, level: string): Json;
}

/** Who plays a game, and who advises in it. */
export interface GameEngines {
  /** Weakest first. */
  readonly levels: ReadonlyMap<string, Level>;
  readonly adviser?: Adviser;
}
