import type { Position, Side } from "../../src/games/backgammon/board.ts";
import { at, BAR, checkers, OFF, pipCount } from "../../src/games/backgammon/board.ts";

/*
 * The 256 inputs of a net, one sentence of docs/engine.md a function: the oracle of the kernel's. Written from that
 * page and sharing nothing with the kernel but the page.
 */

/** Which net a position is for. */
export type NetKind = "contact" | "race";

/** The inputs in the order of docs/engine.md, as doubles. */
export const slowInputs = ({ onRoll, opponent }: Position, kind: NetKind): readonly number[] => {
  const spoken = kind === "contact" ? contactNumbers : raceNumbers;
  return [
    ...raw(onRoll),
    ...raw(opponent),
    ...spoken(onRoll, opponent),
    ...spoken(opponent, onRoll),
  ];
};

const POINTS = Array.from({ length: 24 }, (_, i) => i + 1);
const PLACES = [...POINTS, BAR];
const HOME = POINTS.slice(0, 6);
/** The 36 rolls, each once. */
const ROLLS = HOME.flatMap((a) => HOME.map((b) => [a, b] as const));
/** Pips of a roll on the average. */
const ROLL = 49 / 6;

const sum = <Item>(items: readonly Item[], of: (item: Item) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

const one = (is: boolean): number => (is ? 1 : 0);

const raw = (side: Side): readonly number[] =>
  PLACES.flatMap((place) => {
    const n = at(side, place);
    const firstTwo = place === BAR ? [one(n >= 1), one(n >= 2)] : [one(n === 1), one(n === 2)];
    return [...firstTwo, one(n >= 3), n > 3 ? (n - 3) / 2 : 0];
  });

const isMade = (side: Side, point: number): boolean =>
  point >= 1 && point <= 24 && at(side, point) >= 2;

/** Whether the other side has made the point, which is counted by this side. */
const isMadeByOther = (other: Side, point: number): boolean => isMade(other, 25 - point);

const rearmost = (side: Side): number => Math.max(0, ...PLACES.filter((p) => at(side, p) > 0));

const between = (low: number, high: number): readonly number[] =>
  PLACES.filter((place) => place >= low && place <= high);

const madeOf = (side: Side, points: readonly number[]): number =>
  points.filter((point) => isMade(side, point)).length;

const counted = (side: Side, places: readonly number[]): number =>
  sum(places, (place) => at(side, place));

// A checker alone, and the twelve points ahead of it.

/**
 * Whether what is so far ahead of `place` stops a checker there. The twelve ahead may reach off, which is the other
 * side's bar: the kernel takes it for made where two or more wait there, and its weights were learnt so.
 */
const isStopped = (place: number, other: Side, ahead: number): boolean =>
  isMadeByOther(other, place - ahead) || (place === ahead && at(other, BAR) >= 2);

/** How far a checker on `place` moves with a roll. */
const moved = (place: number, other: Side, [a, b]: readonly [number, number]): number => {
  const isOpen = (ahead: number): boolean => ahead > 12 || !isStopped(place, other, ahead);
  if (a !== b) {
    if ((isOpen(a) || isOpen(b)) && isOpen(a + b)) return a + b;
    return Math.max(0, ...[a, b].filter(isOpen));
  }
  let far = 0;
  for (let step = 0; step < 4 && isOpen(far + a); step++) far += a;
  return far;
};

const stride = (place: number, other: Side): number =>
  sum(ROLLS, (roll) => moved(place, other, roll)) / 36 / ROLL;

const leap = (place: number, other: Side): number => {
  const last = Math.max(
    0,
    ...[1, 2, 3, 4, 5, 6, 7, 8].filter((ahead) => isStopped(place, other, ahead)),
  );
  return ROLLS.filter((roll) => moved(place, other, roll) > last).length / 36;
};

// What a roll can reach.

/** The points reached by a roll, counted by the side that rolls; some may come twice. */
const reached = (own: Side, other: Side, [a, b]: readonly [number, number]): readonly number[] => {
  const isOpen = (point: number): boolean => point >= 1 && !isMadeByOther(other, point);
  const onBar = at(own, BAR);
  const from = POINTS.filter((point) => at(own, point) > 0);
  if (a === b) {
    const entry = 25 - a;
    if (onBar > 0 && !isOpen(entry)) return [];
    const starts = onBar > 0 ? [...from, entry] : from;
    const steps = Math.max(0, 4 - onBar);
    const walked = starts.flatMap((start) => walk(start, a, steps, isOpen));
    return onBar > 0 ? [entry, ...walked] : walked;
  }
  const landed = (() => {
    if (onBar > 1) return [25 - a, 25 - b];
    if (onBar === 1) {
      const enters = (first: number, then: number) =>
        isOpen(25 - first) ? [25 - first, ...[...from, 25 - first].map((p) => p - then)] : [];
      return [...enters(a, b), ...enters(b, a)];
    }
    return from.flatMap((p) => [
      p - a,
      p - b,
      ...(isOpen(p - a) || isOpen(p - b) ? [p - a - b] : []),
    ]);
  })();
  return landed.filter(isOpen);
};

const walk = (
  start: number,
  die: number,
  steps: number,
  isOpen: (point: number) => boolean,
): readonly number[] => {
  const next = start - die;
  return steps === 0 || !isOpen(next) ? [] : [next, ...walk(next, die, steps - 1, isOpen)];
};

/** For each of the 36 rolls the other side's blots reached, counted by this side. */
const blotsReached = (own: Side, other: Side): readonly (readonly number[])[] =>
  ROLLS.map((roll) => [
    ...new Set(reached(own, other, roll).filter((point) => at(other, 25 - point) === 1)),
  ]);

// The numbers of a side.

const contactNumbers = (own: Side, other: Side): readonly number[] => {
  const back = rearmost(own);
  const behind = between(13, 25).filter((p) => at(own, p) > 0);
  const behindAll = counted(own, behind);
  const kept = between(19, 25).map((p) => stride(p, own));
  const othersRear = 25 - rearmost(other);
  const passed = PLACES.filter((p) => p > othersRear && at(own, p) > 0);
  const hits = blotsReached(own, other);
  const isNoneOff = at(own, OFF) === 0;
  const lowest = Math.min(6, ...PLACES.filter((p) => at(own, p) > 0));
  return [
    pipCount(on(own)) / 167,
    (pipCount(on(own)) - pipCount(on(other))) / 60,
    back / 24,
    stride(back, other),
    leap(back, other),
    behindAll === 0 ? 1 : sum(behind, (p) => at(own, p) * stride(p, other)) / behindAll,
    sum(kept, (value) => value) / kept.length,
    Math.min(...kept),
    1 - (madeOf(other, HOME) / 6) ** 2,
    counted(own, passed) / 15,
    sum(passed, (p) => (p - othersRear) * at(own, p)) / 100,
    hits.filter((blots) => blots.length > 0).length / 36,
    sum(hits, (blots) => Math.max(0, ...blots)) / 36 / 10,
    hits.filter((blots) => blots.length >= 2).length / 36,
    madeOf(own, HOME) / 6,
    longestRow(own) / 6,
    bestPrime(own, 26 - rearmost(other)) / 6,
    Math.max(
      0,
      ...between(19, 24)
        .filter((p) => isMade(own, p))
        .map((p) => p - 18),
    ) / 6,
    POINTS.filter((p) => at(own, p) === 1).length / 5,
    HOME.filter((p) => at(own, p) === 1).length / 3,
    sum(between(7, 18), (p) => (p - 5) * at(own, p)) / 60,
    sum(POINTS, (p) => Math.max(0, at(own, p) - 3)) / 6,
    isNoneOff ? (sum(between(7, 25), (p) => (p - 6) * at(own, p)) + lowest) / 80 : 0,
    isNoneOff ? sum(between(19, 25), (p) => (p - 18) * at(own, p)) / 20 : 0,
    at(own, OFF) / 15,
    one(!isNoneOff),
    madeOf(own, between(19, 24)) / 2,
    counted(own, [1, 2, 3]) / 10,
  ];
};

/** The side without what is off. */
const on = (side: Side): Side => side.map((n, place) => (place === OFF ? 0 : n));

const longestRow = (own: Side): number => {
  let [row, longest] = [0, 0];
  for (const point of POINTS) {
    row = isMade(own, point) ? row + 1 : 0;
    longest = Math.max(longest, row);
  }
  return longest;
};

/** Most made points among six in a row that start at `from` or higher. */
const bestPrime = (own: Side, from: number): number =>
  Math.max(
    0,
    ...POINTS.filter((low) => low >= from && low <= 19).map((low) =>
      madeOf(own, between(low, low + 5)),
    ),
  );

const raceNumbers = (own: Side, other: Side): readonly number[] => {
  const pips = pipCount(on(own));
  const others = pipCount(on(other));
  const off = at(own, OFF);
  const outside = between(7, 25);
  const far = between(19, 25);
  const lowest = Math.min(6, ...PLACES.filter((p) => at(own, p) > 0));
  const toSave = (sum(outside, (p) => (p - 6) * at(own, p)) + lowest) / ROLL;
  const left = Math.max(others / ROLL + 1 / 2, (checkers(other) - at(other, OFF)) / 2);
  const farPips = sum(far, (p) => (p - 18) * at(own, p));
  const within = (value: number): number => Math.min(1, Math.max(-1, value));
  return [
    pips / 100,
    (pips - others) / 20,
    (pips - others) / (pips + others + 4),
    sum(PLACES, (p) => Math.floor((p - 1) / 6) * at(own, p)) / 15,
    counted(own, outside) / 10,
    sum(outside, (p) => (p - 6) * at(own, p)) / 40,
    one(off > 0),
    ...Array.from({ length: 12 }, (_, i) => one(off >= i + 1)),
    off > 0 ? 0 : toSave / 5,
    off > 0 ? -1 : within((toSave - left) / 3),
    farPips / 10,
    counted(own, far) === 0 ? -1 : within(farPips / ROLL - left),
    1 - HOME.filter((p) => at(own, p) > 0).length / 6,
    sum(PLACES, (p) => Math.max(0, at(own, p) - 2)) / 10,
    rearmost(own) / 24,
    counted(own, far) / 5,
    1 - off / 15,
  ];
};
