import { beforeAll, describe, expect, it } from "vitest";
import type { Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const OPEN = { kind: "open" };
const ENGINE = { kind: "engine", level: "heuristic" };
const LEVELS = ["random", "heuristic", "beginner", "intermediate", "expert", "grandmaster"];

interface EngineJson {
  readonly level: string;
  readonly title: { readonly en: string; readonly zh: string };
}

let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService({ chainLength: 64 })).app);
});

const SEAT_TOKEN = /^qj_seat_[0-9A-Za-z]{38}$/;
const INVITE = /^qj_inv_[0-9A-Za-z]{38}$/;

describe("opening a match", () => {
  it("needs nothing but the game's name: a human against the engine", async () => {
    const opened = await api.post<OpenedJson>("/v1/matches", { game: "backgammon" });
    expect(opened.status).toBe(201);
    const { match, seats } = opened.body;
    expect(opened.headers.get("Location")).toBe(`/v1/matches/${match.id}`);
    expect(opened.headers.get("ETag")).toBe(`"${match.version}"`);
    expect(match).toMatchObject({
      game: "backgammon",
      variant: "standard",
      visibility: "public",
      status: "playing",
      seats: [
        { seat: 0, kind: "human" },
        { seat: 1, kind: "engine", level: "heuristic" },
      ],
      turn: { kind: "seats", seats: [0] },
    });
    expect(seats).toEqual([{ seat: 0, token: expect.stringMatching(SEAT_TOKEN) }]);
    expect(match.legal?.commands.length).toBeGreaterThan(0);
  });

  it("stops where a human must act, whoever begins", async () => {
    for (let opening = 0; opening < 12; opening++) {
      const { match } = await api.open();
      expect(match).toMatchObject({ replyOwed: false, turn: { seats: [0] } });
    }
  });

  it("gives a token for each human seat", async () => {
    const { match, seats } = await api.open({ seats: [{ ...HUMAN, name: "安" }, HUMAN] });
    expect(match.seats[0]).toEqual({ seat: 0, kind: "human", name: "安" });
    expect(seats.map(({ seat }) => seat)).toEqual([0, 1]);
    expect(seats.every(({ token }) => SEAT_TOKEN.test(token ?? ""))).toBe(true);
    expect(match.legal).toBeUndefined();
  });

  it("gives an invite for an open seat, and waits for it", async () => {
    const opened = await api.post<OpenedJson>("/v1/matches", {
      game: "backgammon",
      seats: [HUMAN, OPEN],
    });
    const { match, seats } = opened.body;
    expect(opened.headers.get("ETag")).toBe('"open-0"');
    expect(match.status).toBe("open");
    expect(match).not.toHaveProperty("version");
    expect(seats[1]).toEqual({ seat: 1, invite: expect.stringMatching(INVITE) });
    const log = await api.get(`/v1/matches/${match.id}/log`);
    expect(log.text).toBe("");
  });

  it("rolls the opening of engine against engine, and owes the reply", async () => {
    const { match, seats } = await api.open({ seats: [ENGINE, { ...ENGINE, level: "random" }] });
    expect(seats).toEqual([]);
    expect(match).toMatchObject({ replyOwed: true, status: "playing" });
    expect(match.state.phase).toBe("to-play");
    expect(match.next[0]?.path).toBe(`/v1/matches/${match.id}/replies`);
  });

  it("plays each variant of the catalogue", async () => {
    const games = await api.get<{ games: { id: string; variants: string[]; levels: string[] }[] }>(
      "/v1/games",
    );
    for (const { variants, levels } of games.body.games) {
      for (const variant of variants) {
        for (const level of levels) {
          const { match } = await api.open({ variant, seats: [HUMAN, { kind: "engine", level }] });
          expect(match.variant).toBe(variant);
        }
      }
    }
  });

  it("has engine levels with names in both languages, and says which of them advise", async () => {
    const { body } = await api.get<{ levels: string[]; engines: EngineJson[]; advice: string[] }>(
      "/v1/games/backgammon",
    );
    expect(body.levels).toEqual(LEVELS);
    expect(body.engines.map(({ level, title }) => [level, title.zh])).toEqual([
      ["random", "随机"],
      ["heuristic", "经验规则"],
      ["beginner", "入门"],
      ["intermediate", "普通"],
      ["expert", "高手"],
      ["grandmaster", "大师"],
    ]);
    expect(body.advice).toEqual(["intermediate", "expert", "grandmaster"]);
  });

  it.each([
    ["game-unknown", { game: "chess" }],
    ["variant-unknown", { variant: "acey-deucey" }],
    ["seats-not-possible", { seats: [HUMAN] }],
    ["seats-not-possible", { seats: [HUMAN, HUMAN, HUMAN] }],
    ["engine-level-unknown", { seats: [HUMAN, { kind: "engine", level: "wizard" }] }],
    ["malformed-options", { options: { lenght: 7 } }],
  ])("refuses %s, and says what there is", async (code, wish) => {
    const refused = await api.post<ProblemJson>("/v1/matches", { game: "backgammon", ...wish });
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe(code);
  });

  it("names an unknown option by its pointer", async () => {
    const refused = await api.post<ProblemJson>("/v1/matches", {
      game: "backgammon",
      options: { "a/b": 1 },
    });
    expect(refused.body.errors).toEqual([
      { pointer: "/options/a~1b", detail: "this key is not known here" },
    ]);
  });

  it("lists the engine levels to one who asks for an unknown one", async () => {
    const refused = await api.post<ProblemJson & { levels: string[] }>("/v1/matches", {
      game: "backgammon",
      seats: [HUMAN, { kind: "engine", level: "wizard" }],
    });
    expect(refused.body.levels).toEqual(LEVELS);
  });
});

