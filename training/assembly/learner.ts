import {
  biasesOf,
  finish,
  HIDDEN_MAX,
  INPUTS,
  OUTPUTS,
  outputBiasesOf,
  secondOf,
  sizeOf,
  sum,
} from "../../src/engines/backgammon/kernel/assembly/net";

/*
 * Learning of one net: the gradient of the cross-entropy over a batch of positions, then a step of Adam
 * (D. Kingma, J. Ba, 2015). What plays and is kept in the end is a running mean of the weights.
 *
 * A learner's memory: five blocks of the size of a net, weights, running mean, gradient, and Adam's first and
 * second moment.
 */

const BATCH: i32 = 128;
const FIRST_DECAY: f32 = 0.9;
const SECOND_DECAY: f32 = 0.999;
const MEAN_DECAY: f32 = 0.999;
const TINY: f32 = 1e-8;

const sums: usize = heap.alloc((<usize>HIDDEN_MAX) << 2);
const errors: usize = heap.alloc((<usize>HIDDEN_MAX) << 2);
const outputs: usize = heap.alloc(32);
const weights: usize = heap.alloc(32);
// Gammons and backgammons matter half as much as wins.
store<f32>(weights, 1);
for (let k: usize = 1; k < 5; k++) store<f32>(weights + (k << 2), 0.5);

export class Learner {
  /** Positions in the batch so far, and steps taken. */
  filled: i32 = 0;
  steps: i32 = 0;
  readonly size: usize;
  readonly memory: usize;

  constructor(readonly hidden: i32) {
    this.size = sizeOf(hidden);
    this.memory = heap.alloc(this.size * 5);
    memory.fill(this.memory, 0, this.size * 5);
  }

  get mean(): usize {
    return this.memory + this.size;
  }

  get gradient(): usize {
    return this.memory + this.size * 2;
  }

  /** Adds a position with the chances that it should have; a full batch is a step. */
  learn(inputs: usize, targets: usize, rate: f32): void {
    const hidden = this.hidden;
    const net = this.memory;
    sum(net, hidden, inputs, sums);
    finish(net, hidden, sums, outputs);
    const gradient = this.gradient;
    const end = (<usize>hidden) << 2;
    memory.fill(errors, 0, end);
    const second = secondOf(net, hidden);
    const secondGradient = secondOf(gradient, hidden);
    const biasGradient = outputBiasesOf(gradient, hidden);
    for (let k: usize = 0; k < <usize>OUTPUTS; k++) {
      const error =
        load<f32>(weights + (k << 2)) *
        (load<f32>(outputs + (k << 2)) - load<f32>(targets + (k << 2)));
      store<f32>(biasGradient + (k << 2), load<f32>(biasGradient + (k << 2)) + error);
      const factor = f32x4.splat(error);
      const row = second + k * end;
      const rowGradient = secondGradient + k * end;
      for (let at: usize = 0; at < end; at += 16) {
        const unit = v128.load(sums + at);
        const known = v128.load(rowGradient + at);
        v128.store(rowGradient + at, f32x4.add(known, f32x4.mul(factor, unit)));
        const back = v128.load(errors + at);
        v128.store(errors + at, f32x4.add(back, f32x4.mul(factor, v128.load(row + at))));
      }
    }
    const one = f32x4.splat(1);
    const hiddenGradient = biasesOf(gradient, hidden);
    for (let at: usize = 0; at < end; at += 16) {
      const unit = v128.load(sums + at);
      const slope = f32x4.mul(unit, f32x4.sub(one, unit));
      const error = f32x4.mul(v128.load(errors + at), slope);
      v128.store(errors + at, error);
      v128.store(hiddenGradient + at, f32x4.add(v128.load(hiddenGradient + at), error));
    }
    for (let i: usize = 0; i < <usize>INPUTS; i++) {
      const value = load<f32>(inputs + (i << 2));
      if (value === 0) continue;
      const factor = f32x4.splat(value);
      const row = gradient + i * end;
      for (let at: usize = 0; at < end; at += 16) {
        const error = v128.load(errors + at);
        v128.store(row + at, f32x4.add(v128.load(row + at), f32x4.mul(factor, error)));
      }
    }
    this.filled++;
    if (this.filled === BATCH) this.step(rate);
  }

  private step(rate: f32): void {
    this.filled = 0;
    this.steps++;
    const n = <f64>this.steps;
    const firstFull = <f32>(1 - <f64>FIRST_DECAY ** n);
    const secondFull = <f32>(1 - <f64>SECOND_DECAY ** n);
    const scale = f32x4.splat(1 / <f32>BATCH);
    const firstKeep = f32x4.splat(FIRST_DECAY);
    const firstTake = f32x4.splat(1 - FIRST_DECAY);
    const secondKeep = f32x4.splat(SECOND_DECAY);
    const secondTake = f32x4.splat(1 - SECOND_DECAY);
    // The mean of few steps must not remember the random start.
    const decay = min(MEAN_DECAY, <f32>((n + 1) / (n + 10)));
    const meanKeep = f32x4.splat(decay);
    const meanTake = f32x4.splat(1 - decay);
    const stride = f32x4.splat(rate / firstFull);
    const spread = f32x4.splat(1 / secondFull);
    const tiny = f32x4.splat(TINY);
    const zero = f32x4.splat(0);
    const size = this.size;
    const start = this.memory;
    for (let at = start; at < start + size; at += 16) {
      const gradient = f32x4.mul(scale, v128.load(at + 2 * size));
      v128.store(at + 2 * size, zero);
      const first = f32x4.add(
        f32x4.mul(firstKeep, v128.load(at + 3 * size)),
        f32x4.mul(firstTake, gradient),
      );
      v128.store(at + 3 * size, first);
      const second = f32x4.add(
        f32x4.mul(secondKeep, v128.load(at + 4 * size)),
        f32x4.mul(secondTake, f32x4.mul(gradient, gradient)),
      );
      v128.store(at + 4 * size, second);
      const root = f32x4.add(f32x4.sqrt(f32x4.mul(second, spread)), tiny);
      const weight = f32x4.sub(v128.load(at), f32x4.div(f32x4.mul(stride, first), root));
      v128.store(at, weight);
      const mean = f32x4.add(
        f32x4.mul(meanKeep, v128.load(at + size)),
        f32x4.mul(meanTake, weight),
      );
      v128.store(at + size, mean);
    }
  }
}
