import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { analysisCache } from "../../src/application/analysis.ts";
import type { Failure } from "../../src/application/failure.ts";
import type { Json } from "../../src/kernel/json.ts";
import type { Result } from "../../src/kernel/result.ts";
import { ok, reject } from "../../src/kernel/result.ts";
import type { Client, EventJson, MatchJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import type { HeldThinker } from "../support/held-thinker.ts";
import { heldThinker } from "../support/held-thinker.ts";
import { command, followNext, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HEURISTIC = { kind: "engine", level: "heuristic" };
const RANDOM = { kind: "engine", level: "random" };
const OPTIONS = { cube: false };

interface AmountJson {
  readonly equity: number;
  readonly worth: number;
}

interface TallyJson {
  readonly made: number;
  readonly counted: number;
  readonly lost: AmountJson;
}

interface AnalysisJson {
  readonly build: string;
  readonly decisions: readonly {
    readonly seq: number;
    readonly seat: number;
    readonly kind: string;
    readonly done: string;
    readonly best: string;
    readonly error: AmountJson;
    readonly counted: boolean;
  }[];
  readonly rolls: readonly {
    readonly seq: number;
    readonly seat: number;
    readonly dice: readonly number[];
    readonly luck: AmountJson;
  }[];
  readonly seats: readonly {
    readonly plays: TallyJson;
    readonly cube: TallyJson;
    readonly performanceRating?: number;
    readonly luck: AmountJson;
  }[];
}

type GameEvent = EventJson & {
  readonly seat?: number;
  readonly play?: string;
  readonly dice?: readonly number[];
};

let api: Client;
let thinker: HeldThinker;
let over: MatchJson;

beforeAll(async () => {
  thinker = heldThinker();
  api = await clientOf((await testService({ thinker, chainLength: 128 })).app);
  const opened = await api.open({ seats: [HEURISTIC, RANDOM], options: OPTIONS });
  over = (await followNext(api, opened)).match;
});

beforeEach(() => thinker.become("answers"));

const analysisOf = (match: MatchJson, headers: Readonly<Record<string, string>> = {}, query = "") =>
  api.get<AnalysisJson & ProblemJson>(`${match.links["analysis"]}${query}`, { headers });

const eventsOf = async (match: MatchJson): Promise<readonly GameEvent[]> =>
  (await api.get<{ events: GameEvent[] }>(`${match.links["events"]}?limit=500`)).body.events;

describe("the analysis of a match", () => {
  it("names what happened as the log does", async () => {
    const { body } = await analysisOf(over);
    const events = new Map((await eventsOf(over)).map((event) => [event.seq, event]));
    const plays = body.decisions.filter(({ kind }) => kind === "play");
    expect(plays.length).toBeGreaterThan(20);
    for (const { seq, seat, done } of plays) {
      expect(events.get(seq)).toMatchObject({ type: "played", seat, play: done });
    }
    expect(body.rolls.length).toBeGreaterThan(20);
    for (const { seq, seat, dice } of body.rolls) {
      expect(events.get(seq)).toMatchObject({ seat, dice });
    }
  });

  it("rates a seat by the formula that it states, and adds its luck up", async () => {
    const { decisions, rolls, seats } = (await analysisOf(over)).body;
    for (const [seat, figures] of seats.entries()) {
      const own = decisions.filter((one) => one.seat === seat);
      const rated = own.filter(({ kind }) => ["play", "double", "answer"].includes(kind));
      const lost = rated.reduce((sum, { error }) => sum + error.equity, 0);
      const counted = rated.filter((one) => one.counted).length;
      expect(figures.performanceRating).toBeCloseTo((500 * lost) / counted, 2);
      const luck = rolls.reduce((sum, one) => sum + (one.seat === seat ? one.luck.worth : 0), 0);
      expect(figures.luck.worth).toBeCloseTo(luck, 2);
    }
    const [heuristic, random] = seats.map(({ performanceRating = 0 }) => performanceRating);
    expect(random).toBeGreaterThan(heuristic ?? 0);
  });

  it("is made once a level, and known by its ETag without being made", async () => {
    const before = thinker.asked();
    const first = await analysisOf(over, {}, "?level=intermediate");
    const again = await analysisOf(over, {}, "?level=intermediate");
    expect(again.text).toBe(first.text);
    expect(thinker.asked()).toBe(before + 1);
    const tag = first.headers.get("ETag") ?? "";
    expect(tag).toMatch(/^"[\x21\x23-\x2b\x2d-\x7e]+"$/);
    expect(tag.startsWith(`"${over.version}-intermediate-`)).toBe(true);
    const known = await analysisOf(over, { "If-None-Match": tag }, "?level=intermediate");
    expect([known.status, thinker.asked()]).toEqual([304, before + 1]);
    thinker.become("busy");
    const other = await analysisOf(over, { "If-None-Match": tag }, "?level=grandmaster");
    expect([other.status, other.body.code]).toEqual([503, "engines-busy"]);
  });

  it("can be had once the match is over, and not before", async () => {
    const playing = await api.open({ seats: [HEURISTIC, RANDOM] });
    const refused = await analysisOf(playing.match);
    expect([refused.status, refused.body.code]).toEqual([409, "match-not-over"]);
    const open = await api.open({ seats: [HEURISTIC, { kind: "open" }] });
    expect((await analysisOf(open.match)).body.code).toBe("match-not-begun");
  });

  it("is refused while too many wait for one, and made when it is asked for again", async () => {
    const opened = await api.open({ seats: [{ kind: "human" }, RANDOM] });
    const resigning = { type: "resign-match" };
    const { match } = (await command(api, opened.match.id, tokenOfSeat(opened, 0), resigning)).body;
    thinker.become("busy");
    const refused = await analysisOf(match);
    expect([refused.status, refused.body.code]).toEqual([503, "engines-busy"]);
    expect(refused.headers.get("Retry-After")).toBe("1");
    thinker.become("answers");
    expect((await analysisOf(match)).status).toBe(200);
  });

  it("is not of a level that does not advise", async () => {
    const refused = await analysisOf(over, {}, "?level=heuristic");
    expect([refused.status, refused.body.errors?.[0]?.pointer]).toEqual([400, "/query/level"]);
  });
});

describe("analyses in memory", () => {
  /** An analysis that the test ends, and who was told that nobody waits. */
  const making = () => {
    const signals: AbortSignal[] = [];
    const ends: ((result: Result<Json, Failure>) => void)[] = [];
    const make = (signal: AbortSignal): Promise<Result<Json, Failure>> => {
      signals.push(signal);
      return new Promise((resolve) => ends.push(resolve));
    };
    return {
      make,
      signals,
      end: (nth: number, result: Result<Json, Failure>) => ends[nth]?.(result),
    };
  };

  it("are made once for all who wait, until the last of them has left", async () => {
    const cache = analysisCache(2);
    const { make, signals, end } = making();
    const [one, other] = [new AbortController(), new AbortController()];
    const first = cache.shared("a", make, one.signal);
    const second = cache.shared("a", make, other.signal);
    one.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    other.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
    const third = cache.shared("a", make);
    expect(signals).toHaveLength(2);
    end(0, ok("late"));
    end(1, ok("made"));
    expect(await Promise.all([first, second, third])).toEqual([ok("late"), ok("late"), ok("made")]);
    expect(await cache.shared("a", make)).toEqual(ok("made"));
    expect(signals).toHaveLength(2);
  });

  it("are forgotten where they failed, and the first where there are too many", async () => {
    const cache = analysisCache(2);
    const { make, signals, end } = making();
    const refused = cache.shared("a", make);
    end(0, reject("engines-busy"));
    expect(await refused).toEqual(reject("engines-busy"));
    for (const [nth, key] of ["a", "b", "c"].entries()) {
      const made = cache.shared(key, make);
      end(nth + 1, ok(key));
      await made;
    }
    expect(await cache.shared("c", make)).toEqual(ok("c"));
    expect(signals).toHaveLength(4);
    const again = cache.shared("a", make);
    expect(signals).toHaveLength(5);
    end(4, ok("again"));
    expect(await again).toEqual(ok("again"));
  });
});
