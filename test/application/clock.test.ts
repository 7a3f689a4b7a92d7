import { describe, expect, it } from "vitest";
import type { MatchId } from "../../src/application/match.ts";
import { readEvents, readLegal, readLog, readMatch } from "../../src/application/read.ts";
import { IDLE_MS_MAX } from "../../src/application/service.ts";
import { sweep } from "../../src/application/sweep.ts";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import { random, seedOf } from "../support/seeded.ts";
import type { Sat } from "../support/table-talk.ts";
import {
  actedOf,
  answered,
  audited,
  bodiesOf,
  engine,
  failed,
  HUMAN,
  linesOf,
  movedClock,
  nextCommand,
  playOn,
  quickService,
  sat,
  tryReplying,
  trySending,
} from "../support/table-talk.ts";
import {
  countOf,
  DELAY,
  FISCHER,
  lastLines,
  NUDGE,
  SECOND,
  timedService,
  timings,
} from "../support/timed.ts";

const ROLL = { type: "roll" };
const TWO = [HUMAN, HUMAN];

/** A match of two humans, and who plays the opening. */
const begun = async (options: object) => {
  const at = await timedService();
  const seated = await sat(at.service, TWO, { options: { ...options } });
  const { seat } = await nextCommand(at.service, seated.id);
  return { ...at, seated, id: seated.id, first: seat, second: 1 - seat };
};

describe("a clock", () => {
  it("runs for the seat that the match waits for, and is shown as of now", async () => {
    const { time, view, id, first } = await begun(FISCHER);
    const startedAt = time.at;
    time.at += 10_500;
    expect((await view(id)).clock).toEqual({
      kind: "fischer",
      remainingMs: first === 0 ? [49_500, 60_000] : [60_000, 49_500],
      running: [first],
      fallsAt: new Date(startedAt + 60 * SECOND).toISOString(),
    });
  });

  it("gives the increment when the turn leaves the seat, and not when it rolls", async () => {
    const { time, service, left, seated, id, first } = await begun(FISCHER);
    const bySeat = (one: number, other: number) => (first === 0 ? [one, other] : [other, one]);
    time.at += 10 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(55, 60));
    time.at += 4 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(55, 56));
    time.at += 3 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(55, 58));
  });

  it("has one delay for a roll and its play", async () => {
    const { time, service, view, left, seated, id, first, second } = await begun(DELAY);
    const bySeat = (one: number, other: number) => (first === 0 ? [one, other] : [other, one]);
    time.at += 10 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual([60, 60]);
    time.at += 8 * SECOND;
    await playOn(service, seated, 1);
    expect((await view(id)).clock).toMatchObject({
      remainingMs: [60_000, 60_000],
      delayLeftMs: bySeat(0, 4_000),
      running: [second],
      fallsAt: new Date(time.at + 64 * SECOND).toISOString(),
    });
    time.at += 8 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(60, 56));
    expect((await view(id)).clock?.delayLeftMs).toEqual(bySeat(12_000, 0));
  });

  it("never runs for an engine, however long it thinks", async () => {
    const time = { at: Date.UTC(2026, 0, 1) };
    /** Each look at the clock takes a second: an engine's lines are late. */
    const clock = () => (time.at += SECOND);
    const { service } = await quickService({ clock });
    const seated = await sat(service, [HUMAN, engine()], { options: { ...DELAY } });
    await playOn(service, seated, 8);
    const read = await readMatch(service, { match: seated.id });
    expect(read.ok && read.value.value).toMatchObject({
      clock: { remainingMs: [60_000, 60_000], running: [0] },
    });
  });

  it("is not there where nobody asked for one", async () => {
    const { view, id, time, swept } = await begun({});
    time.at += IDLE_MS_MAX - 1;
    expect(await view(id)).not.toHaveProperty("clock");
    expect(await view(id)).not.toHaveProperty("nudge");
    expect(await swept()).toBe(0);
  });

  it("shows what was left when the match is over", async () => {
    const { time, view, fallsAt, id, first } = await begun(FISCHER);
    time.at = (await fallsAt(id)) + 9 * SECOND;
    const { clock } = await view(id);
    expect(clock).toEqual({
      kind: "fischer",
      remainingMs: first === 0 ? [0, 60_000] : [60_000, 0],
      running: [],
    });
    time.at += 60 * SECOND;
    expect((await view(id)).clock).toEqual(clock);
  });
});

