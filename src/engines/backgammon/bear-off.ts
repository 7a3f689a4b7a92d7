import type { Side } from "../../games/backgammon/board.ts";
import { present } from "../../kernel/assert.ts";
import type { Rolls } from "./bear-off-tables.ts";

/** A home board: the checkers on the points 1 to 6, at 0 to 5. */
type Board = readonly number[];

/** The average of a number of rolls. */
export const meanRolls = (rolls: Rolls): number =>
  rolls.reduce((sum, chance, count) => sum + chance * count, 0);

/**
 * How many rolls a side needs to bear off its last checkers, each played to need the fewest on the
 * average: exact, from the rules alone. A table made as it is asked for and kept; 923 positions of up to
 * 6 checkers.
 *
 * @param side - its checkers are off or in its home board; few, for the table grows fast
 */
export const exactRolls = (side: Side): Rolls => rollsFrom(side.slice(1, 7)).rolls;

interface Known {
  readonly rolls: Rolls;
  readonly mean: number;
}

const known = new Map<string, Known>();

const rollsFrom = (board: Board): Known => {
  const key = board.join();
  const made = known.get(key) ?? computed(board);
  known.set(key, made);
  return made;
};

const computed = (board: Board): Known => {
  if (highest(board) < 0) return { rolls: [1], mean: 0 };
  const rolls: number[] = [0];
  for (let first = 1; first <= 6; first++) {
    for (let second = 1; second <= first; second++) {
      const weight = (first === second ? 1 : 2) / 36;
      const best = bestOf(reached(board, first, second));
      best.rolls.forEach((chance, count) => {
        rolls[count + 1] = (rolls[count + 1] ?? 0) + weight * chance;
      });
    }
  }
  return { rolls, mean: meanRolls(rolls) };
};

const bestOf = (boards: Iterable<Board>): Known => {
  let best: Known | undefined;
  for (const board of boards) {
    const one = rollsFrom(board);
    if (best === undefined || one.mean < best.mean) best = one;
  }
  return present(best, "a roll always moves a checker in the home board");
};

/** The boards that the roll can lead to. */
const reached = (board: Board, first: number, second: number): Iterable<Board> =>
  first === second
    ? afterAll(board, [first, first, first, first])
    : [...afterAll(board, [first, second]), ...afterAll(board, [second, first])];

const afterAll = (board: Board, dice: readonly number[]): Iterable<Board> => {
  let boards = new Map([["", board]]);
  for (const die of dice) {
    const next = new Map<string, Board>();
    for (const from of boards.values()) for (const to of after(from, die)) next.set(to.join(), to);
    boards = next;
  }
  return boards.values();
};

/** The boards that one die can lead to: itself where no checker is left. */
const after = (board: Board, die: number): readonly Board[] => {
  const last = highest(board);
  if (last < 0) return [board];
  return board.flatMap((count, index) => {
    const isPlayable = index >= die || index === die - 1 || (index === last && last < die);
    return count > 0 && isPlayable ? [moved(board, index, die)] : [];
  });
};

const moved = (board: Board, index: number, die: number): Board =>
  board.map((count, place) => count - (place === index ? 1 : 0) + (place === index - die ? 1 : 0));

const highest = (board: Board): number => board.findLastIndex((count) => count > 0);
