import { describe, expect, it } from "vitest";
import type { Level } from "../../src/engines/backgammon/levels.ts";
import { BEGINNERS_SLIPS, levelOf } from "../../src/engines/backgammon/levels.ts";
import { preferenceOf } from "../../src/engines/backgammon/preference.ts";
import { situationOf } from "../../src/engines/backgammon/situation.ts";
import type { Engine } from "../../src/engines/engine.ts";
import { backgammon } from "../../src/games/backgammon/game.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { VARIANTS } from "../../src/games/backgammon/start.ts";
import type { State } from "../../src/games/backgammon/state.ts";
import { positionFor, WHITE } from "../../src/games/backgammon/state.ts";
import { view } from "../../src/games/backgammon/view.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Pick } from "../../src/kernel/game.ts";
import { canonical, type Json, type JsonObject } from "../../src/kernel/json.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import { accepted, folded, optionsOf, toPlay, toRoll } from "../games/backgammon/support/given.ts";
import { deepFrozen, SEED, seeded, selfPlay } from "../games/backgammon/support/random.ts";
import { pickedDraw } from "../support/scripted-draw.ts";
import { staticEvaluator } from "../support/static-evaluator.ts";

const START = { 24: 2, 13: 5, 8: 3, 6: 5 };

const LEVEL: Level = {
  build: "sound",
  evaluator: staticEvaluator,
  plies: 0,
  cubePlies: 0,
  resigns: true,
};
const sound = levelOf(LEVEL);
const careless = levelOf({ ...LEVEL, build: "careless", slips: BEGINNERS_SLIPS });

const never: Pick = () => {
  throw new Error("a level without slips picks nothing");
};

const chosen = (engine: Engine, state: State, seat: Seat, pick = never): JsonObject => {
  const legal = backgammon.legal(state, seat);
  assert(legal.kind === "listed", "listed");
  const commands = legal.commands as unknown as readonly JsonObject[];
  const task = deepFrozen({ view: view(state) as unknown as JsonObject, commands, seat });
  return engine.choose({ ...task, pick }) as JsonObject;
};

const OPTION_SETS: readonly Json[] = [
  {},
  { cube: false },
  { cubeLimit: 2, jacoby: true, automaticDoubles: 2 },
  { length: 1 },
  { length: 3, crawford: false },
  { length: 5, nextGame: "ask" },
  { length: 7, autoRoll: true, autoPlay: true },
  { length: 0, beavers: true, raccoons: true, automaticDoubles: 3 },
];

/** Steps of each option set and engine: some matches long. */
const STEPS = process.env["TEST_SCALE"] === "full" ? 10_000 : 300;

describe.each(VARIANTS)("in %s", (variant) => {
  it(`every choice is listed, whatever was done before, seed ${SEED}`, { timeout: 300_000 }, () => {
    const pick = seeded(SEED);
    const draw = pickedDraw(pick);
    const seen = new Set<string>();
    for (const options of OPTION_SETS) {
      let state = backgammon.init(optionsOf(options, variant));
      for (let step = 0; step < STEPS; step++) {
        const turn = backgammon.turn(state);
        if (turn.kind === "over") {
          state = backgammon.init(optionsOf(options, variant));
          continue;
        }
        if (turn.kind === "chance") {
          state = folded(state, backgammon.resolve(state, draw(turn.draw)));
          continue;
        }
        const seat = present(turn.seats[0], "a seat");
        const legal = backgammon.legal(state, seat);
        assert(legal.kind === "listed", "listed");
        const commands = legal.commands as unknown as readonly JsonObject[];
        const choice = chosen(pick(2) === 0 ? sound : careless, state, seat, pick);
        expect(commands.map(canonical)).toContain(canonical(choice));
        expect(choice["type"]).not.toBe("resign-match");
        seen.add(String(choice["type"]));
        // Every other command is a random one, so that strange states come too.
        const any = commands.filter(({ type }) => type !== "resign-match");
        const next = pick(2) === 0 ? choice : present(any[pick(any.length)], "a command");
        const read = hostedBackgammon.readCommand(next);
        assert(read.ok, "it is readable");
        state = folded(state, accepted(state, seat, read.value as never));
      }
    }
    for (const type of ["roll", "play", "double", "take", "next-game", "accept-resignation"]) {
      expect(seen, type).toContain(type);
    }
  });
});