describe("a flag", () => {
  it("has not fallen at the last millisecond: the command counts", async () => {
    const { time, service, stores, fallsAt, seated, id, first } = await begun(FISCHER);
    time.at = await fallsAt(id);
    const { seat, command } = await nextCommand(service, id);
    expect(seat).toBe(first);
    const done = await answered(trySending(service, id, command, { token: seated.grants[seat] }));
    expect(actedOf(done).match).toMatchObject({ status: "playing" });
    expect(await countOf(stores, id, "close")).toBe(0);
  });

  it.each<[string, { readonly expected?: number }]>([
    ["without its version", {}],
    ["with its version, of a table in memory", { expected: 2 }],
  ])("has fallen one millisecond later: match-over, at once, %s", async (_name, asking) => {
    const { time, service, stores, fallsAt, seated, id, first } = await begun(FISCHER);
    const { command } = await nextCommand(service, id);
    time.at = (await fallsAt(id)) + 1;
    const token = seated.grants[first];
    const late = await failed(trySending(service, id, command, { token, ...asking }));
    expect(late.code).toBe("match-over");
    expect(await lastLines(stores, id, 3)).toMatchObject([
      {
        type: "seat-forfeited",
        seat: first,
        reason: "flag-fall",
        at: new Date(time.at).toISOString(),
      },
      { type: "game-won", winner: 1 - first, reason: "flag-fall" },
      { type: "close", reason: "flag-fall", result: { winner: 1 - first } },
    ]);
    expect(await audited(stores, id)).toMatch(/closed$/);
    expect((await stores.matches.load(id))?.dueAt).toBeUndefined();
    const again = await failed(trySending(service, id, command, { token }));
    expect(again.code).toBe("match-over");
  });

  it("that has fallen is on record even if the command was for another version", async () => {
    const { time, service, fallsAt, seated, id, first, stores } = await begun(FISCHER);
    time.at = (await fallsAt(id)) + 1;
    const asking = { token: seated.grants[first], expected: 1 };
    const { code, facts } = await failed(trySending(service, id, ROLL, asking));
    expect({ code, facts }).toEqual({ code: "stale-version", facts: { version: 5 } });
    expect(await countOf(stores, id, "close")).toBe(1);
  });

  it("that has fallen is recorded by the command of the seat that wins", async () => {
    const { time, service, fallsAt, seated, id, second, stores } = await begun(FISCHER);
    time.at = (await fallsAt(id)) + 1;
    const code = (await failed(trySending(service, id, ROLL, { token: seated.grants[second] })))
      .code;
    expect(code).toBe("match-over");
    expect(await lastLines(stores, id, 2)).toMatchObject([{ winner: second }, { type: "close" }]);
  });

  const READS: Readonly<Record<string, (at: Begun) => Promise<unknown>>> = {
    "the match": ({ service, id }) => readMatch(service, { match: id }),
    "what is legal": ({ service, id, seated }) =>
      readLegal(service, { match: id, token: seated.grants[0] ?? "" }),
    events: ({ service, id }) => readEvents(service, { match: id, after: -1, limit: 100 }),
    "the log": ({ service, id }) => readLog(service, { match: id }),
    "replies asked for": ({ service, id }) => tryReplying(service, id, 1),
  };
  type Begun = Awaited<ReturnType<typeof begun>>;

  it.each(Object.entries(READS))("that has fallen is recorded by a read: %s", async (_, read) => {
    const at = await begun(FISCHER);
    at.time.at = await at.fallsAt(at.id);
    await read(at);
    expect(await countOf(at.stores, at.id, "close")).toBe(0);
    at.time.at += 1;
    await read(at);
    expect(await countOf(at.stores, at.id, "close")).toBe(1);
    const lines = await linesOf(at.stores, at.id);
    await read(at);
    expect(await linesOf(at.stores, at.id)).toEqual(lines);
  });

  it("that has fallen is in what the read shows", async () => {
    const { time, service, view, fallsAt, id, second } = await begun(FISCHER);
    time.at = (await fallsAt(id)) + 1;
    const page = await readEvents(service, { match: id, after: 2, limit: 100 });
    expect(page.ok && page.value.events.map(({ type }) => type)).toEqual([
      ...["seat-forfeited", "game-won", "close"],
    ]);
    expect(page.ok && page.value.version).toBe(5);
    expect(await view(id)).toMatchObject({
      status: "over",
      version: 5,
      turn: { kind: "over" },
      result: { winner: second },
    });
    const log = await readLog(service, { match: id });
    expect(log.ok && log.value.value).toHaveLength(6);
    expect(log.ok && log.value.tag).toBe("5");
  });

  it("of a private match is none of a stranger's business", async () => {
    const { time, service, stores } = await timedService();
    const options = { ...FISCHER };
    const { id } = await sat(service, TWO, { options, visibility: "private" });
    time.at += 61 * SECOND;
    const stranger = await readMatch(service, { match: id });
    expect(stranger).toMatchObject({ error: { code: "match-not-found" } });
    expect(await countOf(stores, id, "close")).toBe(0);
  });

  it("leaves a command that was done in time its answer", async () => {
    const { time, service, fallsAt, seated, id, first } = await begun(FISCHER);
    const { command } = await nextCommand(service, id);
    time.at = await fallsAt(id);
    const asking = { token: seated.grants[first], key: "one" };
    const done = await answered(trySending(service, id, command, asking));
    time.at += 600 * SECOND;
    const again = await answered(trySending(service, id, command, asking));
    expect(again).toEqual({ ...done, replayed: true });
  });

  it("falls for the seat on turn, however late somebody looks", async () => {
    const { time, service, seated, view, id, first } = await begun(FISCHER);
    time.at += 30 * SECOND;
    await playOn(service, seated, 1);
    time.at += 365 * 24 * 3_600 * SECOND;
    expect(await view(id)).toMatchObject({ result: { winner: first } });
  });
});

