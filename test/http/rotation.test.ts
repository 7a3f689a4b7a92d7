import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { keyOfApp } from "../support/apps.ts";
import type { Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, followNext, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const RANDOM = { kind: "engine", level: "random" };
const OPEN = { kind: "open" };
const ROLL = { type: "roll" };

/** Two processes on one database. */
let stores: Stores;
let one: Client;
let two: Client;
let appKey: string;
beforeAll(async () => {
  stores = memoryStores(Date.now);
  one = await clientOf((await testService({ chainLength: 64, stores })).app);
  two = await clientOf((await testService({ chainLength: 64, stores })).app);
  appKey = await keyOfApp(stores, "shop");
});

const rotate = (
  api: Client,
  id: string,
  token: string,
  { body = {}, key }: { readonly body?: object; readonly key?: string } = {},
) =>
  api.post<OpenedJson & ProblemJson>(`/v1/matches/${id}/seats/rotate`, body, {
    token,
    headers: key === undefined ? {} : { "Idempotency-Key": key },
  });

const rotated = async (...asked: Parameters<typeof rotate>): Promise<string> => {
  const answered = await rotate(...asked);
  expect(answered.status, answered.text).toBe(200);
  return answered.body.seats[0]?.token ?? "";
};

/** A match in which the human in seat 0 may roll, at that version in both processes' memory. */
const toRoll = async (wish: object = {}): Promise<{ opened: OpenedJson; match: MatchJson }> => {
  const opened = await one.open({ seats: [HUMAN, RANDOM], ...wish });
  const match = await playUntil(one, opened, ({ state }) => state.phase === "to-roll");
  const token = tokenOfSeat(opened, 0);
  const warmed = await two.get<MatchJson>(match.links["self"] ?? "", { token });
  expect(warmed.body.version).toBe(match.version);
  return { opened, match };
};

const ifMatch = ({ version }: MatchJson) => ({ "If-Match": `"${version}"` });
const linesOf = async (id: string) => (await stores.matches.lines(id as never, -1, 1_000)).length;

describe("a seat's token that was rotated", () => {
  it("is refused at once in every process, to act and to read, with and without a version", async () => {
    const { opened, match } = await toRoll();
    const old = tokenOfSeat(opened, 0);
    const fresh = await rotated(one, match.id, old);
    expect(fresh).toMatch(/^qj_seat_/);
    expect(fresh).not.toBe(old);
    const lines = await linesOf(match.id);
    for (const api of [one, two]) {
      for (const headers of [{}, ifMatch(match), { ...ifMatch(match), "Idempotency-Key": "k" }]) {
        const acted = await command<ProblemJson>(api, match.id, old, ROLL, headers);
        expect([acted.status, acted.body.code]).toEqual([401, "token-unknown"]);
      }
      for (const path of ["", "/legal-commands", "/events", "/log"]) {
        const headers = { "If-None-Match": `"${match.version}"` };
        const read = await api.get(`/v1/matches/${match.id}${path}`, { token: old, headers });
        expect(read.status, path).toBe(401);
      }
      expect((await rotate(api, match.id, old)).status).toBe(401);
    }
    expect(await linesOf(match.id)).toBe(lines);
    expect((await command(two, match.id, fresh, ROLL, ifMatch(match))).status).toBe(200);
  });

  it("of a private match is answered as if there were none", async () => {
    const { opened, match } = await toRoll({ visibility: "private" });
    const old = tokenOfSeat(opened, 0);
    await rotated(one, match.id, old);
    for (const api of [one, two]) {
      const acted = await command<ProblemJson>(api, match.id, old, ROLL, ifMatch(match));
      expect([acted.status, acted.body.code]).toEqual([404, "match-not-found"]);
      expect((await api.get(`/v1/matches/${match.id}`, { token: old })).status).toBe(404);
    }
  });

  it("cannot have its stored answers again, nor can its successor", async () => {
    const { opened, match } = await toRoll();
    const old = tokenOfSeat(opened, 0);
    const keyed = { ...ifMatch(match), "Idempotency-Key": randomUUID() };
    expect((await command(one, match.id, old, ROLL, keyed)).status).toBe(200);
    const fresh = await rotated(one, match.id, old);
    expect((await command(one, match.id, old, ROLL, keyed)).status).toBe(401);
    const again = await command<ProblemJson>(one, match.id, fresh, ROLL, keyed);
    expect([again.status, again.body.code]).toEqual([412, "stale-version"]);
  });

  it("moves no version: the ETag of a match in play stays, and clients need not read again", async () => {
    const { opened, match } = await toRoll();
    const answered = await rotate(one, match.id, tokenOfSeat(opened, 0));
    expect(answered.headers.get("ETag")).toBe(`"${match.version}"`);
    expect(answered.body.match).toMatchObject({ version: match.version, you: 0 });
    const token = answered.body.seats[0]?.token ?? "";
    const headers = { "If-None-Match": `"${match.version}"` };
    expect((await two.get(`/v1/matches/${match.id}`, { token, headers })).status).toBe(304);
  });

  it("may be rotated while a seat is open, and when the match is over", async () => {
    const waiting = await one.open({ seats: [HUMAN, OPEN] });
    const answered = await rotate(one, waiting.match.id, tokenOfSeat(waiting, 0));
    expect(answered.headers.get("ETag")).toBe('"open-1"');
    expect(answered.body.match).toMatchObject({ status: "open", claims: 0 });
    const claimed = await two.post<OpenedJson>(
      `/v1/matches/${waiting.match.id}/seats`,
      {},
      { token: waiting.seats[1]?.invite ?? "" },
    );
    expect(claimed.status).toBe(201);
    expect(claimed.body.match.status).toBe("playing");

    const over = await one.open({ seats: [HUMAN, RANDOM], visibility: "private" });
    await followNext(one, over);
    const path = `/v1/matches/${over.match.id}`;
    const fresh = await rotated(two, over.match.id, tokenOfSeat(over, 0));
    expect((await one.get(path, { token: tokenOfSeat(over, 0) })).status).toBe(404);
    expect((await one.get<MatchJson>(path, { token: fresh })).body.status).toBe("over");
  });

  it("leaves the other seat's token as it is", async () => {
    const opened = await one.open({ seats: [HUMAN, HUMAN] });
    await rotated(one, opened.match.id, tokenOfSeat(opened, 0));
    const path = `/v1/matches/${opened.match.id}/legal-commands`;
    expect((await two.get(path, { token: tokenOfSeat(opened, 1) })).status).toBe(200);
    const other = await rotate(one, opened.match.id, tokenOfSeat(opened, 1), { body: { seat: 0 } });
    expect([other.status, other.body.code]).toEqual([403, "not-allowed"]);
  });
});

describe("a retry of a rotation", () => {
  it("comes with the dead token and its key, and has the same new token", async () => {
    const { opened, match } = await toRoll({ visibility: "private" });
    const [old, key] = [tokenOfSeat(opened, 0), randomUUID()];
    const first = await rotate(one, match.id, old, { key });
    const again = await rotate(two, match.id, old, { key });
    expect(again.text).toBe(first.text);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    for (const asked of [{}, { key: randomUUID() }, { key, body: { seat: 0 } }]) {
      expect((await rotate(two, match.id, old, asked)).status).toBe(404);
    }
    const other = await one.open();
    expect((await rotate(one, other.match.id, old, { key })).status).toBe(401);
  });

  it("needs a key that nobody guesses, as a thief has the dead token too", async () => {
    const { opened, match } = await toRoll();
    const weak = await rotate(one, match.id, tokenOfSeat(opened, 0), { key: "1" });
    expect([weak.status, weak.body.code]).toEqual([422, "idempotency-key-weak"]);
    expect((await command(one, match.id, tokenOfSeat(opened, 0), ROLL)).status).toBe(200);
  });

  it("by twins at once is done once", async () => {
    const { opened, match } = await toRoll();
    const key = randomUUID();
    const twins = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        rotate(i % 2 === 0 ? one : two, match.id, tokenOfSeat(opened, 0), { key }),
      ),
    );
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
  });

  it("by rivals at once goes to one of them", async () => {
    const { opened, match } = await toRoll();
    const rivals = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        rotate(i % 2 === 0 ? one : two, match.id, tokenOfSeat(opened, 0), { key: randomUUID() }),
      ),
    );
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(401)]);
    const [winner] = rivals.filter(({ status }) => status === 200);
    const token = winner?.body.seats[0]?.token ?? "";
    expect((await command(two, match.id, token, ROLL, ifMatch(match))).status).toBe(200);
  });
});

