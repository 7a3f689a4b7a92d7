import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type {
  ActedJson,
  Client,
  EventJson,
  LegalJson,
  MatchJson,
  OpenedJson,
  PlayJson,
  ProblemJson,
} from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, followNext, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const AUDITOR = new URL("../audit/check-log.mjs", import.meta.url).href;
const { check } = (await import(AUDITOR)) as { check(log: Buffer, decks: unknown[]): string };

const HUMAN = { kind: "human" };
const RANDOM = { kind: "engine", level: "random" };
/** A random engine passes doubles: its games would be short. */
const NO_CUBE = { cube: false };

let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService({ chainLength: 64 })).app);
});

const isToPlay = ({ state, turn }: MatchJson): boolean =>
  state.phase === "to-play" && turn.seats[0] === 0;
const isToRoll = ({ state, turn }: MatchJson): boolean =>
  state.phase === "to-roll" && turn.seats[0] === 0;

const eventsOf = async (match: MatchJson, limit: number): Promise<readonly EventJson[]> => {
  const events: EventJson[] = [];
  let after: number | undefined = -1;
  while (after !== undefined) {
    const page: { body: { events: EventJson[]; nextAfter?: number } } = await api.get(
      `${match.links["events"]}?after=${after}&limit=${limit}`,
    );
    events.push(...page.body.events);
    after = page.body.nextAfter;
  }
  return events;
};

const decks = async (): Promise<unknown[]> =>
  (await api.get<{ decks: unknown[] }>("/v1/audit/decks")).body.decks;

describe("a whole game", () => {
  it("is finished against an engine by a client that only follows `next`", async () => {
    const { match } = await followNext(
      api,
      await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE }),
    );
    expect(match.result?.winner).toBeTypeOf("number");
    expect(match.next.map(({ path }) => path)).toEqual([match.links["log"], "/v1/audit/decks"]);
  });

  it("is finished in private, by `next` alone", async () => {
    const opened = await api.open({ seats: [RANDOM, HUMAN], visibility: "private" });
    const { match } = await followNext(api, opened);
    expect(match.status).toBe("over");
  });

  it("is finished between two humans, by `next` alone", async () => {
    const { match } = await followNext(api, await api.open({ seats: [HUMAN, HUMAN] }));
    expect(match.status).toBe("over");
  });

  it("is finished between engines, by `next` alone", async () => {
    const { match, requests } = await followNext(
      api,
      await api.open({ seats: [RANDOM, RANDOM], options: NO_CUBE }),
    );
    expect(match.status).toBe("over");
    expect(requests).toBeLessThan(20);
  });

  it("is played by text, and its log convinces the auditor", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ status }) => status === "over");
    const log = await api.get(match.links["log"] ?? "");
    expect(log.headers.get("Content-Type")).toBe("application/x-ndjson");
    const lines = log.text.split("\n").slice(0, -1);
    expect(log.text.endsWith("\n")).toBe(true);
    expect(lines).toHaveLength(match.version + 1);
    expect(check(Buffer.from(log.text), await decks())).toMatch(
      /^OK: \d+ lines, \d+ rolls, closed$/,
    );
    let prev = "0".repeat(64);
    for (const line of lines) {
      expect((JSON.parse(line) as { prev: string }).prev).toBe(prev);
      prev = createHash("sha256").update(line).digest("hex");
    }
  });

  it("gives no log that convinces once a line is changed", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ version }) => version > 10);
    const log = (await api.get(match.links["log"] ?? "")).text;
    const known = await decks();
    expect(check(Buffer.from(log), known)).toContain("not closed yet");
    expect(() =>
      check(Buffer.from(log.replace('"type":"roll"', '"type":"rolL"')), known),
    ).toThrow();
  });
});

