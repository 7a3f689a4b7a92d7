/** What the rules ask of chance. */
export type Draw =
  /** An ordered pair of dice, 1..6 each. */
  | { readonly kind: "2d6" }
  /** The opening: pairs (seat 0's die, seat 1's die) until the two differ. All pairs are recorded. */
  | { readonly kind: "open" }
  /** A whole number in [0, below), 2 ≤ below ≤ 256; "dN" on the wire. */
  | { readonly kind: "number"; readonly below: number }
  /** An order of 0…size−1. A hidden one is dealt face down. */
  | { readonly kind: "shuffle"; readonly size: number; readonly hidden: boolean };

/** An ordered pair of dice, 1..6 each. */
export type Pair = readonly [number, number];

/** What chance answered, in the terms of the `Draw` that asked. */
export type Drawn =
  | { readonly kind: "2d6"; readonly pair: Pair }
  | { readonly kind: "open"; readonly pairs: readonly Pair[] }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "shuffle"; readonly order: readonly number[] };
