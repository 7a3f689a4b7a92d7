import { bearOffChances, isBearOff } from "./bear-off";
import { features } from "./features";
import { boardOf, FULL_BOARD } from "./home-board";
import { finish, HIDDEN_MAX, INPUTS, sum, sumFrom } from "./net";
import { generate, RESULTS_MAX } from "./plays";
import { BAR, count, OFF, POSITION, rearmost, SIDE, turn } from "./position";

/*
 * What a position is worth: by the rules where it is over, by the tables where both sides are home, by one net
 * in a race before that, by another while the sides can meet. Chances are five f32 in the order win, winGammon, winBackgammon, loseGammon, loseBackgammon; the
 * three after them are unused.
 */

export const CHANCES: usize = 32;
export const PLIES_MAX: i32 = 2;

export const OVER: i32 = 0;
export const BEAR_OFF: i32 = 1;
export const RACE: i32 = 2;
export const CONTACT: i32 = 3;

let contactNet: usize = 0;
let contactHidden: i32 = 0;
let raceNet: usize = 0;
let raceHidden: i32 = 0;

/** The nets that judge from now on. Units of the hidden layer: a multiple of 32, at most HIDDEN_MAX. */
export function useNets(contact: usize, ofContact: i32, race: usize, ofRace: i32): void {
  contactNet = contact;
  contactHidden = ofContact;
  raceNet = race;
  raceHidden = ofRace;
}

/** By what replies are compared within a look ahead: five f32, the worth by each chance. */
export const slopes: usize = heap.alloc(CHANCES);
store<f32>(slopes, 2);
store<f32>(slopes, 1, 4);
store<f32>(slopes, 1, 8);
store<f32>(slopes, -1, 12);
store<f32>(slopes, -1, 16);

/** Positions judged since the start. */
export let nodes: u64 = 0;

const inputs: usize = heap.alloc((<usize>INPUTS) << 2);
const sums: usize = heap.alloc((<usize>HIDDEN_MAX) << 2);
// What the positions of a batch start from: the first one of it in a race, the first one in contact.
const raceInputs: usize = heap.alloc((<usize>INPUTS) << 2);
const raceSums: usize = heap.alloc((<usize>HIDDEN_MAX) << 2);
const contactInputs: usize = heap.alloc((<usize>INPUTS) << 2);
const contactSums: usize = heap.alloc((<usize>HIDDEN_MAX) << 2);
const fromTable: usize = heap.alloc(CHANCES);
let hasRaceBase = false;
let hasContactBase = false;

export function kindOf(own: usize, other: usize): i32 {
  const rear = rearmost(own);
  const otherRear = rearmost(other);
  if (rear === OFF || otherRear === OFF) return OVER;
  if (rear + otherRear > BAR) return CONTACT;
  return isBearOff(own, other) && isFull(own) && isFull(other) ? BEAR_OFF : RACE;
}

/** Whether the side began with 15 checkers, so that the tables know when it has saved the gammon. */
function isFull(side: usize): bool {
  return count(side, OFF) > 0 || boardOf(side) >= FULL_BOARD;
}

/** Writes the chances of `own`, which is on roll. Others of the batch may have been judged before. */
function judge(own: usize, other: usize, to: usize): void {
  nodes++;
  const kind = kindOf(own, other);
  if (kind === OVER) {
    judgeOver(own, other, to);
    return;
  }
  if (kind === BEAR_OFF) {
    bearOffChances(own, other, to);
    return;
  }
  if (kind === RACE) {
    features(own, other, true, inputs);
    if (hasRaceBase) {
      sumFrom(raceNet, raceHidden, inputs, raceInputs, raceSums, sums);
    } else {
      sum(raceNet, raceHidden, inputs, sums);
      memory.copy(raceInputs, inputs, (<usize>INPUTS) << 2);
      memory.copy(raceSums, sums, (<usize>raceHidden) << 2);
      hasRaceBase = true;
    }
    finish(raceNet, raceHidden, sums, to);
    if (isBearOff(own, other)) {
      // Of a game with fewer checkers: the tables know who wins it, and not by how much.
      bearOffChances(own, other, fromTable);
      store<f32>(to, load<f32>(fromTable));
    }
  } else {
    features(own, other, false, inputs);
    if (hasContactBase) {
      sumFrom(contactNet, contactHidden, inputs, contactInputs, contactSums, sums);
    } else {
      sum(contactNet, contactHidden, inputs, sums);
      memory.copy(contactInputs, inputs, (<usize>INPUTS) << 2);
      memory.copy(contactSums, sums, (<usize>contactHidden) << 2);
      hasContactBase = true;
    }
    finish(contactNet, contactHidden, sums, to);
  }
  bound(own, other, kind, to);
}

