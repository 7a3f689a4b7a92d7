import { assert } from "./assert.ts";

declare const seatBrand: unique symbol;

/** A place at the match: 0, 1, …. In backgammon 0 is white and 1 is black. */
export type Seat = number & { readonly [seatBrand]: true };

/** Makes a seat of its number; the only place that does. */
export const seat = (number: number): Seat => {
  assert(Number.isInteger(number) && number >= 0 && number < 16, "a seat is a small whole number");
  return number as Seat;
};

/** Who is looking: somebody in a seat, or a spectator, who sees what all seats may know. */
export type Viewer =
  | { readonly kind: "seat"; readonly seat: Seat }
  | { readonly kind: "spectator" };

export const SPECTATOR: Viewer = { kind: "spectator" };
