import type { Worth } from "./cubeful.ts";
import { PUBLISHED_AWAY_MAX } from "./match-equity-table.ts";
import type { Away, MatchChance, NextGame } from "./match-model.ts";
import { matchModel, worthIn } from "./match-model.ts";

/** The chances that decisions are made by, for any whole numbers: as published, and as modelled beyond. */
export const matchChance: MatchChance = matchModel(PUBLISHED_AWAY_MAX);

/**
 * What points are worth in a game of a match: the chance of winning the match after it.
 *
 * @param away - before the game
 * @param next - the game that follows where exactly one side is 1-away then
 */
export const matchWorth: (away: Away, next: NextGame) => Worth = worthIn(matchChance);
