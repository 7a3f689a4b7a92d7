import type { HostedGame, HostedOptions } from "../games/host.ts";
import { assert } from "../kernel/assert.ts";
import type { ClockPlan, ClockState } from "../kernel/clock.ts";
import { clockAfter, clockFrom, clockStopped, nextFall, startClock } from "../kernel/clock.ts";
import type { ConcessionReason, EventLine, Turn } from "../kernel/game.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { Seat } from "../kernel/seat.ts";
import { seat as seatOf } from "../kernel/seat.ts";
import type { SeatRecord } from "./match.ts";
import { list, number, object } from "./stored.ts";

/*
 * What time does to a match. It is a function of the log alone: of each line's `at` and type, of whose turn
 * it is after the line, and of who is an engine. So a match is folded to the same clocks anywhere.
 *
 * A line charges the seats that the match waited for since the line before. Within an append this charges
 * nobody: events that follow from one command or one draw have one time, between them the match waits for
 * chance or an engine, and `entropy` takes time that is the service's own.
 */

/** A seat that the match waits for, since its turn began or it last acted. */
export interface Wait {
  readonly seat: Seat;
  readonly since: number;
}

/** A seat that loses unless it acts; `deadline` is the last millisecond in time. */
export interface Nudged {
  readonly seat: Seat;
  readonly deadline: number;
}

/** How a match is timed, and how its time stands: by a clock, by nudges, or not at all. */
export type Timing =
  | { readonly kind: "untimed" }
  | { readonly kind: "clock"; readonly plan: ClockPlan; readonly clock: ClockState }
  | {
      readonly kind: "nudge";
      readonly afterMs: number;
      /** Engines' seats too. */
      readonly waits: readonly Wait[];
      /** Until the seat acts. */
      readonly nudged?: Nudged;
    };

/** How a match of so many seats is timed, before its first line. */
export const startTiming = (game: HostedGame, options: HostedOptions, seats: number): Timing => {
  const plan = game.clock(options);
  if (plan !== undefined) return { kind: "clock", plan, clock: startClock(plan, seats) };
  const afterMs = game.nudgeAfterMs(options);
  return afterMs === undefined ? { kind: "untimed" } : { kind: "nudge", afterMs, waits: [] };
};

/** A line, and where it leaves the match. */
export interface TimedLine {
  readonly at: number;
  readonly body: EventLine;
  /** After the line. */
  readonly turn: Turn;
  readonly seats: readonly Pick<SeatRecord, "kind">[];
}

/** The timing after one more line. */
export const timingAfter = (timing: Timing, line: TimedLine): Timing => {
  switch (timing.kind) {
    case "untimed":
      return timing;
    case "clock":
      return { ...timing, clock: clockAfterLine(timing, line) };
    case "nudge":
      return nudgeAfterLine(timing, line);
  }
};

type Clocked = Timing & { readonly kind: "clock" };
type Nudging = Timing & { readonly kind: "nudge" };

const clockAfterLine = ({ plan, clock }: Clocked, line: TimedLine): ClockState => {
  const { at, body, turn, seats } = line;
  if (body.type === "entropy") return clockFrom(clock, at);
  const humans = (all: readonly Seat[]): readonly Seat[] =>
    all.filter((seat) => seats[seat]?.kind !== "engine");
  switch (turn.kind) {
    case "over":
      return clockStopped(clock, at);
    case "chance":
      return clockAfter(plan, clock, at, {
        onTurn: humans(turn.seat === undefined ? [] : [turn.seat]),
        running: [],
      });
    case "seats": {
      const onTurn = humans(turn.seats);
      return clockAfter(plan, clock, at, { onTurn, running: onTurn });
    }
  }
};

