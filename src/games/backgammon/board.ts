import { assert, present } from "../../kernel/assert.ts";

/** Where borne-off checkers are counted, in a side's own coordinates. */
export const OFF = 0;
/** Where hit checkers wait, in a side's own coordinates. */
export const BAR = 25;
/** Places of a side: 0 off, 1..24 points counted from its own home, 25 bar. */
export const PLACES = 26;

/** One side's checkers: 26 counts in its own coordinates, 0 off … 25 bar. */
export type Side = readonly number[];

/** A position from the side of the player on roll. Each side stands in its own coordinates. */
export interface Position {
  readonly onRoll: Side;
  readonly opponent: Side;
}

/** A roll, as it fell: two dice, 1..6 each. */
export type Dice = readonly [number, number];

/** One checker by one die, in the mover's coordinates: `from` 1..25, `to` 0..24. */
export interface CheckerMove {
  readonly from: number;
  readonly to: number;
  readonly die: number;
  readonly hit: boolean;
}

/** Everything done with one roll. */
export interface Play {
  /** Canonical text: `13/7* 8/7`. */
  readonly text: string;
  /** The checker moves in an order in which they can be played; 1 to 4 of them. */
  readonly moves: readonly CheckerMove[];
  /** The position after the play, from the side of the opponent, who is on roll then. */
  readonly after: Position;
}

/** The point that the opponent numbers so: my 24 is your 1. */
export const mirrored = (point: number): number => 25 - point;

/** The side's count at a place. */
export const at = (side: Side, place: number): number =>
  present(side[place], "a place is 0 off … 25 bar");

/** A side from its checkers: `side({ 24: 2, 13: 5, 8: 3, 6: 5 })`; places as in `Side`. */
export const side = (checkers: Readonly<Record<number, number>>): Side => {
  const counts: number[] = new Array(PLACES).fill(0);
  for (const [place, count] of Object.entries(checkers)) {
    const index = Number(place);
    assert(Number.isInteger(index) && index >= OFF && index <= BAR, "a place is 0 off … 25 bar");
    counts[index] = count;
  }
  return counts;
};

/** The same position from the other side, who is on roll then. */
export const turned = ({ onRoll, opponent }: Position): Position => ({
  onRoll: opponent,
  opponent: onRoll,
});

/** The side's pips: how far its checkers still have to travel; the bar counts 25. */
export const pipCount = (side: Side): number =>
  side.reduce((pips, count, place) => pips + count * place, 0);

/** How many checkers the side has, those on the bar and off among them. */
export const checkers = (side: Side): number => side.reduce((sum, count) => sum + count, 0);
