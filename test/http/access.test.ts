import { beforeAll, describe, expect, it } from "vitest";
import type { Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, followNext, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const OPEN = { kind: "open" };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const TOKEN = /qj_(seat|inv|app)_/;

const logged: string[] = [];
let api: Client;
beforeAll(async () => {
  const log = (entry: unknown) => logged.push(JSON.stringify(entry));
  api = await clientOf((await testService({ chainLength: 64, log })).app);
});

/** Every request about one match, by path under it. */
const REQUESTS: readonly [string, string, unknown][] = [
  ["GET", "", undefined],
  ["GET", "/legal-commands", undefined],
  ["GET", "/events", undefined],
  ["GET", "/log", undefined],
  ["POST", "/commands", { type: "roll" }],
  ["POST", "/replies", { max: 1 }],
  ["POST", "/seats", {}],
];

const ask = (id: string, [method, path, body]: (typeof REQUESTS)[number], token?: string) =>
  api.request<ProblemJson>(method, `/v1/matches/${id}${path}`, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });

const masked = (text: string): string => text.replace(/urn:uuid:[0-9a-f-]{36}/, "instance");

const mistyped = (token: string): string => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");

describe.each(REQUESTS)("%s /v1/matches/{id}%s", (...request) => {
  it("of a private match answers strangers as if it were not there, byte for byte", async () => {
    const hidden = await api.open({ seats: [HUMAN, OPEN], visibility: "private" });
    const other = await api.open();
    const strangers = [undefined, tokenOfSeat(other, 0), mistyped(tokenOfSeat(hidden, 0)), "Ann"];
    for (const token of strangers) {
      const forbidden = await ask(hidden.match.id, request, token);
      const unknown = await ask(UNKNOWN, request, token);
      const noId = await ask("x", request, token);
      expect(forbidden.status).toBe(404);
      expect(forbidden.body.code).toBe("match-not-found");
      expect(masked(forbidden.text)).toBe(masked(unknown.text));
      expect(masked(noId.text)).toBe(masked(unknown.text));
      expect([...forbidden.headers]).toEqual([...unknown.headers]);
    }
  });

  it("of a public match refuses tokens that are not of it", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const other = await api.open();
    for (const token of [tokenOfSeat(other, 0), mistyped(tokenOfSeat(opened, 0)), "Ann"]) {
      const refused = await ask(opened.match.id, request, token);
      expect([refused.status, refused.body.code]).toEqual([401, "token-unknown"]);
      expect(refused.headers.get("WWW-Authenticate")).toBe("Bearer");
      expect(refused.text).not.toMatch(TOKEN);
    }
  });
});

describe("a private match", () => {
  it("is there for its seats and for its invite", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN], visibility: "private" });
    for (const token of [tokenOfSeat(opened, 0), opened.seats[1]?.invite ?? ""]) {
      const seen = await api.get<MatchJson>(`/v1/matches/${opened.match.id}`, { token });
      expect(seen.status).toBe(200);
    }
  });

  it("an invite shows a private match until it is used, and nothing afterwards", async () => {
    const seats = [{ kind: "human" }, { kind: "open" }];
    const { match, seats: grants } = await api.open({ seats, visibility: "private" });
    const invite = grants[1]?.invite ?? "";
    const path = `/v1/matches/${match.id}`;
    expect((await api.get(path, { token: invite })).status).toBe(200);
    expect((await api.post(`${path}/seats`, {}, { token: invite })).status).toBe(201);
    expect((await api.get<ProblemJson>(path, { token: invite })).body.code).toBe("match-not-found");
  });

  it("is in no list", async () => {
    const opened = await api.open({ visibility: "private" });
    const listed = await api.get("/v1/matches?limit=100");
    expect(listed.text).not.toContain(opened.match.id);
  });

  it("shows its log to its own only, before and after the end", async () => {
    const opened = await api.open({
      seats: [HUMAN, { kind: "engine", level: "random" }],
      visibility: "private",
    });
    await followNext(api, opened);
    const path = `/v1/matches/${opened.match.id}/log`;
    expect((await api.get(path)).status).toBe(404);
    expect((await api.get(path, { token: tokenOfSeat(opened, 0) })).status).toBe(200);
  });
});

describe("a token", () => {
  const claim = (opened: OpenedJson, token: string) =>
    api.post<OpenedJson & ProblemJson>(`/v1/matches/${opened.match.id}/seats`, {}, { token });

  it("is needed to act and to claim", async () => {
    const { match } = await api.open({ seats: [HUMAN, OPEN] });
    for (const path of ["commands", "seats"]) {
      const body = path === "commands" ? { type: "roll" } : {};
      const refused = await api.post<ProblemJson>(`/v1/matches/${match.id}/${path}`, body);
      expect([refused.status, refused.body.code]).toEqual([401, "token-missing"]);
    }
  });

  it("of a seat claims nothing, and an invite does not act", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const invite = opened.seats[1]?.invite ?? "";
    const claimed = await claim(opened, tokenOfSeat(opened, 0));
    expect([claimed.status, claimed.body.code]).toEqual([403, "not-allowed"]);
    const acted = await command<ProblemJson>(api, opened.match.id, invite, { type: "roll" });
    expect([acted.status, acted.body.code]).toEqual([403, "not-allowed"]);
  });

  it("of one seat does not act for the other", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN] });
    const [seat = 0] = opened.match.turn.seats;
    const refused = await command<ProblemJson>(
      api,
      opened.match.id,
      tokenOfSeat(opened, 1 - seat),
      { type: "roll" },
    );
    expect([refused.status, refused.body.code]).toEqual([409, "not-your-turn"]);
  });

  it("in another scheme is unknown", async () => {
    const opened = await api.open();
    const token = tokenOfSeat(opened, 0);
    for (const header of [
      `Basic ${token}`,
      token,
      `Bearer ${token} ${token}`,
      "Bearer",
      "Bearer x",
    ]) {
      const refused = await api.get<ProblemJson>(`/v1/matches/${opened.match.id}`, {
        headers: { Authorization: header },
      });
      expect([refused.status, refused.body.code], header).toEqual([401, "token-unknown"]);
    }
  });

  it("in the query is refused by the parameter's name, and is not repeated", async () => {
    const opened = await api.open();
    const token = tokenOfSeat(opened, 0);
    const refused = await api.get<ProblemJson>(`/v1/matches/${opened.match.id}?token=${token}`);
    expect(refused.status).toBe(400);
    expect(refused.body.errors?.[0]?.pointer).toBe("/query/token");
    expect(refused.text).not.toContain(token);
  });

  it("stands in no view, event or log line", async () => {
    const opened = await api.open({ seats: [HUMAN, OPEN] });
    const claimed = await claim(opened, opened.seats[1]?.invite ?? "");
    expect(claimed.text.match(/qj_(seat|inv)_/g)).toHaveLength(1);
    const links = claimed.body.match.links;
    for (const path of ["self", "events", "log", "legalCommands"]) {
      const token = tokenOfSeat(opened, 0);
      expect((await api.get(links[path] ?? "", { token })).text, path).not.toMatch(TOKEN);
    }
    expect((await api.get("/v1/matches?limit=100")).text).not.toMatch(TOKEN);
  });
});

it("no token is in what the service logs, whatever was asked above", () => {
  expect(logged.length).toBeGreaterThan(100);
  expect(logged.filter((entry) => TOKEN.test(entry))).toEqual([]);
});
