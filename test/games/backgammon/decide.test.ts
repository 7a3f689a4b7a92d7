import { describe, expect, it } from "vitest";
import { backgammon } from "../../../src/games/backgammon/game.ts";
import { legalPlays } from "../../../src/games/backgammon/plays.ts";
import { BLACK, positionFor, WHITE } from "../../../src/games/backgammon/state.ts";
import { seat } from "../../../src/kernel/seat.ts";
import { accepted, folded, optionsOf, refused, toPlay, toRoll } from "./support/given.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };
const start = { white: START, black: START, onRoll: WHITE };
const threeOne = toPlay({ ...start, dice: [3, 1] });

describe("a play", () => {
  const played = {
    type: "played",
    seat: WHITE,
    play: "8/5 6/5",
    moves: [
      { from: 8, to: 5, die: 3, hit: false },
      { from: 6, to: 5, die: 1, hit: false },
    ],
  };

  it.each([
    ["its text", { type: "play", play: "8/5 6/5" }],
    ["its text in any order and spelling", { type: "play", play: " 6/5  8/5 " }],
    [
      "its moves",
      {
        type: "play",
        moves: [
          { from: 6, to: 5 },
          { from: 8, to: 5 },
        ],
      },
    ],
    ["the Position ID that it leads to", { type: "play", resultingPositionId: "sGfwATDgc/ABMA" }],
  ] as const)("named by %s is logged in its canonical text", (_name, command) => {
    expect(accepted(threeOne, WHITE, command)).toEqual([played]);
  });

  it("ends the turn: the opponent may roll, and this seat only give up", () => {
    const state = folded(threeOne, accepted(threeOne, WHITE, { type: "play", play: "8/5 6/5" }));
    expect(state).toMatchObject({ phase: "to-roll", onRoll: BLACK });
    expect(accepted(state, BLACK, { type: "roll" })).toHaveLength(1);
    const commands = [{ type: "resign-match" }];
    expect(backgammon.legal(state, WHITE)).toEqual({ kind: "listed", commands });
  });

  it("that is not legal is refused with the reason and all legal plays", () => {
    const { code, facts } = refused(threeOne, WHITE, { type: "play", play: "24/20 6/5" });
    expect(code).toBe("play-not-legal");
    expect(facts["reason"]).toBe("not-this-roll");
    expect(facts["legalPlays"]).toEqual(
      legalPlays(positionFor(threeOne, WHITE), [3, 1]).map(({ text }) => text),
    );
  });

  it("must use both dice where it can", () => {
    const { facts } = refused(threeOne, WHITE, { type: "play", play: "8/5" });
    expect(facts["reason"]).toBe("more-dice-must-be-played");
  });

  it("that hits sends the blot to the bar", () => {
    const state = toPlay({
      white: { 8: 2, 6: 2 },
      black: { 20: 1, 6: 3 },
      onRoll: WHITE,
      dice: [3, 1],
    });
    const events = accepted(state, WHITE, { type: "play", play: "8/5 6/5" });
    expect(events).toMatchObject([{ play: "8/5* 6/5" }]);
    expect(folded(state, events).sides[BLACK]).toMatchObject({ 20: 0, 25: 1 });
  });

  it("may hit two checkers in one turn", () => {
    const state = toPlay({
      white: { 8: 1, 6: 1 },
      black: { 20: 1, 22: 1, 6: 2 },
      onRoll: WHITE,
      dice: [3, 3],
    });
    const events = accepted(state, WHITE, { type: "play", play: "8/5*/2 6/3*/off" });
    expect(folded(state, events).sides[BLACK]).toMatchObject({ 20: 0, 22: 0, 25: 2 });
  });

  it("is in the mover's own points for black as for white", () => {
    const white = toPlay({
      white: { 8: 2, 6: 2 },
      black: { 20: 1, 6: 3 },
      onRoll: WHITE,
      dice: [3, 1],
    });
    const black = toPlay({
      black: { 8: 2, 6: 2 },
      white: { 20: 1, 6: 3 },
      onRoll: BLACK,
      dice: [3, 1],
    });
    const command = { type: "play", play: "8/5* 6/5" } as const;
    const [mine, theirs] = [accepted(white, WHITE, command), accepted(black, BLACK, command)];
    expect(theirs).toEqual(mine.map((event) => ({ ...event, seat: BLACK })));
  });
});

describe("a checker on the bar", () => {
  const state = toPlay({
    white: { 25: 1, 13: 3, 6: 2 },
    black: { 6: 2, 5: 2 },
    onRoll: WHITE,
    dice: [4, 2],
  });

  it("must enter before any other moves", () => {
    const legal = backgammon.legalView(state, WHITE);
    expect(legal.commands.length).toBeGreaterThan(0);
    for (const { moves } of legal.plays ?? []) expect(moves[0]).toMatchObject({ from: 25 });
    const { facts } = refused(state, WHITE, { type: "play", play: "13/9 6/4" });
    expect(facts["reason"]).toBe("must-enter-first");
  });

  it("that cannot enter passes the turn", () => {
    const closed = toRoll({ white: { 25: 1, 13: 3 }, black: { 6: 2, 4: 2 }, onRoll: WHITE });
    const rolling = folded(closed, accepted(closed, WHITE, { type: "roll" }));
    const events = backgammon.resolve(rolling, { kind: "2d6", pair: [4, 6] });
    expect(events.map(({ type }) => type)).toEqual(["dice-rolled", "turn-skipped"]);
    expect(folded(rolling, events)).toMatchObject({ phase: "to-roll", onRoll: BLACK });
  });
});