describe("a command", () => {
  it("answers with the events it caused, and the hash of the last line", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const before = await playUntil(api, opened, isToRoll);
    const acted = await command(api, before.id, tokenOfSeat(opened, 0), { type: "roll" });
    const { events, match, receipt } = acted.body;
    expect(events.map(({ seq }) => seq)).toEqual(
      Array.from({ length: match.version - before.version }, (_, i) => before.version + 1 + i),
    );
    expect(events[0]?.type).toBe("roll-requested");
    const log = (await api.get(match.links["log"] ?? "")).text.split("\n");
    const last = log[match.version] ?? "";
    expect(receipt).toEqual({
      seq: match.version,
      hash: createHash("sha256").update(last).digest("hex"),
    });
    expect(acted.headers.get("ETag")).toBe(`"${match.version}"`);
  });

  it("names a play by its text, its moves, or where it leads", async () => {
    const forms = [
      ({ play }: PlayJson) => ({ play }),
      ({ moves }: PlayJson) => ({ moves: moves.map(({ from, to }) => ({ from, to })) }),
      ({ resultingPositionId }: PlayJson) => ({ resultingPositionId }),
    ];
    for (const form of forms) {
      const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
      const match = await playUntil(api, opened, isToPlay);
      const [play] = match.legal?.plays ?? [];
      if (play === undefined) throw new RangeError("a roll that can be played has a play");
      const asked = { type: "play", ...form(play) };
      const acted = await command(api, match.id, tokenOfSeat(opened, 0), asked);
      expect(acted.status, acted.text).toBe(200);
      expect(acted.body.events[0]).toMatchObject({ type: "played", play: play.play });
    }
  });

  it("is refused with the legal plays where the play is not one", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, isToPlay);
    const asked = { type: "play", play: "1/off" };
    const refused = await command<ProblemJson>(api, match.id, tokenOfSeat(opened, 0), asked);
    expect(refused.status).toBe(422);
    expect(refused.body.code).toBe("play-not-legal");
    expect(refused.body.legalPlays).toEqual(match.legal?.plays?.map(({ play }) => play));
  });

  it("is refused out of turn, in the wrong phase, and after the end", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN] });
    const match = await playUntil(api, opened, isToRoll);
    const early = await command<ProblemJson>(api, match.id, tokenOfSeat(opened, 1), {
      type: "roll",
    });
    expect([early.status, early.body.code]).toEqual([409, "not-your-turn"]);
    const play = { type: "play", play: "8/5 6/5" };
    const wrong = await command<ProblemJson>(api, match.id, tokenOfSeat(opened, 0), play);
    expect([wrong.status, wrong.body.code]).toEqual([409, "wrong-phase"]);
    await followNext(api, opened);
    const late = await command<ProblemJson>(api, match.id, tokenOfSeat(opened, 0), {
      type: "roll",
    });
    expect([late.status, late.body.code]).toEqual([409, "match-over"]);
  });

  it("waits for the open seat", async () => {
    const opened = await api.open({ seats: [HUMAN, { kind: "open" }] });
    const asked = { type: "roll" };
    const refused = await command<ProblemJson>(api, opened.match.id, tokenOfSeat(opened, 0), asked);
    expect([refused.status, refused.body.code]).toEqual([409, "match-not-begun"]);
  });
});

describe("legal commands", () => {
  const legalOf = (match: MatchJson, token: string) =>
    api.get<LegalJson & ProblemJson>(match.links["legalCommands"] ?? "", { token });

  it("are those of the view, and every one is accepted", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, isToPlay);
    const legal = await legalOf(match, tokenOfSeat(opened, 0));
    expect(legal.body).toEqual(match.legal);
    expect(legal.headers.get("ETag")).toBe(`"${match.version}"`);
    const last = legal.body.commands.at(-1);
    expect((await command(api, match.id, tokenOfSeat(opened, 0), last)).status).toBe(200);
  });

  it("of a seat that waits are to give up the match", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN] });
    const match = await playUntil(api, opened, isToRoll);
    const waiting = await legalOf(match, tokenOfSeat(opened, 1));
    expect(waiting.body.commands).toEqual([{ type: "resign-match" }]);
  });

  it("are nobody's without a token", async () => {
    const { match } = await api.open();
    const refused = await api.get<ProblemJson>(match.links["legalCommands"] ?? "");
    expect([refused.status, refused.body.code]).toEqual([401, "token-missing"]);
    expect(refused.headers.get("WWW-Authenticate")).toBe("Bearer");
  });

  it("are not there while a seat is open, nor for an invite", async () => {
    const opened = await api.open({ seats: [HUMAN, { kind: "open" }] });
    const early = await legalOf(opened.match, tokenOfSeat(opened, 0));
    expect(early.body.code).toBe("match-not-begun");
    const invited = await legalOf(opened.match, opened.seats[1]?.invite ?? "");
    expect([invited.status, invited.body.code]).toEqual([403, "not-allowed"]);
  });
});

