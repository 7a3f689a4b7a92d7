import { describe, expect, it } from "vitest";
import { init } from "../../../src/games/backgammon/evolve.ts";
import { backgammon } from "../../../src/games/backgammon/game.ts";
import type { Variant } from "../../../src/games/backgammon/start.ts";
import { START, VARIANTS } from "../../../src/games/backgammon/start.ts";
import { BLACK, WHITE } from "../../../src/games/backgammon/state.ts";
import { scriptedDraw } from "../../support/scripted-draw.ts";
import { begun, optionsOf, sent } from "./support/given.ts";

const ROLL = { type: "roll" } as const;
const play = (text: string) => ({ type: "play", play: text }) as const;

describe("the opening roll", () => {
  it("is rolled again while the dice tie, and all pairs are recorded", () => {
    const { draw, expectSpent } = scriptedDraw([3, 3], [1, 1], [2, 6]);
    const { state, events } = begun(draw);
    const rolls = [
      [3, 3],
      [1, 1],
      [2, 6],
    ];
    expect(events).toEqual([{ type: "opening-rolled", rolls, seat: BLACK, dice: [6, 2] }]);
    expect(state).toMatchObject({ phase: "to-play", onRoll: BLACK, dice: [6, 2] });
    expectSpent();
  });

  it.each([
    [[6, 1], WHITE, [6, 1]],
    [[1, 6], BLACK, [6, 1]],
    [[2, 1], WHITE, [2, 1]],
    [[5, 4], WHITE, [5, 4]],
  ] as const)("of %j lets seat %i begin, who plays these numbers", (pair, first, dice) => {
    const { state } = begun(scriptedDraw(pair).draw);
    expect(state).toMatchObject({ phase: "to-play", onRoll: first, dice });
    expect(backgammon.legal(state, first === WHITE ? BLACK : WHITE)).toEqual({
      kind: "listed",
      commands: [{ type: "resign-match" }],
    });
  });

  it("has a draw of its own", () => {
    for (const variant of VARIANTS) {
      const opening = init(optionsOf({}, variant));
      expect(backgammon.turn(opening)).toEqual({ kind: "chance", draw: { kind: "open" } });
    }
  });

  it("that still ties is a bug of whoever drew it", () => {
    const tied = { kind: "open", pairs: [[4, 4]] } as const;
    expect(() => backgammon.resolve(init(optionsOf()), tied)).toThrow("dice differ");
    expect(() => backgammon.resolve(init(optionsOf()), { kind: "number", number: 1 })).toThrow();
  });
});

describe("a match", () => {
  it("goes by turns: roll, play, and the other seat", () => {
    const { draw, expectSpent } = scriptedDraw([3, 1], [6, 6], [2, 1]);
    let match = begun(draw);
    match = sent(match, WHITE, play("8/5 6/5"), draw);
    match = sent(match, BLACK, ROLL, draw);
    match = sent(match, BLACK, play("24/18(2) 13/7(2)"), draw);
    match = sent(match, WHITE, ROLL, draw);
    match = sent(match, WHITE, play("13/11 6/5"), draw);
    expect(match.events.map(({ type }) => type)).toEqual([
      ...["opening-rolled", "played", "roll-requested", "dice-rolled", "played"],
      ...["roll-requested", "dice-rolled", "played"],
    ]);
    expect(match.state).toMatchObject({ phase: "to-roll", onRoll: BLACK, score: [0, 0], game: 1 });
    expectSpent();
  });

  it("has one roll a turn: each roll in the log is followed by one play or a turn that passes", () => {
    const { draw } = scriptedDraw([3, 1], [5, 5], [4, 2]);
    let match = begun(draw);
    for (const [seat, text] of [
      [WHITE, "8/5 6/5"],
      [BLACK, "13/3(2)"],
      [WHITE, "8/4 6/4"],
    ] as const) {
      if (match.state.phase === "to-roll") match = sent(match, seat, ROLL, draw);
      match = sent(match, seat, play(text), draw);
    }
    const turns = match.events.flatMap(({ type }, index) =>
      type === "dice-rolled" || type === "opening-rolled" ? [match.events[index + 1]?.type] : [],
    );
    expect(turns).toEqual(["played", "played", "played"]);
  });

  it.each(Object.entries(START) as [Variant, readonly number[]][])(
    "of %s begins with both sides alike, score 0–0 and the cube in the middle",
    (variant, start) => {
      expect(init(optionsOf({}, variant))).toEqual({
        options: optionsOf({}, variant),
        sides: [start, start],
        cube: { value: 1, owner: null },
        isDoubled: false,
        game: 1,
        crawford: false,
        score: [0, 0],
        results: [],
        phase: "opening",
      });
    },
  );
});

describe("a scripted draw", () => {
  it("fails when it is asked for one roll too many", () => {
    const { draw } = scriptedDraw([3, 3]);
    expect(() => draw({ kind: "open" })).toThrow("roll 2 was not scripted");
  });

  it("fails when rolls are left over", () => {
    const { draw, expectSpent } = scriptedDraw([2, 1], [6, 6]);
    draw({ kind: "2d6" });
    expect(expectSpent).toThrow("rolls that were drawn");
  });
});
