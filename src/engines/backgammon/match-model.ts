import { present } from "../../kernel/assert.ts";
import type { Outlook, Worth } from "./cubeful.ts";
import { cubeful } from "./cubeful.ts";
import { PUBLISHED, PUBLISHED_POST_CRAWFORD } from "./match-equity-table.ts";

/*
 * The chance of winning a match: as published where both sides need at most 25 points, beyond that from a
 * model of our own, and in matches longer than any that is played by their likeness to shorter ones.
 *
 * The model: every game is even, and so many of its wins are gammons; backgammons are left out. Backwards
 * from the end of the match:
 * - Crawford game: there is no cube.
 * - After it, the side behind doubles at once and the other takes, so every game counts two. Where it
 *   needs exactly two, the leader may pass for nothing, and does where the game has begun badly: the free
 *   drop, worth 0.012 (R. Janowski, "Match Equity Formula Reviewed", 2013, of the Rockwell-Kazaross
 *   table).
 * - Before it, `cubeful` says what the game with the cube in the middle is worth.
 *
 * `test/engines/match-equity.test.ts` says how far the model is from the published figures.
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

/** The seat's chance of winning the match before a game, 0..1; a half where both need the same. */
export type MatchChance = (away: Away, next: NextGame) => number;

/** The share of wins that are gammons: in a game with a live cube, which cuts many short; in others. */
const GAMMONS = 0.22;
const GAMMONS_CUBELESS = 0.27;
const FREE_DROP = 0.012;

/** How far the model goes, in points that a side needs. */
const MODELLED_AWAY_MAX = 64;

/**
 * The chances by the model, but for those that are published.
 *
 * @param publishedMax - how far the published figures are taken, 0..25
 */
export const matchModel = (publishedMax: number): MatchChance => {
  const afterCrawford = postCrawfordModel(publishedMax);
  const known = new Map<number, number>();

  const chanceOf: MatchChance = ({ own, other }, next) => {
    if (own <= 0) return 1;
    if (other <= 0) return 0;
    if (own === other) return 0.5;
    return own < other ? 1 - behind(own, other, next) : behind(other, own, next);
  };

  /** Of the side behind. */
  const behind = (leader: number, trailer: number, next: NextGame): number => {
    if (trailer > MODELLED_AWAY_MAX) return alike(leader, trailer);
    if (leader === 1 && next === "post-crawford") return postCrawford(trailer);
    if (trailer <= publishedMax) return published(leader, trailer);
    return leader === 1 ? crawford(trailer) : preCrawford(leader, trailer);
  };

  /** Of the side behind, `away` 2 or more, in the Crawford game. */
  const crawford = (away: number): number =>
    0.5 *
    ((1 - GAMMONS_CUBELESS) * postCrawford(away - 1) + GAMMONS_CUBELESS * postCrawford(away - 2));

  /** Of the side behind, the other being 1-away, after the Crawford game. */
  const postCrawford = (away: number): number =>
    away <= 0 ? 1 : present(afterCrawford[away - 1], "it is in the model");

  /** Of the side behind, both needing 2 or more. */
  const preCrawford = (leader: number, trailer: number): number => {
    const key = trailer * MODELLED_AWAY_MAX + leader;
    const worth = worthIn(chanceOf)({ own: trailer, other: leader }, "crawford");
    const made = known.get(key) ?? cubeful({ ...EVEN_GAME, worth }, { value: 1, owner: null });
    known.set(key, made);
    return made;
  };

  /**
   * Of the side behind in a match too long for the model. It is a walk of many small steps: what counts is
   * the lead by the root of the points that both need, so the score is as good as the one with the same
   * quotient that the model reaches.
   */
  const alike = (leader: number, trailer: number): number => {
    const square = (trailer - leader) ** 2 / (trailer + leader);
    const lead = (Math.sqrt(square ** 2 + 8 * MODELLED_AWAY_MAX * square) - square) / 2;
    const needs = Math.max(1, MODELLED_AWAY_MAX - lead);
    const [fewer, more] = [Math.floor(needs), Math.ceil(needs)].map((own) =>
      chanceOf({ own: MODELLED_AWAY_MAX, other: own }, "crawford"),
    );
    return (fewer ?? 0) + ((more ?? 0) - (fewer ?? 0)) * (needs - Math.floor(needs));
  };

  return chanceOf;
};

/** After the Crawford game, the leader being 1-away: by the points that the side behind needs, from 1. */
const postCrawfordModel = (publishedMax: number): readonly number[] => {
  const chances = PUBLISHED_POST_CRAWFORD.slice(0, Math.max(1, publishedMax));
  const of = (away: number): number => chances[away - 1] ?? 1;
  for (let away = chances.length + 1; away <= MODELLED_AWAY_MAX; away++) {
    const won = (1 - GAMMONS_CUBELESS) * of(away - 2) + GAMMONS_CUBELESS * of(away - 4);
    chances.push(0.5 * won - (away === 2 ? FREE_DROP : 0));
  }
  return chances;
};

/** Of the side behind, as published. */
const published = (leader: number, trailer: number): number =>
  present(PUBLISHED[trailer - 2]?.[leader - 1], "it is published");

const EVEN_GAME: Omit<Outlook, "worth"> = {
  chances: {
    win: 0.5,
    winGammon: 0.5 * GAMMONS,
    winBackgammon: 0,
    loseGammon: 0.5 * GAMMONS,
    loseBackgammon: 0,
  },
  onRoll: "own",
  liveness: 1,
  cubeLimit: Number.POSITIVE_INFINITY,
  jacoby: false,
};

/** What points are worth in a game of a match, by the chances of winning it. */
export const worthIn =
  (chanceOf: MatchChance) =>
  ({ own, other }: Away, next: NextGame): Worth =>
  (points) =>
    points > 0
      ? chanceOf({ own: own - points, other }, next)
      : chanceOf({ own, other: other + points }, next);
