import { describe, expect, it } from "vitest";
import { readEvents } from "../../src/application/read.ts";
import { IDLE_MS_MAX } from "../../src/application/service.ts";
import {
  actedOf,
  answered,
  audited,
  engine,
  failed,
  HUMAN,
  nextCommand,
  playOn,
  sat,
  trySending,
} from "../support/table-talk.ts";
import {
  countOf,
  FISCHER,
  lastLines,
  NUDGE,
  SECOND,
  timedService,
  timings,
} from "../support/timed.ts";

const CALL = { type: "nudge" };

/** A match of two humans; `idle` is on turn, and `waiting` is not. */
const begun = async (options: object = NUDGE) => {
  const at = await timedService();
  const seated = await sat(at.service, [HUMAN, HUMAN], { options: { ...options } });
  const { seat: idle } = await nextCommand(at.service, seated.id);
  const { id, grants } = seated;
  const nudge = (seat: number) => trySending(at.service, id, CALL, { token: grants[seat] });
  const startedAt = at.time.at;
  return { ...at, seated, id, grants, idle, waiting: 1 - idle, nudge, startedAt };
};

const instant = (at: number): string => new Date(at).toISOString();

describe("a nudge", () => {
  it("is possible once the seat on turn has been idle for so long, and not before", async () => {
    const { time, view, nudge, idle, waiting, id, startedAt } = await begun();
    const possibleAt = instant(startedAt + 60 * SECOND);
    expect((await view(id)).nudge).toEqual({ seat: idle, possibleAt });
    time.at = startedAt + 60 * SECOND - 1;
    expect(await failed(nudge(waiting))).toEqual({
      code: "nudge-too-early",
      facts: { seat: idle, possibleAt },
    });
    time.at += 1;
    const { match, events } = actedOf(await answered(nudge(waiting)));
    const deadline = instant(startedAt + 120 * SECOND);
    expect(events).toEqual([
      { seq: 3, at: possibleAt, type: "nudged", seat: idle, by: waiting, deadline },
    ]);
    expect(match).toMatchObject({
      status: "playing",
      version: 3,
      nudge: { nudgedSeat: idle, deadline },
      turn: { seats: [idle] },
    });
  });

  it("is a line that auditors accept and readers are shown", async () => {
    const { time, service, stores, nudge, waiting, id } = await begun();
    time.at += 60 * SECOND;
    await answered(nudge(waiting));
    expect(await audited(stores, id)).toBe("OK: 4 lines, 1 rolls, not closed yet");
    const page = await readEvents(service, { match: id, after: 2, limit: 10 });
    expect(page.ok && page.value.events).toMatchObject([{ seq: 3, type: "nudged", by: waiting }]);
    const { live, kept, folded } = await timings({ service, stores }, id);
    expect([kept, folded]).toEqual([live, live]);
  });

  it("counts from the last act of the seat, or from when its turn began", async () => {
    const { time, service, view, seated, idle, waiting, id } = await begun();
    time.at += 50 * SECOND;
    await playOn(service, seated, 1);
    expect((await view(id)).nudge).toEqual({
      seat: waiting,
      possibleAt: instant(time.at + 60 * SECOND),
    });
    time.at += 50 * SECOND;
    await playOn(service, seated, 1);
    expect(await view(id)).toMatchObject({
      turn: { seats: [waiting] },
      nudge: { seat: waiting, possibleAt: instant(time.at + 60 * SECOND) },
    });
    expect(idle).toBe(1 - waiting);
  });

  it("is refused to the seat on turn, and a second time, and moves no deadline", async () => {
    const { time, nudge, view, idle, waiting, id } = await begun();
    time.at += 60 * SECOND;
    expect(await failed(nudge(idle))).toEqual({ code: "not-nudgeable", facts: { seat: idle } });
    await answered(nudge(waiting));
    const deadline = instant(time.at + 60 * SECOND);
    time.at += 30 * SECOND;
    expect(await failed(nudge(waiting))).toEqual({
      code: "already-nudged",
      facts: { seat: idle, deadline },
    });
    expect((await view(id)).nudge).toEqual({ nudgedSeat: idle, deadline });
  });

  it.each([{}, FISCHER])("is refused where it is not an option: %j", async (options) => {
    const { time, nudge, waiting, idle } = await begun(options);
    time.at += 59 * SECOND;
    expect((await failed(nudge(waiting))).code).toBe("nudge-not-offered");
    expect((await failed(nudge(idle))).code).toBe("nudge-not-offered");
  });

  it("is for humans: an engine is neither nudged nor nudges", async () => {
    const { time, service, view } = await timedService();
    const { id, grants } = await sat(service, [HUMAN, engine()], { options: { ...NUDGE } });
    time.at += 600 * SECOND;
    expect(await view(id)).not.toHaveProperty("nudge");
    const own = await failed(trySending(service, id, CALL, { token: grants[0] }));
    expect(own.code).toBe("not-nudgeable");
    const both = await sat(service, [engine(), engine()], { options: { ...NUDGE } });
    expect(await view(both.id)).not.toHaveProperty("nudge");
  });

  it("has no other members, and needs a seat", async () => {
    const { time, service, id, grants, waiting } = await begun();
    time.at += 60 * SECOND;
    const token = grants[waiting];
    const more = await failed(trySending(service, id, { ...CALL, seat: 0 }, { token }));
    expect(more.code).toBe("malformed-command");
    expect((await failed(trySending(service, id, CALL))).code).toBe("token-missing");
  });

  it("is done once, however often it is sent", async () => {
    const { time, service, stores, id, grants, waiting } = await begun();
    time.at += 60 * SECOND;
    const asking = { token: grants[waiting], key: "one", expected: 2 };
    const first = await answered(trySending(service, id, CALL, asking));
    time.at += 5 * SECOND;
    expect(await answered(trySending(service, id, CALL, asking))).toEqual({
      ...first,
      replayed: true,
    });
    expect(await countOf(stores, id, "nudged")).toBe(1);
  });
});

