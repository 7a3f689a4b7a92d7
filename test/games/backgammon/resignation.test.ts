import { describe, expect, it } from "vitest";
import { backgammon } from "../../../src/games/backgammon/game.ts";
import type { State } from "../../../src/games/backgammon/state.ts";
import { BLACK, WHITE } from "../../../src/games/backgammon/state.ts";
import type { WinKind } from "../../../src/games/backgammon/value.ts";
import { legalView, view } from "../../../src/games/backgammon/view.ts";
import type { Json } from "../../../src/kernel/json.ts";
import { accepted, folded, refused, toPlay, toRoll } from "./support/given.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };
const start = { white: START, black: START, onRoll: WHITE };

const offered = (state: State, value: WinKind): State =>
  folded(state, accepted(state, WHITE, { type: "offer-resignation", value }));

const ACCEPT = { type: "accept-resignation" } as const;
const REFUSE = { type: "refuse-resignation" } as const;
const GIVE_UP = { type: "resign-match" } as const;

describe("a resignation (shared rules, section 7)", () => {
  it("B31: is an offer on move one too: a value, and the opponent's consent", () => {
    const state = toPlay({ ...start, dice: [3, 1], options: { length: 7 } });
    const waiting = offered(state, "single");
    expect(waiting.results).toEqual([]);
    expect(backgammon.turn(waiting)).toEqual({ kind: "seats", seats: [BLACK] });
    expect(view(waiting)).toMatchObject({
      phase: "resignation-offered",
      onRoll: WHITE,
      dice: [3, 1],
      resignation: { by: WHITE, value: "single", points: 1 },
    });
    const resumed = folded(waiting, accepted(waiting, BLACK, REFUSE));
    expect(resumed).toEqual({ ...state, refused: 1 });
    const ended = folded(waiting, accepted(waiting, BLACK, ACCEPT));
    expect(ended).toMatchObject({ score: [0, 1], game: 2, phase: "opening" });
  });

  it.each<readonly [WinKind, Json, number, boolean, number]>([
    ["single", { length: 9 }, 1, false, 1],
    ["gammon", { length: 9 }, 1, false, 2],
    ["backgammon", { length: 9 }, 1, false, 3],
    ["gammon", { length: 9 }, 2, true, 4],
    ["backgammon", { length: 9 }, 4, true, 12],
    ["single", { length: 0 }, 1, false, 1],
    ["gammon", { length: 0 }, 1, false, 1],
    ["backgammon", { length: 0 }, 4, false, 4],
    ["gammon", { length: 0 }, 2, true, 4],
    ["backgammon", { length: 0, jacoby: false }, 1, false, 3],
  ])(
    "of a %s, %j, with a cube of %i (taken: %s), is worth %i",
    (value, options, cube, isDoubled, points) => {
      const state: State = {
        ...toRoll({ ...start, options }),
        cube: { value: cube, owner: isDoubled ? WHITE : null },
        isDoubled,
      };
      const events = accepted(state, WHITE, { type: "offer-resignation", value });
      expect(events).toEqual([{ type: "resignation-offered", seat: WHITE, value, points }]);
      const waiting = folded(state, events);
      const ended = folded(waiting, accepted(waiting, BLACK, ACCEPT));
      expect(ended.results).toMatchObject([
        { winner: BLACK, reason: "resigned", kind: value, points, cube },
      ]);
    },
  );

  it("goes on as it stood when it is refused, before the roll and after it", () => {
    for (const state of [toRoll(start), toPlay({ ...start, dice: [6, 6] })]) {
      const waiting = offered(state, "gammon");
      expect(folded(waiting, accepted(waiting, BLACK, REFUSE))).toEqual({ ...state, refused: 2 });
    }
  });

  it("that was refused is not offered again in the same turn, but more may be", () => {
    const refusing = (state: State) => folded(state, accepted(state, BLACK, REFUSE));
    const state = refusing(offered(toRoll(start), "gammon"));
    for (const value of ["single", "gammon"] as const) {
      expect(refused(state, WHITE, { type: "offer-resignation", value })).toEqual({
        code: "resignation-not-higher",
        facts: { value },
      });
    }
    const all = refusing(offered(state, "backgammon"));
    expect(legalView(all, WHITE)).toEqual({
      commands: [{ type: "roll" }, { type: "double" }, GIVE_UP],
      unavailable: [{ type: "offer-resignation", why: "refused-before" }],
    });
    const rolling = folded(all, accepted(all, WHITE, { type: "roll" }));
    const rolled = folded(rolling, backgammon.resolve(rolling, { kind: "2d6", pair: [3, 1] }));
    expect(refused(rolled, WHITE, { type: "offer-resignation", value: "backgammon" }).code).toBe(
      "resignation-not-higher",
    );
    const played = folded(rolled, accepted(rolled, WHITE, { type: "play", play: "8/5 6/5" }));
    expect(accepted(played, BLACK, { type: "offer-resignation", value: "single" })).toHaveLength(1);
  });

  it("is neither offered by a seat that must answer a double, nor answered by who made it", () => {
    const state = toRoll(start);
    const doubled = folded(state, accepted(state, WHITE, { type: "double" }));
    const offer = { type: "offer-resignation", value: "single" } as const;
    expect(refused(doubled, BLACK, offer).code).toBe("wrong-phase");
    expect(refused(state, BLACK, offer).code).toBe("not-your-turn");
    const waiting = offered(state, "single");
    for (const command of [ACCEPT, REFUSE, { type: "roll" }] as const) {
      expect(refused(waiting, WHITE, command).code).toBe("not-your-turn");
    }
    expect(refused(waiting, BLACK, { type: "roll" }).code).toBe("wrong-phase");
  });
});