describe("the sweeper", () => {
  it("records a flag that nobody looks at, within a minute", async () => {
    const { time, stores, swept, fallsAt, id, first } = await begun(FISCHER);
    const fall = await fallsAt(id);
    const dueAt = (await stores.matches.load(id))?.dueAt ?? 0;
    expect(dueAt).toBeGreaterThan(fall);
    expect(dueAt - fall).toBeLessThanOrEqual(60 * SECOND);
    time.at = dueAt - 1;
    expect(await swept()).toBe(0);
    expect(await countOf(stores, id, "close")).toBe(0);
    time.at = dueAt;
    expect(await swept()).toBe(1);
    expect(await swept()).toBe(0);
    expect(await lastLines(stores, id, 2)).toMatchObject([
      { winner: 1 - first, reason: "flag-fall" },
      { type: "close", reason: "flag-fall" },
    ]);
  });

  it("lets a long clock run: a match with one is not abandoned", async () => {
    const bank = 604_800;
    const clock = { kind: "fischer", initialSeconds: bank, incrementSeconds: 60 };
    const { time, stores, swept, seated, service, fallsAt, id } = await begun({ clock });
    await playOn(service, seated, 1);
    await playOn(service, seated, 2);
    time.at += IDLE_MS_MAX;
    expect(await swept()).toBe(0);
    const fall = await fallsAt(id);
    expect(fall).toBe(time.at + 60 * SECOND);
    time.at = (await stores.matches.load(id))?.dueAt ?? 0;
    expect(await swept()).toBe(1);
    expect(await lastLines(stores, id, 1)).toMatchObject([{ reason: "flag-fall" }]);
  });

  it.each([
    ["running clock", FISCHER],
    ["nudge", NUDGE],
  ])(
    "judges by one look at the time: a match with a %s that is not due again goes on",
    async (_, options) => {
      const { time, service, stores, seated, id, second } = await begun(options);
      time.at += 60 * SECOND;
      if (options === NUDGE) {
        await answered(
          trySending(service, id, { type: "nudge" }, { token: seated.grants[second] }),
        );
      }
      const record = await stores.matches.load(id);
      let looks = 0;
      const clock = () => (looks++ < 2 ? (record?.dueAt ?? 0) : time.at);
      expect(await sweep({ ...service, clock }, stores.leases, "one")).toBe(0);
      expect(looks).toBe(3);
      expect(await stores.matches.load(id)).toEqual(record);
      expect(record).toMatchObject({ status: "playing" });
    },
  );

  it("ends a match with a clock whose engine is never asked to reply", async () => {
    const { time, service, stores, swept } = await timedService();
    const { id } = await sat(service, [engine(), engine()], { options: { ...FISCHER } });
    time.at += IDLE_MS_MAX + 24 * 3_600 * SECOND;
    expect(await swept()).toBe(1);
    expect(await lastLines(stores, id, 1)).toMatchObject([{ reason: "abandoned" }]);
  });
});

