/*
 * A net of one hidden layer: INPUTS → hidden → five chances, all sigmoids. The first layer is a sum of the
 * rows of what is not 0; a position that differs little from another starts from the other's sum.
 *
 * In memory, all f32: the rows of the first layer (INPUTS of `hidden` each), their biases (`hidden`), the five
 * rows of the second layer, its biases (8, three unused).
 */

export const INPUTS: i32 = 256;
export const OUTPUTS: i32 = 5;
export const HIDDEN_MAX: i32 = 512;
/** Hidden units that are added up at once. */
const BLOCK: usize = 32;

const LANES: usize = 16;
/** What is to be added: offsets of rows, and factors, in order. */
const rows: usize = heap.alloc((<usize>INPUTS) << 2);
const factors: usize = heap.alloc((<usize>INPUTS) << 2);

/** Bytes of a net. */
export function sizeOf(hidden: i32): usize {
  return (<usize>(INPUTS * hidden + hidden + OUTPUTS * hidden + 8)) << 2;
}

export function biasesOf(net: usize, hidden: i32): usize {
  return net + ((<usize>(INPUTS * hidden)) << 2);
}

export function secondOf(net: usize, hidden: i32): usize {
  return biasesOf(net, hidden) + ((<usize>hidden) << 2);
}

export function outputBiasesOf(net: usize, hidden: i32): usize {
  return secondOf(net, hidden) + ((<usize>(OUTPUTS * hidden)) << 2);
}

/** The sums of the first layer for an input. */
export function sum(net: usize, hidden: i32, inputs: usize, sums: usize): void {
  let n: usize = 0;
  for (let i: usize = 0; i < <usize>INPUTS; i++) {
    const value = load<f32>(inputs + (i << 2));
    if (value !== 0) {
      store<u32>(rows + (n << 2), <u32>((i * <usize>hidden) << 2));
      store<f32>(factors + (n << 2), value);
      n++;
    }
  }
  addRows(net, hidden, n, biasesOf(net, hidden), sums);
}

/** The sums for an input, from those of another one. */
export function sumFrom(
  net: usize,
  hidden: i32,
  inputs: usize,
  base: usize,
  baseSums: usize,
  sums: usize,
): void {
  let n: usize = 0;
  for (let i: usize = 0; i < <usize>INPUTS; i += 4) {
    const there = v128.load(inputs + (i << 2));
    const here = v128.load(base + (i << 2));
    let mask = i32x4.bitmask(f32x4.ne(there, here));
    while (mask !== 0) {
      const j = i + <usize>ctz(mask);
      mask &= mask - 1;
      store<u32>(rows + (n << 2), <u32>((j * <usize>hidden) << 2));
      store<f32>(factors + (n << 2), load<f32>(inputs + (j << 2)) - load<f32>(base + (j << 2)));
      n++;
    }
  }
  addRows(net, hidden, n, baseSums, sums);
}

function addRows(net: usize, hidden: i32, n: usize, from: usize, to: usize): void {
  const end = (<usize>hidden) << 2;
  for (let at: usize = 0; at < end; at += BLOCK << 2) {
    let a = v128.load(from + at);
    let b = v128.load(from + at, 16);
    let c = v128.load(from + at, 32);
    let d = v128.load(from + at, 48);
    let e = v128.load(from + at, 64);
    let f = v128.load(from + at, 80);
    let g = v128.load(from + at, 96);
    let h = v128.load(from + at, 112);
    const column = net + at;
    for (let k: usize = 0; k < n; k++) {
      const row = column + <usize>load<u32>(rows + (k << 2));
      const factor = v128.load32_splat(factors + (k << 2));
      a = f32x4.add(a, f32x4.mul(factor, v128.load(row)));
      b = f32x4.add(b, f32x4.mul(factor, v128.load(row, 16)));
      c = f32x4.add(c, f32x4.mul(factor, v128.load(row, 32)));
      d = f32x4.add(d, f32x4.mul(factor, v128.load(row, 48)));
      e = f32x4.add(e, f32x4.mul(factor, v128.load(row, 64)));
      f = f32x4.add(f, f32x4.mul(factor, v128.load(row, 80)));
      g = f32x4.add(g, f32x4.mul(factor, v128.load(row, 96)));
      h = f32x4.add(h, f32x4.mul(factor, v128.load(row, 112)));
    }
    v128.store(to + at, a);
    v128.store(to + at, b, 16);
    v128.store(to + at, c, 32);
    v128.store(to + at, d, 48);
    v128.store(to + at, e, 64);
    v128.store(to + at, f, 80);
    v128.store(to + at, g, 96);
    v128.store(to + at, h, 112);
  }
}

