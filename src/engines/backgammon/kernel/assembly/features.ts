import { BAR, count, OFF } from "./position";

/*
 * What a net is given of a position: 256 numbers, for the side on roll and the other alike. docs/engine.md says
 * what each is.
 *
 * A mask has bit p for the place p of the side in question, 1..25; the other's place q is 25 − q.
 */

export const RAW: usize = 100;
export const SPOKEN: usize = 28;
const SPOKEN_AT: usize = 2 * RAW;

/** For the twelve points ahead, bit d − 1 for a point d ahead that is blocked. */
const AHEAD: i32 = 12;
const PATTERNS: i32 = 1 << AHEAD;
/** Pips that a single checker moves by a roll on the average, over the 8 1/6 of a free one. */
const strides: usize = heap.alloc((<usize>PATTERNS) << 2);
/** The chance that it ends beyond the last block of the first eight. */
const leaps: usize = heap.alloc((<usize>PATTERNS) << 2);

const BAR_BIT: u32 = 1 << 25;
const ROLLS: f32 = 36;
const PIPS_A_ROLL: f32 = 49.0 / 6.0;

makeTables();

function makeTables(): void {
  for (let pattern = 0; pattern < PATTERNS; pattern++) {
    let pips = 0;
    let past = 0;
    const last = 32 - clz(pattern & 0xff);
    for (let a = 1; a <= 6; a++) {
      for (let b = 1; b <= 6; b++) {
        const moved = reach(pattern, a, b);
        pips += moved;
        if (moved > last) past++;
      }
    }
    store<f32>(strides + ((<usize>pattern) << 2), <f32>pips / ROLLS / PIPS_A_ROLL);
    store<f32>(leaps + ((<usize>pattern) << 2), <f32>past / ROLLS);
  }
}

function isOpen(pattern: i32, ahead: i32): bool {
  return ahead > AHEAD || ((pattern >> (ahead - 1)) & 1) === 0;
}

/** How far one checker gets by a roll. */
function reach(pattern: i32, a: i32, b: i32): i32 {
  if (a === b) {
    let moved = 0;
    while (moved < 4 * a && isOpen(pattern, moved + a)) moved += a;
    return moved;
  }
  const isFirst = isOpen(pattern, a);
  const isSecond = isOpen(pattern, b);
  if ((isFirst || isSecond) && isOpen(pattern, a + b)) return a + b;
  return max(isFirst ? a : 0, isSecond ? b : 0);
}

// Masks of the two sides, each in its own coordinates, and of the other in those of the one.
let any: u32 = 0;
let made: u32 = 0;
let blots: u32 = 0;

function readMasks(side: usize): void {
  const low = v128.load(side);
  const high = v128.load(side, 16);
  any = maskOf(low, high, 1);
  made = maskOf(low, high, 2);
  blots = any & ~made;
}

/** Places 1..25 with at least so many checkers. */
function maskOf(low: v128, high: v128, least: i8): u32 {
  const bound = i8x16.splat(least);
  const bits =
    <u32>i8x16.bitmask(i8x16.ge_s(low, bound)) |
    ((<u32>i8x16.bitmask(i8x16.ge_s(high, bound))) << 16);
  return bits & 0x03fffffe;
}

/** The mask in the other side's coordinates; the bar becomes bit 0. */
function mirrored(mask: u32): u32 {
  let bits = ((mask >> 1) & 0x55555555) | ((mask & 0x55555555) << 1);
  bits = ((bits >> 2) & 0x33333333) | ((bits & 0x33333333) << 2);
  bits = ((bits >> 4) & 0x0f0f0f0f) | ((bits & 0x0f0f0f0f) << 4);
  bits = ((bits >> 8) & 0x00ff00ff) | ((bits & 0x00ff00ff) << 8);
  return ((bits >> 16) | (bits << 16)) >> 6;
}