describe("a clock of the service that jumps back", () => {
  it("gives no time, and takes none twice", async () => {
    const { time, service, left, fallsAt, seated, id, first } = await begun(FISCHER);
    const startedAt = time.at;
    const bySeat = (one: number, other: number) => (first === 0 ? [one, other] : [other, one]);
    time.at = startedAt + 20 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(45, 60));
    const fall = await fallsAt(id);
    // An hour back: until it is where it was, nothing is charged, and no flag falls.
    time.at = startedAt - 3_600 * SECOND;
    expect(await left(id)).toEqual(bySeat(45, 60));
    expect(await fallsAt(id)).toBe(fall);
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(45, 60));
    // The 20 seconds that were charged come again, and are not charged again.
    time.at = startedAt + 20 * SECOND;
    expect(await left(id)).toEqual(bySeat(45, 60));
    time.at = startedAt + 27 * SECOND;
    await playOn(service, seated, 1);
    expect(await left(id)).toEqual(bySeat(45, 58));
  });

  it("does not raise a flag that has fallen", async () => {
    const { time, service, view, fallsAt, seated, id, first } = await begun(FISCHER);
    time.at = (await fallsAt(id)) + 1;
    await view(id);
    time.at -= 50 * SECOND;
    expect(await view(id)).toMatchObject({ status: "over" });
    const late = trySending(service, id, ROLL, { token: seated.grants[first] });
    expect((await failed(late)).code).toBe("match-over");
  });
});

