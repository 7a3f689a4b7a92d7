import { describe, expect, it } from "vitest";
import { heuristicEngine } from "../../src/engines/backgammon/heuristic.ts";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import { readOptions } from "../../src/games/backgammon/options-wire.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Json } from "../../src/kernel/json.ts";
import { diceOf, seeded } from "../../training/evaluate/dice.ts";
import { enginePlayer } from "../../training/evaluate/engine-player.ts";
import { playMatch } from "../../training/evaluate/game.ts";
import { cubefulWorth } from "../../training/evaluate/luck.ts";
import type { Player } from "../../training/evaluate/player.ts";
import { IllegalAnswer } from "../../training/evaluate/player.ts";
import { isOf, playPair, standingOf } from "../../training/evaluate/series.ts";
import { SEED } from "../games/backgammon/support/random.ts";
import { byPips } from "./support/by-pips.ts";

const optionsOf = (json: Json) => {
  const read = readOptions("standard", json);
  assert(read.ok, "the options of a test are readable");
  return read.value;
};

/** Plays the first legal play, and does with the cube as it is told. */
const plain = (more: Partial<Player> = {}): Player => ({
  name: "plain",
  play: async ({ position }, dice) =>
    present(legalPlays(position, dice)[0], "there is a legal play"),
  doubles: async () => false,
  takes: async () => true,
  ...more,
});

const draw = () => diceOf(seeded(SEED));

describe("a game", () => {
  it("is won by who doubles first, if all pass", async () => {
    const player = plain({ doubles: async () => true, takes: async () => false });
    const options = optionsOf({ jacoby: false });
    const { points, rolls } = await playMatch({ players: [player, player], options, draw: draw() });
    expect(Math.abs(points)).toBe(1);
    expect(rolls).toBe(1);
  });

  it("asks about the cube where it may be turned, in the view of who doubles, and never in the Crawford game", async () => {
    const asked: Situation[] = [];
    const answered: Situation[] = [];
    const player = plain({
      doubles: async (situation) => {
        asked.push(situation);
        return situation.cube.value < 2;
      },
      takes: async (situation) => {
        answered.push(situation);
        return true;
      },
    });
    const options = optionsOf({ length: 5, cubeLimit: 64 });
    for (let match = 0; match < 5; match++) {
      const dice = diceOf(seeded(SEED, match));
      const { points } = await playMatch({ players: [player, player], options, draw: dice });
      expect(Math.abs(points)).toBe(1);
    }
    expect(asked.some(({ match }) => match.crawford)).toBe(false);
    expect(asked.map(({ cube }) => cube.owner)).not.toContain("opponent");
    expect(asked.some(({ cube }) => cube.value === 2 && cube.owner === "onRoll")).toBe(true);
    expect(answered.length).toBeGreaterThan(0);
    for (const { cube } of answered) expect(cube).toEqual({ value: 1, owner: "centre", limit: 64 });
  });

  it("stops at a play that is not legal", async () => {
    const cheat = plain({
      play: async ({ position }) => present(legalPlays(position, [6, 6])[0], "sixes can be played"),
    });
    const options = optionsOf({ cube: false });
    const game = playMatch({ players: [cheat, cheat], options, draw: draw() });
    await expect(game).rejects.toThrow(IllegalAnswer);
  });
});

describe("a pair of games", () => {
  const heuristic = enginePlayer(heuristicEngine, "test");
  const series = {
    contest: "cubeful",
    players: [heuristic, heuristic],
    luck: { name: byPips.build, worth: cubefulWorth(byPips) },
    seed: SEED,
  } as const;

  it(`is level between equals, by points and by luck (SEED=${SEED})`, async () => {
    const pair = await playPair(series, 3);
    expect(pair.points[0]).not.toBe(0);
    expect(pair.points[0] + pair.points[1]).toBe(0);
    expect(pair.luck[0] + pair.luck[1]).toBeCloseTo(0, 12);
    expect(standingOf([pair]).adjusted.mean).toBeCloseTo(0, 12);
  });

  it("is the same again, and another with another number", async () => {
    const [once, again, other] = [
      await playPair(series, 3),
      await playPair(series, 3),
      await playPair(series, 4),
    ];
    expect(again).toEqual(once);
    expect(other.luck).not.toEqual(once.luck);
    expect(isOf(series, once)).toBe(true);
    expect(isOf({ ...series, seed: SEED + 1 }, once)).toBe(false);
  });
});

it("dice are fair: each of 36 throws comes as often as chance has it", () => {
  const dice = draw();
  const counts = new Map<string, number>();
  const THROWN = 36_000;
  for (let thrown = 0; thrown < THROWN; thrown++) {
    const drawn = dice({ kind: "2d6" });
    assert(drawn.kind === "2d6", "dice are drawn");
    const key = drawn.pair.join();
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const expected = THROWN / 36;
  const chiSquare = [...counts.values()].reduce(
    (sum, count) => sum + (count - expected) ** 2 / expected,
    0,
  );
  expect(counts.size).toBe(36);
  // 35 degrees of freedom: above 74.9 once in ten thousand seeds.
  expect(chiSquare).toBeLessThan(74.9);
});
