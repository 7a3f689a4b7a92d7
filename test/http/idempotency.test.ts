import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { keyOfApp } from "../support/apps.ts";
import type {
  ActedJson,
  Answered,
  Asked,
  Client,
  OpenedJson,
  ProblemJson,
} from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";
import type { WatchedStores } from "../support/watched-stores.ts";
import { watchedStores } from "../support/watched-stores.ts";

const HUMAN = { kind: "human" };
const RANDOM = { kind: "engine", level: "random" };
/** A random engine passes doubles: its games would be short. */
const NO_CUBE = { cube: false };

let watched: WatchedStores;
let api: Client;
let appKey: string;
beforeAll(async () => {
  watched = watchedStores();
  appKey = await keyOfApp(watched.stores, "shop");
  api = await clientOf((await testService({ chainLength: 64, stores: watched.stores })).app);
});

/** A request that may be made with a key: each operation that changes something has one here. */
interface Repeated {
  readonly path: string;
  readonly body: unknown;
  readonly other: unknown;
  readonly asked: Asked;
}

const OPERATIONS: readonly [string, () => Promise<Repeated>][] = [
  [
    "openMatch",
    async () => ({
      path: "/v1/matches",
      body: { game: "backgammon" },
      other: { game: "backgammon", seats: [HUMAN, HUMAN] },
      asked: {},
    }),
  ],
  [
    "importMatch",
    async () => {
      const file = (text: string) => ({ format: "mat", file: text });
      const played = " 3 point match\n\n Game 1\n A : 0 B : 0\n  1) 31: 8/5 6/5\n";
      const path = "/v1/matches/import";
      return { path, body: file(played), other: file(`${played}\n`), asked: {} };
    },
  ],
  [
    "claimSeat",
    async () => {
      const { match, seats } = await api.open({ seats: [HUMAN, { kind: "open" }] });
      const asked = { token: seats[1]?.invite ?? "" };
      const path = `/v1/matches/${match.id}/seats`;
      return { path, body: { name: "Bob" }, other: { name: "Rob" }, asked };
    },
  ],
  [
    "rotateSeat",
    async () => {
      const asked = { token: appKey };
      const { match } = await api.open({ seats: [HUMAN, HUMAN] }, asked);
      const path = `/v1/matches/${match.id}/seats/rotate`;
      return { path, body: { seat: 0 }, other: { seat: 1 }, asked };
    },
  ],
  [
    "command",
    async () => {
      const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
      const match = await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
      const asked = { token: tokenOfSeat(opened, 0) };
      const path = `/v1/matches/${match.id}/commands`;
      const other = { type: "play", play: "8/5 6/5" };
      return { path, body: { type: "roll" }, other, asked };
    },
  ],
  [
    "replies",
    async () => {
      const { match } = await api.open({ seats: [RANDOM, RANDOM], options: NO_CUBE });
      return {
        path: `/v1/matches/${match.id}/replies`,
        body: { max: 2 },
        other: { max: 3 },
        asked: {},
      };
    },
  ],
];

const keyed = ({ asked }: Repeated, key: string, extra = {}): Asked => ({
  ...asked,
  headers: { "Idempotency-Key": key, ...extra },
});

describe.each(OPERATIONS)("%s with an Idempotency-Key", (operationId, prepare) => {
  it("given twice has the first answer again, byte for byte, and is done once", async () => {
    const repeated = await prepare();
    const key = randomUUID();
    const send = () => api.post<OpenedJson>(repeated.path, repeated.body, keyed(repeated, key));
    const first = await send();
    expect(first.status, first.text).toBeLessThan(300);
    const writes = watched.writes();
    const second = await send();
    expect(watched.writes()).toBe(writes);
    expect(second.text).toBe(first.text);
    expect(second.status).toBe(first.status);
    for (const header of ["ETag", "Location", "Content-Type"]) {
      expect(second.headers.get(header)).toBe(first.headers.get(header));
    }
    expect(first.headers.get("Idempotency-Replayed")).toBeNull();
    expect(second.headers.get("Idempotency-Replayed")).toBe("true");
  });

  it("given with another body is refused", async () => {
    const repeated = await prepare();
    const key = randomUUID();
    const first = await api.post(repeated.path, repeated.body, keyed(repeated, key));
    expect(first.status).toBeLessThan(300);
    const content = await watched.content();
    const other = await api.post<ProblemJson>(repeated.path, repeated.other, keyed(repeated, key));
    expect([other.status, other.body.code]).toEqual([422, "idempotency-key-reused"]);
    expect(await watched.content()).toBe(content);
  });

  it("given by twenty twins at once is done once, and all get its bytes", async () => {
    const repeated = await prepare();
    const key = randomUUID();
    const writes = watched.writes();
    const twins = await Promise.all(
      Array.from({ length: 20 }, () =>
        api.post<OpenedJson>(repeated.path, repeated.body, keyed(repeated, key)),
      ),
    );
    expect(watched.writes()).toBe(writes + 1);
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    expect(twins.every(({ status }) => status < 300)).toBe(true);
    const replayed = twins.filter(({ headers }) => headers.has("Idempotency-Replayed"));
    expect(replayed).toHaveLength(19);
  });

  it("is one of the operations that take a key", () => {
    const taking = Object.values(api.document.paths).flatMap((methods) =>
      Object.values(methods)
        .filter(({ parameters }) => parameters?.some(({ name }) => name === "idempotency-key"))
        .map((operation) => operation.operationId),
    );
    expect(taking).toContain(operationId);
    expect(taking).toHaveLength(OPERATIONS.length);
  });
});