describe("clocks and nudges follow from the log alone", () => {
  const SEED = seedOf("clock");
  const OPTIONS = { fischer: FISCHER, delay: DELAY, nudge: { nudgeAfterSeconds: 10 } };

  /** A clock that goes on by something each time it is read, and sometimes jumps back. */
  const restless = (stream: number) => {
    const choices = random(SEED, stream);
    const time = { at: Date.UTC(2026, 0, 1) };
    return () => {
      time.at += choices.isHit(5) ? -choices.below(3_000) : choices.below(700);
      return time.at;
    };
  };

  /** Sends what is possible until the match is over, or 60 times. The versions after each append. */
  const muddle = async (
    service: Awaited<ReturnType<typeof quickService>>["service"],
    { id, grants }: Sat,
    stream: number,
  ): Promise<readonly number[]> => {
    const choices = random(SEED, 100 + stream);
    const versionOf = async () => (await service.matches.load(id))?.version ?? 0;
    const versions = [await versionOf()];
    for (let sent = 0; sent < 60; sent++) {
      if ((await service.matches.load(id))?.status === "over") break;
      const { seat, command } = await nextCommand(service, id);
      const nudges = choices.isHit(20);
      const token = grants[nudges ? 1 - seat : seat];
      await trySending(service, id, nudges ? { type: "nudge" } : command, { token });
      const version = await versionOf();
      if (version !== versions.at(-1)) versions.push(version);
    }
    return versions;
  };

  const CASES = Object.keys(OPTIONS).flatMap((timed) =>
    ["human", "engine"].flatMap((other) => [0, 1, 2].map((n) => [timed, other, n] as const)),
  );

  it.each(CASES)("with %s against a %s, %i", async (timed, other, n) => {
    const clock = restless(n);
    const stores = memoryStores(clock);
    const { service } = await quickService({ clock, stores, chainLength: 12 });
    const options = OPTIONS[timed as keyof typeof OPTIONS];
    const seats = [HUMAN, other === "human" ? HUMAN : engine("random")];
    const seated = await sat(service, seats, { options: { ...options } });
    const versions = await muddle(service, seated, n);
    const { live, kept, folded } = await timings({ service, stores }, seated.id);
    expect(folded).toEqual(live);
    expect(kept).toEqual(live);
    expect(await audited(stores, seated.id)).toMatch(/^OK/);
    if (live.kind !== "clock" || live.plan.kind !== "fischer") return;
    // By the log alone, the long way: what passed before each append, less 5 seconds a turn.
    const spent = await spentBy(stores, seated.id, versions);
    const isOver = (await countOf(stores, seated.id, "close")) === 1;
    for (const [seat, { remainingMs }] of live.clock.times.entries()) {
      if (isOver || seats[seat]?.kind === "engine") continue;
      const { waited = 0, turns = 0 } = spent[seat] ?? {};
      expect(remainingMs).toBe(60_000 - waited + 5_000 * turns);
    }
  });

  /** Events after which the match waits for the other seat. */
  const TURN_ENDS = ["played", "turn-skipped", "cube-offered", "cube-taken"];

  const spentBy = async (
    stores: Parameters<typeof bodiesOf>[0],
    id: MatchId,
    versions: readonly number[],
  ) => {
    const bodies = await bodiesOf(stores, id);
    const atOf = (seq: number) => Date.parse(String(bodies[seq]?.["at"]));
    const spent = [0, 1].map(() => ({ waited: 0, turns: 0 }));
    for (const [nth, version] of versions.entries()) {
      const first = bodies[version + 1];
      const by = spent[Number(first?.["seat"])];
      if (nth + 1 < versions.length && by !== undefined) {
        by.waited += atOf(version + 1) - atOf(version);
      }
    }
    for (const { type, seat } of bodies) {
      const by = spent[Number(seat)];
      if (TURN_ENDS.includes(String(type)) && by !== undefined) by.turns += 1;
    }
    return spent;
  };
});

describe("a process whose clock is behind", () => {
  it("neither gives time nor takes a flag back", async () => {
    const { time, clock } = movedClock();
    const stores = memoryStores(clock);
    const ahead = await quickService({ stores, clock });
    const behind = await quickService({ stores, clock: () => time.at - 30 * SECOND });
    const seated = await sat(ahead.service, TWO, { options: { ...FISCHER } });
    time.at += 40 * SECOND;
    const { seat, command } = await nextCommand(behind.service, seated.id);
    const token = seated.grants[seat];
    await answered(trySending(behind.service, seated.id, command, { token }));
    const read = await readMatch(ahead.service, { match: seated.id });
    const other = 1 - seat;
    expect(read.ok && read.value.value).toMatchObject({
      // 10 seconds by its clock; the other seat has been on turn since then, 30 by the one ahead.
      clock: { remainingMs: seat === 0 ? [55_000, 30_000] : [30_000, 55_000], running: [other] },
    });
  });
});
