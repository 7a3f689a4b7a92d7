import { describe, expect, it } from "vitest";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import type { Plies } from "../../src/engines/backgammon/evaluator.ts";
import type { CubeEvaluator } from "../../src/engines/backgammon/exact-cube.ts";
import { hints } from "../../src/engines/backgammon/hint.ts";
import { levelOf } from "../../src/engines/backgammon/levels.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import { pickedDraw } from "../support/scripted-draw.ts";
import { staticEvaluator } from "../support/static-evaluator.ts";

const game = hostedBackgammon;

/** A game after these commands, each by the seat on turn, chance falling as picked. */
const played = (options: Json, commands: readonly JsonObject[]) => {
  const draw = pickedDraw(() => 0);
  const read = game.readOptions("standard", options);
  assert(read.ok, "readable options");
  let state = game.init(read.value);
  const left = [...commands];
  for (;;) {
    const turn = game.turn(state);
    if (turn.kind === "chance") {
      state = game.resolve(state, draw(turn.draw)).reduce(game.evolve, state);
      continue;
    }
    assert(turn.kind === "seats", "the game goes on");
    const seat = present(turn.seats[0], "a seat") as Seat;
    const next = left.shift();
    if (next === undefined) {
      const legal = game.legal(state, seat);
      assert(legal.kind === "listed", "listed");
      const listed = legal.commands.map(game.printCommand);
      const view = game.view(state, { kind: "seat", seat });
      return { task: { view, commands: listed, seat } };
    }
    const command = game.readCommand(next);
    const decided = command.ok ? game.decide(state, seat, command.value) : command;
    assert(decided.ok, `accepted: ${JSON.stringify(decided)}`);
    state = decided.value.reduce(game.evolve, state);
  }
};

const START = { board: { onRoll: { points: { 6: 15 } }, opponent: { points: { 6: 15 } } } };

const saying = (chances: Chances): CubeEvaluator => ({
  ...staticEvaluator,
  chances: () => chances,
});

const never = (): number => {
  throw new Error("nothing is picked");
};

const choice = (evaluator: CubeEvaluator, task: ReturnType<typeof played>["task"]) =>
  levelOf({ build: "any", evaluator, plies: 0, cubePlies: 0, resigns: false }).choose({
    ...task,
    pick: never,
  });

describe("a hint", () => {
  it("begins with the play that the engine makes, also where one that was looked at less seems better", () => {
    const evaluator: CubeEvaluator = {
      ...staticEvaluator,
      plays: (...asked) =>
        staticEvaluator.plays(...asked).map((one, i) => ({
          ...one,
          plies: (i === 0 ? 1 : 0) as Plies,
          worth: i === 0 ? 0 : 0.1,
        })),
    };
    const { task } = played({ start: START }, [{ type: "roll" }]);
    expect(hints(evaluator, task, 0)[0]?.command).toEqual(choice(evaluator, task));
  });

  // The doubler is so far behind that it passes a beaver, and loses 2 units; a take is worth more than that.
  const HOPELESS: Chances = {
    win: 0,
    winGammon: 0,
    winBackgammon: 0,
    loseGammon: 0.5,
    loseBackgammon: 0,
  };

  it("counts on a beaver to be passed where that costs less", () => {
    const evaluator = saying(HOPELESS);
    const options = { beavers: true, jacoby: false, start: START };
    const { task } = played(options, [{ type: "double" }]);
    const found = hints(evaluator, task, 0);
    expect(found.map(({ command, equity }) => [command["type"], equity])).toEqual([
      ["take", 3],
      ["beaver", 2],
      ["pass", -1],
    ]);
    expect(choice(evaluator, task)).toEqual({ type: "take" });
  });

  it("counts on a raccoon to be passed where that costs less", () => {
    const evaluator = saying({ ...HOPELESS, win: 1, winGammon: 0.5, loseGammon: 0 });
    const options = { beavers: true, raccoons: true, jacoby: false, start: START };
    const { task } = played(options, [{ type: "double" }, { type: "beaver" }]);
    const found = hints(evaluator, task, 0);
    expect(found.map(({ command, equity }) => [command["type"], equity])).toEqual([
      ["take", 6],
      ["raccoon", 4],
      ["pass", -2],
    ]);
    expect(choice(evaluator, task)).toEqual({ type: "take" });
  });
});