describe("a nudged seat", () => {
  const nudgedMatch = async () => {
    const at = await begun();
    at.time.at += 60 * SECOND;
    await answered(at.nudge(at.waiting));
    return { ...at, deadline: at.time.at + 60 * SECOND };
  };

  it("that acts at the last millisecond goes on as if nothing had been", async () => {
    const { time, service, stores, view, seated, id, waiting, deadline } = await nudgedMatch();
    time.at = deadline;
    await playOn(service, seated, 1);
    expect((await view(id)).nudge).toEqual({
      seat: waiting,
      possibleAt: instant(deadline + 60 * SECOND),
    });
    time.at += 60 * SECOND;
    expect((await view(id)).status).toBe("playing");
    const { live, kept, folded } = await timings({ service, stores }, id);
    expect([kept, folded]).toEqual([live, live]);
  });

  it("is free again by half a turn: a roll is an act", async () => {
    const { time, service, view, seated, nudge, id, idle, waiting, deadline } = await nudgedMatch();
    time.at = deadline;
    await playOn(service, seated, 1);
    time.at += 60 * SECOND;
    await answered(nudge(idle));
    time.at += 60 * SECOND;
    await playOn(service, seated, 1);
    expect(await view(id)).toMatchObject({
      turn: { seats: [waiting] },
      nudge: { seat: waiting, possibleAt: instant(time.at + 60 * SECOND) },
    });
    time.at += 59 * SECOND;
    expect((await failed(nudge(idle))).code).toBe("nudge-too-early");
  });

  it("that does not act loses, as soon as anybody looks", async () => {
    const { time, stores, view, id, idle, waiting, deadline } = await nudgedMatch();
    time.at = deadline;
    expect((await view(id)).status).toBe("playing");
    time.at += 1;
    expect(await view(id)).toMatchObject({ status: "over", result: { winner: waiting } });
    expect(await lastLines(stores, id, 3)).toMatchObject([
      { type: "seat-forfeited", seat: idle, reason: "idle" },
      { type: "game-won", winner: waiting, reason: "idle" },
      { type: "close", reason: "idle" },
    ]);
    expect(await audited(stores, id)).toMatch(/closed$/);
    expect(await view(id)).not.toHaveProperty("nudge");
  });

  it("is too late with a command: match-over", async () => {
    const { time, service, grants, id, idle, nudge, waiting, deadline } = await nudgedMatch();
    const { command } = await nextCommand(service, id);
    time.at = deadline + 1;
    const late = trySending(service, id, command, { token: grants[idle], expected: 3 });
    expect((await failed(late)).code).toBe("match-over");
    expect((await failed(nudge(waiting))).code).toBe("match-over");
  });

  it("is found by the sweeper, within a minute", async () => {
    const { time, stores, swept, id, deadline } = await nudgedMatch();
    const dueAt = (await stores.matches.load(id))?.dueAt ?? 0;
    expect(dueAt).toBeGreaterThan(deadline);
    expect(dueAt - deadline).toBeLessThanOrEqual(60 * SECOND);
    time.at = dueAt - 1;
    expect(await swept()).toBe(0);
    time.at = dueAt;
    expect(await swept()).toBe(1);
    expect(await lastLines(stores, id, 1)).toMatchObject([{ type: "close", reason: "idle" }]);
  });
});

it("a match with a nudge that nobody uses is abandoned after a week, as others are", async () => {
  const { time, stores, swept, id, idle } = await begun();
  time.at += IDLE_MS_MAX - 1;
  expect(await swept()).toBe(0);
  time.at += 1;
  expect(await swept()).toBe(1);
  expect(await lastLines(stores, id, 2)).toMatchObject([
    { winner: 1 - idle, reason: "abandoned" },
    { type: "close" },
  ]);
});
