import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { canonical, type Json } from "../../src/kernel/json.ts";
import type { Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HUMAN = { kind: "human" };
const RANDOM = { kind: "engine", level: "random" };

interface HintsJson {
  readonly level: string;
  readonly hints: readonly {
    readonly command: { readonly type: string; readonly play?: string };
    readonly equity: number;
    readonly difference: number;
  }[];
}

type StateJson = MatchJson["state"] & { readonly xgid?: string; readonly positionId?: string };

let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService({ chainLength: 256 })).app);
});

const hintOf = (match: MatchJson, token: string, body: object = { level: "intermediate" }) =>
  api.post<HintsJson & ProblemJson>(match.links["hint"] ?? "", body, { token });

/** The match as the seat on turn sees it. */
const seenBySeatOnTurn = async (opened: OpenedJson, { links, turn }: MatchJson) => {
  const token = tokenOfSeat(opened, turn.seats[0] ?? 0);
  const { body } = await api.get<MatchJson>(links["self"] ?? "", { token });
  return { match: body, token };
};

/** Holds a hint against what is legal, and against itself. */
const isHint = ({ legal }: MatchJson, { hints }: HintsJson): void => {
  const listed = (legal?.commands ?? []).map((one) => canonical(one as unknown as Json));
  for (const hint of hints) expect(listed).toContain(canonical(hint.command as unknown as Json));
  const equities = hints.map(({ equity }) => equity);
  expect(equities).toEqual([...equities].sort((a, b) => b - a));
  for (const { equity, difference } of hints) {
    expect(difference).toBeCloseTo(equity - (equities[0] ?? 0), 12);
  }
};

const OPTIONS = [
  ["a match to 2", { length: 2 }],
  ["a single game without a cube", { cube: false }],
  ["a game with beavers and raccoons", { beavers: true, raccoons: true, jacoby: false }],
  [
    "a match that rolls by itself, between whose games the seats ask",
    { length: 2, autoRoll: true, nextGame: "ask" },
  ],
] as const;

describe.each(OPTIONS)("in %s", (_, options) => {
  it("who does the first command of each hint, in both seats, is never refused", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN], options });
    let { match } = opened;
    const phases = new Set<string>();
    for (let commands = 0; match.status === "playing"; commands++) {
      expect(commands).toBeLessThan(1_500);
      const seen = await seenBySeatOnTurn(opened, match);
      const hinted = await hintOf(seen.match, seen.token, { level: "intermediate", limit: 50 });
      expect(hinted.status, hinted.text).toBe(200);
      expect(hinted.headers.get("ETag")).toBe(`"${seen.match.version}"`);
      isHint(seen.match, hinted.body);
      phases.add(seen.match.state.phase);
      const [best] = hinted.body.hints;
      const acted = await command(api, match.id, seen.token, best?.command, {
        "If-Match": `"${seen.match.version}"`,
      });
      expect(acted.status, acted.text).toBe(200);
      match = acted.body.match;
    }
    expect([...phases]).toEqual(expect.arrayContaining(["to-play"]));
  }, 120_000);
});

/** In a match to 5 the seat may then double, as long as nobody has. */
const isToRoll = ({ state: { phase } }: MatchJson): boolean => phase === "to-roll";

