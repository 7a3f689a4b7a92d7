import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usbgfClock } from "../../src/games/table-options.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";
import type { ClockPlan, ClockState, ClockTurn } from "../../src/kernel/clock.ts";
import {
  clockAfter,
  clockAt,
  clockFrom,
  clockStopped,
  nextFall,
  startClock,
} from "../../src/kernel/clock.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import { seat } from "../../src/kernel/seat.ts";
import { deepFrozen, SEED } from "../games/backgammon/support/random.ts";

const WHITE = seat(0);
const BLACK = seat(1);
const SECOND = 1_000;

const acts = (...seats: readonly Seat[]): ClockTurn => ({ onTurn: seats, running: seats });
/** The seat's turn goes on while dice are drawn. */
const rolls = (one: Seat): ClockTurn => ({ onTurn: [one], running: [] });

/** The clocks after turns that begin at so many seconds. */
const played = (plan: ClockPlan, ...turns: readonly (readonly [number, ClockTurn])[]): ClockState =>
  turns.reduce(
    (clock, [at, turn]) => clockAfter(plan, clock, at * SECOND, turn),
    deepFrozen(startClock(plan, 2)),
  );

const secondsLeft = ({ times }: ClockState) => times.map(({ remainingMs }) => remainingMs / SECOND);
const delayLeft = ({ times }: ClockState) => times.map(({ delayLeftMs }) => delayLeftMs / SECOND);

/** A minute, and 5 seconds a turn. */
const FISCHER: ClockPlan = { kind: "fischer", initialMs: 60 * SECOND, incrementMs: 5 * SECOND };
/** A minute in the bank, and 12 seconds a turn before it is touched. */
const DELAY: ClockPlan = { kind: "delay", initialMs: 60 * SECOND, delayMs: 12 * SECOND };

describe("a Fischer clock", () => {
  it("gives the increment when the turn leaves the seat", () => {
    const begun = played(FISCHER, [0, acts(WHITE)]);
    expect(secondsLeft(begun)).toEqual([60, 60]);
    // 10 seconds used: 60 − 10 + 5.
    const passed = played(FISCHER, [0, acts(WHITE)], [10, acts(BLACK)]);
    expect(secondsLeft(passed)).toEqual([55, 60]);
    // A quick turn adds more than it takes: 60 − 2 + 5.
    const again = played(FISCHER, [0, acts(WHITE)], [10, acts(BLACK)], [12, acts(WHITE)]);
    expect(secondsLeft(again)).toEqual([55, 63]);
  });

  it("gives none for a roll: the turn goes on", () => {
    const rolled = played(FISCHER, [0, acts(WHITE)], [10, rolls(WHITE)], [10, acts(WHITE)]);
    expect(secondsLeft(rolled)).toEqual([50, 60]);
    const left = played(
      FISCHER,
      ...[[0, acts(WHITE)] as const, [10, rolls(WHITE)] as const, [10, acts(WHITE)] as const],
      [17, acts(BLACK)],
    );
    expect(secondsLeft(left)).toEqual([48, 60]);
  });

  it("falls after the last millisecond, and not at it", () => {
    const clock = played(FISCHER, [0, acts(WHITE)], [10, acts(BLACK)]);
    expect(nextFall(clock)).toEqual({ seat: BLACK, lastAt: 70 * SECOND });
    expect(secondsLeft(clockAt(clock, 70 * SECOND))).toEqual([55, 0]);
    // Long after, the loser's clock shows 0, and never less.
    expect(secondsLeft(clockStopped(clock, 500 * SECOND))).toEqual([55, 0]);
  });
});

