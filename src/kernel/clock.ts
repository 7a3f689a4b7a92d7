import { assert } from "./assert.ts";
import type { Seat } from "./seat.ts";

/*
 * A clock for each seat, as a value. Time runs for the seats that the match waits for; whoever has used
 * more than its own loses. Nothing here reads a time: the times of the log's lines come in, so the clocks
 * are a function of the log, and anyone can work them out again.
 *
 * A turn is what lies between two moments in which it is not the seat's turn. The increment is given when
 * the turn leaves the seat, and the delay is given once a turn: rolling and then playing is one turn,
 * answering a double is a turn of its own.
 */

/**
 * How much time a seat has; whole milliseconds.
 *
 * `fischer`: `initialMs`, and `incrementMs` more after each turn. `delay` (simple, or US, delay): a bank of
 * `initialMs` that nothing refills, and `delayMs` in each turn before the bank is touched; what is left of
 * the delay is lost.
 */
export type ClockPlan =
  | { readonly kind: "fischer"; readonly initialMs: number; readonly incrementMs: number }
  | { readonly kind: "delay"; readonly initialMs: number; readonly delayMs: number };

/** What a seat has left, both 0 or more; `delayLeftMs` is of its present turn, and 0 outside of one. */
export interface SeatTime {
  readonly remainingMs: number;
  readonly delayLeftMs: number;
}

/** Whose turn it is. */
export interface ClockTurn {
  /** Seats in the middle of a turn; of a seat that is not timed (an engine's) nothing is said. */
  readonly onTurn: readonly Seat[];
  /** Those of them that the match waits for: their time runs. */
  readonly running: readonly Seat[];
}

/** The clocks of a match as they stood at `since`; from then on `running` is charged. */
export interface ClockState extends ClockTurn {
  /** By seat. */
  readonly times: readonly SeatTime[];
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** Clocks of so many seats before the first turn. */
export const startClock = ({ initialMs }: ClockPlan, seats: number): ClockState => ({
  times: Array.from({ length: seats }, () => ({ remainingMs: initialMs, delayLeftMs: 0 })),
  onTurn: [],
  running: [],
  since: 0,
});

/** The clocks at a time; before `since` they are as they were then. No time goes below 0. */
export const clockAt = (clock: ClockState, at: number): ClockState => {
  const elapsed = Math.max(0, at - clock.since);
  return {
    ...clock,
    times: clock.times.map((time, place) =>
      has(clock.running, place) ? charged(time, elapsed) : time,
    ),
    since: clock.since + elapsed,
  };
};

const charged = ({ remainingMs, delayLeftMs }: SeatTime, elapsed: number): SeatTime => {
  const delayed = Math.min(delayLeftMs, elapsed);
  return {
    remainingMs: Math.max(0, remainingMs - (elapsed - delayed)),
    delayLeftMs: delayLeftMs - delayed,
  };
};

/** The clocks once it is another's turn, or the same seat's still. `at` is not before `since`. */
export const clockAfter = (
  plan: ClockPlan,
  clock: ClockState,
  at: number,
  { onTurn, running }: ClockTurn,
): ClockState => {
  assert(at >= clock.since, "time never runs backwards in a match");
  const { times } = clockAt(clock, at);
  return {
    times: times.map((time, place) => {
      const [was, is] = [has(clock.onTurn, place), has(onTurn, place)];
      if (was === is) return time;
      return is ? begun(plan, time) : ended(plan, time);
    }),
    onTurn,
    running,
    since: at,
  };
};

/** The clocks from a time on, though they ran before: what passed until then is no seat's. */
export const clockFrom = (clock: ClockState, at: number): ClockState => ({ ...clock, since: at });

/** The clocks at the end of the match. */
export const clockStopped = (clock: ClockState, at: number): ClockState => ({
  ...clockAt(clock, at),
  onTurn: [],
  running: [],
});

const begun = (plan: ClockPlan, { remainingMs }: SeatTime): SeatTime => ({
  remainingMs,
  delayLeftMs: plan.kind === "delay" ? plan.delayMs : 0,
});

const ended = (plan: ClockPlan, { remainingMs }: SeatTime): SeatTime => ({
  remainingMs: remainingMs + (plan.kind === "fischer" ? plan.incrementMs : 0),
  delayLeftMs: 0,
});

/** A flag that falls if nothing happens. */
export interface Fall {
  readonly seat: Seat;
  /** The last millisecond in time: an act at it counts, and one later does not. */
  readonly lastAt: number;
}

/**
 * The first flag to fall if nothing happens; undefined where no time runs. It does not depend on when it is
 * asked for. Of flags that fall in the same millisecond, the lower seat's.
 */
export const nextFall = ({ times, running, since }: ClockState): Fall | undefined =>
  running
    .map((seat): Fall => {
      const { remainingMs = 0, delayLeftMs = 0 } = times[seat] ?? {};
      return { seat, lastAt: since + delayLeftMs + remainingMs };
    })
    .sort((a, b) => a.lastAt - b.lastAt || a.seat - b.seat)[0];

const has = (seats: readonly Seat[], place: number): boolean =>
  seats.some((seat) => seat === place);