/** Writes the 256 numbers of a position that is not over; `isRace` where the sides can no longer meet. */
export function features(own: usize, other: usize, isRace: bool, to: usize): void {
  readMasks(own);
  const ownAny = any;
  const ownMade = made;
  const ownBlots = blots;
  readMasks(other);
  const otherAny = any;
  const otherMade = made;
  const otherBlots = blots;
  memory.fill(to, 0, (2 * RAW) << 2);
  raw(own, ownAny, to);
  raw(other, otherAny, to + (RAW << 2));
  const pips = pipsOf(own, ownAny);
  const otherPips = pipsOf(other, otherAny);
  const ownWords = to + (SPOKEN_AT << 2);
  const otherWords = ownWords + (SPOKEN << 2);
  if (isRace) {
    race(own, ownAny, pips, otherPips, checkersOf(other, otherAny), ownWords);
    race(other, otherAny, otherPips, pips, checkersOf(own, ownAny), otherWords);
    return;
  }
  const lead = <f32>(pips - otherPips) / 60;
  put(ownWords, 0, <f32>pips / 167);
  put(ownWords, 1, lead);
  put(otherWords, 0, <f32>otherPips / 167);
  put(otherWords, 1, -lead);
  contact(own, ownAny, ownMade, ownBlots, otherAny, otherMade, otherBlots, ownWords);
  contact(other, otherAny, otherMade, otherBlots, ownAny, ownMade, ownBlots, otherWords);
}

function raw(side: usize, places: u32, to: usize): void {
  for (let rest = places & ~BAR_BIT; rest !== 0; rest &= rest - 1) {
    const place = <i32>ctz(rest);
    const n = count(side, place);
    const at = to + ((<usize>(place - 1)) << 4);
    if (n < 3) {
      store<f32>(at + ((<usize>(n - 1)) << 2), 1);
    } else {
      store<f32>(at, 1, 8);
      store<f32>(at, <f32>(n - 3) * 0.5, 12);
    }
  }
  if ((places & BAR_BIT) === 0) return;
  const waiting = count(side, BAR);
  const at = to + ((<usize>(BAR - 1)) << 4);
  store<f32>(at, 1);
  if (waiting > 1) store<f32>(at, 1, 4);
  if (waiting > 2) {
    store<f32>(at, 1, 8);
    store<f32>(at, <f32>(waiting - 3) * 0.5, 12);
  }
}

function pipsOf(side: usize, places: u32): i32 {
  let pips = 0;
  for (let rest = places; rest !== 0; rest &= rest - 1) {
    const place = <i32>ctz(rest);
    pips += place * count(side, place);
  }
  return pips;
}

/** On the board or the bar. */
function checkersOf(side: usize, places: u32): i32 {
  let checkers = 0;
  for (let rest = places; rest !== 0; rest &= rest - 1) checkers += count(side, <i32>ctz(rest));
  return checkers;
}

function put(to: usize, n: usize, value: f32): void {
  store<f32>(to + (n << 2), value);
}

/** Which of the twelve points ahead of a place the other's points block. */
function ahead(place: i32, blocked: u32): i32 {
  // Bit d − 1 of what is returned is bit place − d of what is given.
  const from = place - AHEAD;
  const bits = from >= 0 ? blocked >> from : blocked << -from;
  return reversed12(bits & 0xfff);
}

/** Twelve bits in the opposite order. */
function reversed12(bits: u32): i32 {
  let b = ((bits >> 1) & 0x555) | ((bits & 0x555) << 1);
  b = ((b >> 2) & 0x333) | ((b & 0x333) << 2);
  return ((b >> 8) & 0x00f) | (b & 0x0f0) | ((b & 0x00f) << 8);
}

function stride(place: i32, blocked: u32): f32 {
  return load<f32>(strides + ((<usize>ahead(place, blocked)) << 2));
}

function leap(place: i32, blocked: u32): f32 {
  return load<f32>(leaps + ((<usize>ahead(place, blocked)) << 2));
}

function rearOf(mask: u32): i32 {
  return 31 - clz(mask);
}

