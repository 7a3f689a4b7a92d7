import { beforeEach, describe, expect, it } from "vitest";
import type { ActedJson, Client, MatchJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import type { HeldThinker } from "../support/held-thinker.ts";
import { heldThinker } from "../support/held-thinker.ts";
import { command, follow, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const ENGINE = { kind: "engine", level: "heuristic" };
const NO_CUBE = { cube: false };

let thinker: HeldThinker;
let api: Client;
let app: Awaited<ReturnType<typeof testService>>["app"];

beforeEach(async () => {
  thinker = heldThinker();
  ({ app } = await testService({ thinker, chainLength: 32 }));
  api = await clientOf(app);
});

/** A match in which the human's next command ends its turn. */
const beforePlay = async () => {
  const opened = await api.open({ seats: [HUMAN, ENGINE], options: NO_CUBE });
  const match = await playUntil(api, opened, ({ state, legal }) => {
    return state.phase === "to-play" && (legal?.plays?.length ?? 0) > 0;
  });
  return { match, token: tokenOfSeat(opened, 0), play: match.legal?.commands[0] };
};

const eventTypes = async ({ links }: MatchJson): Promise<readonly string[]> => {
  const page = await api.get<{ events: readonly { type: string; seat?: number }[] }>(
    `${links["events"]}?limit=500`,
  );
  return page.body.events.map(({ type, seat }) => `${type} ${seat ?? ""}`.trim());
};

const isBusy = (answered: { status: number; headers: Headers; body: ProblemJson }): void => {
  expect([answered.status, answered.body.code]).toEqual([503, "engines-busy"]);
  expect(answered.headers.get("Retry-After")).toBe("1");
};

describe("while the engines are too busy", () => {
  it("a command is done, and the reply is owed until it is asked for", async () => {
    const { match, token, play } = await beforePlay();
    thinker.become("busy");
    const headers = { "Idempotency-Key": "a-key-of-this-play" };
    const acted = await command(api, match.id, token, play, headers);
    expect(acted.status).toBe(200);
    expect(acted.body.match).toMatchObject({ replyOwed: true, turn: { seats: [1] } });
    expect(acted.body.match.next[0]?.path).toBe(`/v1/matches/${match.id}/replies`);
    const played = await eventTypes(match);
    expect(played.at(-1)).toBe("played 0");

    isBusy(await api.post<ProblemJson>(`/v1/matches/${match.id}/replies`, {}));
    expect(await eventTypes(match), "nothing was done").toEqual(played);

    thinker.become("answers");
    const again = await command(api, match.id, token, play, headers);
    expect(again.text, "a retry is the first answer").toBe(acted.text);
    const [next] = acted.body.match.next;
    if (next === undefined) throw new TypeError("a reply is owed");
    const replied = (await follow(api, next, token)).body as ActedJson;
    expect(replied.match.replyOwed).toBe(false);
    expect(replied.match.version).toBeGreaterThan(acted.body.match.version);
    expect(await eventTypes(match)).toContain("dice-rolled 1");
  });

  it("a match is opened all the same", async () => {
    thinker.become("busy");
    for (let begun = 0; begun < 20; begun++) {
      const opened = await api.open({ seats: [HUMAN, ENGINE], options: NO_CUBE });
      const [seat] = opened.match.turn.seats;
      expect(opened.match.replyOwed).toBe(seat === 1);
      if (seat === 1) return;
    }
    throw new RangeError("the engine never began");
  });

  it("a seat on turn gets no hint, and is told when to ask again", async () => {
    const { match, token } = await beforePlay();
    thinker.become("busy");
    isBusy(await api.post<ProblemJson>(`/v1/matches/${match.id}/hint`, {}, { token }));
  });

  it.each([
    ["evaluate", {}],
    ["best-plays", { dice: [3, 1] }],
    ["cube-action", {}],
  ])("no position is judged (%s)", async (tool, more) => {
    thinker.become("busy");
    const asked = { position: { positionId: "4HPwATDgc/ABMA" }, ...more };
    isBusy(await api.post<ProblemJson>(`/v1/positions/${tool}`, asked));
  });
});

describe("while an engine thinks", () => {
  it("a retry of the command does it once, and both get one answer", async () => {
    const { match, token, play } = await beforePlay();
    const before = await eventTypes(match);
    const headers = { "Idempotency-Key": "a-key-of-this-play" };
    thinker.become("holds");
    const first = command(api, match.id, token, play, headers);
    await thinker.holding(1);
    const twin = command(api, match.id, token, play, headers);
    await thinker.holding(2);
    thinker.become("answers");
    thinker.release();
    const [one, other] = await Promise.all([first, twin]);
    expect([one.status, other.status]).toEqual([200, 200]);
    expect(other.text).toBe(one.text);
    const since = (await eventTypes(match)).slice(before.length);
    expect(since.filter((type) => type === "played 0")).toHaveLength(1);
  });

  it("another command of the seat does not come between", async () => {
    const { match, token, play } = await beforePlay();
    thinker.become("holds");
    const first = command(api, match.id, token, play);
    await thinker.holding(1);
    const second = command<ProblemJson>(api, match.id, token, match.legal?.commands[1] ?? play);
    await thinker.holding(2);
    thinker.become("answers");
    thinker.release();
    const answers = await Promise.all([first, second]);
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 200)?.body).toMatchObject({ status: 409 });
  });

  it("a caller of `replies` that leaves stops them, and what was played is kept", async () => {
    const { match } = await api.open({ seats: [ENGINE, ENGINE], options: NO_CUBE });
    thinker.become("holds");
    const leaving = new AbortController();
    const asked = app.request(`/v1/matches/${match.id}/replies`, {
      method: "POST",
      signal: leaving.signal,
    });
    await thinker.holding(1);
    leaving.abort();
    thinker.become("answers");
    thinker.release();
    await asked;
    expect(thinker.asked()).toBe(1);
    const now = await api.get<MatchJson>(match.links["self"] ?? "");
    expect(now.body.version).toBeGreaterThan(match.version);
    expect(now.body.replyOwed).toBe(true);
  });

  it("a command that is in time is on record before its flag falls: a slow reply is owed then", async () => {
    let now = Date.UTC(2026, 0, 1);
    const service = await testService({ thinker, chainLength: 32, clock: () => now });
    api = await clientOf(service.app);
    const options = {
      cube: false,
      clock: { kind: "fischer", initialSeconds: 60, incrementSeconds: 0 },
    };
    const opened = await api.open({ seats: [HUMAN, { kind: "engine", level: "expert" }], options });
    const toPlay = ({ state, turn }: MatchJson): boolean =>
      state.phase === "to-play" && turn.seats[0] === 0;
    const match = await playUntil(api, opened, toPlay);
    now += 50_000;
    const token = tokenOfSeat(opened, 0);
    thinker.become("holds");
    const acted = await command(api, match.id, token, match.legal?.commands[0]);
    expect(acted.body.match).toMatchObject({ status: "playing", replyOwed: true });
    thinker.become("answers");
    now += 60_000;
    const replied = await api.post<ActedJson>(`/v1/matches/${match.id}/replies`, {});
    expect(replied.body.match).toMatchObject({ status: "playing", replyOwed: false });
  });
});