describe("a hint", () => {
  const hintedAt = async (until: (match: MatchJson) => boolean, options: object = {}) => {
    const opened = await api.open({ seats: [HUMAN, HUMAN], options });
    const match = await playUntil(api, opened, until);
    const seen = await seenBySeatOnTurn(opened, match);
    const body = { level: "intermediate", limit: 50 };
    return {
      opened,
      ...seen,
      state: seen.match.state as StateJson,
      hint: (await hintOf(seen.match, seen.token, body)).body,
    };
  };

  it("ranks plays as the tool does that is given the state's XGID", async () => {
    const { hint, state } = await hintedAt(({ state: { phase } }) => phase === "to-play", {
      length: 5,
    });
    const tool = await api.post<{ plays: { play: string; equity: number }[] }>(
      "/v1/positions/best-plays",
      { position: { xgid: state.xgid }, dice: state.dice, level: "intermediate", limit: 50 },
    );
    expect(hint.hints.map(({ command: { play }, equity }) => [play, equity])).toEqual(
      tool.body.plays.map(({ play, equity }) => [play, equity]),
    );
  });

  it("says whether to double as the tool does", async () => {
    const { hint, state } = await hintedAt(isToRoll, { length: 5 });
    const tool = await api.post<{ action: string; equities: Record<string, number> }>(
      "/v1/positions/cube-action",
      { position: { xgid: state.xgid }, level: "intermediate" },
    );
    const { noDouble = 0, doubleTake = 0, doublePass = 0 } = tool.body.equities;
    const equities = Object.fromEntries(hint.hints.map((one) => [one.command.type, one.equity]));
    expect(equities).toEqual({ roll: noDouble, double: Math.min(doubleTake, doublePass) });
    expect(hint.hints[0]?.command.type).toBe(tool.body.action === "double" ? "double" : "roll");
  });

  it("answers a double as the tool says that it is answered, from the other side", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN], options: { length: 5 } });
    const before = await playUntil(api, opened, isToRoll);
    const doubler = await seenBySeatOnTurn(opened, before);
    const doubled = await command(api, before.id, doubler.token, { type: "double" });
    const answerer = await seenBySeatOnTurn(opened, doubled.body.match);
    const { hints } = (await hintOf(answerer.match, answerer.token)).body;
    const { xgid } = doubler.match.state as StateJson;
    const tool = await api.post<{ response: string; equities: Record<string, number> }>(
      "/v1/positions/cube-action",
      { position: { xgid }, level: "intermediate" },
    );
    const { doubleTake = 0, doublePass = 0 } = tool.body.equities;
    const equities = Object.fromEntries(hints.map((one) => [one.command.type, one.equity]));
    expect(equities).toEqual({ take: -doubleTake, pass: -doublePass });
    expect(hints[0]?.command.type).toBe(tool.body.response);
  });

  it("refuses a resignation at the start, and takes one of a backgammon", async () => {
    for (const [value, wise] of [
      ["single", "accept-resignation"],
      ["backgammon", "accept-resignation"],
    ] as const) {
      const opened = await api.open({ seats: [HUMAN, HUMAN], options: { cube: false } });
      const { match, token } = await seenBySeatOnTurn(opened, opened.match);
      const offered = await command(api, match.id, token, { type: "offer-resignation", value });
      const other = await seenBySeatOnTurn(opened, offered.body.match);
      const { hints } = (await hintOf(other.match, other.token)).body;
      expect(hints[0]?.command.type).toBe(wise);
      expect(hints[0]?.equity).toBe(value === "single" ? 1 : 3);
      expect(hints).toHaveLength(2);
    }
  });

  it("is the same for the same version, records nothing, and is as long as asked for", async () => {
    const { match, token, hint } = await hintedAt(({ legal }) => (legal?.plays?.length ?? 0) > 6);
    const again = await hintOf(match, token);
    expect(again.body.hints).toEqual(hint.hints.slice(0, 5));
    expect((await hintOf(match, token, { level: "intermediate", limit: 2 })).body.hints).toEqual(
      hint.hints.slice(0, 2),
    );
    const now = await api.get<MatchJson>(match.links["self"] ?? "", { token });
    expect(now.body.version).toBe(match.version);
  });

  it("is of the expert level unless another is named, and never of one that does not advise", async () => {
    const { match, token } = await hintedAt(({ state: { phase } }) => phase === "to-play");
    expect(
      (await api.post<HintsJson>(match.links["hint"] ?? "", undefined, { token })).body.level,
    ).toBe("expert");
    const refused = await hintOf(match, token, { level: "heuristic" });
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, "/level"]);
  });

  it("is only for the seat on turn, while the match is in play", async () => {
    const opened = await api.open({ seats: [HUMAN, HUMAN] });
    const [seat = 0] = opened.match.turn.seats;
    const waiting = await hintOf(opened.match, tokenOfSeat(opened, 1 - seat));
    expect([waiting.status, waiting.body.code]).toEqual([409, "not-your-turn"]);
    await command(api, opened.match.id, tokenOfSeat(opened, seat), { type: "resign-match" });
    const over = await hintOf(opened.match, tokenOfSeat(opened, seat));
    expect([over.status, over.body.code]).toEqual([409, "match-over"]);
    const open = await api.open({ seats: [HUMAN, { kind: "open" }] });
    expect((await hintOf(open.match, tokenOfSeat(open, 0))).body.code).toBe("match-not-begun");
    const engines = await api.open({ seats: [HUMAN, RANDOM] });
    const unknown = await hintOf(engines.match, "");
    expect([unknown.status, unknown.body.code]).toEqual([401, "token-unknown"]);
  });

  it("is made of what the seat sees: the view, what it may do, and who it is", () => {
    const source = readFileSync(new URL("../../src/engines/level.ts", import.meta.url), "utf8");
    const task = /interface HintTask \{(.*?)\n\}/s.exec(source)?.[1] ?? "";
    const fields = [...task.matchAll(/^ {2}readonly (\w+):/gm)].map(([, field]) => field);
    expect(fields).toEqual(["view", "commands", "seat"]);
  });
});
