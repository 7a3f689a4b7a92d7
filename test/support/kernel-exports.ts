import { readFileSync } from "node:fs";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import type { Dice, Position, Side } from "../../src/games/backgammon/board.ts";
import { printWeights } from "../../training/weights.ts";
import { random } from "./seeded.ts";
import type { NetKind } from "./slow-inputs.ts";
import { CHANCES, MONEY, netLength } from "./slow-net.ts";

/** What kernel/assembly/index.ts exports; a pointer or a flag is a number. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly positionAt: { readonly value: number };
  readonly resultsAt: { readonly value: number };
  readonly chancesAt: { readonly value: number };
  readonly inputsAt: { readonly value: number };
  readonly slopes: { readonly value: number };
  makeNets(contactHidden: number, raceHidden: number): number;
  sizeOf(hidden: number): number;
  makeBearOff(): void;
  generate(position: number, a: number, b: number, results: number): number;
  features(own: number, other: number, isRace: number, to: number): void;
  judgeAll(results: number, count: number, to: number): void;
  judgeOne(position: number, to: number): void;
  lookAhead(position: number, plies: number, to: number): void;
}

/** The kernel as it is, every part for itself. */
export interface RawKernel {
  /** The results of a roll, each from the side of the opponent, who is on roll then; the same position if none is legal. */
  readonly generate: (position: Position, dice: Dice) => readonly Position[];
  readonly inputs: (position: Position, kind: NetKind) => readonly number[];
  /** Of the side on roll, as the position stands. */
  readonly judgeOne: (position: Position) => Chances;
  /** Of the side that has played, for each position after a play, in one batch. */
  readonly judgeAll: (afters: readonly Position[]) => readonly Chances[];
  readonly lookAhead: (position: Position, plies: number, slopes?: Chances) => Chances;
  /** Bytes of a net with so many hidden units. */
  readonly sizeOf: (hidden: number) => number;
}

const KERNEL = new URL("../../src/engines/backgammon/kernel.wasm", import.meta.url);
const SIDE_BYTES = 32;
const POSITION_BYTES = 64;
const CHANCES_BYTES = 32;
const HEADER_BYTES = 32;

/** An instance of its own of kernel.wasm, with the nets of a file of weights. */
export const rawKernel = (weights: Uint8Array): RawKernel => {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(KERNEL)), {});
  const kernel = instance.exports as unknown as Exports;
  const head = new DataView(weights.buffer, weights.byteOffset, HEADER_BYTES);
  const nets = kernel.makeNets(head.getUint32(8, true), head.getUint32(12, true));
  new Uint8Array(kernel.memory.buffer).set(weights.subarray(HEADER_BYTES), nets);
  kernel.makeBearOff();
  const bytes = new Int8Array(kernel.memory.buffer);
  const floats = new Float32Array(kernel.memory.buffer);
  const positionAt = kernel.positionAt.value;
  const resultsAt = kernel.resultsAt.value;
  const chancesAt = kernel.chancesAt.value;
  const inputsAt = kernel.inputsAt.value;

  const put = (first: Side, second: Side, at: number): void => {
    bytes.set(first, at);
    bytes.set(second, at + SIDE_BYTES);
  };
  const sideAt = (at: number): Side => Array.from(bytes.subarray(at, at + 26));
  const chancesFrom = (at: number): Chances => {
    const [win = 0, winGammon = 0, winBackgammon = 0, loseGammon = 0, loseBackgammon = 0] =
      floats.subarray(at / 4, at / 4 + 5);
    return { win, winGammon, winBackgammon, loseGammon, loseBackgammon };
  };
  return {
    generate: ({ onRoll, opponent }, [a, b]) => {
      put(onRoll, opponent, positionAt);
      const count = kernel.generate(positionAt, a, b, resultsAt);
      return Array.from({ length: count }, (_, i) => {
        const at = resultsAt + i * POSITION_BYTES;
        return { onRoll: sideAt(at + SIDE_BYTES), opponent: sideAt(at) };
      });
    },
    inputs: ({ onRoll, opponent }, kind) => {
      put(onRoll, opponent, positionAt);
      kernel.features(positionAt, positionAt + SIDE_BYTES, kind === "race" ? 1 : 0, inputsAt);
      return Array.from(floats.subarray(inputsAt / 4, inputsAt / 4 + 256));
    },
    judgeOne: ({ onRoll, opponent }) => {
      put(onRoll, opponent, positionAt);
      kernel.judgeOne(positionAt, chancesAt);
      return chancesFrom(chancesAt);
    },
    judgeAll: (afters) => {
      for (const [i, { onRoll, opponent }] of afters.entries())
        put(opponent, onRoll, resultsAt + i * POSITION_BYTES);
      kernel.judgeAll(resultsAt, afters.length, chancesAt);
      return afters.map((_, i) => chancesFrom(chancesAt + i * CHANCES_BYTES));
    },
    lookAhead: ({ onRoll, opponent }, plies, slopes = MONEY) => {
      put(onRoll, opponent, positionAt);
      floats.set(
        CHANCES.map((name) => slopes[name]),
        kernel.slopes.value / 4,
      );
      kernel.lookAhead(positionAt, plies, chancesAt);
      return chancesFrom(chancesAt);
    },
    sizeOf: kernel.sizeOf,
  };
};

/** A file of two random nets that depend on the seed alone: wide enough apart that every input counts. */
export const randomWeights = (contactHidden: number, raceHidden: number, seed: number) => {
  const { below } = random(seed);
  const within = (most: number): number => (below(2 ** 24) / 2 ** 23 - 1) * most;
  const net = (hidden: number): readonly number[] =>
    Array.from({ length: netLength(hidden) }, (_, i) =>
      within(i < 257 * hidden ? 0.5 : 4 / Math.sqrt(hidden)),
    );
  return printWeights(
    { contactHidden, raceHidden, games: 0, seed },
    Float32Array.from([...net(contactHidden), ...net(raceHidden)]),
  );
};