describe("a roll", () => {
  const state = toRoll(start);

  it("is asked for by the seat on turn, and then drawn", () => {
    const events = accepted(state, WHITE, { type: "roll" });
    expect(events).toEqual([{ type: "roll-requested", seat: WHITE }]);
    const rolling = folded(state, events);
    expect(backgammon.turn(rolling)).toMatchObject({ kind: "chance", draw: { kind: "2d6" } });
    const drawn = backgammon.resolve(rolling, { kind: "2d6", pair: [1, 6] });
    expect(drawn).toEqual([{ type: "dice-rolled", seat: WHITE, dice: [1, 6] }]);
    expect(folded(rolling, drawn)).toMatchObject({ phase: "to-play", onRoll: WHITE, dice: [1, 6] });
  });

  it("cannot be asked for twice in a turn", () => {
    const rolling = folded(state, accepted(state, WHITE, { type: "roll" }));
    const rolled = folded(rolling, backgammon.resolve(rolling, { kind: "2d6", pair: [3, 1] }));
    for (const late of [rolling, rolled]) {
      const facts = { phase: late.phase, command: "roll" };
      expect(refused(late, WHITE, { type: "roll" })).toEqual({ code: "wrong-phase", facts });
    }
  });

  it("without a legal play passes the turn at once, and stands in the log", () => {
    const wall = { 12: 2, 11: 2, 10: 2, 9: 2, 8: 2, 7: 2 };
    const blocked = toRoll({ white: { 19: 2 }, black: wall, onRoll: WHITE });
    const rolling = folded(blocked, accepted(blocked, WHITE, { type: "roll" }));
    const events = backgammon.resolve(rolling, { kind: "2d6", pair: [5, 5] });
    expect(events).toEqual([
      { type: "dice-rolled", seat: WHITE, dice: [5, 5] },
      { type: "turn-skipped", seat: WHITE, dice: [5, 5] },
    ]);
    expect(folded(rolling, events)).toMatchObject({ phase: "to-roll", onRoll: BLACK });
  });
});

describe("a command is refused", () => {
  it.each([
    ["of the seat that is not on turn, before the roll", toRoll(start), { type: "roll" }],
    ["of the seat that is not on turn, after it", threeOne, { type: "play", play: "8/5 6/5" }],
  ] as const)("%s", (_name, state, command) => {
    const facts = { seat: BLACK };
    expect(refused(state, BLACK, command)).toEqual({ code: "not-your-turn", facts });
  });

  it("before the opening roll, whoever sends it", () => {
    const opening = backgammon.init(optionsOf());
    for (const who of [WHITE, BLACK]) {
      expect(refused(opening, who, { type: "roll" }).code).toBe("not-your-turn");
    }
  });

  it("if it plays before the roll", () => {
    const facts = { phase: "to-roll", command: "play" };
    expect(refused(toRoll(start), WHITE, { type: "play", play: "8/5 6/5" })).toEqual({
      code: "wrong-phase",
      facts,
    });
  });

  it("of a seat that is not at the table", () => {
    expect(refused(threeOne, seat(2), { type: "roll" }).code).toBe("not-your-turn");
  });

  it.each(["", "8/5 6/5 13/12", "24/18 13/11", "x", "bar/20"])("if its text is %j", (text) => {
    expect(refused(threeOne, WHITE, { type: "play", play: text }).code).toBe("play-not-legal");
  });

  it.each(["4HPwATDgc/ABMA", "4HPwATDgc/ABM", "////////////////"])(
    "if it names the result %s",
    (resultingPositionId) => {
      const { code } = refused(threeOne, WHITE, { type: "play", resultingPositionId });
      expect(code).toBe("play-not-legal");
    },
  );
});

