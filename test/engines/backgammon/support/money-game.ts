import type { Offer } from "../../../../src/engines/backgammon/cube.ts";
import type { CubeView } from "../../../../src/engines/backgammon/cube-view.ts";
import type { Engine } from "../../../../src/engines/engine.ts";
import type { Position } from "../../../../src/games/backgammon/board.ts";
import { at, BAR, mirrored, OFF, pipCount } from "../../../../src/games/backgammon/board.ts";
import { legalPlays } from "../../../../src/games/backgammon/plays.ts";
import { isOver } from "../../../../src/games/backgammon/position.ts";
import { START } from "../../../../src/games/backgammon/start.ts";
import type { BySeat } from "../../../../src/games/backgammon/state.ts";
import { ofSeat, opponentOf, WHITE } from "../../../../src/games/backgammon/state.ts";
import { gameValue } from "../../../../src/games/backgammon/value.ts";
import type { BoardView } from "../../../../src/games/backgammon/view.ts";
import { assert, present } from "../../../../src/kernel/assert.ts";
import type { JsonObject } from "../../../../src/kernel/json.ts";
import type { Seat } from "../../../../src/kernel/seat.ts";
import { type Random, randomDice } from "../../../games/backgammon/support/random.ts";

/** The board of a position, as a view has it. */
export const boardOf = ({ onRoll, opponent }: Position, seat: Seat): BoardView => {
  const [white, black] = seat === WHITE ? [onRoll, opponent] : [opponent, onRoll];
  return {
    points: Array.from({ length: 24 }, (_, i) => at(white, i + 1) - at(black, mirrored(i + 1))),
    bar: [at(white, BAR), at(black, BAR)],
    off: [at(white, OFF), at(black, OFF)],
    pips: [pipCount(white), pipCount(black)],
  };
};

/** A game for money with the cube: the points that white wins, or loses. */
export const moneyGame = (engines: BySeat<Engine>, random: Random): number => {
  let position: Position = { onRoll: START.standard, opponent: START.standard };
  let seat: Seat = random(2) === 0 ? WHITE : opponentOf(WHITE);
  let cube: CubeView["cube"] = { value: 1, owner: null };
  const asked = (of: Seat, commands: readonly JsonObject[], more: Partial<CubeView> = {}) => {
    const view: CubeView = {
      board: boardOf(position, seat),
      cube,
      cubeLimit: 64,
      score: [0, 0],
      crawford: false,
      jacoby: false,
      length: 0,
      ...more,
    };
    const task = { view: view as unknown as JsonObject, commands, seat: of, pick: () => 0 };
    return ofSeat(engines, of).choose(task) as JsonObject;
  };
  const signed = (winner: Seat, points: number) => (winner === WHITE ? points : -points);
  for (let turn = 0; ; turn++) {
    const mayDouble = turn > 0 && cube.owner !== opponentOf(seat) && cube.value < 64;
    if (mayDouble && asked(seat, [{ type: "roll" }, { type: "double" }])["type"] === "double") {
      const offer: Offer = { kind: "double", cube: 2 * cube.value, passPoints: cube.value };
      const reply = asked(opponentOf(seat), [{ type: "take" }, { type: "pass" }], { offer });
      if (reply["type"] === "pass") return signed(seat, cube.value);
      cube = { value: 2 * cube.value, owner: opponentOf(seat) };
    }
    let dice = randomDice(random);
    while (turn === 0 && dice[0] === dice[1]) dice = randomDice(random);
    const plays = legalPlays(position, dice);
    const commands = plays.map(({ text }) => ({ type: "play", play: text }));
    const choice = plays.length === 0 ? undefined : asked(seat, commands, { dice });
    const play = plays.find(({ text }) => text === choice?.["play"]);
    assert(plays.length === 0 || play !== undefined, "the engine plays what is legal");
    const after = play?.after ?? { onRoll: position.opponent, opponent: position.onRoll };
    if (isOver(after)) return signed(seat, cube.value * gameValue(after.onRoll).points);
    position = after;
    seat = opponentOf(seat);
  }
};

/** The mean of the points and its standard error. */
export const summary = (points: readonly number[]) => {
  const mean = points.reduce((sum, each) => sum + each, 0) / points.length;
  const squares = points.reduce((sum, each) => sum + (each - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / points.length / present(points.length, "games")) };
};
