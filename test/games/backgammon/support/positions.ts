import {
  at,
  checkers,
  OFF,
  type Position,
  type Side,
  side,
} from "../../../../src/games/backgammon/board.ts";

/** A side of 15 from the checkers still to bear off: what is not listed is off. */
export const fifteen = (onBoard: Readonly<Record<number, number>>): Side =>
  side({ ...onBoard, [OFF]: 15 - checkers(side(onBoard)) });

/** A position of 15 checkers a side. */
export const positionOf = (
  onRoll: Readonly<Record<number, number>>,
  opponent: Readonly<Record<number, number>>,
): Position => ({ onRoll: fifteen(onRoll), opponent: fifteen(opponent) });

/** A side from 25 counts, its points 1..24 and then its bar, as golden files have it. */
export const sideOfCounts = (counts: readonly number[]): Side => {
  const known = [0, ...counts];
  return [15 - checkers(known), ...known.slice(1)];
};

/** The checkers a side still has on points and bar. */
export const onBoard = (whose: Side): number => checkers(whose) - at(whose, OFF);
