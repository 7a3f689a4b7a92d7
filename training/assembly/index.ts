import { makeBearOff } from "../../src/engines/backgammon/kernel/assembly/bear-off";
import { features } from "../../src/engines/backgammon/kernel/assembly/features";
import {
  BEAR_OFF,
  bestOf,
  CHANCES,
  CONTACT,
  flip,
  judgeAll,
  kindOf,
  useNets,
  worthOf,
} from "../../src/engines/backgammon/kernel/assembly/judge";
import { INPUTS, outputBiasesOf, sizeOf } from "../../src/engines/backgammon/kernel/assembly/net";
import { generate, RESULTS_MAX } from "../../src/engines/backgammon/kernel/assembly/plays";
import { OFF, POSITION, SIDE, turn } from "../../src/engines/backgammon/kernel/assembly/position";
import { between, happens, pick, seedGame } from "./dice";
import { Learner } from "./learner";

/*
 * Learning from games against itself: temporal differences (R. Sutton, 1988; G. Tesauro, 1992) with returns
 * computed backwards over the finished game. Some plays are not the best: there the return is cut, and the
 * position before is to have the best play's value.
 */

const PLAYS_MAX: i32 = 1024;
const EXPLORED: f32 = 0.05;
const EXPLORED_WITHIN: f32 = 0.25;
/** Of the plays that are not the best, so many are any play whatever. */
const EXPLORED_ANY: f32 = 0.3;
const NACKGAMMON: f32 = 0.03;
const HYPERGAMMON: f32 = 0.03;

let contact: Learner = new Learner(32);
let race: Learner = new Learner(32);

const results: usize = heap.alloc(<usize>RESULTS_MAX * POSITION);
const chances: usize = heap.alloc(<usize>RESULTS_MAX * CHANCES);
/** Inputs and targets of the position that is being learnt. */
export const inputs: usize = heap.alloc((<usize>INPUTS) << 2);
/** For each play of the game: the position before it, what it led to as its mover sees it, and the best. */
const positions: usize = heap.alloc(<usize>PLAYS_MAX * POSITION);
const values: usize = heap.alloc(<usize>PLAYS_MAX * CHANCES);
const bests: usize = heap.alloc(<usize>PLAYS_MAX * CHANCES);
const explored: usize = heap.alloc(<usize>PLAYS_MAX);
export const target: usize = heap.alloc(CHANCES);

/** Makes the learners with random weights. */
export function start(contactHidden: i32, raceHidden: i32, seed: u64): void {
  makeBearOff();
  contact = new Learner(contactHidden);
  race = new Learner(raceHidden);
  seedGame(seed, 0);
  randomise(contact);
  randomise(race);
}

function randomise(learner: Learner): void {
  const net = learner.memory;
  const hidden = learner.hidden;
  const first = <usize>(INPUTS * hidden);
  for (let i: usize = 0; i < first; i++) store<f32>(net + (i << 2), between(0.15));
  const rest = outputBiasesOf(net, hidden);
  for (let at = net + ((first + <usize>hidden) << 2); at < rest; at += 4) {
    store<f32>(at, between(1 / Mathf.sqrt(<f32>hidden)));
  }
  store<f32>(rest, -1.5, 4);
  store<f32>(rest, -4, 8);
  store<f32>(rest, -1.5, 12);
  store<f32>(rest, -4, 16);
  memory.copy(learner.mean, net, learner.size);
}

export function contactMemory(): usize {
  return contact.memory;
}

export function raceMemory(): usize {
  return race.memory;
}

/** Adam's steps so far, which a checkpoint must bring back. */
export function steps(net: i32): i32 {
  return net === 0 ? contact.steps : race.steps;
}

export function resume(contactSteps: i32, raceSteps: i32): void {
  contact.steps = contactSteps;
  race.steps = raceSteps;
  contact.filled = 0;
  race.filled = 0;
}

export { sizeOf };

/** Lets the contact net learn from the position written at `inputs` and `target`: so that a test can see its gradient. */
export function learn(rate: f32): void {
  contact.learn(inputs, target, rate);
}

