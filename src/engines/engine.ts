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

const GIVING_UP: readonly unknown[] = ["offer-resignation", "resign-match"];

/** The commands that give up neither a game nor the match: no engine sends others while there is one. */
export const playingOn = (commands: readonly JsonObject[]): readonly JsonObject[] => {
  const open = commands.filter((command) => !GIVING_UP.includes(command["type"]));
  return open.length > 0 ? open : commands;
};

/** Any command that gives nothing up, each as likely as the others. The opponent that the next engine must beat. */
export const randomEngine: Engine = {
  build: "random/2",
  choose: ({ commands, pick }) => {
    const open = playingOn(commands);
    return open[pick(open.length)] ?? null;
  },
};