describe("the last checker borne off ends the game", () => {
  const NONE = { loserBorneOff: 0, loserOnBar: 0, loserInWinnersHome: 0 };

  it.each([
    ["single: a checker of the loser is off", { 6: 14 }, "single", 1, { loserBorneOff: 1 }],
    [
      "single even with a checker on the bar, once one is off",
      { 25: 1, 24: 1, 6: 12 },
      "single",
      1,
      { loserBorneOff: 1, loserOnBar: 1, loserInWinnersHome: 1 },
    ],
    ["gammon: none is off", { 18: 1, 6: 14 }, "gammon", 2, {}],
    [
      "backgammon: none is off and one is on the bar",
      { 25: 1, 6: 14 },
      "backgammon",
      3,
      { loserOnBar: 1 },
    ],
    [
      "backgammon: none is off and two are in the winner's home board",
      { 24: 1, 19: 1, 6: 13 },
      "backgammon",
      3,
      { loserInWinnersHome: 2 },
    ],
  ] as const)("%s", (_name, loser, kind, points, loserCheckers) => {
    for (const winner of [WHITE, BLACK]) {
      const [white, black] = winner === WHITE ? [{ 2: 1 }, loser] : [loser, { 2: 1 }];
      const state = toPlay({ white, black, onRoll: winner, dice: [6, 5] });
      const events = accepted(state, winner, { type: "play", play: "2/off" });
      const why = { ...NONE, ...loserCheckers };
      const result = { game: 1, winner, reason: "borne-off", kind, points, cube: 1, ...why };
      expect(events[1]).toEqual({ type: "game-won", ...result });
      const ended = folded(state, events);
      const score = winner === WHITE ? [points, 0] : [0, points];
      expect(ended).toMatchObject({ phase: "match-over", winner, score, results: [result] });
      expect(backgammon.turn(ended)).toEqual({
        kind: "over",
        outcome: { winner, points: winner === WHITE ? [points, -points] : [-points, points] },
      });
    }
  });

  it("with whichever dice are left unused", () => {
    const state = toPlay({ white: { 1: 1 }, black: { 6: 14 }, onRoll: WHITE, dice: [6, 6] });
    const events = accepted(state, WHITE, { type: "play", play: "1/off" });
    expect(events.map(({ type }) => type)).toEqual(["played", "game-won"]);
  });

  it("and after it nothing is accepted, of either seat", () => {
    const state = toPlay({ white: { 1: 1 }, black: { 6: 14 }, onRoll: WHITE, dice: [6, 5] });
    const ended = folded(state, accepted(state, WHITE, { type: "play", play: "1/off" }));
    for (const who of [WHITE, BLACK]) {
      for (const command of [{ type: "roll" }, { type: "play", play: "6/5" }] as const) {
        expect(refused(ended, who, command)).toEqual({ code: "match-over", facts: {} });
      }
      expect(backgammon.concede(ended, who, "idle")).toEqual([]);
    }
  });

  it("also in hypergammon, where three checkers are all there are", () => {
    const three = { ...toPlay({ white: { 1: 1 }, black: { 6: 3 }, onRoll: WHITE, dice: [6, 5] }) };
    const side = (onBoard: readonly [number, number], off: number) =>
      Array.from({ length: 26 }, (_, place) =>
        place === onBoard[0] ? onBoard[1] : place === 0 ? off : 0,
      );
    const state = {
      ...three,
      options: optionsOf({}, "hypergammon"),
      sides: [side([1, 1], 2), side([6, 3], 0)] as const,
    };
    const events = accepted(state, WHITE, { type: "play", play: "1/off" });
    expect(events[1]).toMatchObject({ kind: "gammon", points: 2, loserBorneOff: 0 });
  });
});

describe("a seat that no longer plays", () => {
  it.each(["flag-fall", "idle", "abandoned"] as const)("by %s loses a single game", (reason) => {
    const state = toRoll({ white: { 25: 2, 6: 13 }, black: { 1: 1 }, onRoll: BLACK });
    const events = backgammon.concede(state, WHITE, reason);
    const loser = { loserBorneOff: 0, loserOnBar: 2, loserInWinnersHome: 0 };
    const result = { game: 1, winner: BLACK, reason, kind: "single", points: 1, cube: 1, ...loser };
    expect(events).toEqual([
      { type: "seat-forfeited", seat: WHITE, reason },
      { type: "game-won", ...result },
    ]);
    expect(folded(state, events)).toMatchObject({
      phase: "match-over",
      winner: BLACK,
      score: [0, 1],
    });
  });

  it("loses whoever is on roll, and before the opening too", () => {
    for (const state of [threeOne, toRoll(start), backgammon.init(optionsOf())]) {
      for (const who of [WHITE, BLACK]) {
        const ended = folded(state, backgammon.concede(state, who, "idle"));
        expect(ended).toMatchObject({ phase: "match-over", winner: 1 - who });
      }
    }
  });
});

it("evolve refuses an event that cannot have happened there", () => {
  const state = toRoll(start);
  const doubled = { type: "dice-rolled", seat: WHITE, dice: [1, 1] } as const;
  expect(() => backgammon.evolve(state, doubled)).toThrow("dice fall when a roll was asked for");
  const nobody = { from: 23, to: 22, die: 1, hit: false };
  const play = { type: "played", seat: WHITE, play: "23/22", moves: [nobody] } as const;
  expect(() => backgammon.evolve(threeOne, play)).toThrow("a checker stands where");
  const ghost = { ...nobody, from: 24, to: 23, hit: true };
  expect(() => backgammon.evolve(threeOne, { ...play, moves: [ghost] })).toThrow("only a blot");
});
