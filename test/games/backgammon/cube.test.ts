import { describe, expect, it } from "vitest";
import type { Command } from "../../../src/games/backgammon/command.ts";
import type { State } from "../../../src/games/backgammon/state.ts";
import { BLACK, WHITE } from "../../../src/games/backgammon/state.ts";
import { legalView, view } from "../../../src/games/backgammon/view.ts";
import type { Json } from "../../../src/kernel/json.ts";
import type { Seat } from "../../../src/kernel/seat.ts";
import { scriptedDraw } from "../../support/scripted-draw.ts";
import { accepted, begun, folded, refused, toRoll } from "./support/given.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };

/** White to roll at the start of a game, played by these options. */
const table = (options: Json, cube: State["cube"] = { value: 1, owner: null }) => ({
  ...toRoll({ white: START, black: START, onRoll: WHITE, options }),
  cube,
});

type Said = readonly [seat: Seat, type: Exclude<Command["type"], "play" | "offer-resignation">];

const W = WHITE;
const B = BLACK;
const following = (state: State, ...said: readonly Said[]): State =>
  said.reduce((now, [seat, type]) => folded(now, accepted(now, seat, { type })), state);

const ALL = { length: 0, beavers: true, raccoons: true, cubeLimit: 1024 };

/*
 * `shared/rules/backgammon.md` 5, the table of answers. Each row: what is said, the cube before, and the cube
 * after (or who wins how much).
 */
describe("the answers to a double", () => {
  it.each<readonly [string, State["cube"], readonly Said[], State["cube"], string]>([
    [
      "B37: a take doubles once",
      { value: 1, owner: null },
      [
        [W, "double"],
        [B, "take"],
      ],
      { value: 2, owner: B },
      "to-roll",
    ],
    [
      "a redouble that is taken",
      { value: 2, owner: W },
      [
        [W, "double"],
        [B, "take"],
      ],
      { value: 4, owner: B },
      "to-roll",
    ],
    [
      "a beaver that is taken",
      { value: 1, owner: null },
      [
        [W, "double"],
        [B, "beaver"],
        [W, "take"],
      ],
      { value: 4, owner: B },
      "to-roll",
    ],
    [
      "a raccoon that is taken",
      { value: 1, owner: null },
      [
        [W, "double"],
        [B, "beaver"],
        [W, "raccoon"],
        [B, "take"],
      ],
      { value: 8, owner: B },
      "to-roll",
    ],
    [
      "a beaver of a redouble",
      { value: 4, owner: W },
      [
        [W, "double"],
        [B, "beaver"],
        [W, "take"],
      ],
      { value: 16, owner: B },
      "to-roll",
    ],
  ])("%s", (_name, cube, said, expected, phase) => {
    const taken = following(table(ALL, cube), ...said);
    expect(taken).toMatchObject({ cube: expected, phase, onRoll: WHITE, isDoubled: true });
    expect(view(taken).cube).toEqual({ ...expected, offered: false });
    expect(refused(taken, WHITE, { type: "double" })).toEqual({
      code: "cube-not-available",
      facts: { command: "double", reason: "opponent-owns-cube" },
    });
    expect(accepted(taken, WHITE, { type: "roll" })).toEqual([{ type: "roll-requested", seat: W }]);
  });

  it.each<readonly [string, State["cube"], readonly Said[], Seat, number]>([
    [
      "a passed double wins one",
      { value: 1, owner: null },
      [
        [W, "double"],
        [B, "pass"],
      ],
      W,
      1,
    ],
    [
      "B38: a passed redouble wins the old cube",
      { value: 2, owner: W },
      [
        [W, "double"],
        [B, "pass"],
      ],
      W,
      2,
    ],
    [
      "a passed beaver loses what the double had set",
      { value: 1, owner: null },
      [
        [W, "double"],
        [B, "beaver"],
        [W, "pass"],
      ],
      B,
      2,
    ],
    [
      "a passed raccoon loses what the beaver had set",
      { value: 1, owner: null },
      [
        [W, "double"],
        [B, "beaver"],
        [W, "raccoon"],
        [B, "pass"],
      ],
      W,
      4,
    ],
    [
      "a passed beaver of a redouble",
      { value: 8, owner: W },
      [
        [W, "double"],
        [B, "beaver"],
        [W, "pass"],
      ],
      B,
      16,
    ],
  ])("%s, as a single", (_name, cube, said, winner, points) => {
    const passed = following(table(ALL, cube), ...said);
    const [result] = passed.results;
    expect(result).toMatchObject({
      winner,
      points,
      cube: points,
      reason: "passed",
      kind: "single",
    });
    expect(passed.score).toEqual(winner === W ? [points, 0] : [0, points]);
    // B38: nothing is on offer any more, and the next game begins with the cube in the middle.
    expect(passed).toMatchObject({ phase: "opening", game: 2, cube: { value: 1, owner: null } });
    expect(view(passed).cube.offered).toBe(false);
  });

  it("while it is not answered the cube shows the old value, and what is at stake is said", () => {
    const doubled = following(table(ALL, { value: 2, owner: W }), [W, "double"]);
    expect(view(doubled)).toMatchObject({
      phase: "take-or-pass",
      onRoll: W,
      cube: { value: 2, owner: W, offered: true },
      offer: { by: W, kind: "double", cube: 4, passPoints: 2 },
    });
    const beavered = following(doubled, [B, "beaver"]);
    expect(view(beavered).offer).toEqual({ by: B, kind: "beaver", cube: 8, passPoints: 4 });
    const raccooned = following(beavered, [W, "raccoon"]);
    expect(view(raccooned).offer).toEqual({ by: W, kind: "raccoon", cube: 16, passPoints: 8 });
    expect(refused(raccooned, B, { type: "raccoon" }).code).toBe("wrong-phase");
    expect(refused(raccooned, B, { type: "beaver" }).code).toBe("wrong-phase");
  });

  it("only the asked seat answers, and it does nothing else before", () => {
    const doubled = following(table(ALL), [W, "double"]);
    for (const type of ["take", "pass", "beaver", "roll", "double"] as const) {
      expect(refused(doubled, W, { type }).code).toBe("not-your-turn");
    }
    for (const command of [
      { type: "roll" },
      { type: "double" },
      { type: "offer-resignation", value: "single" },
      { type: "accept-resignation" },
    ] as const) {
      expect(refused(doubled, B, command).code).toBe("wrong-phase");
    }
  });
});

