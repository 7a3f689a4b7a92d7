import { beforeAll, describe, expect, it } from "vitest";
import type { Client, MatchJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const OPEN = { kind: "open" };
const RANDOM = { kind: "engine", level: "random" };
/** A random engine passes doubles: its games would be short. */
const NO_CUBE = { cube: false };

/** A time that all matches of a test may share, so that only the id orders them. */
let now = Date.UTC(2026, 10, 29);
let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService({ chainLength: 64, clock: () => now })).app);
});

interface Page {
  readonly matches: readonly { readonly id: string; readonly status: string }[];
  readonly nextCursor?: string;
}

const page = async (query: string): Promise<Page> =>
  (await api.get<Page>(`/v1/matches?${query}`)).body;

describe("the list of matches", () => {
  it("has no gap and repeats nothing while new matches arrive", async () => {
    const old: string[] = [];
    for (let opened = 0; opened < 12; opened++) {
      now += opened % 3;
      old.push((await api.open({ seats: [HUMAN, OPEN] })).match.id);
    }
    const seen: string[] = [];
    let cursor = "";
    for (;;) {
      const { matches, nextCursor } = await page(`limit=5${cursor}`);
      seen.push(...matches.map(({ id }) => id));
      now += 1;
      await api.open({ seats: [HUMAN, OPEN] });
      if (nextCursor === undefined) break;
      cursor = `&cursor=${encodeURIComponent(nextCursor)}`;
    }
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(old));
  });

  it("is newest first, and can be narrowed", async () => {
    now += 1_000;
    const first = await api.open({ seats: [HUMAN, OPEN] });
    now += 1_000;
    const second = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const all = await page("limit=2");
    expect(all.matches.map(({ id }) => id)).toEqual([second.match.id, first.match.id]);
    const open = await page("limit=1&status=open&game=backgammon");
    expect(open.matches.map(({ id }) => id)).toEqual([first.match.id]);
    expect((await page("game=chess")).matches).toEqual([]);
  });

  it("refuses a cursor that is not its own", async () => {
    const refused = await api.get<ProblemJson>("/v1/matches?cursor=x");
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.[0]?.pointer).toBe("/query/cursor");
  });
});

describe("a match that has not changed", () => {
  it.each([
    ["its ETag", (tag: string) => tag],
    ["a weak form of it", (tag: string) => `W/${tag}`],
    ["a list that holds it", (tag: string) => `"0", ${tag}`],
    ["any", () => "*"],
  ])("is not sent again to one who has %s", async (_, header) => {
    const { match } = await api.open();
    const first = await api.get(`/v1/matches/${match.id}`);
    const tag = first.headers.get("ETag") ?? "";
    const again = await api.get(`/v1/matches/${match.id}`, {
      headers: { "If-None-Match": header(tag) },
    });
    expect(again.status).toBe(304);
    expect(again.headers.get("ETag")).toBe(tag);
    expect(again.headers.get("Vary")).toContain("Authorization");
  });

  it("is sent once it has moved on", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const tag = `"${opened.match.version}"`;
    const [legal] = opened.match.legal?.commands ?? [];
    await command(api, opened.match.id, tokenOfSeat(opened, 0), legal);
    const again = await api.get<MatchJson>(`/v1/matches/${opened.match.id}`, {
      headers: { "If-None-Match": tag },
    });
    expect(again.status).toBe(200);
    expect(again.headers.get("ETag")).toBe(`"${again.body.version}"`);
  });
});

describe("HEAD", () => {
  it("has the headers of GET and no body, wherever GET is", async () => {
    const { match } = await api.open();
    for (const { path } of Object.keys(api.document.paths).map((template) => ({
      path: template
        .replace("{id}", match.id)
        .replace("{game}", "backgammon")
        .replace("{code}", "stale-version"),
    }))) {
      if (api.document.paths[path.replace(match.id, "{id}")]?.["get"] === undefined) continue;
      const got = await api.get(path);
      const head = await api.request("HEAD", path);
      expect(head.status, path).toBe(got.status);
      expect(head.text).toBe("");
      for (const header of ["Content-Type", "ETag", "Cache-Control", "Vary"]) {
        expect(head.headers.get(header), `${header} of ${path}`).toBe(got.headers.get(header));
      }
    }
  });
});

describe("OPTIONS", () => {
  it("lets any page in, without credentials", async () => {
    const preflight = await api.request("OPTIONS", "/v1/matches", {
      headers: {
        Origin: "https://example.org",
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type, idempotency-key, if-match",
      },
    });
    expect(preflight.status).toBe(204);
    const { headers } = preflight;
    expect(headers.get("Access-Control-Allow-Methods")).toContain("POST");
    expect(headers.get("Access-Control-Allow-Headers")).toContain("idempotency-key");
    expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
    expect(headers.get("Allow")).toBe("GET, HEAD, OPTIONS, POST");
  });

  it("comes with answers whose useful headers a page can read", async () => {
    const answered = await api.get("/v1/matches", { headers: { Origin: "https://example.org" } });
    expect(answered.headers.get("Access-Control-Expose-Headers")).toBe(
      "ETag,Location,Retry-After,Idempotency-Replayed,RateLimit",
    );
  });
});

