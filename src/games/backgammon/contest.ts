import type { Contest } from "./options.ts";
import type { BySeat } from "./state.ts";

/** Whether a score has won the match. A single game and a money session are won by no score. */
export const isWonAt = (contest: Contest, [white, black]: BySeat<number>): boolean =>
  contest.kind === "match" && Math.max(white, black) >= contest.length;

/** Whether exactly one side is one point away from the match. */
const isOneSideOneAway = (length: number, [white, black]: BySeat<number>): boolean =>
  (white === length - 1) !== (black === length - 1);

/**
 * Whether the game that follows is the Crawford game: the first one in which exactly one side is one point
 * away. It follows from the score history alone. (USBGF rules of play, "The Crawford rule".)
 *
 * @param before - the score at the start of the game that has just ended
 * @param after - the score now
 */
export const isCrawfordNext = (
  contest: Contest,
  before: BySeat<number>,
  after: BySeat<number>,
): boolean =>
  contest.kind === "match" &&
  contest.crawford &&
  isOneSideOneAway(contest.length, after) &&
  !isOneSideOneAway(contest.length, before);
