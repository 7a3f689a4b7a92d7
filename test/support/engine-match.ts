import type { Engine } from "../../src/engines/engine.ts";
import { seededPick } from "../../src/fairness/pick.ts";
import type { HostedGame } from "../../src/games/host.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Outcome } from "../../src/kernel/game.ts";
import { canonical, type Json } from "../../src/kernel/json.ts";
import { deepFrozen } from "../games/backgammon/support/random.ts";
import { pickedDraw } from "./scripted-draw.ts";

/** A match between engines: the dice follow from `dice`, so two matches of the same dice make a pair. */
export interface EngineMatch {
  readonly game: HostedGame;
  readonly variant: string;
  readonly engines: readonly Engine[];
  readonly dice: string;
}

const COMMANDS_MAX = 20_000;

/** Plays it, and asserts of each choice that it is legal, made of the view, and made again if asked again. */
export const engineMatch = ({ game, variant, engines, dice }: EngineMatch): Outcome => {
  const draw = pickedDraw(seededPick(Buffer.from(dice), "dice"));
  const options = game.readOptions(variant, {});
  assert(options.ok, "no options are readable");
  let state = game.init(options.value);
  for (let commands = 0; commands < COMMANDS_MAX; commands++) {
    const turn = game.turn(state);
    if (turn.kind === "over") return turn.outcome;
    if (turn.kind === "chance") {
      state = game.resolve(state, draw(turn.draw)).reduce(game.evolve, state);
      continue;
    }
    const seat = present(turn.seats[0], "somebody is on turn");
    const legal = game.legal(state, seat);
    assert(legal.kind === "listed", "engines are given a list");
    const { choose, build } = present(engines[seat], "each seat has an engine");
    const task = deepFrozen({
      view: game.view(state, { kind: "seat", seat }),
      commands: legal.commands.map(game.printCommand),
      seat,
    });
    const chosen = (): Json =>
      choose({ ...task, pick: seededPick(Buffer.from(dice), `${build} ${commands}`) });
    const choice = chosen();
    if (commands % AGAIN_EVERY === 0) {
      assert(canonical(chosen()) === canonical(choice), `${build} chooses the same again`);
    }
    assert(
      task.commands.some((one) => canonical(one) === canonical(choice)),
      `${build} is legal`,
    );
    const command = game.readCommand(choice);
    const decided = command.ok ? game.decide(state, seat, command.value) : command;
    assert(decided.ok, `${build} chooses what is accepted`);
    state = decided.value.reduce(game.evolve, state);
  }
  return assert(false, "a match of engines ends") as never;
};

const AGAIN_EVERY = 5;