/** Plays games against itself and learns from each. Says how many positions there were. */
export function train(seed: u64, game: u64, games: i32, lambda: f32, rate: f32): i32 {
  let learnt = 0;
  for (let i = 0; i < games; i++) {
    useNets(contact.mean, contact.hidden, race.mean, race.hidden);
    seedGame(seed, game + <u64>i);
    const plays = playGame();
    learnFrom(plays, lambda, rate);
    learnt += plays;
  }
  return learnt;
}

/** Plays a game with the running means; says how many plays it had. */
function playGame(): i32 {
  let isOpening = true;
  setUp(positions);
  for (let t: i32 = 0; t < PLAYS_MAX; t++) {
    const position = positions + <usize>t * POSITION;
    let a = pick(6);
    let b = pick(6);
    while (isOpening && a === b) {
      a = pick(6);
      b = pick(6);
    }
    isOpening = false;
    const n = generate(position, a + 1, b + 1, results);
    judgeAll(results, n, chances);
    const best = bestOf(chances, n);
    const chosen = n > 1 && happens(EXPLORED) ? another(n, best) : best;
    store<bool>(explored + <usize>t, chosen !== best);
    memory.copy(bests + <usize>t * CHANCES, chances + <usize>best * CHANCES, CHANCES);
    memory.copy(values + <usize>t * CHANCES, chances + <usize>chosen * CHANCES, CHANCES);
    const after = results + <usize>chosen * POSITION;
    if (isSettled(after)) return t + 1;
    if (t + 1 < PLAYS_MAX) turn(after, position + POSITION);
  }
  return PLAYS_MAX;
}

/** Whether the value of a position is known for certain. */
function isSettled(position: usize): bool {
  return kindOf(position, position + SIDE) <= BEAR_OFF;
}

function another(n: i32, best: i32): i32 {
  if (happens(EXPLORED_ANY)) return pick(n);
  const most = worthOf(chances + <usize>best * CHANCES);
  let near = 0;
  let chosen = best;
  for (let i = 0; i < n; i++) {
    if (most - worthOf(chances + <usize>i * CHANCES) > EXPLORED_WITHIN) continue;
    near++;
    if (pick(near) === 0) chosen = i;
  }
  return chosen;
}

function setUp(position: usize): void {
  memory.fill(position, 0, POSITION);
  for (let side = position; side < position + POSITION; side += SIDE) store<i8>(side, 0, OFF);
  if (happens(NACKGAMMON)) {
    both(position, 24, 2);
    both(position, 23, 2);
    both(position, 13, 4);
    both(position, 8, 3);
    both(position, 6, 4);
  } else if (happens(HYPERGAMMON)) {
    both(position, 24, 1);
    both(position, 23, 1);
    both(position, 22, 1);
  } else {
    both(position, 24, 2);
    both(position, 13, 5);
    both(position, 8, 3);
    both(position, 6, 5);
  }
}

function both(position: usize, place: usize, n: i8): void {
  store<i8>(position + place, n);
  store<i8>(position + SIDE + place, n);
}

/** From the last play back: what each position should have been worth. */
function learnFrom(plays: i32, lambda: f32, rate: f32): void {
  const last = plays - 1;
  memory.copy(target, values + <usize>last * CHANCES, CHANCES);
  for (let t = last; t >= 0; t--) {
    if (t < last) {
      flip(target);
      if (load<bool>(explored + <usize>t)) {
        memory.copy(target, bests + <usize>t * CHANCES, CHANCES);
      } else {
        blend(target, values + <usize>t * CHANCES, lambda);
      }
    } else if (load<bool>(explored + <usize>t)) {
      memory.copy(target, bests + <usize>t * CHANCES, CHANCES);
    }
    const position = positions + <usize>t * POSITION;
    const isContact = kindOf(position, position + SIDE) === CONTACT;
    features(position, position + SIDE, !isContact, inputs);
    const learner = isContact ? contact : race;
    learner.learn(inputs, target, rate);
  }
}

/** The target becomes λ of itself and the rest of the value. */
function blend(at: usize, value: usize, lambda: f32): void {
  const own = f32x4.splat(lambda);
  const rest = f32x4.splat(1 - lambda);
  const known = f32x4.mul(own, v128.load(at));
  v128.store(at, f32x4.add(known, f32x4.mul(rest, v128.load(value))));
  store<f32>(at, lambda * load<f32>(at, 16) + (1 - lambda) * load<f32>(value, 16), 16);
}
