import { beforeAll, describe, expect, it } from "vitest";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import type { Position } from "../../src/games/backgammon/board.ts";
import { parsePositionId } from "../../src/games/backgammon/position-id.ts";
import { START } from "../../src/games/backgammon/start.ts";
import { present } from "../../src/kernel/assert.ts";
import type { Lane, Learnt, Plan, Stint } from "../../training/lane.ts";
import { BLOCKS, meansOf, merged, openLane } from "../../training/lane.ts";
import { printWeights } from "../../training/weights.ts";
import { compiled } from "../support/assembly.ts";
import { goldenLines } from "../support/golden.ts";
import { rawKernel } from "../support/kernel-exports.ts";
import { report } from "../support/seeded.ts";
import { slowInputs } from "../support/slow-inputs.ts";
import { CHANCES, MONEY, netLength, slowForward, worthOf } from "../support/slow-net.ts";

const PLAN: Plan = { contactHidden: 32, raceHidden: 32, seed: 7 };
const STINT: Stint = { game: 0, games: 40, lambda: 0.7, rate: 0.0015 };

let code: Uint8Array;

/** Not made fast: it computes the same, and is compiled in a third of the time. */
beforeAll(async () => {
  code = await compiled("training/asconfig.json", "--optimizeLevel", "0");
}, 180_000);

/** What training/assembly/index.ts exports of its learner. */
interface LearnerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly inputs: { readonly value: number };
  readonly target: { readonly value: number };
  start(contactHidden: number, raceHidden: number, seed: bigint): void;
  contactMemory(): number;
  learn(rate: number): void;
  steps(net: number): number;
}

const HIDDEN = 32;
/** Positions after which the learner takes a step. */
const BATCH = 128;
const BLOCK = { weights: 0, mean: 1, gradient: 2 } as const;
const TARGETS: Chances = {
  win: 0.7,
  winGammon: 0.4,
  winBackgammon: 0.02,
  loseGammon: 0.1,
  loseBackgammon: 0,
};
/** How much each chance counts: gammons and backgammons half. */
const COUNTS: Chances = {
  win: 1,
  winGammon: 0.5,
  winBackgammon: 0.5,
  loseGammon: 0.5,
  loseBackgammon: 0.5,
};

const openLearner = (inputs: readonly number[]) => {
  const kernel = new WebAssembly.Instance(new WebAssembly.Module(code), {})
    .exports as unknown as LearnerExports;
  kernel.start(HIDDEN, HIDDEN, 3n);
  const floats = new Float32Array(kernel.memory.buffer);
  const block = (name: keyof typeof BLOCK): Float32Array => {
    const from = kernel.contactMemory() / 4 + BLOCK[name] * netLength(HIDDEN);
    return floats.slice(from, from + netLength(HIDDEN));
  };
  return {
    block,
    steps: () => kernel.steps(0),
    learn: (rate: number) => {
      floats.set(inputs, kernel.inputs.value / 4);
      floats.set(
        CHANCES.map((name) => TARGETS[name]),
        kernel.target.value / 4,
      );
      kernel.learn(rate);
    },
  };
};

/** Cross-entropy of the five chances, in doubles. */
const loss = (numbers: readonly number[], inputs: readonly number[]): number => {
  const said = slowForward({ hidden: HIDDEN, numbers }, inputs);
  return CHANCES.reduce((total, name) => {
    const [is, should] = [said[name], TARGETS[name]];
    return total - COUNTS[name] * (should * Math.log(is) + (1 - should) * Math.log(1 - is));
  }, 0);
};

const INPUTS = slowInputs({ onRoll: START.nackgammon, opponent: START.standard }, "contact");
const USED = [...INPUTS.keys()].filter((i) => INPUTS[i] !== 0);
/** Where a net keeps what it learns: some weights of the inputs that are used, and all the rest. */
const SOME = [
  ...[0, 5, 13, 31].flatMap((unit) => USED.map((input) => input * HIDDEN + unit)),
  ...Array.from({ length: 6 * HIDDEN + 5 }, (_, i) => 256 * HIDDEN + i),
];

describe("the learner", () => {
  it("has the gradient that small changes of the weights show", () => {
    const learner = openLearner(INPUTS);
    learner.learn(0.001);
    const weights = Array.from(learner.block("weights"));
    const gradient = learner.block("gradient");
    const step = 1e-4;
    for (const i of SOME) {
      const at = (by: number): number =>
        loss(
          weights.map((weight, j) => (i === j ? weight + by : weight)),
          INPUTS,
        );
      const slope = (at(step) - at(-step)) / (2 * step);
      const off = Math.abs((gradient[i] ?? Number.NaN) - slope);
      if (!(off < 1e-6 + 1e-4 * Math.abs(slope))) expect(gradient[i], `weight ${i}`).toBe(slope);
    }
    expect(Math.max(...gradient.map(Math.abs))).toBeGreaterThan(0.05);
    const unused = [...INPUTS.keys()].filter((i) => INPUTS[i] === 0);
    expect(unused.every((i) => gradient[i * HIDDEN] === 0)).toBe(true);
  });

  it("takes Adam's first step when the batch is full, and begins anew", () => {
    const learner = openLearner(INPUTS);
    const before = learner.block("weights");
    const rate = 0.001;
    for (let i = 1; i < BATCH; i++) learner.learn(rate);
    expect(learner.steps()).toBe(0);
    expect(learner.block("weights").every((weight, i) => weight === before[i])).toBe(true);
    const mean = learner.block("gradient").map((sum) => sum / (BATCH - 1));
    learner.learn(rate);
    expect(learner.steps()).toBe(1);
    expect(learner.block("gradient").every((value) => value === 0)).toBe(true);
    const after = learner.block("weights");
    const off = after.map((weight, i) => {
      const slope = mean[i] ?? Number.NaN;
      // Of one step both moments are the gradient's own: m / (√v + 1e-8), as in the paper.
      const right = (before[i] ?? Number.NaN) - (rate * slope) / (Math.abs(slope) + 1e-8);
      return Math.abs(weight - right);
    });
    expect(Math.max(...off)).toBeLessThan(1e-6);
    const [first, then, kept] = [before, after, learner.block("mean")].map((one) => one[0] ?? 0);
    expect(kept).toBeCloseTo((2 * (first ?? 0) + 9 * (then ?? 0)) / 11, 6);
  });

  it("comes to say what it is told", () => {
    const learner = openLearner(INPUTS);
    for (let i = 0; i < 400 * BATCH; i++) learner.learn(0.01);
    const numbers = learner.block("weights");
    const said = slowForward({ hidden: HIDDEN, numbers }, INPUTS);
    for (const name of CHANCES) expect(said[name], name).toBeCloseTo(TARGETS[name], 2);
  });
});

