import { type Rejection, type Result, reject } from "../../kernel/result.ts";
import { at, BAR, checkers, mirrored, OFF, PLACES, type Position, type Side } from "./board.ts";

/** The most checkers that a side has: 15 each at the start of a game. */
export const CHECKERS_MAX = 15;

/** Two sides as somebody describes them, not yet known to be a position. */
export interface Setup {
  readonly onRoll: readonly number[];
  readonly opponent: readonly number[];
}

/**
 * The position of a set-up: 26 counts a side, 0..15 each, at most `checkersPerSide` in all, and no point
 * held by both. A position that is over passes; see `isOver`.
 *
 * @param checkersPerSide - how many a side has at the start, 1..15; 3 in hypergammon
 * @returns the position; or `position-not-playable` with the `side` or the `point` (as the side on
 *   roll counts it) and the `reason`
 */
export const position = (
  setup: Setup,
  checkersPerSide: number = CHECKERS_MAX,
): Result<Position, Rejection<"position-not-playable">> => {
  for (const name of ["onRoll", "opponent"] as const) {
    const counts = setup[name];
    if (counts.length !== PLACES) return unplayable({ reason: "not-26-places", side: name });
    if (!counts.every(isCount)) return unplayable({ reason: "count-out-of-range", side: name });
    if (checkers(counts) > checkersPerSide)
      return unplayable({ reason: "too-many-checkers", side: name });
  }
  for (let point = 1; point < BAR; point++) {
    if (at(setup.onRoll, point) > 0 && at(setup.opponent, mirrored(point)) > 0)
      return unplayable({ reason: "point-held-by-both", point });
  }
  return {
    ok: true,
    value: { onRoll: [...setup.onRoll], opponent: [...setup.opponent] },
  };
};

/** Whether the game is over: a side has no checker left on a point or on the bar. */
export const isOver = ({ onRoll, opponent }: Position): boolean =>
  isBorneOff(onRoll) || isBorneOff(opponent);

const isBorneOff = (side: Side): boolean => checkers(side) === at(side, OFF);

const isCount = (count: number): boolean =>
  Number.isInteger(count) && count >= 0 && count <= CHECKERS_MAX;

const unplayable = (facts: Rejection<string>["facts"]) => reject("position-not-playable", facts);