describe("who may double", () => {
  it.each<readonly [string, Json, State["cube"], string | undefined]>([
    ["with the cube in the middle", { length: 7 }, { value: 1, owner: null }, undefined],
    ["with its own cube", { length: 7 }, { value: 2, owner: W }, undefined],
    ["not with the opponent's cube", { length: 7 }, { value: 2, owner: B }, "opponent-owns-cube"],
    ["not above the limit of 64", { length: 0 }, { value: 64, owner: W }, "cube-limit"],
    ["up to the limit", { length: 0 }, { value: 32, owner: W }, undefined],
    ["not above a limit of 2", { cubeLimit: 2 }, { value: 2, owner: W }, "cube-limit"],
    ["not without a cube", { cube: false }, { value: 1, owner: null }, "no-cube"],
    ["not in a match to 1", { length: 1 }, { value: 1, owner: null }, "no-cube"],
    ["also where the cube is dead", { length: 2 }, { value: 2, owner: W }, undefined],
  ])("%s", (_name, options, cube, why) => {
    const state = table(options, cube);
    const list = legalView(state, WHITE);
    const isListed = list.commands.some(({ type }) => type === "double");
    expect(isListed).toBe(why === undefined);
    expect(list.unavailable).toEqual(why === undefined ? [] : [{ type: "double", why }]);
    if (why === undefined) expect(accepted(state, WHITE, { type: "double" })).toHaveLength(1);
    else expect(refused(state, WHITE, { type: "double" }).facts["reason"]).toBe(why);
  });

  it("nobody after the roll", () => {
    const rolled = { ...table({ length: 0 }), phase: "to-play", dice: [3, 1] } as const;
    expect(refused(rolled, WHITE, { type: "double" }).code).toBe("wrong-phase");
  });

  it.each<readonly [string, Json, number, string]>([
    ["a beaver needs its option", { length: 0 }, 1, "no-beavers"],
    [
      "a beaver keeps within the limit: twice the doubled value",
      { ...ALL, cubeLimit: 4 },
      2,
      "cube-limit",
    ],
  ])("%s", (_name, options, value, why) => {
    const doubled = following(table(options, { value, owner: value === 1 ? null : W }), [
      W,
      "double",
    ]);
    expect(refused(doubled, B, { type: "beaver" })).toEqual({
      code: "cube-not-available",
      facts: { command: "beaver", reason: why },
    });
    expect(legalView(doubled, B).unavailable).toEqual([{ type: "beaver", why }]);
  });

  it.each<readonly [string, Json, string]>([
    ["a raccoon needs its option", { ...ALL, raccoons: false }, "no-raccoons"],
    ["a raccoon keeps within the limit", { ...ALL, cubeLimit: 4 }, "cube-limit"],
  ])("%s", (_name, options, why) => {
    const beavered = following(table(options), [W, "double"], [B, "beaver"]);
    expect(refused(beavered, W, { type: "raccoon" }).facts).toEqual({
      command: "raccoon",
      reason: why,
    });
    expect(legalView(beavered, W).unavailable).toEqual([{ type: "raccoon", why }]);
  });
});

describe("automatic doubles", () => {
  it.each([
    [0, 64, 3, 1],
    [1, 64, 3, 2],
    [2, 64, 3, 4],
    [3, 64, 3, 8],
    [9, 64, 3, 8],
    [9, 4, 3, 4],
    [9, 64, 0, 1],
  ])(
    "of at most %i with a limit of %i make %i ties a cube of %i",
    (most, cubeLimit, ties, value) => {
      const rolls = [...Array.from({ length: ties }, () => [4, 4] as const), [6, 1] as const];
      const options = { length: 0, automaticDoubles: most, cubeLimit };
      const { state, events } = begun(scriptedDraw(...rolls).draw, options);
      expect(state).toMatchObject({ cube: { value, owner: null }, isDoubled: false });
      expect(events.map(({ type }) => type)).toEqual(
        value === 1 ? ["opening-rolled"] : ["opening-rolled", "cube-turned"],
      );
      expect(view(state).jacoby).toBe(true);
    },
  );
});

describe("rolling by itself", () => {
  it("rolls at once for a seat that may not double, and waits for one that may", () => {
    const { draw, expectSpent } = scriptedDraw([3, 1], [6, 6], [2, 1]);
    const options = { length: 3, autoRoll: true };
    const { state } = begun(draw, options);
    const played = folded(state, accepted(state, W, { type: "play", play: "8/5 6/5" }));
    expect(played).toMatchObject({ phase: "to-roll", onRoll: B });
    // The match could play twice on a retry, so what is listed says its roll.
    expect(legalView(state, W).commands[0]).toMatchObject({ type: "play", dice: [3, 1] });
    const taken = following(played, [B, "double"], [W, "take"]);
    expect(taken).toMatchObject({ phase: "rolling", onRoll: B, cube: { value: 2, owner: W } });
    draw({ kind: "2d6" });
    draw({ kind: "2d6" });
    expectSpent();
  });
});
