import { describe, expect, it } from "vitest";
import type { Offer } from "../../../src/engines/backgammon/cube.ts";
import type { CubeView } from "../../../src/engines/backgammon/cube-view.ts";
import { heuristicEngine } from "../../../src/engines/backgammon/heuristic.ts";
import type { Engine } from "../../../src/engines/engine.ts";
import { randomEngine } from "../../../src/engines/engine.ts";
import type { Position } from "../../../src/games/backgammon/board.ts";
import { legalPlays } from "../../../src/games/backgammon/plays.ts";
import { isOver } from "../../../src/games/backgammon/position.ts";
import { BLACK, opponentOf, WHITE } from "../../../src/games/backgammon/state.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { Seat } from "../../../src/kernel/seat.ts";
import { positionOf } from "../../games/backgammon/support/positions.ts";
import {
  deepFrozen,
  randomPlacement,
  SEED,
  seeded,
} from "../../games/backgammon/support/random.ts";
import { boardOf, moneyGame, summary } from "./support/money-game.ts";

const IS_FULL = process.env["TEST_SCALE"] === "full";
/** Pairs of games: the same dice twice, with the seats exchanged. */
const PAIRS = IS_FULL ? 1_500 : 100;

/** The view of a position with the seat on roll; for money unless it says otherwise. */
const viewOf = (position: Position, onRoll: Seat, more: Partial<CubeView> = {}): JsonObject => {
  const view: CubeView = {
    board: boardOf(position, onRoll),
    cube: { value: 1, owner: null },
    cubeLimit: 64,
    score: [0, 0],
    crawford: false,
    jacoby: false,
    ...more,
  };
  return view as unknown as JsonObject;
};

const chosen = (view: JsonObject, seat: Seat, types: readonly string[]): unknown => {
  const commands = types.map((type) => ({ type }));
  const choice = heuristicEngine.choose({ ...deepFrozen({ view, commands, seat }), pick: () => 0 });
  return (choice as JsonObject)["type"];
};

const TO_ROLL = ["roll", "double", "offer-resignation", "resign-match"];
const TO_ANSWER = ["pass", "take", "beaver"];

/** The last roll: 19 of 36 bear both checkers off, or the other wins. */
const LAST_ROLL = positionOf({ 5: 1, 2: 1 }, { 1: 2 });
/** The side on roll has won. */
const WON = positionOf({ 1: 1 }, { 6: 8, 5: 7 });

describe.each([WHITE, BLACK])("heuristic in seat %i", (seat) => {
  const other = opponentOf(seat);

  it("doubles on the last roll as the favourite, and not where the cube would change nothing", () => {
    expect(chosen(viewOf(LAST_ROLL, seat), seat, TO_ROLL)).toBe("double");
    const score = [6, 6] as const;
    expect(chosen(viewOf(LAST_ROLL, seat, { length: 7, score }), seat, TO_ROLL)).toBe("roll");
  });

  it("rolls in the Crawford game, which has no double", () => {
    const score = seat === WHITE ? ([6, 2] as const) : ([2, 6] as const);
    const view = viewOf(LAST_ROLL, seat, { length: 7, score, crawford: true });
    expect(chosen(view, seat, ["roll", "offer-resignation"])).toBe("roll");
  });

  it("doubles at once after the Crawford game if it is behind, never if it leads", () => {
    const even = positionOf({ 13: 5, 8: 3, 6: 7 }, { 13: 5, 8: 3, 6: 7 });
    const behind = seat === WHITE ? ([2, 6] as const) : ([6, 2] as const);
    const ahead = seat === WHITE ? ([6, 2] as const) : ([2, 6] as const);
    const at = (score: readonly [number, number]) =>
      chosen(viewOf(even, seat, { length: 7, score }), seat, TO_ROLL);
    expect([at(behind), at(ahead)]).toEqual(["double", "roll"]);
  });

  it("takes with 17 rolls of 36 against it, passes without a chance, beavers as the favourite", () => {
    const offer: Offer = { kind: "double", cube: 2, passPoints: 1 };
    const reply = (position: Position) =>
      chosen(viewOf(position, other, { offer }), seat, TO_ANSWER);
    expect(reply(LAST_ROLL)).toBe("take");
    expect(reply(WON)).toBe("pass");
    expect(reply(positionOf({ 6: 2, 5: 2 }, { 1: 2 }))).toBe("beaver");
  });

  it("answers a beaver from the side of the one who rolls", () => {
    const offer: Offer = { kind: "beaver", cube: 4, passPoints: 2 };
    const reply = (position: Position) =>
      chosen(viewOf(position, seat, { offer }), seat, ["take", "pass", "raccoon"]);
    expect(reply(LAST_ROLL)).toBe("raccoon");
    expect(reply(positionOf({ 6: 2, 5: 2 }, { 1: 2 }))).toBe("pass");
  });

  it("accepts a single where no more can be won, and refuses it where a gammon is sure", () => {
    const types = ["accept-resignation", "refuse-resignation"];
    const reply = (position: Position, points: number) =>
      chosen(viewOf(position, other, { resignation: { points } }), seat, types);
    expect(reply(positionOf({ 6: 5, 5: 5 }, { 1: 1 }), 1)).toBe("accept-resignation");
    // Eight checkers outside its home board, and none off: a roll is not enough.
    const gammon = positionOf({ 13: 8, 6: 7 }, { 1: 2 });
    expect(reply(gammon, 1)).toBe("refuse-resignation");
    expect(reply(gammon, 2)).toBe("accept-resignation");
  });

  it("reckons with the roll that the one who resigns has still to play", () => {
    const types = ["accept-resignation", "refuse-resignation"];
    // One checker to bring home, one to bear off: only some rolls save the gammon.
    const position = positionOf({ 12: 1, 6: 14 }, { 1: 2 });
    const byRoll = (dice: readonly [number, number]) =>
      chosen(viewOf(position, other, { dice, resignation: { points: 1 } }), seat, types);
    expect(byRoll([6, 6])).toBe("accept-resignation");
    expect(byRoll([2, 1])).toBe("refuse-resignation");
  });

  it("goes on to the next game, and plays a roll rather than resign", () => {
    const view = viewOf(LAST_ROLL, seat);
    expect(chosen(view, seat, ["resign-match", "next-game"])).toBe("next-game");
    const dice = [2, 1] as const;
    const commands = [
      { type: "offer-resignation", value: "single" },
      ...legalPlays(LAST_ROLL, dice).map(({ text }) => ({ type: "play", play: text })),
      { type: "resign-match" },
    ];
    const task = { view: viewOf(LAST_ROLL, seat, { dice }), commands, seat, pick: () => 0 };
    expect(commands).toContainEqual(heuristicEngine.choose(task));
    expect(heuristicEngine.choose(task)).toHaveProperty("play");
  });
});

