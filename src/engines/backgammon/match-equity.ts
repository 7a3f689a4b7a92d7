import type { Outlook, Worth } from "./cubeful.ts";
import { cubeful } from "./cubeful.ts";

/*
 * The chance of winning a match, from a model of our own.
 *
 * Every game is even, and so many of its wins are gammons; backgammons are left out. Backwards from the
 * end of the match:
 * - Crawford game: there is no cube.
 * - After it, the side behind doubles at once and the other takes, so every game counts two. Where it
 *   needs exactly two, the leader may pass for nothing, and does where the game has begun badly: the free
 *   drop, worth 0.012 (R. Janowski, "Match Equity Formula Reviewed", 2013, of the Rockwell-Kazaross
 *   table).
 * - Before it, `cubeful` says what the game with the cube in the middle is worth.
 *
 * `test/engines/cube.test.ts` says how far it is from the published table of Kazaross (XG2).
 */

/** Where two sides stand in a match, before a game or in it. */
export interface Away {
  /** Points that the seat still needs; 0 or less: it has won. */
  readonly own: number;
  /** Points that the other still needs; not both are 0 or less. */
  readonly other: number;
}

/** What is to come where exactly one side is 1-away; elsewhere it makes no difference. */
export type NextGame = "crawford" | "post-crawford";

/** The share of wins that are gammons: in a game with a live cube, which cuts many short; in others. */
const GAMMONS = 0.22;
const GAMMONS_CUBELESS = 0.27;
const FREE_DROP = 0.012;

/**
 * The seat's chance of winning the match before a game, 0..1; a half where both need the same.
 *
 * @param away - any whole numbers; the chances of all lower ones are made once and kept
 */
export const matchChance = ({ own, other }: Away, next: NextGame): number => {
  if (own <= 0) return 1;
  if (other <= 0) return 0;
  if (own === other) return 0.5;
  if (own < other) return 1 - behind(own, other, next);
  return behind(other, own, next);
};

const behind = (leader: number, trailer: number, next: NextGame): number => {
  if (leader === 1) return next === "crawford" ? crawford(trailer) : postCrawford(trailer);
  return preCrawford(leader, trailer);
};

/** Of the side behind, `away` 2 or more, in the Crawford game. */
const crawford = (away: number): number =>
  0.5 *
  ((1 - GAMMONS_CUBELESS) * postCrawford(away - 1) + GAMMONS_CUBELESS * postCrawford(away - 2));

/** Of the side behind, the other being 1-away, after the Crawford game. */
const postCrawford = (away: number): number => {
  if (away <= 0) return 1;
  if (away === 1) return 0.5;
  const single = postCrawford(away - 2);
  const gammon = postCrawford(away - 4);
  const won = (1 - GAMMONS_CUBELESS) * single + GAMMONS_CUBELESS * gammon;
  return 0.5 * won - (away === 2 ? FREE_DROP : 0);
};

/** Of the side behind, both needing 2 or more. */
const preCrawford = (leader: number, trailer: number): number => {
  const key = trailer * (trailer + 1) + leader;
  const made = known.get(key) ?? cubeful(evenGame(leader, trailer), { value: 1, owner: null });
  known.set(key, made);
  return made;
};

const known = new Map<number, number>();

const evenGame = (leader: number, trailer: number): Outlook => ({
  chances: {
    win: 0.5,
    winGammon: 0.5 * GAMMONS,
    winBackgammon: 0,
    loseGammon: 0.5 * GAMMONS,
    loseBackgammon: 0,
  },
  liveness: 1,
  worth: matchWorth({ own: trailer, other: leader }, "crawford"),
  cubeLimit: Number.POSITIVE_INFINITY,
  jacoby: false,
});

/**
 * What points are worth in a game of a match: the chance of winning the match after it.
 *
 * @param away - before the game
 * @param next - the game that follows where exactly one side is 1-away then
 */
export const matchWorth =
  ({ own, other }: Away, next: NextGame): Worth =>
  (points) =>
    points > 0
      ? matchChance({ own: own - points, other }, next)
      : matchChance({ own, other: other + points }, next);
