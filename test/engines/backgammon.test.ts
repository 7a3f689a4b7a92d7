import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../src/engines/backgammon/evaluate.ts";
import { heuristicEngine } from "../../src/engines/backgammon/heuristic.ts";
import { randomEngine } from "../../src/engines/engine.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { VARIANTS } from "../../src/games/backgammon/start.ts";
import { BLACK, WHITE } from "../../src/games/backgammon/state.ts";
import { view } from "../../src/games/backgammon/view.ts";
import { GAMES } from "../../src/games/registry.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { colourSwapped, toPlay } from "../games/backgammon/support/given.ts";
import { positionOf } from "../games/backgammon/support/positions.ts";
import { deepFrozen, SEED } from "../games/backgammon/support/random.ts";
import { engineMatch } from "../support/engine-match.ts";
import { ENGINES } from "../support/engines.ts";

const IS_FULL = process.env["TEST_SCALE"] === "full";
/** Pairs of matches: the same dice twice, with the seats exchanged. */
const PAIRS = IS_FULL ? 1_000 : 100;
const START = { 24: 2, 13: 5, 8: 3, 6: 5 };

const never = (): number => {
  throw new Error("a deterministic engine picks nothing");
};

/** What `heuristic` plays. */
const played = (state: ReturnType<typeof toPlay>): unknown => {
  const plays = legalPlays(
    { onRoll: state.sides[state.onRoll] ?? [], opponent: state.sides[1 - state.onRoll] ?? [] },
    state.dice,
  );
  const commands = plays.map(({ text }) => ({ type: "play", play: text }));
  const task = { view: view(state) as unknown as JsonObject, commands, seat: state.onRoll };
  const choice = heuristicEngine.choose({ ...deepFrozen(task), pick: never });
  return (choice as { readonly play?: string }).play;
};

describe.each(VARIANTS)("in %s", (variant) => {
  it(`heuristic beats random, ${PAIRS} pairs of matches, seed ${SEED}`, {
    timeout: 300_000,
  }, () => {
    let won = 0;
    let points = 0;
    for (let pair = 0; pair < PAIRS; pair++) {
      for (const seat of [WHITE, BLACK]) {
        const engines =
          seat === WHITE ? [heuristicEngine, randomEngine] : [randomEngine, heuristicEngine];
        const dice = `${SEED} ${variant} ${pair}`;
        const outcome = engineMatch({ game: hostedBackgammon, variant, engines, dice });
        if (outcome.winner === seat) won += 1;
        points += outcome.points[seat] ?? 0;
      }
    }
    const share = won / (2 * PAIRS);
    expect(share, `heuristic won ${won} of ${2 * PAIRS}, ${points} points`).toBeGreaterThanOrEqual(
      WON_AT_LEAST[variant],
    );
  });

  it("an engine finishes against itself", { timeout: 300_000 }, () => {
    for (const engine of [randomEngine, heuristicEngine]) {
      for (let match = 0; match < PAIRS / 20; match++) {
        const engines = [engine, engine];
        const dice = `${SEED} alone ${match}`;
        const outcome = engineMatch({ game: hostedBackgammon, variant, engines, dice });
        expect(outcome.winner).toBeDefined();
      }
    }
  });
});

/** Hypergammon has three checkers a side, and so much more luck. */
const WON_AT_LEAST = { standard: 0.9, nackgammon: 0.9, hypergammon: 0.75 } as const;

describe("heuristic", () => {
  const start = { white: START, black: START, onRoll: WHITE };

  it.each([
    [[3, 1], "8/5 6/5"],
    [[4, 2], "8/4 6/4"],
    [[6, 1], "13/7 8/7"],
    [[5, 3], "8/3 6/3"],
  ] as const)("opens %j with %s, as every book does", (dice, play) => {
    expect(played(toPlay({ ...start, dice }))).toBe(play);
  });

  it("plays alike for both colours", () => {
    for (const dice of [
      [6, 5],
      [4, 3],
      [2, 2],
      [5, 1],
    ] as const) {
      const state = toPlay({
        white: { 24: 1, 13: 4, 6: 5, 4: 2 },
        black: START,
        onRoll: WHITE,
        dice,
      });
      const swapped = colourSwapped(state);
      expect(swapped.phase === "to-play" && played(swapped)).toBe(played(state));
    }
  });

  it("hits a blot that bars the way, and covers its own", () => {
    const state = toPlay({
      white: START,
      black: { ...START, 6: 4, 5: 1 },
      onRoll: WHITE,
      dice: [4, 2],
    });
    expect(played(state)).toContain("24/20*");
  });

  it("bears off as many checkers as it can in a race", () => {
    const state = toPlay({
      white: { 6: 2, 5: 2, 2: 2 },
      black: { 6: 2 },
      onRoll: WHITE,
      dice: [6, 2],
    });
    expect(played(state)).toBe("6/off 2/off");
  });

  it("sends the only play as it stands", () => {
    const only = { type: "play", play: "24/20" };
    const commands = [only, { type: "resign-match" }];
    const state = toPlay({ ...start, dice: [3, 1] });
    const task = { view: view(state) as unknown as JsonObject, commands, seat: WHITE, pick: never };
    expect(heuristicEngine.choose(task)).toEqual(only);
  });

  it("holds a closed blot to be worth more than an open one", () => {
    const safe = positionOf({ 8: 2, 6: 2, 5: 2 }, { 24: 1, 6: 14 });
    const open = positionOf({ 8: 1, 7: 1, 6: 2, 5: 2 }, { 24: 1, 6: 14 });
    expect(evaluate(safe.onRoll, safe.opponent)).toBeGreaterThan(
      evaluate(open.onRoll, open.opponent),
    );
  });
});

describe("random", () => {
  it("chooses every command of its list, and none else", () => {
    const commands = [{ type: "roll" }, { type: "play", play: "8/5 6/5" }];
    const chosen = [0, 1].map((index) =>
      randomEngine.choose({ view: {}, commands, seat: 0, pick: () => index }),
    );
    expect(chosen).toEqual(commands);
  });
});

describe("the registry", () => {
  it("has engines for every game, each with a build of its own", () => {
    expect([...ENGINES.games.keys()]).toEqual([...GAMES.keys()]);
    for (const { levels } of ENGINES.games.values()) {
      const builds = [...levels.values()].map(({ engine }) => engine.build);
      expect(new Set(builds).size).toBe(levels.size);
    }
  });
});

it("an engine is given the view, the commands, its seat and a pick, and nothing else", () => {
  const source = readFileSync(new URL("../../src/engines/engine.ts", import.meta.url), "utf8");
  const task = /interface EngineTask \{(.*?)\n\}/s.exec(source)?.[1] ?? "";
  const fields = [...task.matchAll(/^ {2}readonly (\w+):/gm)].map(([, field]) => field);
  expect(fields).toEqual(["view", "commands", "seat", "pick"]);
});
