import { afterEach, describe, expect, it } from "vitest";
import { answerTo } from "../../src/application/thinking.ts";
import { openEngines } from "../../src/engine-files.ts";
import type { Engines } from "../../src/engines/registry.ts";
import { deckTips } from "../../src/fairness/deck.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import type { Pool, PoolSettings } from "../../src/pool.ts";
import { openPool } from "../../src/pool.ts";
import { ENGINES } from "../support/engines.ts";
import {
  begunAt,
  countAt,
  GATED,
  gatedAnalysis,
  gatedReply,
  newGate,
  openGate,
} from "../support/gated-engines.ts";
import type { MatchPlan } from "../support/played-match.ts";
import { playedMatch } from "../support/played-match.ts";

const workerNamed = (name: string): URL => new URL(`../support/${name}.mjs`, import.meta.url);

const pools: Pool[] = [];
const gatedPool = (bounds: Partial<PoolSettings> = {}): Pool => {
  const pool = openPool({
    engines: GATED,
    worker: workerNamed("gated-worker"),
    threads: 1,
    ...bounds,
  });
  pools.push(pool);
  return pool;
};

afterEach(async () => {
  await Promise.all(pools.splice(0).map(({ close }) => close()));
});

describe("deep questions", () => {
  it("wait for a thread, so many at most: the others are told when to ask again", async () => {
    const { thinker } = gatedPool({ waitingMax: { play: 1, tool: 0 } });
    const gate = newGate();
    const first = thinker.think("reply", gatedReply(gate, "first"));
    await begunAt(gate, 1);
    const second = thinker.think("reply", gatedReply(gate, "second"));
    const third = await thinker.think("reply", gatedReply(gate, "third"));
    expect(third).toEqual({
      ok: false,
      error: { code: "engines-busy", facts: { retryAfterSeconds: 1 } },
    });
    openGate(gate);
    expect(await first).toEqual({ ok: true, value: { type: "first" } });
    expect(await second).toEqual({ ok: true, value: { type: "second" } });
    expect(countAt(gate), "the third was never thought about").toBe(2);
  });

  it("that nobody waits for any more give their place away before they are begun", async () => {
    const { thinker } = gatedPool({ waitingMax: { play: 1, tool: 0 } });
    const gate = newGate();
    const first = thinker.think("reply", gatedReply(gate, "first"));
    await begunAt(gate, 1);
    const leaving = new AbortController();
    const left = thinker.think("reply", gatedReply(gate, "second"), leaving.signal);
    leaving.abort();
    await expect(left).rejects.toThrow("left");
    const third = thinker.think("reply", gatedReply(gate, "third"));
    openGate(gate);
    expect(await Promise.all([first, third])).toMatchObject([{ ok: true }, { ok: true }]);
    expect(countAt(gate)).toBe(2);
  });

  it("that are begun end, and only then the next begins, though their asker has left", async () => {
    const { thinker } = gatedPool();
    const [gate, open] = [newGate(), newGate()];
    openGate(open);
    const leaving = new AbortController();
    const first = thinker.think("reply", gatedReply(gate, "first"), leaving.signal);
    await begunAt(gate, 1);
    leaving.abort();
    const second = thinker.think("reply", gatedReply(open, "second"));
    expect(countAt(open)).toBe(0);
    openGate(gate);
    expect(await first).toMatchObject({ ok: true });
    expect(await second).toMatchObject({ ok: true });
  });

  it("of an engine with a bug throw, and the thread serves the next", async () => {
    const { thinker } = gatedPool();
    const gate = newGate();
    openGate(gate);
    const asked = gatedReply(gate, "first");
    await expect(thinker.think("reply", { ...asked, level: "unwell" })).rejects.toThrow("a bug");
    expect(await thinker.think("reply", asked)).toMatchObject({ ok: true });
  });
});