describe("giving up the whole match", () => {
  it("is open to either seat, whoever is to act", () => {
    const state = toRoll({ ...start, options: { length: 5 } });
    const doubled = folded(state, accepted(state, WHITE, { type: "double" }));
    for (const now of [state, doubled, offered(state, "single")]) {
      for (const seat of [WHITE, BLACK]) {
        const ended = folded(now, accepted(now, seat, GIVE_UP));
        expect(ended).toMatchObject({
          phase: "match-over",
          winner: 1 - seat,
          reason: "match-resigned",
          results: [{ winner: 1 - seat, reason: "match-resigned", kind: "single", points: 1 }],
        });
      }
    }
  });

  it("loses a match that is led, and its game as a single times the cube", () => {
    const state: State = {
      ...toRoll({ ...start, options: { length: 7 } }),
      score: [5, 0],
      cube: { value: 2, owner: BLACK },
      isDoubled: true,
    };
    const ended = folded(state, accepted(state, WHITE, GIVE_UP));
    expect(ended).toMatchObject({ phase: "match-over", winner: BLACK, score: [5, 2] });
    expect(backgammon.turn(ended)).toEqual({
      kind: "over",
      outcome: { winner: BLACK, points: [-1, 1] },
    });
  });

  it("of a money session loses the game that is played, and the points decide whose the session is", () => {
    const state: State = { ...toRoll({ ...start, options: { length: 0 } }), score: [5, 0] };
    const ended = folded(state, accepted(state, WHITE, GIVE_UP));
    expect(ended).toMatchObject({ phase: "match-over", winner: WHITE, score: [5, 1] });
    const level: State = { ...toRoll({ ...start, options: { length: 0 } }), score: [1, 0] };
    const drawn = folded(level, accepted(level, WHITE, GIVE_UP));
    expect(drawn).toMatchObject({ winner: null, score: [1, 1] });
    expect(backgammon.turn(drawn)).toEqual({ kind: "over", outcome: { points: [0, 0] } });
  });

  it("costs no less than to pass what was offered", () => {
    const options = { length: 0, beavers: true, raccoons: true };
    let state: State = toRoll({ ...start, options });
    for (const [seat, type] of [
      [WHITE, "double"],
      [BLACK, "beaver"],
      [WHITE, "raccoon"],
    ] as const) {
      state = folded(state, accepted(state, seat, { type }));
    }
    expect(folded(state, accepted(state, BLACK, GIVE_UP)).score).toEqual([4, 0]);
    expect(folded(state, backgammon.concede(state, BLACK, "idle")).score).toEqual([4, 0]);
  });

  it("is not open while the dice fall", () => {
    const state = toRoll(start);
    const rolling = folded(state, accepted(state, WHITE, { type: "roll" }));
    expect(refused(rolling, BLACK, GIVE_UP).code).toBe("not-your-turn");
  });
});

