import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Dice, Play, Position } from "../../src/games/backgammon/board.ts";

/** Who is measured, or measured against: a part of this program, or another program. */
export interface Player {
  /** Says who it is and how far it looks ahead; kept with the results. */
  readonly name: string;
  /** The play of the roll; asked only where there is a legal one. */
  play(situation: Situation, dice: Dice): Promise<Play>;
  /** Whether the side on roll doubles; asked only where it may. */
  doubles(situation: Situation): Promise<boolean>;
  /** Whether the opponent takes the double of the side on roll; the cube stands as before the double. */
  takes(situation: Situation): Promise<boolean>;
}

/** A player that holds something of the machine, and lets go of it. */
export interface OpenPlayer extends Player {
  close(): void;
}

/** Somebody's choice is against the rules, or is no choice at all: a measurement cannot go on. */
export class IllegalAnswer extends Error {
  override readonly name = "IllegalAnswer";
}

/** Money play with the cube in the middle, without Jacoby and beavers. */
export const moneySituation = (position: Position): Situation => ({
  position,
  cube: { value: 1, owner: "centre", limit: MONEY_CUBE_LIMIT },
  match: { length: 0, score: [0, 0], crawford: false },
  jacoby: false,
  beavers: false,
});

/** The highest cube in money games here; GNU Backgammon itself ends at 4096. */
export const MONEY_CUBE_LIMIT = 1_024;
