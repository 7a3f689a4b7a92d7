import type { Pick } from "../kernel/game.ts";
import type { Json, JsonObject } from "../kernel/json.ts";

/** What an engine is given: what its seat may know, and nothing else. */
export interface EngineTask {
  /** The game's state as the seat sees it. */
  readonly view: JsonObject;
  /** Commands that can be sent as they stand; at least one. */
  readonly commands: readonly JsonObject[];
  /** The seat that the engine fills. */
  readonly seat: number;
  /** The only source of variety, from a seed that the log opens when the match is over. */
  readonly pick: Pick;
}

/** An AI that fills a seat: a pure function of what it is given, so that its choices can be replayed. */
export interface Engine {
  /** Names the code that chose; it is logged. Another number where it would choose otherwise. */
  readonly build: string;
  choose(task: EngineTask): Json;
}

/** Commands by which a seat gives up. */
const GIVES_UP: readonly string[] = ["offer-resignation", "resign-match"];

/** Any command that does not give up, each as likely as the others. The opponent that the next engine must beat. */
export const randomEngine: Engine = {
  build: "random/2",
  choose: ({ commands, pick }) => {
    const playing = commands.filter(({ type }) => !GIVES_UP.includes(String(type)));
    return playing[pick(playing.length)] ?? null;
  },
};