/** Lists of command types as they come, and what the view says then. */
const QUESTIONS: readonly {
  readonly types: readonly string[];
  readonly more: Partial<CubeView>;
}[] = [
  { types: TO_ROLL, more: {} },
  { types: ["roll", "resign-match"], more: { length: 5, score: [4, 3] } },
  { types: TO_ROLL, more: { length: 5, score: [4, 3], cube: { value: 2, owner: null } } },
  { types: TO_ANSWER, more: { offer: { kind: "double", cube: 2, passPoints: 1 }, jacoby: true } },
  {
    types: ["take", "pass", "raccoon"],
    more: { offer: { kind: "beaver", cube: 4, passPoints: 2 } },
  },
  { types: ["take", "pass"], more: { offer: { kind: "raccoon", cube: 8, passPoints: 4 } } },
  {
    types: ["take", "pass"],
    more: { offer: { kind: "double", cube: 4, passPoints: 2 }, length: 9 },
  },
  {
    types: ["accept-resignation", "refuse-resignation"],
    more: { resignation: { points: 2 }, dice: [3, 1] },
  },
  { types: ["next-game", "resign-match"], more: {} },
];

const GIVING_UP = ["offer-resignation", "resign-match"];

describe.each([heuristicEngine, randomEngine])("an engine", (engine: Engine) => {
  it(`${engine.build} sends what it was offered and gives nothing up, seed ${SEED}`, () => {
    const random = seeded(SEED);
    for (let round = 0; round < 200; round++) {
      const position = randomPlacement(random);
      if (isOver(position)) continue;
      for (const { types, more } of QUESTIONS) {
        const commands = types.map((type) => ({ type }));
        const onRoll = random(2) === 0 ? WHITE : BLACK;
        const view = viewOf(position, onRoll, more);
        const choice = engine.choose({
          view,
          commands,
          seat: random(2),
          pick: random,
        }) as JsonObject;
        expect(types).toContain(choice["type"]);
        expect(GIVING_UP).not.toContain(choice["type"]);
      }
    }
  });
});

describe("random", () => {
  it("accepts and refuses, takes and passes, doubles and rolls as chance has it", () => {
    for (const types of [TO_ROLL, TO_ANSWER, ["accept-resignation", "refuse-resignation"]]) {
      const commands = types.map((type) => ({ type }));
      const kept = commands.filter(({ type }) => !GIVING_UP.includes(type));
      const picked = kept.map((_, index) =>
        randomEngine.choose({
          view: {},
          commands,
          seat: 0,
          pick: (below) => (below === kept.length ? index : -1),
        }),
      );
      expect(picked).toEqual(kept);
    }
  });
});

describe("for money", () => {
  it(`the cube wins points against the same engine that never doubles, ${PAIRS} pairs of games, seed ${SEED}`, {
    timeout: 300_000,
  }, () => {
    // Seen: 0.28 points a game over 1,500 pairs, standard error 0.016.
    const never: Engine = {
      build: "never-doubles",
      choose: (task) =>
        heuristicEngine.choose({
          ...task,
          commands: task.commands.filter((command) => command["type"] !== "double"),
        }),
    };
    const points = Array.from({ length: PAIRS }, (_, pair) => {
      const first = moneyGame([heuristicEngine, never], seeded(SEED + pair));
      const second = moneyGame([never, heuristicEngine], seeded(SEED + pair));
      return (first - second) / 2;
    });
    const { mean, error } = summary(points);
    expect(mean, `${mean} a game, standard error ${error}`).toBeGreaterThan(0.1);
  });
});
