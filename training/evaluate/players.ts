import { openEngines } from "../../src/engine-files.ts";
import type { Evaluator, Plies } from "../../src/engines/backgammon/evaluator.ts";
import type { Level } from "../../src/engines/level.ts";
import { enginePlayer } from "./engine-player.ts";
import { evaluatorPlayer } from "./evaluator-player.ts";
import { openGnubg } from "./gnubg.ts";
import { httpPlayer } from "./over-http.ts";
import type { OpenPlayer, Player } from "./player.ts";

const ENGINES = openEngines();

/** How players are named on the command line. */
export const PLAYERS = `players
  level:NAME        a level of the service, in this process: ${[...levels().keys()].join(", ")}
  EVALUATOR:PLIES   who does what the service advises, by an evaluator: net
  gnubg:PLIES       GNU Backgammon
  http:LEVEL@URL    a level of a running service`;

/** The player of this name. With `isCubeful` false, one that plays for money without a cube. */
export const openPlayer = async (name: string, isCubeful: boolean): Promise<OpenPlayer> => {
  const [kind = "", ...rest] = name.split(":");
  const about = rest.join(":");
  switch (kind) {
    case "level": {
      const level = levels().get(about);
      if (level === undefined) throw new RangeError(`no level ${about}`);
      return held(enginePlayer(level.engine, "evaluate"));
    }
    case "gnubg": {
      if (!/^[0-4]$/.test(about))
        throw new RangeError(`gnubg looks 0 to 4 plies ahead, not ${about}`);
      return openGnubg({ plies: Number(about), isCubeful });
    }
    case "http": {
      const [level = "", url = ""] = about.split("@");
      return held(httpPlayer({ url, level }));
    }
    default:
      return held(evaluatorPlayer(evaluatorNamed(kind), pliesOf(about)));
  }
};

/** The evaluator of this name, for a player or for the luck. */
export const evaluatorNamed = (name: string): Evaluator => {
  if (name !== "net") throw new RangeError(`no evaluator and no player ${name}\n${PLAYERS}`);
  return ENGINES.backgammon;
};

const pliesOf = (text: string): Plies => {
  const plies = ([0, 1, 2] as const).find((one) => String(one) === text);
  if (plies === undefined)
    throw new RangeError(`an evaluator looks 0, 1 or 2 plies ahead, not ${text}`);
  return plies;
};

const held = (player: Player): OpenPlayer => ({ ...player, close: () => undefined });

function levels(): ReadonlyMap<string, Level> {
  return ENGINES.games.get("backgammon")?.levels ?? new Map();
}
