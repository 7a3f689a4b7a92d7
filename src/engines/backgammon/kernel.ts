import type { Position, Side } from "../../games/backgammon/board.ts";
import { assert } from "../../kernel/assert.ts";
import type { BearOffKernel, BearOffTables } from "./bear-off-tables.ts";
import { bearOffTables } from "./bear-off-tables.ts";
import type { Chances } from "./chances.ts";
import type { Plies } from "./evaluator.ts";

/** What kernel/assembly/index.ts exports; a pointer or a flag is a number. */
interface KernelExports extends BearOffKernel {
  readonly positionAt: { readonly value: number };
  readonly resultsAt: { readonly value: number };
  readonly chancesAt: { readonly value: number };
  readonly slopes: { readonly value: number };
  readonly nodes: { readonly value: bigint };
  makeNets(contactHidden: number, raceHidden: number): number;
  sizeOf(hidden: number): number;
  judgeAll(results: number, count: number, to: number): void;
  lookAhead(position: number, plies: number, to: number): void;
}

/** The engine's core: nets, tables and their look ahead in WebAssembly. Each has its own memory. */
export interface Kernel {
  /** Of the side on roll, so many rolls looked ahead; replies are compared by the slopes. */
  chances(position: Position, plies: Plies, slopes: Chances): Chances;
  /** Of the side that has played, for each position after a play; at most 4,096. */
  chancesAfter(afters: readonly Position[]): readonly Chances[];
  /** Positions judged since the start. */
  nodes(): number;
  readonly bearOff: BearOffTables;
}

const SIDE_BYTES = 32;
const POSITION_BYTES = 64;
const CHANCES_FLOATS = 8;

/** Head of a file of weights: see training/weights.ts. */
const HEADER_BYTES = 32;
const MAGIC = 0x47424a51;
const FORMAT = 1;

/**
 * Starts a kernel: some 0.3 s for the bear-off tables, 30 MB.
 *
 * @param code - kernel.wasm
 * @param weights - weights.bin
 */
export const openKernel = (code: Uint8Array, weights: Uint8Array): Kernel => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(code), {});
  const kernel = instance.exports as unknown as KernelExports;
  readWeights(kernel, weights);
  const bearOff = bearOffTables(kernel);
  // Made last: what is allocated may move the memory.
  const bytes = new Int8Array(kernel.memory.buffer);
  const floats = new Float32Array(kernel.memory.buffer);

  const put = (side: Side, at: number): void => {
    for (const [place, count] of side.entries()) bytes[at + place] = count;
  };
  const read = (at: number): Chances => {
    const [win = 0, winGammon = 0, winBackgammon = 0, loseGammon = 0, loseBackgammon = 0] =
      floats.subarray(at / 4, at / 4 + 5);
    return possible({ win, winGammon, winBackgammon, loseGammon, loseBackgammon });
  };
  const positionAt = kernel.positionAt.value;
  const resultsAt = kernel.resultsAt.value;
  const chancesAt = kernel.chancesAt.value;
  return {
    chances: ({ onRoll, opponent }, plies, slopes) => {
      put(onRoll, positionAt);
      put(opponent, positionAt + SIDE_BYTES);
      const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = slopes;
      floats.set(
        [win, winGammon, winBackgammon, loseGammon, loseBackgammon],
        kernel.slopes.value / 4,
      );
      kernel.lookAhead(positionAt, plies, chancesAt);
      return read(chancesAt);
    },
    chancesAfter: (afters) => {
      for (const [i, { onRoll, opponent }] of afters.entries()) {
        const at = resultsAt + i * POSITION_BYTES;
        put(opponent, at);
        put(onRoll, at + SIDE_BYTES);
      }
      kernel.judgeAll(resultsAt, afters.length, chancesAt);
      return afters.map((_, i) => read(chancesAt + i * CHANCES_FLOATS * 4));
    },
    nodes: () => Number(kernel.nodes.value),
    bearOff,
  };
};

/** Without what the rounding of a mean over rolls has added: no part is more than the whole, and none below 0. */
const possible = (of: Chances): Chances => {
  const win = within(of.win, 1);
  const winGammon = within(of.winGammon, win);
  const loseGammon = within(of.loseGammon, 1 - win);
  return {
    win,
    winGammon,
    winBackgammon: within(of.winBackgammon, winGammon),
    loseGammon,
    loseBackgammon: within(of.loseBackgammon, loseGammon),
  };
};

const within = (part: number, whole: number): number => Math.min(whole, Math.max(0, part));

const readWeights = (kernel: KernelExports, weights: Uint8Array): void => {
  assert(weights.length >= HEADER_BYTES, "weights.bin has a head");
  const head = new DataView(weights.buffer, weights.byteOffset, HEADER_BYTES);
  const [magic, format, contactHidden = 0, raceHidden = 0] = [0, 4, 8, 12].map((at) =>
    head.getUint32(at, true),
  );
  assert(magic === MAGIC && format === FORMAT, "weights.bin is a file of weights of this format");
  const nets = weights.subarray(HEADER_BYTES);
  const size = kernel.sizeOf(contactHidden) + kernel.sizeOf(raceHidden);
  assert(nets.length === size, "the weights are those of the nets that the head names");
  const numbers = new Float32Array(nets.slice().buffer);
  assert(numbers.every(Number.isFinite), "every weight is a number");
  const at = kernel.makeNets(contactHidden, raceHidden);
  new Uint8Array(kernel.memory.buffer).set(nets, at);
};
