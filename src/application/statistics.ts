import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";
import { admitHere, identify } from "./policy.ts";
import type { GameGroup, Opponent } from "./ports.ts";
import type { Service } from "./service.ts";

/** Games of a player, counted. */
export interface Tally {
  readonly games: number;
  readonly wins: number;
  /** Points won less points lost. */
  readonly netPoints: number;
  /** How many were won and lost in each of the game's ways that has a word. */
  readonly kinds: Readonly<Record<string, { readonly won: number; readonly lost: number }>>;
}

/** What a player has done, in all and by game and opponent. */
export interface Statistics {
  readonly player: string;
  readonly total: Tally & { readonly longestStreak: number };
  readonly byGame: readonly (Tally & { readonly game: string })[];
  /** By game, humans first, then engines by the name of their level. */
  readonly byOpponent: readonly (Tally & { readonly game: string; readonly opponent: Opponent })[];
}

/**
 * A player's games, as the app that seated the player may know them. One whom the app never seated is not
 * found, so that a mistyped reference is not taken for a beginner.
 */
export const readStatistics = async (
  service: Service,
  asked: { readonly player: string; readonly token?: string },
): Promise<Result<Statistics, Failure>> => {
  const admitted = admitHere(await identify(service, asked.token), "read-statistics");
  if (!admitted.ok) return admitted;
  if (admitted.value.kind !== "app") return reject("not-allowed");
  const { player } = asked;
  const record = await service.matches.playerRecord({ app: admitted.value.app, player });
  if (record === undefined) return reject("player-not-found");
  const { groups, longestStreak } = record;
  return ok({
    player,
    total: { ...tally(groups), longestStreak },
    byGame: split(groups, ({ game }) => game).map((alike) => ({
      game: alike[0].game,
      ...tally(alike),
    })),
    byOpponent: split(groups, opponentKey).map((alike) => ({
      game: alike[0].game,
      opponent: alike[0].opponent,
      ...tally(alike),
    })),
  });
};

/** In the order of the texts: `human` has none behind it, so it comes first. */
const opponentKey = ({ game, opponent }: GameGroup): string =>
  opponent.kind === "human" ? `${game} ` : `${game} ${opponent.level}`;

type Alike = readonly [GameGroup, ...GameGroup[]];

/** The groups with the same key together, in the order of the keys. */
const split = (
  groups: readonly GameGroup[],
  keyOf: (group: GameGroup) => string,
): readonly Alike[] => {
  const byKey = new Map<string, Alike>();
  for (const group of groups) {
    const alike = byKey.get(keyOf(group));
    byKey.set(keyOf(group), alike === undefined ? [group] : [...alike, group]);
  }
  return [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, alike]) => alike);
};

const tally = (groups: readonly GameGroup[]): Tally => {
  const games = (some: readonly GameGroup[]): number => some.reduce((sum, g) => sum + g.games, 0);
  const words = [...new Set(groups.flatMap(({ kind }) => (kind === undefined ? [] : [kind])))];
  const kinds = words.sort().map((word) => {
    const alike = groups.filter(({ kind }) => kind === word);
    const won = games(alike.filter((group) => group.won));
    return [word, { won, lost: games(alike) - won }] as const;
  });
  return {
    games: games(groups),
    wins: games(groups.filter(({ won }) => won)),
    netPoints: groups.reduce((sum, { points }) => sum + points, 0),
    kinds: Object.fromEntries(kinds),
  };
};
