import {
  at,
  BAR,
  type Dice,
  OFF,
  type Position,
  type Side,
} from "../../../../src/games/backgammon/board.ts";

/** Where a roll can lead, from the side of the opponent, who is on roll then, and the dice it takes. */
export interface SlowPlay {
  readonly after: Position;
  readonly diceUsed: number;
}

/**
 * Legal plays by trying everything, one sentence of the rules a function: the oracle of `legalPlays`.
 *
 * It shares no code with it but `board.ts`. Positions are told apart by their JSON.
 */
export const slowPlays = (position: Position, dice: Dice): readonly SlowPlay[] => {
  const larger = Math.max(...dice);
  const smaller = Math.min(...dice);
  const orders =
    larger === smaller
      ? [[larger, larger, larger, larger]]
      : [
          [larger, smaller],
          [smaller, larger],
        ];
  const lines = orders.map((order) => reached(position, order));
  const most = Math.max(...lines.map((line) => line.length - 1));
  if (most === 0) return [];
  // Of two different dice only one can be played: the larger, if it can be that one.
  const playing =
    most === 1 && larger !== smaller ? lines.filter((line) => line.length > 1).slice(0, 1) : lines;
  const ends = playing.flatMap((line) => line[most] ?? []);
  return distinct(ends).map(({ onRoll, opponent }) => ({
    after: { onRoll: opponent, opponent: onRoll },
    diceUsed: most,
  }));
};

/** What can be reached with the first 0, 1, 2, … dice of the order, as long as one can be played. */
const reached = (
  position: Position,
  order: readonly number[],
): readonly (readonly Position[])[] => {
  const levels: (readonly Position[])[] = [[position]];
  for (const die of order) {
    const next = distinct((levels.at(-1) ?? []).flatMap((from) => moves(from, die)));
    if (next.length === 0) break;
    levels.push(next);
  }
  return levels;
};

/** Every position that one checker moved by the die gives, still from the mover's side. */
const moves = (position: Position, die: number): readonly Position[] =>
  position.onRoll.flatMap((_, from) =>
    mayMove(position, from, die) ? [moved(position, from, die)] : [],
  );

const mayMove = ({ onRoll, opponent }: Position, from: number, die: number): boolean => {
  if (from === OFF || at(onRoll, from) === 0) return false;
  if (at(onRoll, BAR) > 0 && from !== BAR) return false;
  if (from > die) return at(opponent, BAR - (from - die)) < 2;
  const isAllHome = onRoll.every((count, place) => place <= 6 || count === 0);
  const isHighest = onRoll.every((count, place) => place <= from || count === 0);
  return isAllHome && (from === die || isHighest);
};

const moved = ({ onRoll, opponent }: Position, from: number, die: number): Position => {
  const to = from > die ? from - die : OFF;
  const isHit = to !== OFF && at(opponent, BAR - to) === 1;
  return {
    onRoll: changed(changed(onRoll, from, -1), to, 1),
    opponent: isHit ? changed(changed(opponent, BAR - to, -1), BAR, 1) : opponent,
  };
};

const changed = (side: Side, place: number, by: number): Side =>
  side.map((count, index) => (index === place ? count + by : count));

const distinct = (positions: readonly Position[]): readonly Position[] => [
  ...new Map(positions.map((position) => [JSON.stringify(position), position])).values(),
];
