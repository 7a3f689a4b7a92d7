import type { Seat } from "../../../kernel/seat.ts";
import { BAR, mirrored, OFF } from "../board.ts";
import { WHITE } from "../state.ts";

/** White's points 1..24, then the bar and off. */
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const OFF_INDEX = 25;

/** The letter of a seat's own place: as White counts, whoever moves. */
export const letterOf = (place: number, seat: Seat): string => {
  if (place === OFF) return LETTERS.charAt(OFF_INDEX);
  if (place === BAR || seat === WHITE) return LETTERS.charAt(place - 1);
  return LETTERS.charAt(mirrored(place) - 1);
};

/** The seat's own place of a letter `a`..`z`. */
export const placeOf = (letter: string, seat: Seat): number => {
  const index = LETTERS.indexOf(letter);
  if (index === OFF_INDEX) return OFF;
  const place = index + 1;
  return place === BAR || seat === WHITE ? place : mirrored(place);
};