/** The five chances from the sums of the first layer, which become the hidden units' outputs. */
export function finish(net: usize, hidden: i32, sums: usize, to: usize): void {
  const end = (<usize>hidden) << 2;
  const second = secondOf(net, hidden);
  let win = f32x4.splat(0);
  let winGammon = win;
  let winBackgammon = win;
  let loseGammon = win;
  let loseBackgammon = win;
  for (let at: usize = 0; at < end; at += LANES) {
    const unit = sigmoid(v128.load(sums + at));
    v128.store(sums + at, unit);
    const row = second + at;
    win = f32x4.add(win, f32x4.mul(unit, v128.load(row)));
    winGammon = f32x4.add(winGammon, f32x4.mul(unit, v128.load(row + end)));
    winBackgammon = f32x4.add(winBackgammon, f32x4.mul(unit, v128.load(row + 2 * end)));
    loseGammon = f32x4.add(loseGammon, f32x4.mul(unit, v128.load(row + 3 * end)));
    loseBackgammon = f32x4.add(loseBackgammon, f32x4.mul(unit, v128.load(row + 4 * end)));
  }
  const bias = outputBiasesOf(net, hidden);
  const four = f32x4(total(win), total(winGammon), total(winBackgammon), total(loseGammon));
  v128.store(to, sigmoid(f32x4.add(four, v128.load(bias))));
  const last = sigmoid(f32x4.splat(total(loseBackgammon) + load<f32>(bias, 16)));
  store<f32>(to, f32x4.extract_lane(last, 0), 16);
}

function total(four: v128): f32 {
  return (
    f32x4.extract_lane(four, 0) +
    f32x4.extract_lane(four, 1) +
    (f32x4.extract_lane(four, 2) + f32x4.extract_lane(four, 3))
  );
}

/** 1 / (1 + e^−x) of four numbers; the exponential by powers of two and a polynomial, to about 1e-6. */
export function sigmoid(x: v128): v128 {
  const bounded = f32x4.max(f32x4.min(f32x4.neg(x), f32x4.splat(80)), f32x4.splat(-80));
  const halves = f32x4.mul(bounded, f32x4.splat(<f32>Math.LOG2E));
  const whole = f32x4.nearest(halves);
  const t = f32x4.sub(halves, whole);
  // 2^t on −1/2 … 1/2: the Taylor series, ln 2 ^ n / n!.
  let power = f32x4.splat(0.0001540353);
  power = f32x4.add(f32x4.mul(power, t), f32x4.splat(0.0013333558));
  power = f32x4.add(f32x4.mul(power, t), f32x4.splat(0.0096181291));
  power = f32x4.add(f32x4.mul(power, t), f32x4.splat(0.055504109));
  power = f32x4.add(f32x4.mul(power, t), f32x4.splat(0.24022651));
  power = f32x4.add(f32x4.mul(power, t), f32x4.splat(<f32>Math.LN2));
  power = f32x4.add(f32x4.mul(power, t), f32x4.splat(1));
  const scale = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(whole), i32x4.splat(127)), 23);
  return f32x4.div(f32x4.splat(1), f32x4.add(f32x4.splat(1), f32x4.mul(power, scale)));
}
