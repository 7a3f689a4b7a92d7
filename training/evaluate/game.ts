import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Command } from "../../src/games/backgammon/command.ts";
import { doubleRefusal } from "../../src/games/backgammon/cube.ts";
import { backgammon } from "../../src/games/backgammon/game.ts";
import type { Options } from "../../src/games/backgammon/options.ts";
import { moneyRules } from "../../src/games/backgammon/options.ts";
import type { BySeat, State } from "../../src/games/backgammon/state.ts";
import { ofSeat, opponentOf, positionFor, WHITE } from "../../src/games/backgammon/state.ts";
import { assert, unreachable } from "../../src/kernel/assert.ts";
import type { Drawn } from "../../src/kernel/draw.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import type { Drawing } from "./dice.ts";
import type { RollWorth } from "./luck.ts";
import { luckOf, openingLuckOf } from "./luck.ts";
import type { Player } from "./player.ts";
import { IllegalAnswer } from "./player.ts";

/** A match between two players. */
export interface Table {
  /** White and black. */
  readonly players: BySeat<Player>;
  /** A single game or a match; a match or a money session that is asked between games is none here. */
  readonly options: Options;
  readonly draw: Drawing;
  /** By what luck is counted; absent: it is not. */
  readonly worth?: RollWorth;
}

/** How it ended, for white. */
export interface Played {
  /** Of a single game its points, cube and gammon included; of a match 1 or -1. */
  readonly points: number;
  /** Of all rolls, in the unit of the points; 0 where it is not counted. */
  readonly luck: number;
  readonly rolls: number;
}

/** No match takes so many turns that anybody wants to end it. */
const TURNS_MAX = 100_000;

/** Plays to the end by the rules of the service, which say what is legal. Throws at an illegal answer. */
export const playMatch = async ({ players, options, draw, worth }: Table): Promise<Played> => {
  let state = backgammon.init(options);
  let luck = 0;
  let rolls = 0;
  for (let turns = 0; turns < TURNS_MAX; turns++) {
    const turn = backgammon.turn(state);
    if (turn.kind === "over") return { points: turn.outcome.points[WHITE] ?? 0, luck, rolls };
    if (turn.kind === "chance") {
      const drawn = draw(turn.draw);
      rolls += 1;
      if (worth !== undefined) luck += luckOfDraw(worth, state, drawn);
      state = backgammon.resolve(state, drawn).reduce(backgammon.evolve, state);
    } else {
      state = await decided(state, players);
    }
  }
  return assert(false, "a match ends") as never;
};

/** The luck of what chance has drawn, to white. */
const luckOfDraw = (worth: RollWorth, state: State, drawn: Drawn): number => {
  if (state.phase === "rolling") {
    assert(drawn.kind === "2d6", "a roll is drawn");
    const luck = luckOf(worth, situationOf(state, state.onRoll), drawn.pair);
    return state.onRoll === WHITE ? luck : -luck;
  }
  assert(drawn.kind === "open", "an opening is drawn");
  const pair = drawn.pairs.at(-1);
  assert(pair !== undefined, "an opening has a roll");
  return openingLuckOf(worth, situationOf(state, WHITE), pair);
};

/** The state after the decision of who is to make one. */
const decided = async (state: State, players: BySeat<Player>): Promise<State> => {
  const { seat, command } = await commandOf(state, players);
  const events = backgammon.decide(state, seat, command);
  if (!events.ok) {
    const { name } = ofSeat(players, seat);
    throw new IllegalAnswer(`${name}: ${JSON.stringify(command)} ${JSON.stringify(events.error)}`);
  }
  return events.value.reduce(backgammon.evolve, state);
};

const commandOf = async (
  state: State,
  players: BySeat<Player>,
): Promise<{ readonly seat: Seat; readonly command: Command }> => {
  switch (state.phase) {
    case "to-roll": {
      const seat = state.onRoll;
      const mayDouble = doubleRefusal(state, seat) === undefined;
      const doubles = mayDouble && (await ofSeat(players, seat).doubles(situationOf(state, seat)));
      return { seat, command: { type: doubles ? "double" : "roll" } };
    }
    case "take-or-pass": {
      const seat = opponentOf(state.onRoll);
      const takes = await ofSeat(players, seat).takes(situationOf(state, state.onRoll));
      return { seat, command: { type: takes ? "take" : "pass" } };
    }
    case "to-play": {
      const seat = state.onRoll;
      const play = await ofSeat(players, seat).play(situationOf(state, seat), state.dice);
      return { seat, command: { type: "play", play: play.text } };
    }
    case "opening":
    case "rolling":
    case "resignation-offered":
    case "between-games":
    case "match-over":
      return assert(false, `no player is asked in ${state.phase}`) as never;
    default:
      return unreachable(state);
  }
};

/** What the seat sees if it is on roll. */
const situationOf = (state: State, seat: Seat): Situation => {
  const { options, cube, score, crawford } = state;
  const { contest, cubeLimit } = options;
  const { jacoby, beavers } = moneyRules(contest);
  return {
    position: positionFor(state, seat),
    cube: {
      value: cube.value,
      owner: cube.owner === null ? "centre" : cube.owner === seat ? "onRoll" : "opponent",
      limit: cubeLimit,
    },
    match: {
      length: contest.kind === "match" ? contest.length : 0,
      score:
        contest.kind === "match" ? [ofSeat(score, seat), ofSeat(score, opponentOf(seat))] : [0, 0],
      crawford,
    },
    jacoby,
    beavers,
  };
};
