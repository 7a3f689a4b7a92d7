/** The trainer's kernel; see `assembly/index.ts`. Pointers are numbers, seeds and games bigints. */
interface TrainerKernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  start(contactHidden: number, raceHidden: number, seed: bigint): void;
  contactMemory(): number;
  raceMemory(): number;
  sizeOf(hidden: number): number;
  steps(net: number): number;
  resume(contactSteps: number, raceSteps: number): void;
  train(seed: bigint, game: bigint, games: number, lambda: number, rate: number): number;
}

/** What a run is made of; with the code it decides every bit of the result. */
export interface Plan {
  readonly contactHidden: number;
  readonly raceHidden: number;
  readonly seed: number;
}

/** What is learnt: five blocks for each net (weights, running mean, gradient, Adam's moments), and its steps. */
export interface Learnt {
  readonly contact: Float32Array;
  readonly race: Float32Array;
  readonly steps: readonly [number, number];
}

/** So many games from one on, with these rates. */
export interface Stint {
  readonly game: number;
  readonly games: number;
  readonly lambda: number;
  readonly rate: number;
}

export const BLOCKS = 5;

/** A trainer of its own memory. Start it with what others have learnt, and see what it makes of it. */
export interface Lane {
  readonly learnt: () => Learnt;
  readonly take: (learnt: Learnt) => void;
  readonly train: (stint: Stint) => number;
}

export const openLane = (plan: Plan, code: Uint8Array): Lane => {
  const kernel = new WebAssembly.Instance(new WebAssembly.Module(code), {})
    .exports as unknown as TrainerKernel;
  kernel.start(plan.contactHidden, plan.raceHidden, BigInt(plan.seed));
  const view = (at: number, hidden: number): Float32Array =>
    new Float32Array(kernel.memory.buffer, at, (kernel.sizeOf(hidden) / 4) * BLOCKS);
  const contact = () => view(kernel.contactMemory(), plan.contactHidden);
  const race = () => view(kernel.raceMemory(), plan.raceHidden);
  return {
    learnt: () => ({
      contact: contact().slice(),
      race: race().slice(),
      steps: [kernel.steps(0), kernel.steps(1)],
    }),
    take: (learnt) => {
      contact().set(learnt.contact);
      race().set(learnt.race);
      kernel.resume(...learnt.steps);
    },
    train: ({ game, games, lambda, rate }) =>
      kernel.train(BigInt(plan.seed), BigInt(game), games, lambda, rate),
  };
};

/** The average of what several lanes have learnt from the same start; gradients begun are dropped. */
export const merged = (all: readonly Learnt[]): Learnt => ({
  contact: average(all.map(({ contact }) => contact)),
  race: average(all.map(({ race }) => race)),
  steps: [
    Math.round(mean(all.map(({ steps }) => steps[0]))),
    Math.round(mean(all.map(({ steps }) => steps[1]))),
  ],
});

const mean = (all: readonly number[]): number =>
  all.reduce((sum, one) => sum + one, 0) / all.length;

const average = (all: readonly Float32Array[]): Float32Array => {
  const length = all[0]?.length ?? 0;
  const size = length / BLOCKS;
  const merged = new Float32Array(length);
  for (const one of all) {
    for (const [i, value] of one.entries()) merged[i] = (merged[i] ?? 0) + value / all.length;
  }
  merged.fill(0, 2 * size, 3 * size);
  return merged;
};

/** The running means of both nets, as the engine uses them. */
export const meansOf = ({ contact, race }: Learnt): Float32Array => {
  const parts = [contact, race].map((one) =>
    one.subarray(one.length / BLOCKS, (2 * one.length) / BLOCKS),
  );
  const nets = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    nets.set(part, at);
    at += part.length;
  }
  return nets;
};
