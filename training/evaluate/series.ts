import type { Options } from "../../src/games/backgammon/options.ts";
import { readOptions } from "../../src/games/backgammon/options-wire.ts";
import { assert } from "../../src/kernel/assert.ts";
import { diceOf, seeded } from "./dice.ts";
import { playMatch } from "./game.ts";
import type { RollWorth } from "./luck.ts";
import type { Player } from "./player.ts";
import { MONEY_CUBE_LIMIT } from "./player.ts";
import type { Summary } from "./statistics.ts";
import { summaryOf } from "./statistics.ts";

/** What a series plays: money games without or with a cube, or matches to so many points. */
export type Contest = "cubeless" | "cubeful" | number;

/** Two players, who play each pair of games with the same dice and exchange seats in between. */
export interface Series {
  readonly contest: Contest;
  /** Games are counted for the first. */
  readonly players: readonly [Player, Player];
  /** By what luck is counted, and its name; absent: it is not. */
  readonly luck?: { readonly name: string; readonly worth: RollWorth };
  readonly seed: number;
}

/** What a pair of games has given, as one line of JSON: whatever its result depends on, and the result. */
export interface Pair {
  readonly contest: Contest;
  readonly players: readonly [string, string];
  /** Null: luck was not counted. */
  readonly luckBy: string | null;
  readonly seed: number;
  /** Its number, which with the seed decides the dice. */
  readonly pair: number;
  /** Points of the first player, first as white, then as black; in matches 1 or -1. */
  readonly points: readonly [number, number];
  /** What the dice gave the first player in each, in the same unit. */
  readonly luck: readonly [number, number];
  /** Rolls of both games. */
  readonly rolls: number;
}

/** Plays the pair of this number. */
export const playPair = async (series: Series, pair: number): Promise<Pair> => {
  const { contest, players, luck, seed } = series;
  const [first, second] = players;
  const options = optionsOf(contest);
  const play = (seats: readonly [Player, Player]) =>
    playMatch({
      players: seats,
      options,
      draw: diceOf(seeded(seed, pair)),
      ...(luck === undefined ? {} : { worth: luck.worth }),
    });
  const asWhite = await play([first, second]);
  const asBlack = await play([second, first]);
  return {
    ...headOf(series),
    pair,
    points: [asWhite.points, -asBlack.points],
    luck: [asWhite.luck, -asBlack.luck],
    rolls: asWhite.rolls + asBlack.rolls,
  };
};

/** What the pairs of a series have in common. */
const headOf = ({ contest, players, luck, seed }: Series) => ({
  contest,
  players: [players[0].name, players[1].name] as const,
  luckBy: luck?.name ?? null,
  seed,
});

/** Whether the pair is one of the series, and so need not be played again. */
export const isOf = (series: Series, { contest, players, luckBy, seed }: Pair): boolean =>
  JSON.stringify(headOf(series)) === JSON.stringify({ contest, players, luckBy, seed });

const optionsOf = (contest: Contest): Options => {
  const money = { jacoby: false, beavers: false };
  const asked = {
    cubeless: { ...money, cube: false },
    cubeful: { ...money, cubeLimit: MONEY_CUBE_LIMIT },
  };
  const read = readOptions(
    "standard",
    typeof contest === "number" ? { length: contest } : asked[contest],
  );
  assert(read.ok, "the contests of a series can be opened");
  return read.value;
};

/** The mean points of the first player a game, as they fell and less the luck. */
export interface Standing {
  readonly plain: Summary;
  readonly adjusted: Summary;
}

/** Of pairs, not games, which share their dice: the errors are of independent numbers. */
export const standingOf = (pairs: readonly Pair[]): Standing => ({
  plain: summaryOf(pairs.map(({ points }) => (points[0] + points[1]) / 2)),
  adjusted: summaryOf(
    pairs.map(({ points, luck }) => (points[0] - luck[0] + points[1] - luck[1]) / 2),
  ),
});
