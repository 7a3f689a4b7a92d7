import { beforeAll, describe, expect, it } from "vitest";
import { memoryStores } from "../../src/persistence/memory-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { keyOfApp } from "../support/apps.ts";
import type { Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { followNext, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const ANN = { kind: "human", player: "ann" };
const BOB = { kind: "human", player: "bob" };
const RANDOM = { kind: "engine", level: "random" };

let stores: Stores;
let api: Client;
let shop: string;
let rival: string;
beforeAll(async () => {
  stores = memoryStores(Date.now);
  api = await clientOf((await testService({ chainLength: 64, stores })).app);
  shop = await keyOfApp(stores, "shop");
  rival = await keyOfApp(stores, "rival");
});

interface ListJson {
  readonly matches: readonly MatchJson[];
  readonly nextCursor?: string;
}

const list = (query: string, token?: string) =>
  api.get<ListJson>(`/v1/matches?${query}`, token === undefined ? {} : { token });

const idsOf = async (query: string, token?: string): Promise<readonly string[]> =>
  (await list(`limit=100&${query}`, token)).body.matches.map(({ id }) => id);

const playersIn = (text: string): readonly string[] =>
  [...text.matchAll(/"player":"([^"]*)"/g)].map(([, player]) => player ?? "");

describe("a player's reference", () => {
  it("is shown to the app that seated the player, and to nobody else", async () => {
    const opened = await api.open({ seats: [ANN, RANDOM] }, { token: shop });
    const path = `/v1/matches/${opened.match.id}`;
    expect(playersIn(JSON.stringify(opened))).toEqual(["ann"]);
    expect(playersIn((await api.get(path, { token: shop })).text)).toEqual(["ann"]);
    for (const token of [undefined, rival, tokenOfSeat(opened, 0)]) {
      const asked = token === undefined ? {} : { token };
      for (const under of ["", "/events", "/log"]) {
        const { status, text } = await api.get(path + under, asked);
        expect([status, text.includes("ann"), text.includes("shop")], under).toEqual([
          200,
          false,
          false,
        ]);
      }
      expect(playersIn((await list("limit=100", token)).text)).toEqual([]);
    }
    for (const under of ["/events", "/log"]) {
      expect((await api.get(path + under, { token: shop })).text).not.toMatch(/"ann"|shop/);
    }
    const acted = await api.post(`${path}/commands`, (opened.match.legal?.commands ?? [])[0], {
      token: tokenOfSeat(opened, 0),
    });
    expect(acted.status).toBe(200);
    expect(acted.text).not.toMatch(/"ann"|shop/);
  });

  it("without an app's key is refused", async () => {
    const refused = await api.post<ProblemJson>("/v1/matches", {
      game: "backgammon",
      seats: [ANN, RANDOM],
    });
    expect([refused.status, refused.body.code]).toEqual([422, "player-needs-app-key"]);
  });

  it("in both seats is refused: nobody plays against themselves", async () => {
    const wish = { game: "backgammon", seats: [ANN, ANN] };
    const refused = await api.post<ProblemJson>("/v1/matches", wish, { token: shop });
    expect([refused.status, refused.body.code]).toEqual([422, "player-twice"]);
  });

  it.each(["", "a b", "é", ".", "..", "-x", "a/b", "a%2Fb", "a\u0000", "x".repeat(65)])(
    "is no text like %j",
    async (player) => {
      const seats = [{ ...HUMAN, player }, RANDOM];
      const refused = await api.post("/v1/matches", { game: "backgammon", seats }, { token: shop });
      expect(refused.status).toBe(400);
      const found = await list(`player=${encodeURIComponent(player)}`, shop);
      expect(found.status).toBe(400);
    },
  );

  it("is the app's own: two apps may use the same", async () => {
    const mine = await api.open({ seats: [{ ...HUMAN, player: "twin" }, RANDOM] }, { token: shop });
    const path = "/v1/players/twin/statistics";
    expect((await api.get(path, { token: shop })).status).toBe(200);
    const unknown = await api.get<ProblemJson>(path, { token: rival });
    expect([unknown.status, unknown.body.code]).toEqual([404, "player-not-found"]);
    expect(await idsOf("player=twin", shop)).toEqual([mine.match.id]);
    expect(await idsOf("player=twin", rival)).toEqual([]);
  });
});

describe("opening by an app", () => {
  const openKeyed = (token: string, key: string, wish: object = {}) =>
    api.post<OpenedJson & ProblemJson>(
      "/v1/matches",
      { game: "backgammon", ...wish },
      { token, headers: { "Idempotency-Key": key } },
    );

  it("takes a short key, and gives the same tokens again, to the same app by any of its keys", async () => {
    const first = await openKeyed(shop, "1");
    expect(first.status).toBe(201);
    const second = await keyOfApp(stores, "shop");
    for (const token of [shop, second]) {
      const again = await openKeyed(token, "1");
      expect(again.text).toBe(first.text);
      expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    }
    const other = await openKeyed(rival, "1");
    expect(other.body.match.id).not.toBe(first.body.match.id);
    expect(tokenOfSeat(other.body, 0)).not.toBe(tokenOfSeat(first.body, 0));
    const reused = await openKeyed(shop, "1", { seats: [HUMAN, HUMAN] });
    expect(reused.body.code).toBe("idempotency-key-reused");
  });

  it("may be for engines alone and private: the app sees it and lets them move", async () => {
    const wish = { seats: [RANDOM, RANDOM], visibility: "private" };
    const opened = await api.open(wish, { token: shop });
    const path = `/v1/matches/${opened.match.id}/replies`;
    expect((await api.post(path, { max: 2 })).status).toBe(404);
    expect((await api.post(path, { max: 2 }, { token: rival })).status).toBe(404);
    const headers = { "Idempotency-Key": "short" };
    const replied = await api.post(path, { max: 2 }, { token: shop, headers });
    expect(replied.status).toBe(200);
    const again = await api.post(path, { max: 2 }, { token: shop, headers });
    expect(again.text).toBe(replied.text);
  });

  it("acts for no seat", async () => {
    const opened = await api.open({ seats: [ANN, BOB] }, { token: shop });
    const refused = await api.post<ProblemJson>(
      `/v1/matches/${opened.match.id}/commands`,
      { type: "roll" },
      { token: shop },
    );
    expect([refused.status, refused.body.code]).toEqual([403, "not-allowed"]);
  });
});

describe("the list", () => {
  it("shows an app public matches and its own private ones, with its players", async () => {
    const own = await api.open({ seats: [ANN, RANDOM], visibility: "private" }, { token: shop });
    const alien = await api.open({ visibility: "private" }, { token: rival });
    const open = await api.open();
    const shown = await list("limit=100", shop);
    const ids = shown.body.matches.map(({ id }) => id);
    expect(ids).toContain(own.match.id);
    expect(ids).toContain(open.match.id);
    expect(ids).not.toContain(alien.match.id);
    const found = shown.body.matches.find(({ id }) => id === own.match.id);
    expect(found).toMatchObject({ visibility: "private", seats: [{ player: "ann" }, {}] });
    for (const token of [undefined, rival, tokenOfSeat(own, 0)]) {
      expect(await idsOf("", token)).not.toContain(own.match.id);
    }
  });

  it("shows where a player is to act", async () => {
    const key = await keyOfApp(stores, "turns");
    const opened = await api.open({ seats: [ANN, BOB], visibility: "private" }, { token: key });
    const onTurn = async () => [
      (await idsOf("player=ann&onTurn=true", key)).length,
      (await idsOf("player=bob&onTurn=true", key)).length,
    ];
    const [seat = 0] = opened.match.turn.seats;
    expect(await onTurn()).toEqual(seat === 0 ? [1, 0] : [0, 1]);
    const token = tokenOfSeat(opened, seat);
    const path = `/v1/matches/${opened.match.id}`;
    const { legal } = (await api.get<MatchJson>(path, { token })).body;
    await api.post(`${path}/commands`, legal?.commands[0], { token });
    expect(await onTurn()).toEqual(seat === 0 ? [0, 1] : [1, 0]);
    await followNext(api, opened);
    expect(await onTurn()).toEqual([0, 0]);
    expect(await idsOf("player=ann&status=over", key)).toEqual([opened.match.id]);
    expect(await idsOf("player=ann&status=playing", key)).toEqual([]);
    expect(await idsOf("player=ann&game=backgammon", key)).toEqual([opened.match.id]);
    expect(await idsOf("player=ann&game=chess", key)).toEqual([]);
  });

  it("asks whose turn it is about", async () => {
    for (const query of ["onTurn=true", "player=ann&onTurn=false", "player=ann&onTurn"]) {
      expect((await list(query, shop)).status, query).toBe(400);
    }
  });

  it("goes through all of a player's matches without gaps while new ones are opened", async () => {
    const key = await keyOfApp(stores, "pages");
    const open = async () =>
      (await api.open({ seats: [ANN, RANDOM], visibility: "private" }, { token: key })).match.id;
    const known: string[] = [];
    for (let i = 0; i < 9; i++) known.push(await open());
    const paged: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await list(`player=ann&limit=2${cursor}`, key);
      paged.push(...page.body.matches.map(({ id }) => id));
      await open();
      if (page.body.nextCursor === undefined) break;
      cursor = `&cursor=${page.body.nextCursor}`;
    }
    expect(new Set(paged).size).toBe(paged.length);
    expect([...paged].sort()).toEqual([...known].sort());
  });
});

describe("two apps, with every id and token swapped", () => {
  it("get nothing of each other's private matches by list, replay, rotation, claim or statistics", async () => {
    const wish = { seats: [ANN, { kind: "open" }], visibility: "private" };
    const mine = await api.open(wish, { token: shop });
    const theirs = await api.open(wish, { token: rival });
    const tokens = [rival, tokenOfSeat(theirs, 0), theirs.seats[1]?.invite ?? ""];
    for (const token of tokens) {
      for (const [method, under, body] of [
        ["GET", "", undefined],
        ["GET", "/legal-commands", undefined],
        ["GET", "/events", undefined],
        ["GET", "/log", undefined],
        ["POST", "/commands", { type: "roll" }],
        ["POST", "/replies", { max: 1 }],
        ["POST", "/seats", {}],
        ["POST", "/seats/rotate", { seat: 0 }],
      ] as const) {
        const asked = body === undefined ? { token } : { token, body };
        const path = `/v1/matches/${mine.match.id}${under}`;
        const refused = await api.request<ProblemJson>(method, path, asked);
        expect([refused.status, refused.body.code], `${method} ${under}`).toEqual([
          404,
          "match-not-found",
        ]);
        expect(refused.text).not.toMatch(/ann|shop|qj_/);
      }
    }
    const still = await api.get<MatchJson>(`/v1/matches/${mine.match.id}`, { token: shop });
    expect(still.body).toMatchObject({ status: "open", claims: 0 });
  });
});