describe("what is not there", () => {
  it("is said so, with the methods that are", async () => {
    for (const [method, path, allow] of [
      ["DELETE", "/v1/matches", "GET, HEAD, OPTIONS, POST"],
      ["PUT", "/v1/matches/x/commands", "OPTIONS, POST"],
      ["GET", "/v1/positions/convert", "OPTIONS, POST"],
      ["PATCH", "/livez", "GET, HEAD, OPTIONS"],
    ] as const) {
      const refused = await api.request<ProblemJson>(method, path);
      expect([refused.status, refused.body.code]).toEqual([405, "method-not-allowed"]);
      expect(refused.headers.get("Allow")).toBe(allow);
    }
  });

  it("is the page to try it at the root", async () => {
    const { app } = await testService();
    const answered = await app.request("/");
    expect([answered.status, answered.headers.get("Location")]).toEqual([302, "/docs"]);
  });

  it.each(["/v1", "/v2/matches", "/v1/matches/", "/v1/matches/x/y", "/V1/matches", "/%00", "/%zz"])(
    "is a problem at %s",
    async (path) => {
      const refused = await api.get<ProblemJson>(path);
      expect([refused.status, refused.body.code]).toEqual([404, "route-not-found"]);
    },
  );

  it("includes unknown games and problems", async () => {
    const game = await api.get<ProblemJson>("/v1/games/chess");
    expect([game.status, game.body.code]).toEqual([404, "game-not-found"]);
    const problem = await api.get<ProblemJson>("/problems/none");
    expect([problem.status, problem.body.code]).toEqual([404, "problem-not-found"]);
  });
});

describe("a problem", () => {
  it("has a page where its type leads", async () => {
    const all = await api.get<{ problems: { code: string }[] }>("/problems");
    expect(all.body.problems.length).toBeGreaterThan(20);
    for (const { code } of all.body.problems) {
      expect((await api.get<{ code: string }>(`/problems/${code}`)).body.code).toBe(code);
    }
  });

  it.each([
    ["zh-CN", "没有这场对局"],
    ["zh", "没有这场对局"],
    ["zh-CN,zh;q=0.9,en;q=0.8", "没有这场对局"],
    ["en-US,en;q=0.9,zh;q=0.1", "No such match"],
    ["fr", "No such match"],
    ["", "No such match"],
  ])("speaks to one who reads %s", async (language, title) => {
    const refused = await api.get<ProblemJson>("/v1/matches/x", {
      headers: { "Accept-Language": language },
    });
    expect(refused.body.title).toBe(title);
    expect(refused.body.code).toBe("match-not-found");
  });

  it("translates title and detail of a refused play, and not its facts", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ state }) => state.phase === "to-play");
    const refused = (language: string) =>
      command<ProblemJson & { reason: string }>(
        api,
        match.id,
        tokenOfSeat(opened, 0),
        { type: "play", play: "1/off" },
        { "Accept-Language": language },
      );
    const [english, chinese] = [await refused("en"), await refused("zh-CN")];
    expect(chinese.body.detail).toMatch(/\p{Script=Han}/u);
    expect(english.body.detail).not.toMatch(/\p{Script=Han}/u);
    const facts = ({ title: _title, detail: _detail, instance: _instance, ...rest }: ProblemJson) =>
      rest;
    expect(facts(chinese.body)).toEqual(facts(english.body));
  });
});

describe("the service", () => {
  it("says what it is, and that it runs", async () => {
    const meta = await api.get<{ durability: string; limits: { bodyBytes: number } }>("/v1/meta");
    expect(meta.body.durability).toBe("process");
    expect(meta.body.limits.bodyBytes).toBe(16_384);
    expect((await api.get("/livez")).body).toEqual({ status: "ok" });
    expect((await api.get("/readyz")).body).toEqual({ status: "ok" });
  });

  it("is not ready, and says when to ask again, while the store does not answer", async () => {
    const { app, stores } = await testService({ chainLength: 64 });
    const lost = await clientOf(app);
    const { match } = await lost.open();
    await stores.close();
    expect((await lost.get("/livez")).status).toBe(200);
    for (const path of ["/readyz", `/v1/matches/${match.id}`, "/v1/matches"]) {
      const refused = await lost.get<ProblemJson>(path);
      expect([refused.status, refused.body.code], path).toEqual([503, "store-unavailable"]);
      expect(refused.headers.get("Retry-After")).toBe("1");
    }
  });

  it("hides what went wrong when it is our fault", async () => {
    const entries: unknown[] = [];
    const { app, service } = await testService({ chainLength: 64, log: (e) => entries.push(e) });
    const broken = await clientOf(app);
    service.matches.load = () => Promise.reject(new TypeError("a secret of ours"));
    const refused = await broken.get<ProblemJson>(
      "/v1/matches/00000000-0000-4000-8000-000000000000",
    );
    expect([refused.status, refused.body.code]).toEqual([500, "internal"]);
    expect(refused.text).not.toContain("secret");
    expect(JSON.stringify(entries)).toContain(refused.body.instance);
  });
});