describe("analyses", () => {
  it("are given up when the service stops, the one under way and those that wait", async () => {
    const pool = gatedPool({ analysesWaitingMax: 1 });
    const gate = newGate();
    const asked = [1, 2].map(() => pool.thinker.analyse(...gatedAnalysis(gate)));
    await begunAt(gate, 1);
    pool.giveUpAnalyses();
    const busy = { code: "engines-busy", facts: { retryAfterSeconds: 15 } };
    expect(await Promise.all(asked)).toEqual([
      { ok: false, error: busy },
      { ok: false, error: busy },
    ]);
    expect(await pool.thinker.analyse(...gatedAnalysis(gate))).toEqual({ ok: false, error: busy });
  });

  it("never hold up replies, however many are asked for", async () => {
    const { thinker } = gatedPool({ analysesWaitingMax: 2 });
    const [gate, open] = [newGate(), newGate()];
    openGate(open);
    const asked = Array.from({ length: 24 }, () => thinker.analyse(...gatedAnalysis(gate)));
    await begunAt(gate, 1);
    const reply = await thinker.think("reply", gatedReply(open, "reply"));
    expect(reply).toEqual({ ok: true, value: { type: "reply" } });
    openGate(gate);
    const answers = await Promise.all(asked);
    const busy = { code: "engines-busy", facts: { retryAfterSeconds: 15 } };
    expect(answers.filter(({ ok }) => ok)).toHaveLength(3);
    expect(answers.filter(({ ok }) => !ok)).toEqual(
      Array.from({ length: 21 }, () => ({ ok: false, error: busy })),
    );
  });

  it("that nobody waits for any more free the thread at once", async () => {
    const { thinker } = gatedPool({ analysesWaitingMax: 0 });
    const [gate, open] = [newGate(), newGate()];
    openGate(open);
    const leaving = new AbortController();
    const first = thinker.analyse(...gatedAnalysis(gate), leaving.signal);
    await begunAt(gate, 1);
    leaving.abort();
    await expect(first).rejects.toThrow();
    const second = await thinker.analyse(...gatedAnalysis(open));
    expect(second).toEqual({ ok: true, value: "analysed" });
  });
});

describe("the service's own worker", () => {
  it("makes the tips of a deck", async () => {
    const pool = gatedPool({ worker: workerNamed("true-worker") });
    const plan = { secret: Buffer.alloc(32, 5), deck: 3, size: 2, length: 16 };
    expect(await pool.deckTips(plan)).toEqual(deckTips(plan));
  });

  it("answers what the engines answer on the thread that asks", async () => {
    const engines = openEngines();
    const { thinker } = gatedPool({ engines, worker: workerNamed("true-worker") });
    const asked = { situation: START, level: "expert", dice: [3, 1], limit: 5 } as const;
    expect(await thinker.think("bestPlays", asked)).toEqual({
      ok: true,
      value: answerTo(engines, "bestPlays", asked),
    });
  });
});

describe("a match", () => {
  it("is the same, byte for byte, wherever its engines think", async () => {
    const plan: MatchPlan = {
      game: hostedBackgammon,
      variant: "standard",
      options: { length: 3 },
      seats: ["random", "heuristic"],
      seed: "threads",
    };
    const { thinker } = gatedPool({
      engines: allDeep(ENGINES),
      worker: workerNamed("true-worker"),
      threads: 2,
    });
    const inThreads = await playedMatch(plan, thinker);
    const here = await playedMatch(plan);
    expect(inThreads.lines.length).toBeGreaterThan(50);
    expect(inThreads.lines).toEqual(here.lines);
  });
});

/** The same engines, all of which think on worker threads. */
const allDeep = (engines: Engines): Engines => ({
  ...engines,
  games: new Map(
    [...engines.games].map(([game, { levels, ...rest }]) => {
      const deep = [...levels].map(([name, level]) => [name, { ...level, pace: "deep" }] as const);
      return [game, { ...rest, levels: new Map(deep) }] as const;
    }),
  ),
});

const SIDE = Array.from({ length: 26 }, (_, place) => ({ 24: 2, 13: 5, 8: 3, 6: 5 })[place] ?? 0);
const START = {
  position: { onRoll: SIDE, opponent: SIDE },
  cube: { value: 1, owner: "centre", limit: 64 },
  match: { length: 0, score: [0, 0], crawford: false },
  jacoby: false,
  beavers: false,
} as const;
