import { describe, expect, it } from "vitest";
import type { ActedJson, Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, follow, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMANS = [{ kind: "human" }, { kind: "human" }];
const SECOND = 1_000;
const FISCHER = { clock: { kind: "fischer", initialSeconds: 60, incrementSeconds: 5 } };

interface ClockJson {
  readonly remainingMs: readonly number[];
  readonly running: readonly number[];
  readonly fallsAt?: string;
}
type TimedJson = MatchJson & {
  readonly clock?: ClockJson;
  readonly nudge?: unknown;
  readonly options: unknown;
  readonly serverTime: string;
};

const time = { at: Date.UTC(2026, 10, 29) };
const { app } = await testService({ chainLength: 64, clock: () => time.at });
const api: Client = await clientOf(app);

const begun = async (options: unknown) => {
  const opened = await api.open({ seats: HUMANS, options });
  const [idle = 0] = opened.match.turn.seats;
  const path = `/v1/matches/${opened.match.id}`;
  const tokenOf = (seat: number) => tokenOfSeat(opened, seat);
  return { opened, path, id: opened.match.id, idle, waiting: 1 - idle, tokenOf };
};

const play = async (opened: OpenedJson, seat: number): Promise<unknown> => {
  const token = tokenOfSeat(opened, seat);
  const { body } = await api.get<MatchJson>(`/v1/matches/${opened.match.id}`, { token });
  return body.legal?.commands[0];
};

describe("a match with a clock", () => {
  it("says what a preset means, and shows the clocks as of the server's time", async () => {
    const { path, idle } = await begun({ clock: { preset: "usbgf" } });
    time.at += 20 * SECOND;
    const { body } = await api.get<TimedJson>(path);
    expect(body.options).toMatchObject({
      clock: { kind: "delay", bankSeconds: 120, delaySeconds: 12 },
    });
    // 20 seconds, of which 12 are delay.
    const left = (of: number, other: number) => (idle === 0 ? [of, other] : [other, of]);
    expect(body.clock).toEqual({
      kind: "delay",
      remainingMs: left(112_000, 120_000),
      delayLeftMs: [0, 0],
      running: [idle],
      fallsAt: new Date(time.at + 112 * SECOND).toISOString(),
    });
    expect(body.serverTime).toBe(new Date(time.at).toISOString());
  });

  it.each([
    [{ ...FISCHER, nudgeAfterSeconds: 60 }, "/options/nudgeAfterSeconds"],
    [{ nudgeAfterSeconds: 1 }, "/options/nudgeAfterSeconds"],
    [{ clock: { kind: "fischer", initialSeconds: 60 } }, "/options/clock"],
  ])("is refused with %j", async (options, pointer) => {
    const wish = { game: "backgammon", seats: HUMANS, options };
    const refused = await api.post<ProblemJson>("/v1/matches", wish);
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe("malformed-options");
    expect(refused.body.errors?.[0]?.pointer).toContain(pointer);
  });

  it("keeps its ETag while a clock runs, and has another when a flag has fallen", async () => {
    const { path } = await begun(FISCHER);
    const first = await api.get<TimedJson>(path);
    const tag = first.headers.get("ETag") ?? "";
    const conditional = { headers: { "If-None-Match": tag } };
    time.at = Date.parse(first.body.clock?.fallsAt ?? "");
    expect((await api.get(path, conditional)).status).toBe(304);
    time.at += 1;
    const fallen = await api.get<TimedJson>(path, conditional);
    expect(fallen.status).toBe(200);
    expect(fallen.headers.get("ETag")).not.toBe(tag);
    expect(fallen.body).toMatchObject({ status: "over", clock: { running: [] } });
    const again = { headers: { "If-None-Match": fallen.headers.get("ETag") ?? "" } };
    expect((await api.get(path, again)).status).toBe(304);
  });

  it("refuses a late command with match-over, with and without its version", async () => {
    for (const versioned of [true, false]) {
      const { opened, path, id, idle, tokenOf } = await begun(FISCHER);
      const wanted = await play(opened, idle);
      const headers: Record<string, string> = versioned
        ? { "If-Match": `"${opened.match.version}"` }
        : {};
      const { body } = await api.get<TimedJson>(path);
      time.at = Date.parse(body.clock?.fallsAt ?? "") + 1;
      const late = await command<ProblemJson>(api, id, tokenOf(idle), wanted, headers);
      expect([late.status, late.body.code]).toEqual([409, "match-over"]);
      const after = await api.get<TimedJson>(path);
      expect(after.body).toMatchObject({ status: "over", result: { winner: 1 - idle } });
    }
  });

  it("is over once the flag has fallen, also for who rotates a token", async () => {
    const { path, idle, tokenOf } = await begun(FISCHER);
    const { body } = await api.get<TimedJson>(path);
    time.at = Date.parse(body.clock?.fallsAt ?? "") + 1;
    const asked = { token: tokenOf(idle) };
    const rotated = await api.post<OpenedJson>(`${path}/seats/rotate`, {}, asked);
    expect(rotated.body.match).toMatchObject({ status: "over", result: { winner: 1 - idle } });
    const token = rotated.body.seats[0]?.token ?? "";
    expect((await api.get<TimedJson>(path, { token })).body.status).toBe("over");
  });

  it("takes a command at the last millisecond", async () => {
    const { opened, id, path, idle, tokenOf } = await begun(FISCHER);
    const wanted = await play(opened, idle);
    const { body } = await api.get<TimedJson>(path);
    time.at = Date.parse(body.clock?.fallsAt ?? "");
    const done = await command(api, id, tokenOf(idle), wanted);
    expect(done.status).toBe(200);
    expect(done.body.match).toMatchObject({
      status: "playing",
      clock: { remainingMs: idle === 0 ? [5_000, 60_000] : [60_000, 5_000] },
    });
  });

  it("asks its readers of events and log to look at the end first", async () => {
    const { path } = await begun(FISCHER);
    time.at += 61 * SECOND;
    const events = await api.get<{ events: { type: string }[] }>(`${path}/events?after=2`);
    expect(events.body.events.map(({ type }) => type)).toEqual([
      ...["seat-forfeited", "game-won", "close"],
    ]);
    const { path: other } = await begun(FISCHER);
    time.at += 61 * SECOND;
    expect((await api.get(`${other}/log`)).text).toMatch(/"type":"close"[^\n]*\n$/);
  });
});

describe("a match with a nudge", () => {
  const NUDGE = { type: "nudge" };
  const nudges = ({ next }: MatchJson) =>
    next.filter(({ body }) => (body as { type?: string } | undefined)?.type === "nudge");

  it("offers it to the seat that waits, once it is possible, and takes it", async () => {
    const { path, id, idle, waiting, tokenOf } = await begun({ nudgeAfterSeconds: 60 });
    const seen = async (seat: number) =>
      (await api.get<TimedJson>(path, { token: tokenOf(seat) })).body;
    expect(nudges(await seen(waiting))).toEqual([]);
    const possibleAt = new Date(time.at + 60 * SECOND).toISOString();
    expect((await seen(waiting)).nudge).toEqual({ seat: idle, possibleAt });
    time.at += 59 * SECOND;
    const early = await command<ProblemJson>(api, id, tokenOf(waiting), NUDGE);
    expect([early.status, early.body.code]).toEqual([409, "nudge-too-early"]);
    expect(early.body).toMatchObject({ seat: idle, possibleAt });
    time.at += SECOND;
    expect(nudges(await seen(idle))).toEqual([]);
    expect(nudges((await api.get<TimedJson>(path)).body)).toEqual([]);
    const [offered] = nudges(await seen(waiting));
    if (offered === undefined) throw new RangeError("a nudge is offered");
    const done = await follow(api, offered, tokenOf(waiting));
    const deadline = new Date(time.at + 60 * SECOND).toISOString();
    expect((done.body as ActedJson).events).toMatchObject([
      { type: "nudged", seat: idle, deadline },
    ]);
    expect(nudges(await seen(waiting))).toEqual([]);
    const chinese = { token: tokenOf(waiting), headers: { "Accept-Language": "zh" } };
    const again = await api.post<ProblemJson>(`${path}/commands`, NUDGE, chinese);
    expect(again.body).toMatchObject({ code: "already-nudged", deadline, title: "已经催促过" });
    time.at += 60 * SECOND + 1;
    expect(await seen(waiting)).toMatchObject({ status: "over", result: { winner: waiting } });
  });

  it.each([
    [{}, "nudge-not-offered"],
    [{ nudgeAfterSeconds: 60 }, "not-nudgeable"],
  ])("with %j: the seat on turn is told %s", async (options, code) => {
    const { id, idle, tokenOf } = await begun(options);
    const refused = await command<ProblemJson>(api, id, tokenOf(idle), NUDGE);
    expect([refused.status, refused.body.code]).toEqual([409, code]);
  });

  it("refuses a nudge that says more", async () => {
    const { id, waiting, tokenOf } = await begun({ nudgeAfterSeconds: 60 });
    const more = { ...NUDGE, seat: 0 };
    const refused = await command<ProblemJson>(api, id, tokenOf(waiting), more);
    expect([refused.status, refused.body.code]).toEqual([400, "malformed-request"]);
    expect(refused.body.errors).toEqual([
      { pointer: "/seat", detail: "this key is not known here" },
    ]);
  });
});