/** The numbers from 2 on for one side of a position in which the sides can still meet. */
function contact(
  own: usize,
  ownAny: u32,
  ownMade: u32,
  ownBlots: u32,
  otherAny: u32,
  otherMade: u32,
  otherBlots: u32,
  to: usize,
): void {
  const blocked = mirrored(otherMade);
  const targets = mirrored(otherBlots) & 0x01fffffe;
  const rear = rearOf(ownAny);
  // My place p has passed the other's last checker where p < 25 − its place.
  const meets = BAR - rearOf(otherAny);
  let behind = 0;
  let behindPips = 0;
  let stacked = 0;
  let timing = 0;
  let far = 0;
  let farStride: f32 = 0;
  for (let rest = ownAny; rest !== 0; rest &= rest - 1) {
    const place = <i32>ctz(rest);
    const n = count(own, place);
    if (place > meets) {
      behind += n;
      behindPips += n * (place - meets);
    }
    if (n > 3 && place < BAR) stacked += n - 3;
    if (place >= 7 && place <= 18) timing += (place - 5) * n;
    if (place >= 13) {
      far += n;
      farStride += <f32>n * stride(place, blocked);
    }
  }
  put(to, 2, <f32>rear / 24);
  put(to, 3, stride(rear, blocked));
  put(to, 4, leap(rear, blocked));
  put(to, 5, far > 0 ? farStride / <f32>far : 1);
  // How well my points hold what is to leave my home: the other's entry squares are its places 19..25.
  const wall = mirrored(ownMade);
  let held: f32 = 0;
  let least: f32 = 1;
  for (let place = 19; place <= BAR; place++) {
    const one = stride(place, wall);
    held += one;
    least = min(least, one);
  }
  put(to, 6, held / 7);
  put(to, 7, least);
  const closed = popcnt(otherMade & 0x7e);
  put(to, 8, 1 - <f32>(closed * closed) / 36);
  put(to, 9, <f32>behind / 15);
  put(to, 10, <f32>behindPips / 100);
  shots(own, ownAny, blocked, targets, to);
  const homeMade = ownMade & 0x7e;
  put(to, 14, <f32>popcnt(homeMade) / 6);
  put(to, 15, <f32>longestRun(ownMade & 0x01fffffe) / 6);
  put(to, 16, <f32>bestWindow(ownMade & 0x01fffffe, meets) / 6);
  const anchors = ownMade & 0x01f80000;
  put(to, 17, anchors !== 0 ? <f32>(rearOf(anchors) - 18) / 6 : 0);
  put(to, 18, <f32>popcnt(ownBlots & 0x01fffffe) / 5);
  put(to, 19, <f32>popcnt(ownBlots & 0x7e) / 3);
  put(to, 20, <f32>timing / 60);
  put(to, 21, <f32>stacked / 6);
  const off = count(own, OFF);
  let saveGammon: f32 = 0;
  let saveBackgammon: f32 = 0;
  if (off === 0) {
    let toHome = 0;
    let toLeave = 0;
    for (let rest = ownAny >> 7; rest !== 0; rest &= rest - 1) {
      const place = 7 + <i32>ctz(rest);
      const n = count(own, place);
      toHome += (place - 6) * n;
      if (place > 18) toLeave += (place - 18) * n;
    }
    saveGammon = <f32>(toHome + min(<i32>ctz(ownAny), 6)) / 80;
    saveBackgammon = <f32>toLeave / 20;
  }
  put(to, 22, saveGammon);
  put(to, 23, saveBackgammon);
  put(to, 24, <f32>off / 15);
  put(to, 25, off > 0 ? 1 : 0);
  put(to, 26, <f32>popcnt(anchors) / 2);
  put(to, 27, <f32>(count(own, 1) + count(own, 2) + count(own, 3)) / 10);
}

/** 11 the chance that the next roll can hit, 12 the pips that the farthest blot in reach loses, 13 two or more in reach. */
function shots(own: usize, from: u32, blocked: u32, targets: u32, to: usize): void {
  let hit = 0;
  let lost = 0;
  let twice = 0;
  if (targets !== 0) {
    const open = ~blocked & 0x01fffffe;
    const waiting = count(own, BAR);
    for (let a = 1; a <= 6; a++) {
      for (let b = a; b <= 6; b++) {
        const all = a === b ? byDouble(from, open, a, waiting) : byTwo(from, open, a, b, waiting);
        const reached = all & targets;
        if (reached === 0) continue;
        const weight = a === b ? 1 : 2;
        hit += weight;
        lost += weight * rearOf(reached);
        if (popcnt(reached) > 1) twice += weight;
      }
    }
  }
  put(to, 11, <f32>hit / ROLLS);
  put(to, 12, <f32>lost / ROLLS / 10);
  put(to, 13, <f32>twice / ROLLS);
}

