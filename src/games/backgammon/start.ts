import { type Side, side } from "./board.ts";

/** The variants of backgammon: the same rules from other starts. */
export const VARIANTS = ["standard", "nackgammon", "hypergammon"] as const;
export type Variant = (typeof VARIANTS)[number];

/**
 * Where either side starts, in its own coordinates.
 *
 * Standard: USBGF rules of play. Nackgammon (Nack Ballard): a checker each less on 13 and 6, two on 23. Hypergammon
 * (Hugh Sconyers): three checkers.
 */
export const START = {
  standard: side({ 24: 2, 13: 5, 8: 3, 6: 5 }),
  nackgammon: side({ 24: 2, 23: 2, 13: 4, 8: 3, 6: 4 }),
  hypergammon: side({ 24: 1, 23: 1, 22: 1 }),
} as const satisfies Record<Variant, Side>;