describe("a level without slips", () => {
  it("sends a play with its roll where the match asks for that", () => {
    const options = { autoRoll: true };
    const state = toPlay({ white: START, black: START, onRoll: WHITE, dice: [3, 1], options });
    expect(chosen(sound, state, WHITE)).toMatchObject({ type: "play", dice: [3, 1] });
  });

  it("resigns a single that is lost beyond doubt, and a gammon, and neither where it is not sure which", () => {
    const single = toRoll({ white: { 1: 10 }, black: { 1: 1 }, onRoll: WHITE });
    expect(chosen(sound, single, WHITE)).toEqual({ type: "offer-resignation", value: "single" });
    const gammon = toRoll({ white: { 18: 15 }, black: { 1: 2 }, onRoll: WHITE });
    expect(chosen(sound, gammon, WHITE)).toEqual({ type: "offer-resignation", value: "gammon" });
    const backgammonish = toRoll({ white: { 24: 15 }, black: { 1: 2 }, onRoll: WHITE });
    expect(chosen(sound, backgammonish, WHITE)).toEqual({
      type: "offer-resignation",
      value: "backgammon",
    });
    // A checker to bring home, and one to bear off: 6-6 alone saves the gammon, other rolls do not.
    const unsure = toRoll({ white: { 12: 1, 6: 14 }, black: { 1: 2 }, onRoll: WHITE });
    expect(chosen(sound, unsure, WHITE)["type"]).toBe("roll");
  });

  it("does not resign where there is a chance, nor what was refused, nor if it is not to", () => {
    const chance = toRoll({ white: { 1: 4 }, black: { 1: 1 }, onRoll: WHITE });
    expect(chosen(sound, chance, WHITE)["type"]).toBe("roll");
    const lost = toRoll({ white: { 1: 10 }, black: { 1: 1 }, onRoll: WHITE });
    const refused = { ...lost, refused: 1 } as const;
    expect(chosen(sound, refused, WHITE)["type"]).toBe("roll");
    const proud = levelOf({ ...LEVEL, resigns: false });
    expect(chosen(proud, lost, WHITE)["type"]).toBe("roll");
  });

  it("looks at each roll where its cube is to, and finds the same in sure cases", () => {
    const seer = levelOf({ ...LEVEL, cubePlies: 1 });
    const sure = toRoll({ white: { 1: 2 }, black: { 1: 2 }, onRoll: WHITE });
    expect(chosen(seer, sure, WHITE)).toEqual({ type: "double" });
    const opening = toRoll({ white: START, black: START, onRoll: WHITE });
    expect(chosen(seer, opening, WHITE)).toEqual({ type: "roll" });
  });
});

describe("a level with slips", () => {
  const state = toPlay({ white: START, black: START, onRoll: WHITE, dice: [4, 3] });
  const judged = staticEvaluator.plays(positionFor(state, WHITE), [4, 3], 0, {
    worth: ({ win, winGammon, loseGammon }) => 2 * win - 1 + winGammon - loseGammon,
    slopes: { win: 2, winGammon: 1, winBackgammon: 1, loseGammon: -1, loseBackgammon: -1 },
  });

  it("varies its plays, the better the more often, and leaves out those that cost too much", () => {
    const pick = seeded(SEED);
    const counts = new Map<string, number>();
    for (let time = 0; time < 500; time++) {
      const play = String(chosen(careless, state, WHITE, pick)["play"]);
      counts.set(play, (counts.get(play) ?? 0) + 1);
    }
    const plays = legalPlays(positionFor(state, WHITE), [4, 3]);
    expect(counts.size).toBeGreaterThan(1);
    expect(counts.size).toBeLessThan(plays.length);
    const best = present(judged[0], "a play").play.text;
    expect(counts.get(best)).toBe(Math.max(...counts.values()));
  });

  it(`costs little a play by its own judgement, and never more than it may, seed ${SEED}`, () => {
    const pick = seeded(SEED);
    const losses: number[] = [];
    for (const { position, dice } of selfPlay(pick)) {
      if (losses.length === 200) break;
      if (legalPlays(position, dice).length < 2) continue;
      const sides = [position.onRoll, position.opponent] as const;
      const table = { ...toPlay({ white: START, black: START, onRoll: WHITE, dice }), sides };
      const preference = preferenceOf(staticEvaluator, situationOf(view(table), WHITE));
      const plays = staticEvaluator.plays(position, dice, 0, preference);
      const text = chosen(careless, table, WHITE, pick)["play"];
      const play = present(
        plays.find((each) => each.play.text === text),
        "it is legal",
      );
      losses.push(present(plays[0], "a play").worth - play.worth);
    }
    expect(Math.max(...losses)).toBeLessThanOrEqual(BEGINNERS_SLIPS.lossMax);
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    expect(mean).toBeGreaterThan(0.005);
    expect(mean).toBeLessThan(0.06);
  });

  it("chooses by its picks alone", () => {
    for (let seed = 0; seed < 20; seed++) {
      const again = [1, 2].map(() => chosen(careless, state, WHITE, seeded(seed)));
      expect(again[0]).toEqual(again[1]);
    }
  });

  it("doubles now and then a little too early or too late, and never what is far from a double", () => {
    const pick = seeded(SEED);
    const opening = toRoll({ white: START, black: START, onRoll: WHITE });
    for (let time = 0; time < 200; time++) {
      expect(chosen(careless, opening, WHITE, pick)["type"]).toBe("roll");
    }
  });
});