const nudgeAfterLine = (timing: Nudging, { at, body, turn }: TimedLine): Nudging => {
  const { afterMs, waits: before, nudged } = timing;
  switch (body.type) {
    case "nudged":
      return {
        ...timing,
        nudged: { seat: seatOf(number(body["seat"])), deadline: at + afterMs },
      };
    case "roll":
    case "deal":
    case "entropy":
    case "close":
      return timing;
  }
  // Who acted: the seat that was waited for alone; of several, the one that the event names.
  const stillWaits = before.length > 1 ? before.filter(({ seat }) => seat !== body["seat"]) : [];
  const waits = (turn.kind === "seats" ? turn.seats : []).map(
    (seat): Wait => stillWaits.find((wait) => wait.seat === seat) ?? { seat, since: at },
  );
  const isStill = nudged !== undefined && stillWaits.some(({ seat }) => seat === nudged.seat);
  const stays = isStill && waits.some(({ seat }) => seat === nudged.seat);
  return { kind: "nudge", afterMs, waits, ...(stays ? { nudged } : {}) };
};

/** A seat that time has made lose. */
export interface Verdict {
  readonly seat: Seat;
  readonly reason: ConcessionReason;
}

/** What time says at `now`, if nothing has happened since the last line. */
export const verdictAt = (timing: Timing, now: number): Verdict | undefined => {
  const end = endOf(timing);
  return end === undefined || now <= end.lastAt ? undefined : end;
};

/** When `verdictAt` speaks, if nothing happens; undefined: never. */
export const verdictDue = (timing: Timing): number | undefined => {
  const end = endOf(timing);
  return end === undefined ? undefined : end.lastAt + 1;
};

const endOf = (timing: Timing): (Verdict & { readonly lastAt: number }) | undefined => {
  switch (timing.kind) {
    case "untimed":
      return undefined;
    case "clock": {
      const fall = nextFall(timing.clock);
      return fall && { ...fall, reason: "flag-fall" };
    }
    case "nudge": {
      const { nudged } = timing;
      return nudged && { seat: nudged.seat, reason: "idle", lastAt: nudged.deadline };
    }
  }
};

/** Whether a clock runs: the match then ends by itself, and is never abandoned. */
export const isClockRunning = (timing: Timing): boolean =>
  timing.kind === "clock" && timing.clock.running.length > 0;

/** The timing as a snapshot keeps it: it is JSON as it stands. */
export const printTiming = (timing: Timing): JsonObject => timing as unknown as JsonObject;

export const readTiming = (stored: Json | undefined): Timing => {
  const given = object(stored);
  switch (given["kind"]) {
    case "clock":
      return { kind: "clock", plan: readPlan(given["plan"]), clock: readClock(given["clock"]) };
    case "nudge": {
      const nudged = given["nudged"] === undefined ? undefined : object(given["nudged"]);
      return {
        kind: "nudge",
        afterMs: number(given["afterMs"]),
        waits: list(given["waits"]).map((one) => {
          const { seat, since } = object(one);
          return { seat: seatOf(number(seat)), since: number(since) };
        }),
        ...(nudged === undefined
          ? {}
          : {
              nudged: {
                seat: seatOf(number(nudged["seat"])),
                deadline: number(nudged["deadline"]),
              },
            }),
      };
    }
    default:
      assert(given["kind"] === "untimed", "a match is timed by a clock, by nudges or not at all");
      return { kind: "untimed" };
  }
};

const readPlan = (stored: Json | undefined): ClockPlan => {
  const given = object(stored);
  const initialMs = number(given["initialMs"]);
  return given["kind"] === "fischer"
    ? { kind: "fischer", initialMs, incrementMs: number(given["incrementMs"]) }
    : { kind: "delay", initialMs, delayMs: number(given["delayMs"]) };
};

const readClock = (stored: Json | undefined): ClockState => {
  const given = object(stored);
  const seats = (json: Json | undefined): readonly Seat[] =>
    list(json).map((seat) => seatOf(number(seat)));
  return {
    times: list(given["times"]).map((one) => {
      const { remainingMs, delayLeftMs } = object(one);
      return { remainingMs: number(remainingMs), delayLeftMs: number(delayLeftMs) };
    }),
    onTurn: seats(given["onTurn"]),
    running: seats(given["running"]),
    since: number(given["since"]),
  };
};
