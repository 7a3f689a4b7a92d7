import type { Played } from "../../src/engines/backgammon/analysis.ts";
import type { Event } from "../../src/games/backgammon/event.ts";
import { backgammon } from "../../src/games/backgammon/game.ts";
import type { Options } from "../../src/games/backgammon/options.ts";
import { readOptions } from "../../src/games/backgammon/options-wire.ts";
import type { Variant } from "../../src/games/backgammon/start.ts";
import type { State } from "../../src/games/backgammon/state.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import type { Random } from "../games/backgammon/support/random.ts";
import { pickedDraw } from "./scripted-draw.ts";

/** The options as a client would ask for them. */
export const optionsOf = (variant: Variant, asked: Json): Options => {
  const read = readOptions(variant, asked);
  assert(read.ok, `readable options: ${JSON.stringify(read)}`);
  return read.value;
};

/** A match by its own rules, in which `choose` names the command of the seat on turn by its place in the list. */
export const matchBy = (
  options: Options,
  random: Random,
  choose: (state: State, seat: Seat, types: readonly string[]) => number,
  eventsMax: number,
): Played => {
  const draw = pickedDraw(random);
  const events: Event[] = [];
  let state = backgammon.init(options);
  const add = (more: readonly Event[]): void => {
    events.push(...more);
    state = more.reduce(backgammon.evolve, state);
  };
  for (;;) {
    const turn = backgammon.turn(state);
    if (turn.kind === "over") return { options, events };
    if (turn.kind === "chance") {
      add(backgammon.resolve(state, draw(turn.draw)));
      continue;
    }
    const seat = present(turn.seats[0], "somebody is on turn");
    if (events.length > eventsMax) {
      add(backgammon.concede(state, seat, "flag-fall"));
      continue;
    }
    const legal = backgammon.legal(state, seat);
    assert(legal.kind === "listed", "backgammon lists its commands");
    const chosen = choose(
      state,
      seat,
      legal.commands.map(({ type }) => type),
    );
    const command = present(legal.commands[chosen], "a listed command is chosen");
    const decided = backgammon.decide(state, seat, command);
    assert(decided.ok, `a listed command is accepted: ${JSON.stringify(decided)}`);
    add(decided.value);
  }
};

/** How likely each sort of command is against the others. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "offer-resignation": 2,
  "resign-match": 0,
  double: 20,
  pass: 15,
};
const WEIGHT_USUAL = 40;

/** A match in which everything happens that may; it is given up or lost on time where it grows too long. */
export const randomMatch = (options: Options, random: Random): Played => {
  const givesUp = random(3) === 0;
  const weightOf = (type: string): number =>
    type === "resign-match" && givesUp ? 5 : (WEIGHTS[type] ?? WEIGHT_USUAL);
  return matchBy(
    options,
    random,
    (_state, _seat, types) => {
      let left = random(types.reduce((sum, type) => sum + weightOf(type), 0));
      return types.findIndex((type) => {
        left -= weightOf(type);
        return left < 0;
      });
    },
    50 + random(100),
  );
};