describe("a key", () => {
  it("of an anonymous opener has at least 22 characters", async () => {
    const asked = { headers: { "Idempotency-Key": "a".repeat(21) } };
    const refused = await api.post<ProblemJson>("/v1/matches", { game: "backgammon" }, asked);
    expect([refused.status, refused.body.code]).toEqual([422, "idempotency-key-weak"]);
  });

  it("of a refused request is free for another", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
    const token = tokenOfSeat(opened, 0);
    const headers = { "Idempotency-Key": "mine" };
    const play = { type: "play", play: "8/5" };
    expect((await command(api, match.id, token, play, headers)).status).toBe(409);
    expect((await command(api, match.id, token, { type: "roll" }, headers)).status).toBe(200);
  });

  it("is its principal's own: the other seat's is another key", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN] });
    const headers = { "Idempotency-Key": "ours" };
    const match = await playUntil(
      api,
      opened,
      ({ state, turn }) => state.phase === "to-roll" && turn.seats[0] === 0,
    );
    const first = await command(api, match.id, tokenOfSeat(opened, 0), { type: "roll" }, headers);
    expect(first.status).toBe(200);
    const other = await command<ProblemJson>(
      api,
      match.id,
      tokenOfSeat(opened, 1),
      { type: "roll" },
      headers,
    );
    expect(other.headers.get("Idempotency-Replayed")).toBeNull();
  });

  it("replays the answer after the match has moved on, in spite of If-Match", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
    const headers = { "Idempotency-Key": "roll-1", "If-Match": `"${match.version}"` };
    const roll = () => command(api, match.id, tokenOfSeat(opened, 0), { type: "roll" }, headers);
    const first = await roll();
    await playUntil(
      api,
      { ...opened, match: first.body.match },
      ({ version }) => version > match.version + 8,
    );
    const again = await roll();
    expect(again.text).toBe(first.text);
    expect(again.headers.get("ETag")).toBe(first.headers.get("ETag"));
  });

  it("does nothing for a stateless tool", async () => {
    const headers = { "Idempotency-Key": "tool" };
    const ask = (dice: readonly number[]): Promise<Answered<unknown>> =>
      api.post(
        "/v1/positions/legal-plays",
        { position: { positionId: "4HPwATDgc/ABMA" }, dice },
        { headers },
      );
    expect((await ask([3, 1])).status).toBe(200);
    const other = await ask([4, 1]);
    expect(other.status).toBe(200);
    expect(other.headers.get("Idempotency-Replayed")).toBeNull();
  });
});

describe("If-Match", () => {
  it("of an old version is refused with the current one", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ version }) => version > 6);
    const headers = { "If-Match": '"3"' };
    const asked = match.legal?.commands[0];
    const refused = await command<ProblemJson>(
      api,
      match.id,
      tokenOfSeat(opened, 0),
      asked,
      headers,
    );
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({ code: "stale-version", version: match.version });
  });

  it("lets one of ten requests win; the others learn the version", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
    const headers = { "If-Match": `"${match.version}"` };
    const roll = () =>
      command<ActedJson & ProblemJson>(
        api,
        match.id,
        tokenOfSeat(opened, 0),
        { type: "roll" },
        headers,
      );
    const raced = await Promise.all(Array.from({ length: 10 }, roll));
    const won = raced.filter(({ status }) => status === 200);
    expect(won).toHaveLength(1);
    const lost = raced.filter(({ status }) => status === 412);
    expect(lost).toHaveLength(9);
    const version = won[0]?.body.match.version;
    expect(lost.every(({ body }) => body.version === version)).toBe(true);
  });
});