describe("claiming a seat", () => {
  const claim = async (opened: OpenedJson, seat: number, body: unknown = {}) =>
    api.post<OpenedJson>(`/v1/matches/${opened.match.id}/seats`, body, {
      token: opened.seats[seat]?.invite ?? "",
    });

  it("begins the match with the last seat, and gives its token to the one who came", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const claimed = await claim(opened, 1, { name: "Bob" });
    expect(claimed.status).toBe(201);
    expect(claimed.headers.get("Location")).toBe(`/v1/matches/${opened.match.id}`);
    expect(claimed.body.seats).toEqual([{ seat: 1, token: expect.stringMatching(SEAT_TOKEN) }]);
    expect(claimed.body.match).toMatchObject({
      status: "playing",
      seats: [
        { seat: 0, kind: "human" },
        { seat: 1, kind: "human", name: "Bob" },
      ],
    });
    expect(claimed.headers.get("ETag")).toBe(`"${claimed.body.match.version}"`);
  });

  it("counts claims while another seat is open", async () => {
    const opened = await api.open({ seats: [OPEN, OPEN] });
    const first = await claim(opened, 1);
    expect(first.body.match).toMatchObject({ status: "open", claims: 1 });
    expect(first.headers.get("ETag")).toBe('"open-1"');
    const second = await claim(opened, 0);
    expect(second.body.match.status).toBe("playing");
  });

  it("needs no body", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const claimed = await api.post(`/v1/matches/${opened.match.id}/seats`, undefined, {
      token: opened.seats[1]?.invite ?? "",
    });
    expect(claimed.status).toBe(201);
  });

  it("works once", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    await claim(opened, 1);
    const again = await api.post<ProblemJson>(
      `/v1/matches/${opened.match.id}/seats`,
      {},
      { token: opened.seats[1]?.invite ?? "" },
    );
    expect(again.status).toBe(409);
    expect(again.body.code).toBe("seat-taken");
  });

  it("is won by one of many who come at once", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const claims = await Promise.all(Array.from({ length: 10 }, () => claim(opened, 1)));
    expect(claims.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  it("lets the first seat act on the ETag of a match that was still open", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const path = `/v1/matches/${opened.match.id}/commands`;
    const asked = { token: opened.seats[0]?.token ?? "", headers: { "If-Match": '"open-0"' } };
    const early = await api.post<ProblemJson>(path, { type: "roll" }, asked);
    expect(early.body.code).toBe("match-not-begun");
    await claim(opened, 1);
    const late = await api.post<ProblemJson>(path, { type: "roll" }, asked);
    expect(late.body.code).toBe("stale-version");
  });

  it("shows the claimed match to everybody", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    await claim(opened, 1, { name: "Bob" });
    const seen = await api.get<MatchJson>(`/v1/matches/${opened.match.id}`);
    expect(seen.body.status).toBe("playing");
  });
});
