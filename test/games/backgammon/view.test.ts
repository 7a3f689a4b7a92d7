import { describe, expect, it } from "vitest";
import type { Side } from "../../../src/games/backgammon/board.ts";
import { checkers, pipCount } from "../../../src/games/backgammon/board.ts";
import { init } from "../../../src/games/backgammon/evolve.ts";
import { backgammon } from "../../../src/games/backgammon/game.ts";
import { parsePositionId } from "../../../src/games/backgammon/position-id.ts";
import type { ToPlay } from "../../../src/games/backgammon/state.ts";
import { BLACK, opponentOf, WHITE } from "../../../src/games/backgammon/state.ts";
import { legalView, sideOf, view } from "../../../src/games/backgammon/view.ts";
import { accepted, colourSwapped, folded, optionsOf, toPlay, toRoll } from "./support/given.ts";
import { type Case, SEED, seeded, selfPlay } from "./support/random.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };
const start = { white: START, black: START };
const centred = { value: 1, owner: null, offered: false };
const GIVING_UP = [
  { type: "offer-resignation", value: "single" },
  { type: "offer-resignation", value: "gammon" },
  { type: "offer-resignation", value: "backgammon" },
  { type: "resign-match" },
];

describe("the view", () => {
  it("of the start shows white's points, black's checkers negative, and 167 pips each", () => {
    expect(view(toPlay({ ...start, onRoll: BLACK, dice: [6, 1] }))).toEqual({
      phase: "to-play",
      onRoll: BLACK,
      dice: [6, 1],
      cube: centred,
      cubeLimit: 64,
      game: 1,
      score: [0, 0],
      crawford: false,
      jacoby: false,
      games: [],
      board: {
        points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
        bar: [0, 0],
        off: [0, 0],
        pips: [167, 167],
      },
      positionId: "4HPwATDgc/ABMA",
      // As the formats page has it: money, Jacoby off, player 1 rolled 6-1.
      matchId: "cAkHAAAAAAAE",
      xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:6",
    });
  });

  it("before the opening roll has nobody on roll and no Position ID", () => {
    const opening = view(init(optionsOf()));
    expect(opening).toMatchObject({ phase: "opening", cube: centred });
    expect(opening).not.toHaveProperty("onRoll");
    expect(opening).not.toHaveProperty("positionId");
  });

  it("has dice only while they are to be played", () => {
    expect(view(toRoll({ ...start, onRoll: WHITE }))).not.toHaveProperty("dice");
  });

  it("counts a hit checker on the bar at 25 pips", () => {
    const state = toPlay({
      white: { 8: 2, 6: 2 },
      black: { 20: 1, 6: 3 },
      onRoll: WHITE,
      dice: [3, 1],
    });
    const hit = view(folded(state, accepted(state, WHITE, { type: "play", play: "8/5* 6/5" })));
    expect(hit.board).toMatchObject({ bar: [0, 1], off: [11, 11], pips: [24, 43] });
    expect(hit.board.points.slice(0, 8)).toEqual([0, 0, 0, 0, 2, 1, 0, 1]);
    expect(hit.board.points[18]).toBe(-3);
  });

  it("after the end is of the seat that would have been next", () => {
    const state = toPlay({ white: { 1: 1 }, black: { 6: 14 }, onRoll: WHITE, dice: [6, 5] });
    const ended = view(folded(state, accepted(state, WHITE, { type: "play", play: "1/off" })));
    expect(ended).toMatchObject({ phase: "match-over", onRoll: BLACK, board: { off: [15, 1] } });
  });
});