/** The result of a game that a side has just won. */
function judgeOver(own: usize, other: usize, to: usize): void {
  const isWon = rearmost(own) === OFF;
  const loser = isWon ? other : own;
  const isGammon = count(loser, OFF) === 0;
  const isBackgammon = isGammon && rearmost(loser) > 18;
  store<f32>(to, isWon ? 1 : 0);
  store<f32>(to, isWon && isGammon ? 1 : 0, 4);
  store<f32>(to, isWon && isBackgammon ? 1 : 0, 8);
  store<f32>(to, !isWon && isGammon ? 1 : 0, 12);
  store<f32>(to, !isWon && isBackgammon ? 1 : 0, 16);
}

/** What the rules make impossible is 0, and no part is more than the whole. */
function bound(own: usize, other: usize, kind: i32, to: usize): void {
  const win = load<f32>(to);
  const winGammon: f32 = count(other, OFF) > 0 ? 0 : min(load<f32>(to, 4), win);
  const loseGammon: f32 = count(own, OFF) > 0 ? 0 : min(load<f32>(to, 12), 1 - win);
  const isFar = kind === CONTACT || rearmost(other) > 18;
  const isOwnFar = kind === CONTACT || rearmost(own) > 18;
  store<f32>(to, winGammon, 4);
  store<f32>(to, isFar ? min(load<f32>(to, 8), winGammon) : 0, 8);
  store<f32>(to, loseGammon, 12);
  store<f32>(to, isOwnFar ? min(load<f32>(to, 16), loseGammon) : 0, 16);
}

/** The chances as the other side has them. */
export function flip(chances: usize): void {
  const gammon = load<f32>(chances, 4);
  const backgammon = load<f32>(chances, 8);
  store<f32>(chances, 1 - load<f32>(chances));
  store<f32>(chances, load<f32>(chances, 12), 4);
  store<f32>(chances, load<f32>(chances, 16), 8);
  store<f32>(chances, gammon, 12);
  store<f32>(chances, backgammon, 16);
}

function startBatch(): void {
  hasRaceBase = false;
  hasContactBase = false;
}

/** Writes the chances of the side on roll, of this position alone. */
export function judgeOne(position: usize, to: usize): void {
  startBatch();
  judge(position, position + SIDE, to);
}

/** Writes for each of n positions the chances of the side that has just played, which stands first in them. */
export function judgeAll(results: usize, n: i32, to: usize): void {
  startBatch();
  for (let i: usize = 0; i < <usize>n; i++) {
    const position = results + i * POSITION;
    judge(position + SIDE, position, to + i * CHANCES);
    flip(to + i * CHANCES);
  }
}

export function worthOf(chances: usize): f32 {
  return (
    load<f32>(slopes) * load<f32>(chances) +
    load<f32>(slopes, 4) * load<f32>(chances, 4) +
    load<f32>(slopes, 8) * load<f32>(chances, 8) +
    load<f32>(slopes, 12) * load<f32>(chances, 12) +
    load<f32>(slopes, 16) * load<f32>(chances, 16)
  );
}

/** The number of the chances that are worth most; the first of equals. */
export function bestOf(chances: usize, n: i32): i32 {
  let best = 0;
  let most = worthOf(chances);
  for (let i = 1; i < n; i++) {
    const worth = worthOf(chances + <usize>i * CHANCES);
    if (worth > most) {
      most = worth;
      best = i;
    }
  }
  return best;
}

// For each depth: results, their chances, a position with the other side on roll, and sums over rolls.
const results: usize = heap.alloc(<usize>PLIES_MAX * <usize>RESULTS_MAX * POSITION);
const judged: usize = heap.alloc(<usize>PLIES_MAX * <usize>RESULTS_MAX * CHANCES);
const replies: usize = heap.alloc(<usize>PLIES_MAX * POSITION);
const averages: usize = heap.alloc(<usize>PLIES_MAX * CHANCES);

/** Writes the chances of the side on roll, so many rolls looked ahead (0..PLIES_MAX). */
export function lookAhead(position: usize, plies: i32, to: usize): void {
  if (plies === 0 || kindOf(position, position + SIDE) <= BEAR_OFF) {
    judgeOne(position, to);
    return;
  }
  const depth = <usize>(plies - 1);
  const plays = results + depth * <usize>RESULTS_MAX * POSITION;
  const chances = judged + depth * <usize>RESULTS_MAX * CHANCES;
  const reply = replies + depth * POSITION;
  const average = averages + depth * CHANCES;
  memory.fill(to, 0, CHANCES);
  for (let a = 1; a <= 6; a++) {
    for (let b = a; b <= 6; b++) {
      const n = generate(position, a, b, plays);
      judgeAll(plays, n, chances);
      const best = <usize>bestOf(chances, n);
      let found = chances + best * CHANCES;
      if (plies > 1) {
        turn(plays + best * POSITION, reply);
        lookAhead(reply, plies - 1, average);
        flip(average);
        found = average;
      }
      const weight = f32x4.splat(a === b ? 1.0 / 36.0 : 2.0 / 36.0);
      v128.store(to, f32x4.add(v128.load(to), f32x4.mul(weight, v128.load(found))));
      v128.store(to, f32x4.add(v128.load(to, 16), f32x4.mul(weight, v128.load(found, 16))), 16);
    }
  }
}