describe("replies", () => {
  const replies = (id: string, body?: unknown) =>
    api.post<ActedJson & ProblemJson>(`/v1/matches/${id}/replies`, body);

  it("let the engines move as often as asked, and no more", async () => {
    const { match } = await api.open({ seats: [RANDOM, RANDOM], options: NO_CUBE });
    const once = await replies(match.id, { max: 1 });
    const plays = once.body.events.filter(({ type }) => type === "played");
    expect(plays).toHaveLength(1);
    expect(once.body.match.replyOwed).toBe(true);
  });

  it("without a body are at most a hundred commands", async () => {
    const { match } = await api.open({ seats: [RANDOM, RANDOM], options: NO_CUBE });
    const many = await replies(match.id);
    const commands = many.body.events.filter(
      ({ type }) => type === "played" || type === "roll-requested",
    );
    expect(commands.length).toBeLessThanOrEqual(100);
    expect(commands.length).toBeGreaterThan(10);
  });

  it("are not owed by a human, nor after the end", async () => {
    const human = await replies((await api.open()).match.id, {});
    expect([human.status, human.body.code]).toEqual([409, "no-reply-owed"]);
    const opened = await api.open({ seats: [RANDOM, RANDOM], options: NO_CUBE });
    await followNext(api, opened);
    const over = await replies(opened.match.id, {});
    expect([over.status, over.body.code]).toEqual([409, "match-over"]);
  });
});

describe("events", () => {
  it.each([1, 7, 100])("come in pages of %i, every seq once and in order", async (limit) => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, opened, ({ version }) => version > 30);
    const events = await eventsOf(match, limit);
    expect(events.map(({ seq }) => seq)).toEqual(
      Array.from({ length: match.version + 1 }, (_, seq) => seq),
    );
    const times = events.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
    expect(events[0]?.type).toBe("open");
  });

  it("are those of the answers to the commands", async () => {
    const opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const before = await playUntil(api, opened, isToRoll);
    const acted = await command(api, before.id, tokenOfSeat(opened, 0), { type: "roll" });
    const page = await api.get<{ events: EventJson[] }>(
      `${before.links["events"]}?after=${before.version}`,
      { token: tokenOfSeat(opened, 0) },
    );
    expect(page.body.events).toEqual(acted.body.events);
  });

  it("are none while a seat is open, and none after the last", async () => {
    const open = await api.open({ seats: [HUMAN, { kind: "open" }] });
    const none = await api.get(open.match.links["events"] ?? "");
    expect(none.body).toEqual({ events: [] });
    const { match } = await api.open();
    const after = await api.get(`${match.links["events"]}?after=${match.version}`);
    expect(after.body).toEqual({ events: [], version: match.version });
  });
});

it("shows the opener of a match of two humans no one's legal commands", async () => {
  const opened: OpenedJson = await api.open({ seats: [HUMAN, HUMAN] });
  const [seat] = opened.match.turn.seats;
  const path = opened.match.links["self"] ?? "";
  const mine = await api.get<MatchJson>(path, { token: tokenOfSeat(opened, seat ?? 0) });
  const other = await api.get<MatchJson>(path, { token: tokenOfSeat(opened, 1 - (seat ?? 0)) });
  expect(mine.body.legal).toBeDefined();
  expect(other.body.legal).toBeUndefined();
  expect((await api.get<MatchJson>(path)).body.legal).toBeUndefined();
});