describe("a clock with delay", () => {
  it("touches the bank only after the delay, which is not saved up", () => {
    const quick = played(DELAY, [0, acts(WHITE)], [12, acts(BLACK)]);
    expect(secondsLeft(quick)).toEqual([60, 60]);
    // 20 seconds, of which 12 are delay.
    const slow = played(DELAY, [0, acts(WHITE)], [12, acts(BLACK)], [32, acts(WHITE)]);
    expect(secondsLeft(slow)).toEqual([60, 52]);
    expect(delayLeft(slow)).toEqual([12, 0]);
    // Nothing is given back, and nothing of a quick turn's delay is left for the next.
    const next = played(
      DELAY,
      ...[[0, acts(WHITE)] as const, [2, acts(BLACK)] as const, [4, acts(WHITE)] as const],
      [34, acts(BLACK)],
    );
    expect(secondsLeft(next)).toEqual([42, 60]);
  });

  it("is one for rolling and playing", () => {
    const both = played(
      DELAY,
      ...[[0, acts(WHITE)] as const, [8, rolls(WHITE)] as const, [8, acts(WHITE)] as const],
      [16, acts(BLACK)],
    );
    expect(secondsLeft(both)).toEqual([56, 60]);
  });

  it("is another for who answers a double, and for the doubler when it goes on", () => {
    const doubled = played(
      DELAY,
      ...[[0, acts(WHITE)] as const, [12, acts(BLACK)] as const, [24, acts(WHITE)] as const],
      [36, rolls(WHITE)],
    );
    expect(secondsLeft(doubled)).toEqual([60, 60]);
  });

  it("falls after delay and bank", () => {
    const clock = played(DELAY, [0, acts(WHITE)]);
    expect(nextFall(clock)).toEqual({ seat: WHITE, lastAt: 72 * SECOND });
    expect(nextFall(clockAt(clock, 5 * SECOND))).toEqual(nextFall(clock));
    expect(nextFall(clockAt(clock, 50 * SECOND))).toEqual(nextFall(clock));
  });

  it.each([
    [1, 120],
    [7, 840],
    [15, 1_800],
  ])("of the USBGF has 12 seconds, and for %i points %i in the bank", (points, bankSeconds) => {
    expect(usbgfClock(points)).toEqual({ kind: "delay", bankSeconds, delaySeconds: 12 });
  });
});

describe("clocks", () => {
  it("of two seats that both owe something run side by side; the first to fall loses", () => {
    const clock = played(FISCHER, [0, acts(WHITE)], [10, acts(WHITE, BLACK)]);
    expect(secondsLeft(clockAt(clock, 30 * SECOND))).toEqual([30, 40]);
    expect(nextFall(clock)).toEqual({ seat: WHITE, lastAt: 60 * SECOND });
    const one = clockAfter(FISCHER, clock, 20 * SECOND, acts(BLACK));
    expect(secondsLeft(one)).toEqual([45, 50]);
    expect(nextFall(one)).toEqual({ seat: BLACK, lastAt: 70 * SECOND });
  });

  it("that fall in one millisecond: the lower seat's", () => {
    const clock = played(DELAY, [0, acts(BLACK, WHITE)]);
    expect(nextFall(clock)).toEqual({ seat: WHITE, lastAt: 72 * SECOND });
  });

  it("stand still while the match waits for nobody who is timed", () => {
    const clock = played(FISCHER, [0, acts(WHITE)], [10, acts()]);
    expect(nextFall(clock)).toBeUndefined();
    expect(clockAt(clock, 900 * SECOND).times).toEqual(clock.times);
  });

  it("may be set going later: what passed is no seat's", () => {
    const clock = clockFrom(played(FISCHER, [0, acts(WHITE)]), 30 * SECOND);
    expect(secondsLeft(clockAt(clock, 31 * SECOND))).toEqual([59, 60]);
  });

  it("give no time where time is asked for that was before, and are not turned back", () => {
    const clock = played(FISCHER, [100, acts(WHITE)]);
    expect(clockAt(clock, 0)).toEqual(clock);
    expect(() => clockAfter(FISCHER, clock, 0, acts(BLACK))).toThrow(InvariantViolation);
  });
});

const SEATS = [seat(0), seat(1), seat(2)];

const plans: fc.Arbitrary<ClockPlan> = fc.oneof(
  fc.record({
    kind: fc.constant("fischer" as const),
    initialMs: fc.nat(60),
    incrementMs: fc.nat(6),
  }),
  fc.record({ kind: fc.constant("delay" as const), initialMs: fc.nat(60), delayMs: fc.nat(9) }),
);