/** Open points that a checker can come to by two different dice. */
function byTwo(from: u32, open: u32, a: u32, b: u32, waiting: i32): u32 {
  if (waiting === 0) {
    const first = (from >> a) & open;
    const second = (from >> b) & open;
    return first | second | (((first >> b) | (second >> a)) & open);
  }
  const byFirst = (1 << (BAR - a)) & open;
  const bySecond = (1 << (BAR - b)) & open;
  let reached = byFirst | bySecond;
  if (waiting === 1) {
    const others = from & 0x01fffffe;
    if (byFirst !== 0) reached |= ((others | byFirst) >> b) & open;
    if (bySecond !== 0) reached |= ((others | bySecond) >> a) & open;
  }
  return reached;
}

/** Open points that a checker can come to by a double. */
function byDouble(from: u32, open: u32, die: u32, waiting: i32): u32 {
  let here = from;
  let reached: u32 = 0;
  let steps = 4;
  if (waiting > 0) {
    const entered = (1 << (BAR - die)) & open;
    if (entered === 0) return 0;
    reached = entered;
    here = (from & 0x01fffffe) | entered;
    steps = 4 - waiting;
  }
  for (let step = 0; step < steps; step++) {
    here = (here >> die) & open;
    reached |= here;
  }
  return reached;
}

function longestRun(mask: u32): i32 {
  let run = 0;
  while (mask !== 0) {
    mask &= mask << 1;
    run++;
  }
  return run;
}

/** The most points made in six neighbouring ones, before the other's last checker (my place `meets`). */
function bestWindow(mask: u32, meets: i32): i32 {
  let best = 0;
  for (let low = max(meets + 1, 1); low <= 19; low++)
    best = max(best, popcnt((mask >> low) & 0x3f));
  return best;
}

/** The 28 numbers for one side of a race. */
function race(own: usize, places: u32, pips: i32, otherPips: i32, otherLeft: i32, to: usize): void {
  let crossings = 0;
  let outside = 0;
  let outsidePips = 0;
  let inFar = 0;
  let farPips = 0;
  let stacked = 0;
  for (let rest = places; rest !== 0; rest &= rest - 1) {
    const place = <i32>ctz(rest);
    const n = count(own, place);
    crossings += n * ((place - 1) / 6);
    if (place > 6) {
      outside += n;
      outsidePips += n * (place - 6);
    }
    if (place > 18) {
      inFar += n;
      farPips += n * (place - 18);
    }
    if (n > 2) stacked += n - 2;
  }
  const off = count(own, OFF);
  put(to, 0, <f32>pips / 100);
  put(to, 1, <f32>(pips - otherPips) / 20);
  put(to, 2, <f32>(pips - otherPips) / <f32>(pips + otherPips + 4));
  put(to, 3, <f32>crossings / 15);
  put(to, 4, <f32>outside / 10);
  put(to, 5, <f32>outsidePips / 40);
  put(to, 6, off > 0 ? 1 : 0);
  for (let k = 1; k <= 12; k++) put(to, 6 + <usize>k, off >= k ? 1 : 0);
  // Rolls that a side needs at least, roughly, to save the gammon, and that the other leaves it.
  const toSave: f32 = off > 0 ? 0 : <f32>(outsidePips + min(<i32>ctz(places), 6)) / PIPS_A_ROLL;
  const left: f32 = max(<f32>otherPips / PIPS_A_ROLL + 0.5, <f32>otherLeft / 2);
  put(to, 19, toSave / 5);
  put(to, 20, off > 0 ? -1 : bounded((toSave - left) / 3));
  put(to, 21, <f32>farPips / 10);
  put(to, 22, inFar === 0 ? -1 : bounded(<f32>farPips / PIPS_A_ROLL - left));
  put(to, 23, 1 - <f32>popcnt(places & 0x7e) / 6);
  put(to, 24, <f32>stacked / 10);
  put(to, 25, <f32>rearOf(places) / 24);
  put(to, 26, <f32>inFar / 5);
  put(to, 27, 1 - <f32>off / 15);
}

function bounded(x: f32): f32 {
  return max<f32>(-1, min<f32>(1, x));
}
