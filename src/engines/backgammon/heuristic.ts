import type { Dice, Position, Side } from "../../games/backgammon/board.ts";
import { at, BAR, mirrored, OFF, pipCount } from "../../games/backgammon/board.ts";
import { legalPlays } from "../../games/backgammon/plays.ts";
import { opponentOf } from "../../games/backgammon/state.ts";
import type { View } from "../../games/backgammon/view.ts";
import { sideOf } from "../../games/backgammon/view.ts";
import type { Json } from "../../kernel/json.ts";
import { seat as seatOf } from "../../kernel/seat.ts";
import type { Engine, EngineTask } from "../engine.ts";

/**
 * Plays by a static evaluation written by hand: the play with the best score, the first of equals.
 *
 * In a race it counts pips and bears off; in contact it weighs made points, primes, anchors, the
 * opponent's checkers on the bar, and its own blots by how many rolls hit them. The weights are guesses,
 * tuned by play against `random` only.
 */
export const heuristicEngine: Engine = {
  build: "backgammon-heuristic/1",
  choose: ({ view, commands, seat }: EngineTask): Json => {
    const { board, dice } = view as unknown as View;
    const only = commands[0];
    if (dice === undefined || commands.length === 1) return only ?? null;
    const own = seatOf(seat);
    const position = { onRoll: sideOf(board, own), opponent: sideOf(board, opponentOf(own)) };
    return { type: "play", play: bestPlay(position, dice) };
  },
};

const bestPlay = (position: Position, dice: Dice): string => {
  let best = { text: "", score: Number.NEGATIVE_INFINITY };
  for (const { text, after } of legalPlays(position, dice)) {
    const score = evaluate(after.opponent, after.onRoll);
    if (score > best.score) best = { text, score };
  }
  return best.text;
};

/**
 * How good a position is for the side that has just played; higher is better. Pips are the unit.
 *
 * @param own - the side that has played
 * @param other - the side on roll
 */
export const evaluate = (own: Side, other: Side): number => {
  const race = pipCount(other) - pipCount(own);
  if (!hasContact(own, other)) return race + 4 * at(own, OFF) - gaps(own);
  return race + structure(own) - structure(other) - risk(own, other);
};

/** The sides can still meet: somebody's rearmost checker has not passed the other's. */
const hasContact = (own: Side, other: Side): boolean => rearmost(own) + rearmost(other) > 25;

const rearmost = (side: Side): number => {
  for (let place = BAR; place > OFF; place--) if (at(side, place) > 0) return place;
  return OFF;
};

/** Empty home points waste pips in the bear-off, and stacks on low points waste more. */
const gaps = (side: Side): number => {
  let wasted = 0;
  for (let point = 1; point <= 6; point++) if (at(side, point) === 0) wasted += 1;
  return wasted + at(side, 1) + at(side, 2) / 2;
};

const MADE: Readonly<Record<number, number>> = { 3: 4, 4: 7, 5: 9, 6: 7, 7: 7, 8: 4 };
const ANCHOR: Readonly<Record<number, number>> = { 20: 9, 21: 8, 18: 6, 22: 5, 23: 2, 24: 2 };

/** What the side's made points are worth: a home board, a prime, an anchor; less for a stack. */
const structure = (side: Side): number => {
  let worth = -6 * at(side, BAR);
  let run = 0;
  for (let point = 1; point <= 24; point++) {
    const count = at(side, point);
    run = count >= 2 ? run + 1 : 0;
    if (count >= 2) worth += (MADE[point] ?? 1) + (ANCHOR[point] ?? 0);
    if (run >= 3 && point <= 12) worth += run;
    if (count > 3) worth -= 1.5 * (count - 3);
  }
  return worth;
};

/** What the side stands to lose by its blots: pips on the way, times the share of rolls that hit. */
const risk = (own: Side, other: Side): number => {
  const board = homePoints(other);
  let lost = 0;
  for (let point = 1; point <= 24; point++) {
    if (at(own, point) !== 1) continue;
    const shots = shotsAt(own, other, point);
    lost += (shots / 36) * (mirrored(point) + 4 + 4 * board);
  }
  return lost;
};

const homePoints = (side: Side): number => {
  let made = 0;
  for (let point = 1; point <= 6; point++) if (at(side, point) >= 2) made += 1;
  return made;
};

/** Rolls out of 36 that hit a blot on the point, counting a way over one open point between. */
const shotsAt = (own: Side, other: Side, point: number): number => {
  let shots = 0;
  for (let first = 1; first <= 6; first++) {
    for (let second = first; second <= 6; second++) {
      if (hits(own, other, point, first, second)) shots += first === second ? 1 : 2;
    }
  }
  return shots;
};

const hits = (own: Side, other: Side, point: number, first: number, second: number): boolean => {
  if (stands(other, point, first) || stands(other, point, second)) return true;
  if (!stands(other, point, first + second)) return false;
  const open = (steps: number): boolean => at(own, point - steps) < 2;
  return open(first) || open(second);
};

/** The other side has a checker so many pips before my point: its way goes up my numbers. */
const stands = (other: Side, point: number, distance: number): boolean =>
  point - distance >= 0 && at(other, mirrored(point - distance)) > 0;
