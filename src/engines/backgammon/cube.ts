import type { CubeAt, Outlook } from "./cubeful.ts";
import { canGain, cubeful } from "./cubeful.ts";

/** A seat's decision about the cube: the game as it sees it, with the cube as it stands. */
export interface Situation {
  readonly outlook: Outlook;
  readonly cube: CubeAt;
}

/** A double that waits for the seat's answer, or a beaver or raccoon. */
export interface Offer {
  readonly kind: "double" | "beaver" | "raccoon";
  /** The cube's value after a take. */
  readonly cube: number;
  /** The points that a pass loses. */
  readonly passPoints: number;
}

/** `raise` is the beaver or the raccoon. */
export type Answer = "take" | "pass" | "raise";

/** Less than this is no gain. */
const NOTHING = 1e-9;

/**
 * Whether the seat, on roll, doubles: if to be taken or passed, whichever the other likes better, is
 * worth more than to roll on. Never where the cube is dead for it: where a single win at the present
 * value already wins all that there is to win.
 */
export const doubles = ({ outlook, cube }: Situation): boolean => {
  if (!canGain(outlook, cube, "own")) return false;
  const taken = cubeful(outlook, { value: 2 * cube.value, owner: "other" });
  const passed = outlook.worth(cube.value);
  return Math.min(taken, passed) > cubeful(outlook, cube) + NOTHING;
};

/**
 * The seat's answer to a double, a beaver or a raccoon: the one that is worth most to it, of equals the
 * take. After a double or a raccoon it owns the cube if it takes, after a beaver the other does.
 *
 * @param mayRaise - whether a beaver or raccoon is allowed
 */
export const answer = (outlook: Outlook, offer: Offer, mayRaise: boolean): Answer => {
  const owner = offer.kind === "beaver" ? "other" : "own";
  const passed = outlook.worth(-offer.passPoints);
  const taken = cubeful(outlook, { value: offer.cube, owner });
  const raised = mayRaise
    ? cubeful(outlook, { value: 2 * offer.cube, owner })
    : Number.NEGATIVE_INFINITY;
  if (Math.max(taken, raised) < passed - NOTHING) return "pass";
  return raised > taken + NOTHING ? "raise" : "take";
};

/** The share of a single game that the seat forgoes rather than play on: no estimate is finer. */
const PATIENCE = 0.01;

/** Whether the seat takes so many points now: unless to play on is worth more to it. */
export const acceptsResignation = ({ outlook, cube }: Situation, points: number): boolean => {
  const { worth } = outlook;
  const single = (worth(cube.value) - worth(-cube.value)) / 2;
  return worth(points) + PATIENCE * single >= cubeful(outlook, cube);
};
