import { type Dice, type Position, side } from "../../../../src/games/backgammon/board.ts";
import { legalPlays } from "../../../../src/games/backgammon/plays.ts";
import { isOver } from "../../../../src/games/backgammon/position.ts";
import { START, VARIANTS } from "../../../../src/games/backgammon/start.ts";

/** The seed of this run: `SEED` in the environment, or a fixed one. Tests print it when they fail. */
export const SEED = Number(process.env["SEED"] ?? 20_261_129);

/** A uniform whole number in [0, below). */
export type Random = (below: number) => number;

/** mulberry32: the same numbers for the same seed, on every machine. */
export const seeded = (seed: number): Random => {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

/** A position and a roll to play there. */
export interface Case {
  readonly position: Position;
  readonly dice: Dice;
}

export const randomDice = (random: Random): Dice => [1 + random(6), 1 + random(6)];

/** Positions as they come in games of random plays, from the starts of all variants in turn. */
export function* selfPlay(random: Random): Generator<Case, never> {
  for (let game = 0; ; game++) {
    const start = START[VARIANTS[game % VARIANTS.length] ?? "standard"];
    let position: Position = { onRoll: start, opponent: start };
    while (!isOver(position)) {
      const dice = randomDice(random);
      yield { position, dice };
      const plays = legalPlays(position, dice);
      const play = plays[random(Math.max(1, plays.length))];
      position = play?.after ?? { onRoll: position.opponent, opponent: position.onRoll };
    }
  }
}

/** Checkers thrown on the board: every shape of bar, bear-off and contact comes, most never in games. */
export const randomPlacement = (random: Random): Position => {
  const taken = new Map<number, "mine" | "theirs">();
  const thrown = (whose: "mine" | "theirs") => {
    const counts: Record<number, number> = {};
    const lowest = random(3) === 0 ? 6 : 24;
    const places = 1 + random(12);
    for (let left = 15; left > 0; left--) {
      // Few places make towers; one throw in eight goes off or to the bar.
      const place =
        random(8) === 0 ? (random(3) === 0 ? 25 : 0) : 1 + ((random(places) * 7) % lowest);
      const board = whose === "mine" ? place : 25 - place;
      const isPoint = place > 0 && place < 25;
      if (isPoint && (taken.get(board) ?? whose) !== whose) continue;
      if (isPoint) taken.set(board, whose);
      counts[place] = (counts[place] ?? 0) + 1;
    }
    const placed = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return side({ ...counts, 0: (counts[0] ?? 0) + 15 - placed });
  };
  const order = random(2) === 0;
  const one = thrown(order ? "mine" : "theirs");
  const other = thrown(order ? "theirs" : "mine");
  return order ? { onRoll: one, opponent: other } : { onRoll: other, opponent: one };
};

/** The value, frozen all through: to write to it throws. */
export const deepFrozen = <Value>(value: Value): Value => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const member of Object.values(value)) deepFrozen(member);
  }
  return value;
};
