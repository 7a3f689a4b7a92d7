import { describe, expect, it } from "vitest";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import type { Position } from "../../src/games/backgammon/board.ts";
import { side } from "../../src/games/backgammon/board.ts";
import type { Options } from "../../src/games/backgammon/options.ts";
import { readOptions } from "../../src/games/backgammon/options-wire.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { isOver } from "../../src/games/backgammon/position.ts";
import { assert } from "../../src/kernel/assert.ts";
import type { Json } from "../../src/kernel/json.ts";
import { diceOf, seeded } from "../../training/evaluate/dice.ts";
import { evaluatorPlayer } from "../../training/evaluate/evaluator-player.ts";
import { playMatch } from "../../training/evaluate/game.ts";
import {
  cubefulWorth,
  cubelessWorth,
  luckOf,
  openingLuckOf,
} from "../../training/evaluate/luck.ts";
import { moneySituation } from "../../training/evaluate/player.ts";
import { summaryOf } from "../../training/evaluate/statistics.ts";
import { SEED, selfPlay, seeded as smallSeeded } from "../games/backgammon/support/random.ts";
import { byPips } from "./support/by-pips.ts";
import { evaluatorOf } from "./support/static-evaluator.ts";

const FACES = [1, 2, 3, 4, 5, 6];
const THROWS = FACES.flatMap((one) => FACES.map((other) => [one, other] as const));

const winning = (win: number): Chances => ({
  win,
  winGammon: 0,
  winBackgammon: 0,
  loseGammon: 0,
  loseBackgammon: 0,
});

/** What is known of tiny bear-offs without an evaluator: the best of all plays of all rolls to the end. */
const known = new Map<string, number>();
const winChance = (position: Position): number => {
  const key = JSON.stringify(position);
  const made = known.get(key) ?? sumOf(position) / 36;
  known.set(key, made);
  return made;
};
const sumOf = (position: Position): number =>
  THROWS.map((dice) =>
    Math.max(
      ...legalPlays(position, dice).map(({ after }) => (isOver(after) ? 1 : 1 - winChance(after))),
    ),
  ).reduce((sum, one) => sum + one, 0);

const exact = evaluatorOf("exact", (position) => winning(winChance(position)));

const TINY: Position = {
  onRoll: side({ 0: 12, 5: 2, 2: 1 }),
  opponent: side({ 0: 13, 4: 1, 3: 1 }),
};

const optionsOf = (json: Json, variant = "standard"): Options => {
  const read = readOptions(variant, json);
  assert(read.ok, "the options of a test are readable");
  return read.value;
};

const startedAt = (options: Options, { onRoll, opponent }: Position): Options => ({
  ...options,
  start: {
    sides: [onRoll, opponent],
    cube: { value: 1, owner: null },
    score: [0, 0],
    crawford: false,
    isDoubleOffered: false,
  },
});

const SITUATIONS = 5;
const GAMES = 100;

describe("luck", () => {
  const positions = selfPlay(smallSeeded(SEED));
  const situations = Array.from({ length: SITUATIONS }, () => positions.next().value).map(
    ({ position }) => ({
      ...moneySituation(position),
      cube: { value: 2, owner: "opponent", limit: 64 } as const,
      match: { length: 7, score: [3, 1], crawford: false } as const,
    }),
  );

  it.each([
    ["without a cube", cubelessWorth(byPips)],
    ["with the cube in a match", cubefulWorth(byPips)],
  ])(`is 0 on the mean of all 36 throws, %s (SEED=${SEED})`, (_, worth) => {
    const lucks = situations.map((situation) =>
      THROWS.map((dice) => luckOf(worth, situation, dice)),
    );
    expect(Math.max(...lucks.flat())).toBeGreaterThan(0.001);
    for (const all of lucks) expect(summaryOf(all).mean).toBeCloseTo(0, 12);
  });

  it("of an opening is 0 on the mean of the 30 that there are, at any score", () => {
    const start = side({ 24: 2, 13: 5, 8: 3, 6: 5 });
    const money = moneySituation({ onRoll: start, opponent: start });
    const behind = { ...money, match: { length: 5, score: [1, 3], crawford: false } as const };
    const openings = THROWS.filter(([one, other]) => one !== other);
    for (const situation of [money, behind]) {
      const lucks = openings.map((pair) => openingLuckOf(cubefulWorth(byPips), situation, pair));
      expect(lucks).toHaveLength(30);
      expect(summaryOf(lucks).mean).toBeCloseTo(0, 12);
      expect(openingLuckOf(cubefulWorth(byPips), situation, [2, 6])).toBeLessThan(-0.01);
    }
  });

  it.each([
    ["a game for points", { cube: false }, cubelessWorth(exact)],
    ["a match to one point", { length: 1 }, cubefulWorth(exact)],
  ])(
    "explains all of %s between players without fault, if its judge has none",
    async (_, json, worth) => {
      const options = startedAt(optionsOf(json), TINY);
      const player = evaluatorPlayer(exact, 0);
      const results: number[] = [];
      for (let game = 0; game < 20; game++) {
        const draw = diceOf(seeded(SEED, game));
        const { points, luck } = await playMatch({
          players: [player, player],
          options,
          draw,
          worth,
        });
        expect(points - luck).toBeCloseTo(2 * winChance(TINY) - 1, 9);
        results.push(points);
      }
      expect(new Set(results)).toEqual(new Set([1, -1]));
    },
  );

  it(`taken off, leaves the mean where it was, its judge being a poor one, ${GAMES} games of hypergammon (SEED=${SEED})`, async () => {
    const options = optionsOf({ cube: false }, "hypergammon");
    const player = evaluatorPlayer(byPips, 0);
    const players = [player, player] as const;
    const worth = cubelessWorth(byPips);
    const games: { readonly points: number; readonly luck: number }[] = [];
    for (let game = 0; game < GAMES; game++) {
      const draw = diceOf(seeded(SEED, game));
      games.push(await playMatch({ players, options, draw, worth }));
    }
    const luck = summaryOf(games.map((game) => game.luck));
    expect(Math.abs(luck.mean)).toBeLessThan(4 * luck.standardError);
  });
});
