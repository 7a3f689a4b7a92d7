import { describe, expect, it } from "vitest";
import { chances } from "../../src/engines/backgammon/chances.ts";
import {
  acceptsResignation,
  answerToBeaver,
  answerToDouble,
  doubles,
  takesRaccoon,
} from "../../src/engines/backgammon/cube.ts";
import type { CubeAt, Outlook } from "../../src/engines/backgammon/cubeful.ts";
import { heuristicEngine } from "../../src/engines/backgammon/heuristic.ts";
import { outlookBefore } from "../../src/engines/backgammon/look-ahead.ts";
import { situationOf, stakesOf } from "../../src/engines/backgammon/situation.ts";
import type { Engine } from "../../src/engines/engine.ts";
import type { Dice, Side } from "../../src/games/backgammon/board.ts";
import { backgammon } from "../../src/games/backgammon/game.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { parsePositionId } from "../../src/games/backgammon/position-id.ts";
import { VARIANTS } from "../../src/games/backgammon/start.ts";
import type { State, ToRoll } from "../../src/games/backgammon/state.ts";
import { BLACK, WHITE } from "../../src/games/backgammon/state.ts";
import type { View } from "../../src/games/backgammon/view.ts";
import { view } from "../../src/games/backgammon/view.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import { accepted, folded, optionsOf, toPlay, toRoll } from "../games/backgammon/support/given.ts";
import { deepFrozen, SEED, seeded, selfPlay } from "../games/backgammon/support/random.ts";
import { engineMatch } from "../support/engine-match.ts";
import { goldenLines } from "../support/golden.ts";
import { pickedDraw } from "../support/scripted-draw.ts";
import { staticEvaluator } from "../support/static-evaluator.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };

interface CubeDecision {
  readonly positionId: string;
  readonly cube: { readonly value: number; readonly owner: "centre" | "onRoll" };
  readonly equities: {
    readonly noDouble: number;
    readonly doubleTake: number;
    readonly doublePass: number;
  };
}

const DECISIONS = goldenLines<CubeDecision>("backgammon/cube-decisions.jsonl");

/** White to roll at the position, in money play without Jacoby. */
const stateOf = ({ positionId, cube }: CubeDecision): ToRoll => {
  const read = parsePositionId(positionId);
  assert(read.ok, "a golden position is readable");
  const { onRoll, opponent } = read.value;
  const table = toRoll({ white: START, black: START, onRoll: WHITE, options: { cubeLimit: 1024 } });
  const owner = cube.owner === "centre" ? null : WHITE;
  return { ...table, sides: [onRoll, opponent], cube: { value: cube.value, owner } };
};

/** The game as white sees it, on roll, by static chances. */
const of = (shown: View): [Outlook, CubeAt] => {
  const situation = situationOf(shown, WHITE);
  return [outlookBefore(staticEvaluator, situation, 0), stakesOf(situation).cube];
};

const meanOf = (numbers: readonly number[]): number =>
  numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

// 114 of them were among what the chances in contact were fitted to; with each held out of the fit the two
// figures were 0.013 and 0.031.
describe("the 150 cube decisions that GNU Backgammon has judged at 2 plies", () => {
  // What a random player loses there: 0.156 and 0.550 a decision; gnubg at 0 plies 0.0015 and 0.
  it("cost the doubler less than 0.013 a decision", () => {
    const lost = DECISIONS.map((decision) => {
      const { noDouble, doubleTake, doublePass } = decision.equities;
      const doubled = Math.min(doubleTake, doublePass);
      const chosen = doubles(...of(view(stateOf(decision)))) ? doubled : noDouble;
      return Math.max(noDouble, doubled) - chosen;
    });
    expect(meanOf(lost)).toBeLessThan(0.013);
  });

  it("cost the taker less than 0.027 a decision", () => {
    const lost = DECISIONS.map((decision) => {
      const { doubleTake, doublePass } = decision.equities;
      const state = stateOf(decision);
      const [event] = present(
        [backgammon.decide(state, WHITE, { type: "double" })].map((done) =>
          done.ok ? done.value : [],
        ),
        "it may double",
      );
      const doubled = folded(state, event ?? []);
      const chosen =
        answerToDouble(...of(view(doubled)), false) === "take" ? doubleTake : doublePass;
      return chosen - Math.min(doubleTake, doublePass);
    });
    expect(meanOf(lost)).toBeLessThan(0.027);
  });
});

interface BearOff {
  readonly onRoll: readonly number[];
  readonly opponent: readonly number[];
  readonly exact: {
    readonly noDoubleOwned: number;
    readonly noDoubleCentred: number;
    readonly doubleTake: number;
  };
}

