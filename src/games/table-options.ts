import type { ClockPlan } from "../kernel/clock.ts";

// What a match of any game may be played with: a clock, or the right to nudge. Seconds, as clients write them.

/** A clock as the log names it. */
export type ClockOption =
  | {
      readonly kind: "fischer";
      readonly initialSeconds: number;
      readonly incrementSeconds: number;
    }
  | { readonly kind: "delay"; readonly bankSeconds: number; readonly delaySeconds: number };

/** Options that games share. A match with a clock has no nudge. */
export interface TableOptions {
  /** Absent: no clock. */
  readonly clock?: ClockOption;
  /** Absent: nobody is nudged. */
  readonly nudgeAfterSeconds?: number;
}

/**
 * The clock of USBGF tournaments: 12 seconds' delay, and 2 minutes a point of the match's length.
 *
 * @param points - the match's length; a single game counts as 1, a money session as 5
 */
export const usbgfClock = (points: number): ClockOption => ({
  kind: "delay",
  bankSeconds: 120 * points,
  delaySeconds: 12,
});

const SECOND_MS = 1_000;

/** The clock in milliseconds; none where there is no such option. */
export const clockPlan = ({ clock }: TableOptions): ClockPlan | undefined => {
  switch (clock?.kind) {
    case undefined:
      return undefined;
    case "fischer":
      return {
        kind: "fischer",
        initialMs: clock.initialSeconds * SECOND_MS,
        incrementMs: clock.incrementSeconds * SECOND_MS,
      };
    case "delay":
      return {
        kind: "delay",
        initialMs: clock.bankSeconds * SECOND_MS,
        delayMs: clock.delaySeconds * SECOND_MS,
      };
  }
};

/** How long a seat may be idle before it is nudged; undefined: for ever. */
export const nudgeAfterMs = ({ nudgeAfterSeconds }: TableOptions): number | undefined =>
  nudgeAfterSeconds === undefined ? undefined : nudgeAfterSeconds * SECOND_MS;
