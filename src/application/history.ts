import type { HostedEvent, HostedGame, HostedOptions } from "../games/host.ts";
import { present } from "../kernel/assert.ts";
import type { JsonObject } from "../kernel/json.ts";
import { allLines } from "./load.ts";
import type { MatchRecord } from "./match.ts";
import type { Service } from "./service.ts";
import { eventLine, isProtocolType, loggedOptions } from "./table.ts";

/** What a match was played by, and what happened in it. */
export interface History {
  readonly options: HostedOptions;
  /** The game's own events in order, each with the number of its line. */
  readonly events: readonly { readonly seq: number; readonly event: HostedEvent }[];
}

/** The history of a match that has begun, up to the record's version, as its log has it. */
export const historyOf = async (
  { matches }: Pick<Service, "matches">,
  game: HostedGame,
  record: MatchRecord,
): Promise<History> => {
  const lines = (await allLines(matches, record.id)).slice(0, record.version + 1);
  const bodies = lines.map((line) => eventLine(JSON.parse(line) as JsonObject));
  return {
    options: loggedOptions(game, present(bodies[0], "a match that has begun has its line 0")),
    events: bodies.flatMap((line, seq) =>
      isProtocolType(line.type) ? [] : [{ seq, event: game.join(line, undefined) }],
    ),
  };
};