it("150 bear-offs of up to six checkers cost next to nothing against exact equities", () => {
  const onBoard = (counts: readonly number[]) => ({ ...counts.slice(0, 7), 0: 0 });
  const lost = goldenLines<BearOff>("backgammon/bear-offs.jsonl").flatMap((bearOff) => {
    const { noDoubleOwned, noDoubleCentred, doubleTake } = bearOff.exact;
    const white = onBoard(bearOff.onRoll);
    const state = toRoll({ white, black: onBoard(bearOff.opponent), onRoll: WHITE });
    const doubled = Math.min(doubleTake, 1);
    const takes = answerToDouble(...of(view(state)), false) === "take";
    return ([null, WHITE] as const).map((owner) => {
      const noDouble = owner === null ? noDoubleCentred : noDoubleOwned;
      const doublesNow = doubles(...of(view({ ...state, cube: { value: 1, owner } })));
      const action = Math.max(noDouble, doubled) - (doublesNow ? doubled : noDouble);
      return { action, response: (takes ? doubleTake : 1) - doubled };
    });
  });
  expect(lost).toHaveLength(300);
  expect(meanOf(lost.map(({ action }) => action))).toBeLessThan(0.001);
  expect(meanOf(lost.map(({ response }) => response))).toBeLessThan(0.0011);
});

/** The last roll: white has checkers on these points, and black will bear off its last one next. */
const lastRoll = (
  white: Readonly<Record<number, number>>,
  more: Partial<State> = {},
  options: Json = {},
): State => ({ ...toRoll({ white, black: { 1: 2 }, onRoll: WHITE, options }), ...more }) as State;

describe("sure cases", () => {
  it("a roll of 25 in 36 doubles, and is taken: a take needs 9 in 36", () => {
    // From 3 and 2 a roll fails that has a 1, but for none (11 rolls): 25 bear both off.
    const state = lastRoll({ 3: 1, 2: 1 });
    expect(doubles(...of(view(state)))).toBe(true);
    expect(answerToDouble(...of(view(state)), false)).toBe("take");
  });

  it("a roll that cannot fail is doubled and passed", () => {
    const state = lastRoll({ 1: 2 });
    expect(doubles(...of(view(state)))).toBe(true);
    expect(answerToDouble(...of(view(state)), true)).toBe("pass");
  });

  it("a roll that wins 6 in 36 is not doubled, and a double of it is beavered", () => {
    // From 6 and 5: 6-5 (2 rolls), 6-6, 5-5 (6/1, 5/off, 1/off), 4-4 (6/2/off, 5/1/off), 3-3 (6/3/off, 5/2/off).
    const state = lastRoll({ 6: 1, 5: 1 });
    expect(doubles(...of(view(state)))).toBe(false);
    expect(answerToDouble(...of(view(state)), true)).toBe("beaver");
  });

  it("no double at double match point, nor with a cube that already wins the match", () => {
    const options = { length: 5 };
    const state = lastRoll({ 1: 2 }, {}, options);
    expect(doubles(...of({ ...view(state), score: [4, 4] }))).toBe(false);
    const cube = { value: 2, owner: WHITE, offered: false };
    expect(doubles(...of({ ...view(state), score: [3, 0], cube }))).toBe(false);
    expect(doubles(...of({ ...view(state), score: [0, 0] }))).toBe(true);
  });

  it("after the Crawford game the side behind doubles at once", () => {
    const table = toRoll({ white: START, black: START, onRoll: WHITE, options: { length: 7 } });
    expect(doubles(...of({ ...view(table), score: [3, 6] }))).toBe(true);
    expect(doubles(...of({ ...view(table), score: [6, 3] }))).toBe(false);
  });

  it("a beaver that cannot lose is raccooned, and the raccoon passed", () => {
    const state = lastRoll({ 1: 2 });
    expect(answerToBeaver(...of(view(state)), true)).toBe("raccoon");
    expect(takesRaccoon(...of(view(state)))).toBe(false);
  });

  it("the opening position is neither doubled nor passed", () => {
    const state = toRoll({ white: START, black: START, onRoll: WHITE });
    expect(doubles(...of(view(state)))).toBe(false);
    expect(answerToDouble(...of(view(state)), false)).toBe("take");
  });
});

describe("an offer to resign", () => {
  const start = toRoll({ white: START, black: START, onRoll: WHITE });

  it("of a single is accepted where a single is all there is to win, and at the start", () => {
    expect(acceptsResignation(...of(view(start)), 1)).toBe(true);
    const won = toRoll({ white: { 24: 14 }, black: { 1: 2 }, onRoll: WHITE });
    expect(acceptsResignation(...of(view(won)), 1)).toBe(true);
  });

  it("of a single is refused where a gammon is certain, and of a gammon accepted", () => {
    const lost = toRoll({ white: { 18: 15 }, black: { 1: 2 }, onRoll: WHITE });
    expect(acceptsResignation(...of(view(lost)), 1)).toBe(false);
    expect(acceptsResignation(...of(view(lost)), 2)).toBe(true);
    expect(acceptsResignation(...of(view(lost)), 3)).toBe(true);
  });
});