describe("between games", () => {
  const options = { length: 3, nextGame: "ask" };
  const passed = (): State => {
    const state = toRoll({ ...start, options });
    const doubled = folded(state, accepted(state, WHITE, { type: "double" }));
    return folded(doubled, accepted(doubled, BLACK, { type: "pass" }));
  };

  it("the next one waits until both seats have asked for it", () => {
    const between = passed();
    expect(between).toMatchObject({ phase: "between-games", game: 2, score: [1, 0] });
    expect(backgammon.turn(between)).toEqual({ kind: "seats", seats: [WHITE, BLACK] });
    const one = folded(between, accepted(between, BLACK, { type: "next-game" }));
    expect(view(one)).toMatchObject({ phase: "between-games", ready: [false, true] });
    expect(refused(one, BLACK, { type: "next-game" }).code).toBe("not-your-turn");
    const both = folded(one, accepted(one, WHITE, { type: "next-game" }));
    expect(both).toMatchObject({ phase: "opening", game: 2 });
  });

  it("giving up ends the match without another game", () => {
    const between = passed();
    const ended = folded(between, accepted(between, WHITE, GIVE_UP));
    expect(ended).toMatchObject({ phase: "match-over", winner: BLACK, score: [1, 0] });
    expect(ended.results).toHaveLength(1);
    const idle = folded(between, backgammon.concede(between, BLACK, "idle"));
    expect(idle).toMatchObject({ winner: WHITE, reason: "idle", score: [1, 0] });
  });
});

describe("playing by itself", () => {
  const options = { autoPlay: true };

  it("makes the one legal play, and the log says that it was automatic", () => {
    const state = toRoll({ white: { 13: 1 }, black: { 18: 2, 1: 13 }, onRoll: WHITE, options });
    const rolling = folded(state, accepted(state, WHITE, { type: "roll" }));
    const events = backgammon.resolve(rolling, { kind: "2d6", pair: [6, 5] });
    expect(events).toMatchObject([
      { type: "dice-rolled", dice: [6, 5] },
      { type: "played", play: "13/2", automatic: true },
    ]);
    expect(folded(rolling, events)).toMatchObject({ phase: "to-roll", onRoll: BLACK });
  });

  it("ends the game with the last checker, and leaves a choice to the seat", () => {
    const state = toRoll({ white: { 1: 1 }, black: { 6: 14 }, onRoll: WHITE, options });
    const rolling = folded(state, accepted(state, WHITE, { type: "roll" }));
    const events = backgammon.resolve(rolling, { kind: "2d6", pair: [6, 5] });
    expect(events.map(({ type }) => type)).toEqual(["dice-rolled", "played", "game-won"]);
    const opening = toRoll({ ...start, options });
    const rolled = folded(opening, accepted(opening, WHITE, { type: "roll" }));
    expect(backgammon.resolve(rolled, { kind: "2d6", pair: [3, 1] })).toHaveLength(1);
  });
});

it("a play that is meant for another roll is refused", () => {
  const state = toPlay({ ...start, dice: [3, 1] });
  const command = { type: "play", play: "8/5 6/5" } as const;
  expect(accepted(state, WHITE, { ...command, dice: [1, 3] })).toHaveLength(1);
  expect(refused(state, WHITE, { ...command, dice: [3, 2] })).toEqual({
    code: "other-dice",
    facts: { dice: "3-1" },
  });
});