/** Every bit of what is learnt: NaN or −0 would show as well. */
const bytes = ({ contact, race, steps }: Learnt): string =>
  [contact, race, Float64Array.from(steps)]
    .map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength).toString("base64"),
    )
    .join();

const trained = (lane: Lane, stint: Stint, from?: Learnt): Learnt => {
  if (from !== undefined) lane.take(from);
  lane.train(stint);
  return lane.learnt();
};

describe("a run", () => {
  it("of the same seed and games has the same weights, and of others other ones", () => {
    const lane = openLane(PLAN, code);
    const start = lane.learnt();
    const one = bytes(trained(lane, STINT));
    expect(bytes(trained(openLane(PLAN, code), STINT))).toBe(one);
    expect(bytes(trained(openLane({ ...PLAN, seed: 8 }, code), STINT))).not.toBe(one);
    expect(bytes(trained(lane, { ...STINT, game: STINT.games }, start))).not.toBe(one);
  });

  it("of two lanes has the same weights whichever thread ends first, or plays which lane", () => {
    const threads = [openLane(PLAN, code), openLane(PLAN, code)] as const;
    const [thread, another] = threads;
    const start = thread.learnt();
    /** Two rounds of two lanes, played one after the other in this order. */
    const run = (order: readonly (readonly [lane: 0 | 1, by: Lane])[]): Learnt => {
      let learnt = start;
      for (const round of [0, 1]) {
        const ended: Learnt[] = [];
        for (const [lane, by] of order) {
          const game = (2 * round + lane) * STINT.games;
          ended[lane] = trained(by, { ...STINT, game }, learnt);
        }
        learnt = merged(ended);
      }
      return learnt;
    };
    const once = run([
      [0, thread],
      [1, another],
    ]);
    expect(once.steps[0]).toBeGreaterThan(0);
    expect(once.contact.every(Number.isFinite)).toBe(true);
    const again = run([
      [1, another],
      [0, thread],
    ]);
    expect(bytes(again)).toBe(bytes(once));
    const exchanged = run([
      [1, thread],
      [0, another],
    ]);
    expect(bytes(exchanged)).toBe(bytes(once));
    const byOne = run([
      [0, thread],
      [1, thread],
    ]);
    expect(bytes(byOne)).toBe(bytes(once));
  });

  it("of lanes that learnt the same is what each learnt, less the gradient begun", () => {
    const learnt = trained(openLane(PLAN, code), STINT);
    const both = merged([learnt, learnt]);
    const size = learnt.contact.length / BLOCKS;
    const expected = learnt.contact.slice().fill(0, 2 * size, 3 * size);
    expect(Buffer.from(both.contact.buffer).equals(Buffer.from(expected.buffer))).toBe(true);
    expect(both.steps).toEqual(learnt.steps);
  });

  it("soon plays far better than at random, in 100 decisions of GNU Backgammon's", () => {
    const lane = openLane(PLAN, code);
    const before = lossOf(lane.learnt());
    const after = lossOf(trained(lane, { ...STINT, games: 600, rate: 0.003 }));
    report("trainer", `points lost a decision: ${before.toFixed(3)}, then ${after.toFixed(3)}`);
    expect(after).toBeLessThan(before / 2);
  });
});

/** Points lost a decision, without a cube, of plays chosen as they stand by the running means. */
const lossOf = (learnt: Learnt): number => {
  const { contactHidden, raceHidden, seed } = PLAN;
  const head = { contactHidden, raceHidden, games: 0, seed };
  const kernel = rawKernel(printWeights(head, meansOf(learnt)));
  const lost = DECISIONS.map(({ cubeless }) => {
    const ids = Object.keys(cubeless);
    const judged = kernel.judgeAll(ids.map(positionOfId));
    const worths = judged.map((chances) => worthOf(chances, MONEY));
    const chosen = ids[worths.indexOf(Math.max(...worths))] ?? "";
    return Math.max(...Object.values(cubeless)) - present(cubeless[chosen], "one of the plays");
  });
  return lost.reduce((sum, one) => sum + one, 0) / lost.length;
};

const positionOfId = (id: string): Position => {
  const read = parsePositionId(id);
  if (!read.ok) throw new Error(`${id} is not readable`);
  return read.value;
};

/** Equities of the plays after 2-ply, of the side that plays, by the position after. */
const DECISIONS = goldenLines<{
  readonly kind: string;
  readonly cubeless: Readonly<Record<string, number>>;
}>("backgammon/strength.jsonl")
  .filter(({ kind }) => kind === "checker")
  .slice(0, 100);
