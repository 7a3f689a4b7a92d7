import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Engine } from "../../src/engines/engine.ts";
import { seededPick } from "../../src/fairness/pick.ts";
import { init } from "../../src/games/backgammon/evolve.ts";
import type { Options } from "../../src/games/backgammon/options.ts";
import { readOptions } from "../../src/games/backgammon/options-wire.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { printPositionId } from "../../src/games/backgammon/position-id.ts";
import type { State } from "../../src/games/backgammon/state.ts";
import { BLACK, WHITE } from "../../src/games/backgammon/state.ts";
import { legalCommands, view } from "../../src/games/backgammon/view.ts";
import { assert } from "../../src/kernel/assert.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import type { Player } from "./player.ts";
import { IllegalAnswer } from "./player.ts";

/** An engine of the service, given what it is given there: the state as its seat sees it, and its commands. */
export const enginePlayer = (engine: Engine, seed: string): Player => {
  const choice = (state: State, seat: Seat): JsonObject => {
    const label = "onRoll" in state ? printPositionId(positionOf(state)) : "";
    const chosen = engine.choose({
      view: view(state) as unknown as JsonObject,
      commands: legalCommands(state, seat) as unknown as readonly JsonObject[],
      seat,
      pick: seededPick(Buffer.from(seed), label),
    });
    return chosen as JsonObject;
  };
  return {
    name: engine.build,
    play: async (situation, dice) => {
      const { play: text } = choice(
        { ...stateOf(situation, false), phase: "to-play", onRoll: WHITE, dice, refused: 0 },
        WHITE,
      );
      const found = legalPlays(situation.position, dice).find((play) => play.text === text);
      if (found === undefined) throw new IllegalAnswer(`${engine.build} plays ${String(text)}`);
      return found;
    },
    doubles: async (situation) => choice(stateOf(situation, false), WHITE)["type"] === "double",
    takes: async (situation) => choice(stateOf(situation, true), BLACK)["type"] !== "pass",
  };
};

const positionOf = ({ sides: [onRoll, opponent] }: State) => ({ onRoll, opponent });

/** White is on roll, and may have doubled. */
const stateOf = (situation: Situation, isDoubleOffered: boolean): State => {
  const { position, cube, match } = situation;
  const start = {
    sides: [position.onRoll, position.opponent],
    cube: {
      value: cube.value,
      owner: { centre: null, onRoll: WHITE, opponent: BLACK }[cube.owner],
    },
    score: match.score,
    crawford: match.crawford,
    isDoubleOffered,
  } as const;
  return init({ ...optionsOf(situation), start });
};

const optionsOf = ({ cube, match, jacoby, beavers }: Situation): Options => {
  const read = readOptions("standard", {
    length: match.length,
    ...(match.length === 0 ? { jacoby, beavers } : {}),
  });
  assert(read.ok, "a situation is one of a match that can be opened");
  return { ...read.value, cubeLimit: cube.limit };
};