const steps = fc.array(
  fc
    .record({ wait: fc.nat(12), onTurn: fc.subarray(SEATS), isChance: fc.boolean() })
    .map(({ wait, onTurn, isChance }) => ({ wait, onTurn, running: isChance ? [] : onTurn })),
  { maxLength: 20 },
);

/** The clocks of a slow arbiter, who looks every millisecond and moves one hand at a time. */
const arbiter = (plan: ClockPlan) => {
  const hands = SEATS.map(() => ({ bank: plan.initialMs, delay: 0, waited: 0, turns: 0 }));
  let onTurn: readonly Seat[] = [];
  let running: readonly Seat[] = [];
  let isFallen = false;
  return {
    hands,
    isFallen: () => isFallen,
    wait: (ms: number): void => {
      for (let tick = 0; tick < ms; tick++) {
        for (const one of running) {
          const hand = hands[one];
          if (hand === undefined) continue;
          hand.waited += 1;
          if (hand.delay > 0) hand.delay -= 1;
          else if (hand.bank > 0) hand.bank -= 1;
          else isFallen = true;
        }
      }
    },
    turn: (next: ClockTurn): void => {
      for (const [place, hand] of hands.entries()) {
        const was = onTurn.includes(seat(place));
        const is = next.onTurn.includes(seat(place));
        if (was && !is) {
          hand.delay = 0;
          hand.turns += 1;
          if (plan.kind === "fischer") hand.bank += plan.incrementMs;
        }
        if (is && !was && plan.kind === "delay") hand.delay = plan.delayMs;
      }
      ({ onTurn, running } = next);
    },
  };
};

describe("whatever happens when", () => {
  it(`the clocks are those of an arbiter who looks every millisecond (SEED=${SEED})`, () => {
    fc.assert(
      fc.property(plans, steps, (plan, given) => {
        const judge = arbiter(plan);
        let clock = startClock(plan, SEATS.length);
        let at = 0;
        for (const { wait, ...turn } of given) {
          const fall = nextFall(clock);
          judge.wait(wait);
          at += wait;
          expect(judge.isFallen()).toBe(fall !== undefined && at > fall.lastAt);
          if (judge.isFallen()) return;
          clock = clockAfter(plan, clock, at, turn);
          judge.turn(turn);
          expect(clock.times).toEqual(
            judge.hands.map(({ bank, delay }) => ({ remainingMs: bank, delayLeftMs: delay })),
          );
        }
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it(`a seat is charged what it was waited for, and never more than it has (SEED=${SEED})`, () => {
    fc.assert(
      fc.property(plans, steps, (plan, given) => {
        const judge = arbiter(plan);
        let clock = startClock(plan, SEATS.length);
        let at = 0;
        for (const { wait, ...turn } of given) {
          judge.wait(wait);
          judge.turn(turn);
          at += wait;
          clock = clockAfter(plan, clock, at, turn);
        }
        for (const [place, { remainingMs, delayLeftMs }] of clock.times.entries()) {
          const { waited = 0, turns = 0 } = judge.hands[place] ?? {};
          const given = plan.kind === "fischer" ? turns * plan.incrementMs : 0;
          const charged = plan.initialMs + given - remainingMs;
          expect(Math.min(remainingMs, delayLeftMs)).toBeGreaterThanOrEqual(0);
          expect(charged).toBeLessThanOrEqual(waited);
          if (plan.kind === "fischer" && !judge.isFallen()) expect(charged).toBe(waited);
        }
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it(`looking at a clock changes nothing (SEED=${SEED})`, () => {
    fc.assert(
      fc.property(plans, steps, fc.nat(30), fc.nat(30), (plan, given, one, more) => {
        let [clock, at] = [startClock(plan, SEATS.length), 0];
        for (const { wait, ...turn } of given) {
          at += wait;
          clock = clockAfter(plan, clock, at, turn);
        }
        const looked = clockAt(clockAt(clock, at + one), at + one + more);
        expect(looked).toEqual(clockAt(clock, at + one + more));
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});