describe("the legal list", () => {
  it("before the roll is to roll, to double or to give up", () => {
    expect(legalView(toRoll({ ...start, onRoll: WHITE }), WHITE)).toEqual({
      commands: [{ type: "roll" }, { type: "double" }, ...GIVING_UP],
      unavailable: [],
    });
  });

  it("has no double without a cube, and says so", () => {
    const state = toRoll({ ...start, onRoll: WHITE, options: { cube: false } });
    expect(legalView(state, WHITE)).toEqual({
      commands: [{ type: "roll" }, ...GIVING_UP],
      unavailable: [{ type: "double", why: "no-cube" }],
    });
  });

  it("after it has each play as text, as moves, and by the position that it leads to", () => {
    const list = legalView(toPlay({ ...start, onRoll: WHITE, dice: [3, 1] }), WHITE);
    expect(list.plays).toHaveLength(16);
    const plays = list.plays?.map(({ play }) => ({ type: "play", play })) ?? [];
    expect(list.commands).toEqual([...plays, ...GIVING_UP]);
    expect(list.plays).toContainEqual({
      play: "8/5 6/5",
      moves: [
        { from: 8, to: 5, die: 3, hit: false },
        { from: 6, to: 5, die: 1, hit: false },
      ],
      resultingPositionId: "sGfwATDgc/ABMA",
    });
  });

  it("of the other seat is to give up the match, and while dice are owed it is empty", () => {
    expect(legalView(toRoll({ ...start, onRoll: WHITE }), BLACK)).toEqual({
      commands: [{ type: "resign-match" }],
      unavailable: [],
    });
    expect(legalView(init(optionsOf()), BLACK)).toEqual({ commands: [], unavailable: [] });
  });
});

/** A game of standard backgammon in some position of random play. */
const states = (count: number): readonly ToPlay[] => {
  const cases: Case[] = [];
  for (const given of selfPlay(seeded(SEED))) {
    if (cases.push(given) === count) break;
  }
  const table = toRoll({ ...start, onRoll: WHITE });
  return cases.map(({ position: { onRoll, opponent }, dice }, index) => {
    const seat = index % 2 === 0 ? WHITE : BLACK;
    const sides: readonly [Side, Side] = seat === WHITE ? [onRoll, opponent] : [opponent, onRoll];
    return { ...table, sides, phase: "to-play", onRoll: seat, dice };
  });
};

describe(`in positions of random play, seed ${SEED}`, () => {
  const all = states(600);

  it("exchanging the colours mirrors the view", () => {
    for (const state of all) {
      // The Match ID names the player on roll, and is the one thing that the swap changes otherwise.
      const { matchId: _white, ...one } = view(state);
      const { matchId: _black, ...other } = view(colourSwapped(state));
      expect(other).toEqual({
        ...one,
        onRoll: opponentOf(state.onRoll),
        board: {
          points: one.board.points.map((count) => 0 - count).reverse(),
          bar: [...one.board.bar].reverse(),
          off: [...one.board.off].reverse(),
          pips: [...one.board.pips].reverse(),
        },
      });
    }
  });

  it("exchanging the colours changes nothing about what is legal", () => {
    for (const state of all) {
      const swapped = colourSwapped(state);
      expect(legalView(swapped, opponentOf(state.onRoll))).toEqual(legalView(state, state.onRoll));
    }
  });

  it("the board gives both sides back", () => {
    for (const state of all) {
      const { board } = view(state);
      expect([sideOf(board, WHITE), sideOf(board, BLACK)]).toEqual(state.sides);
      expect(board.pips).toEqual(state.sides.map(pipCount));
    }
  });

  it("the Position ID is of the position with the seat on roll", () => {
    for (const state of all) {
      const { positionId = "" } = view(state);
      const [white, black] = state.sides;
      const parsed = parsePositionId(positionId, checkers(white));
      const [onRoll, opponent] = state.onRoll === WHITE ? [white, black] : [black, white];
      expect(parsed).toEqual({ ok: true, value: { onRoll, opponent } });
    }
  });

  it("a resulting Position ID is the one that the next view shows", () => {
    for (const state of all.slice(0, 100)) {
      for (const { play, resultingPositionId } of legalView(state, state.onRoll).plays ?? []) {
        const events = backgammon.decide(state, state.onRoll, { type: "play", play });
        expect(view(folded(state, events.ok ? events.value : [])).positionId).toBe(
          resultingPositionId,
        );
      }
    }
  });
});
