import { describe, expect, it } from "vitest";
import { init } from "../../../src/games/backgammon/evolve.ts";
import { hostedBackgammon } from "../../../src/games/backgammon/hosted.ts";
import { VARIANTS } from "../../../src/games/backgammon/start.ts";
import { BLACK, WHITE } from "../../../src/games/backgammon/state.ts";
import {
  commandSchema,
  joinEvent,
  legalSchema,
  resultSchema,
  stateSchema,
  viewSchema,
} from "../../../src/games/backgammon/wire.ts";
import { reader } from "../../../src/games/codec.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";
import { SPECTATOR } from "../../../src/kernel/seat.ts";
import { audit } from "../../support/audit.ts";
import { playedMatch } from "../../support/played-match.ts";
import { accepted, folded, optionsOf, toPlay } from "./support/given.ts";

const { readCommand, readOptions } = hostedBackgammon;

describe("a command", () => {
  it.each<JsonObject>([
    { type: "roll" },
    { type: "play", play: "8/5 6/5" },
    { type: "play", moves: [{ from: 25, to: 22 }] },
    { type: "play", resultingPositionId: "sGfwATDgc/ABMA" },
    { type: "play", play: "8/5 6/5", dice: [1, 3] },
    { type: "double" },
    { type: "offer-resignation", value: "gammon" },
    { type: "next-game" },
  ])("%j is read, and printed as it was", (json) => {
    const read = readCommand(json);
    expect(read.ok && hostedBackgammon.printCommand(read.value)).toEqual(json);
  });

  it.each<[string, Json]>([
    ["nothing", null],
    ["a list", []],
    ["no type", {}],
    ["another type", { type: "redouble" }],
    ["a resignation of nothing", { type: "offer-resignation" }],
    ["a resignation of a point", { type: "offer-resignation", value: 1 }],
    ["a die too many", { type: "play", play: "8/5", dice: [3, 1, 1] }],
    ["a roll with dice", { type: "roll", dice: [6, 6] }],
    ["a play without a play", { type: "play" }],
    ["an empty play", { type: "play", play: "" }],
    ["a play in two ways", { type: "play", play: "8/5", resultingPositionId: "sGfwATDgc/ABMA" }],
    ["a play of 121 characters", { type: "play", play: "1".repeat(121) }],
    ["no moves", { type: "play", moves: [] }],
    ["nine moves", { type: "play", moves: Array(9).fill({ from: 8, to: 5 }) }],
    ["a move from 26", { type: "play", moves: [{ from: 26, to: 22 }] }],
    ["a move from off", { type: "play", moves: [{ from: 0, to: 0 }] }],
    ["a move with half a point", { type: "play", moves: [{ from: 8.5, to: 5 }] }],
    ["a move that says what it hits", { type: "play", moves: [{ from: 8, to: 5, hit: true }] }],
    ["a state", { type: "roll", state: {} }],
  ])("with %s is malformed", (_name, json) => {
    expect(readCommand(json).ok).toBe(false);
  });

  it("has no place for a die", () => {
    const read = reader(commandSchema)({ type: "roll", dice: [6, 6] });
    expect(!read.ok && read.error.length).toBeGreaterThan(0);
  });
});

describe("what is read from a store", () => {
  const state = toPlay({ white: { 6: 2 }, black: { 5: 3 }, onRoll: WHITE, dice: [3, 1] });

  it.each<[string, Json]>([
    ["dice in a phase without dice", { ...init(optionsOf()), dice: [1, 2] } as unknown as Json],
    ["a phase that is none", { ...state, phase: "to-double" } as unknown as Json],
    ["a die of 7", { ...state, dice: [7, 1] } as unknown as Json],
    ["25 places", { ...state, sides: [[], []] } as unknown as Json],
    ["a fact more", { ...state, extra: 1 } as unknown as Json],
  ])("as a state with %s throws", (_name, json) => {
    expect(() => hostedBackgammon.readState(json)).toThrow();
  });

  it.each([
    ["of an unknown type", { type: "cube-eaten", seat: 0 }],
    ["of a cube without its value", { type: "cube-offered", seat: 0 }],
    ["with a fact more", { type: "roll-requested", seat: 0, at: "now" }],
    ["of seat 2", { type: "roll-requested", seat: 2 }],
    ["without its dice", { type: "dice-rolled", seat: 0 }],
  ])("as an event %s throws", (_name, line) => {
    expect(() => joinEvent(line)).toThrow();
  });

  it("as a state is what was written", () => {
    expect(stateSchema.parse(JSON.parse(JSON.stringify(state)))).toEqual(state);
  });
});

describe("what is shown", () => {
  it("fits its schema at every step of a match", async () => {
    for (const variant of VARIANTS) {
      const plan = { game: hostedBackgammon, variant, options: {}, seed: "wire" };
      const played = await playedMatch({ ...plan, seats: ["heuristic", "random"] });
      expect(await audit(played)).toContain("closed");
      const read = readOptions(variant, {});
      if (!read.ok) throw new Error("unreachable");
      let shown = hostedBackgammon.init(read.value);
      for (const line of played.lines) {
        const { match: _match, seq: _seq, prev: _prev, at: _at, ...body } = JSON.parse(line);
        if (["open", "roll", "entropy", "close"].includes(body.type)) continue;
        viewSchema.parse(hostedBackgammon.view(shown, SPECTATOR));
        for (const seat of [WHITE, BLACK]) {
          legalSchema.parse(hostedBackgammon.legalView(shown, seat));
        }
        shown = hostedBackgammon.evolve(shown, hostedBackgammon.join(body, undefined));
      }
      expect(hostedBackgammon.result(shown)).toEqual(hostedBackgammon.result(played.state));
      resultSchema.parse(hostedBackgammon.result(shown));
    }
  });

  it("as a result says who won, by how much, and why", () => {
    const state = toPlay({ white: { 1: 1 }, black: { 24: 1, 6: 14 }, onRoll: WHITE, dice: [6, 5] });
    const ended = folded(state, accepted(state, WHITE, { type: "play", play: "1/off" }));
    const result = hostedBackgammon.result(hostedBackgammon.readState(ended as unknown as Json));
    expect(resultSchema.parse(result)).toEqual({
      winner: 0,
      reason: "points",
      score: [3, 0],
      games: [
        {
          game: 1,
          winner: 0,
          reason: "borne-off",
          kind: "backgammon",
          points: 3,
          cube: 1,
          loserBorneOff: 0,
          loserOnBar: 0,
          loserInWinnersHome: 1,
        },
      ],
    });
  });
});