describe("an offer to resign with a roll to play", () => {
  it("is judged by the position after the roll", () => {
    // A checker to bring home, and one to bear off, else it is a gammon: 6-6 does both, 2-1 does neither.
    const given = { white: { 12: 1, 6: 14 }, black: { 1: 2 }, onRoll: WHITE } as const;
    const reply = (dice: Dice) => {
      const offered = accepted(toPlay({ ...given, dice }), WHITE, {
        type: "offer-resignation",
        value: "single",
      });
      const shown = view(folded(toPlay({ ...given, dice }), offered)) as unknown as JsonObject;
      const commands = [{ type: "accept-resignation" }, { type: "refuse-resignation" }];
      return heuristicEngine.choose({ view: shown, commands, seat: BLACK, pick: () => 0 });
    };
    expect(reply([6, 6])).toEqual({ type: "accept-resignation" });
    expect(reply([2, 1])).toEqual({ type: "refuse-resignation" });
  });
});

const PAIRS = process.env["TEST_SCALE"] === "full" ? 1_500 : 100;

it(`the cube wins points against the same engine that never doubles, ${PAIRS} pairs of games, seed ${SEED}`, {
  timeout: 300_000,
}, () => {
  // Seen: 0.26 points a game over 1,500 pairs, standard error 0.016.
  const neverDoubles: Engine = {
    build: "never-doubles",
    choose: (task) => {
      const commands = task.commands.filter(({ type }) => type !== "double");
      return heuristicEngine.choose({ ...task, commands });
    },
  };
  const points = Array.from({ length: PAIRS }, (_, pair) => {
    const game = { game: hostedBackgammon, variant: "standard", dice: `${SEED} cube ${pair}` };
    const [first = 0] = engineMatch({ ...game, engines: [heuristicEngine, neverDoubles] }).points;
    const [, second = 0] = engineMatch({
      ...game,
      engines: [neverDoubles, heuristicEngine],
    }).points;
    return (first + second) / 2;
  });
  const mean = meanOf(points);
  const error = Math.sqrt(meanOf(points.map((each) => (each - mean) ** 2)) / PAIRS);
  expect(mean, `${mean} points a game, standard error ${error}`).toBeGreaterThan(0.1);
});

it(`chances are chances in positions of every variant, seed ${SEED}`, () => {
  let positions = 0;
  for (const { position } of selfPlay(seeded(SEED))) {
    if (positions++ > 3_000) break;
    const { onRoll, opponent } = position;
    const of = chances(onRoll, opponent);
    const parts = [of.win, of.winGammon, of.winBackgammon, of.loseGammon, of.loseBackgammon];
    for (const part of parts) {
      expect(part, JSON.stringify({ position, of })).toBeGreaterThanOrEqual(0);
      expect(part).toBeLessThanOrEqual(1);
    }
    expect(of.winGammon).toBeLessThanOrEqual(of.win + 1e-9);
    expect(of.winBackgammon).toBeLessThanOrEqual(of.winGammon + 1e-9);
    expect(of.loseGammon).toBeLessThanOrEqual(1 - of.win + 1e-9);
    if (hasOff(onRoll)) expect(of.loseGammon).toBe(0);
    if (hasOff(opponent)) expect(of.winGammon).toBe(0);
  }
});

const hasOff = (side: Side): boolean => (side[0] ?? 0) > 0;

describe.each(VARIANTS)("in matches and sessions of %s the engine", (variant) => {
  it("chooses among what is listed only, and never gives up", () => {
    const pick = seeded(SEED);
    const draw = pickedDraw(pick);
    const sets: readonly Json[] = [
      {},
      { length: 5, nextGame: "ask" },
      { length: 0, beavers: true, raccoons: true, automaticDoubles: 3 },
    ];
    const seen = new Set<string>();
    for (const options of sets) {
      let state = backgammon.init(optionsOf(options, variant));
      for (let step = 0; step < 1_500 && state.phase !== "match-over"; step++) {
        const turn = backgammon.turn(state);
        if (turn.kind === "chance") {
          state = folded(state, backgammon.resolve(state, draw(turn.draw)));
          continue;
        }
        assert(turn.kind === "seats", "the match goes on");
        const seat = present(turn.seats[0], "a seat");
        const legal = backgammon.legal(state, seat);
        assert(legal.kind === "listed", "listed");
        const commands = legal.commands as unknown as readonly JsonObject[];
        const task = deepFrozen({ view: view(state) as unknown as JsonObject, commands, seat });
        const choice = heuristicEngine.choose({ ...task, pick }) as JsonObject;
        expect(commands).toContainEqual(choice);
        expect(["resign-match", "offer-resignation"]).not.toContain(choice["type"]);
        seen.add(String(choice["type"]));
        // Every other command is a random one, so that strange states come too.
        const any = commands.filter(({ type }) => type !== "resign-match");
        const next = pick(2) === 0 ? choice : present(any[pick(any.length)], "a command");
        const read = hostedBackgammon.readCommand(next);
        assert(read.ok, "it is readable");
        const decided = backgammon.decide(state, seat, read.value as never);
        assert(decided.ok, "it is legal");
        state = folded(state, decided.value);
      }
    }
    for (const type of ["roll", "play", "double", "take", "next-game", "accept-resignation"]) {
      expect(seen, type).toContain(type);
    }
  });
});