describe("a rotation by an app", () => {
  const openAs = (key: string, wish: object = {}) =>
    one.open({ seats: [{ ...HUMAN, player: "ann" }, HUMAN], ...wish }, { token: key });

  it("gives a seat a new token, again by its key, however short", async () => {
    const opened = await openAs(appKey, { visibility: "private" });
    const { id } = opened.match;
    const first = await rotate(one, id, appKey, { body: { seat: 1 }, key: "7" });
    expect(first.status).toBe(200);
    expect(first.body.match.seats[0]).toMatchObject({ player: "ann" });
    const fresh = first.body.seats[0]?.token ?? "";
    const path = `/v1/matches/${id}`;
    expect((await two.get(path, { token: tokenOfSeat(opened, 1) })).status).toBe(404);
    expect((await two.get<{ you: number }>(path, { token: fresh })).body.you).toBe(1);
    const again = await rotate(two, id, appKey, { body: { seat: 1 }, key: "7" });
    expect(again.text).toBe(first.text);
    expect((await two.get(path, { token: tokenOfSeat(opened, 0) })).status).toBe(200);
  });

  it("names a seat that a human holds", async () => {
    const seats = [{ ...HUMAN, player: "ann" }, RANDOM];
    const opened = await openAs(appKey, { seats });
    for (const body of [{}, { seat: 1 }, { seat: 9 }]) {
      const refused = await rotate(one, opened.match.id, appKey, { body });
      expect([refused.status, refused.body.code]).toEqual([422, "seat-has-no-token"]);
    }
  });

  it("that loses a race leaves nothing behind in its process's memory", async () => {
    let before: (() => Promise<unknown>) | undefined;
    const delayed: Stores = {
      ...stores,
      matches: {
        ...stores.matches,
        change: async (expected, change) => {
          const first = before;
          before = undefined;
          await first?.();
          return stores.matches.change(expected, change);
        },
      },
    };
    const three = await clientOf((await testService({ chainLength: 64, stores: delayed })).app);
    // Seat 0 rotates and is overtaken by its app; then seat 1 acts, from what the process remembers.
    let opened = await openAs(appKey);
    while (opened.match.turn.seats[0] !== 1) opened = await openAs(appKey);
    const { id } = opened.match;
    let fresh = "";
    before = async () => {
      fresh = await rotated(one, id, appKey, { body: { seat: 0 } });
    };
    expect((await rotate(three, id, tokenOfSeat(opened, 0))).status).toBe(401);
    const token = tokenOfSeat(opened, 1);
    const match = (await two.get<MatchJson>(`/v1/matches/${id}`, { token })).body;
    const acted = await command(three, id, token, match.legal?.commands[0], ifMatch(match));
    expect(acted.status, acted.text).toBe(200);
    for (const api of [one, two, three]) {
      const read = await api.get<{ you: number }>(`/v1/matches/${id}`, { token: fresh });
      expect(read.body.you).toBe(0);
    }
  });
});
