import type { Position, Side } from "../../games/backgammon/board.ts";
import { assert } from "../../kernel/assert.ts";
import type { Chances } from "./chances.ts";

/** The chance to need exactly so many rolls, by that number. */
export type Rolls = readonly number[];

/** What the kernel exports for bear-offs; places in its memory are byte offsets. */
export interface BearOffKernel {
  readonly memory: { readonly buffer: ArrayBuffer };
  allocate(bytes: number): number;
  makeBearOff(): void;
  isBearOff(own: number, other: number): number;
  isExact(position: number): number;
  bearOffChances(own: number, other: number, to: number): void;
  exactEquities(position: number, to: number): void;
  rollsUntilOff(side: number): number;
  rollsUntilFirstOff(side: number): number;
  meanRolls(side: number): number;
}

/** A bear-off of up to 6 checkers a side for money, in units of the cube, to the side on roll: within 1e-8. */
export interface ExactBearOff {
  readonly win: number;
  readonly cubelessEquity: number;
  /** If it does not double now and the cube is its own, centred, or the opponent's. */
  readonly noDoubleOwned: number;
  readonly noDoubleCentred: number;
  readonly opponentCube: number;
  /** If it doubles, from its own or a centred cube, and the opponent takes. */
  readonly doubleTake: number;
  /** With the best of doubling or not, and of the answer to it. */
  readonly bestOwned: number;
  readonly bestCentred: number;
}

/** Bear-offs, looked up in tables that the kernel has made from the rules alone. */
export interface BearOffTables {
  /**
   * The chances of the side on roll if each side has all checkers in its home board or off: exact to 1e-7
   * for up to 6 checkers a side. Before that each side is thought to play for the fewest rolls on the
   * average, which is not always the way to win most. Neither side has borne off all.
   */
  chances(position: Position): Chances | undefined;
  /** With 1 to 6 checkers left on each side, all at home. */
  exact(position: Position): ExactBearOff | undefined;
  /** The rolls a side needs to bear off all, played to need the fewest on the average: within 1e-6. */
  rolls(side: Side): Rolls;
  /** The rolls until the first of 15 checkers is off, played for that; none are needed where one is. */
  rollsToFirstOff(side: Side): Rolls;
  /** The average of `rolls`. */
  meanRolls(side: Side): number;
}

/** Bytes of a position in the kernel, and of its side on roll; and of the most numbers that it answers. */
const POSITION = 64;
const SIDE = 32;
const ANSWER = 32;

/** The chances to need more than 0, 1, 2 … 20 rolls that stand in a row; the last is 0. */
const ENTRIES = 21;

/** The tables of this kernel. Making them takes it 0.2 s and 23 MB, the first time only. */
export const bearOffTables = (kernel: BearOffKernel): BearOffTables => {
  kernel.makeBearOff();
  const place = kernel.allocate(POSITION);
  const answer = kernel.allocate(ANSWER);

  const put = ({ onRoll, opponent }: Position): void => {
    const bytes = new Int8Array(kernel.memory.buffer, place, POSITION);
    bytes.set(onRoll);
    bytes.set(opponent, SIDE);
  };
  const putHome = (side: Side): void => {
    put({ onRoll: side, opponent: side });
    assert(kernel.isBearOff(place, place + SIDE) !== 0, "the side has its checkers home or off");
  };
  const rowAt = (row: number): Rolls => {
    const moreThan = new Float32Array(kernel.memory.buffer, row, ENTRIES);
    return Array.from(
      moreThan,
      (more, rolls) => (rolls === 0 ? 1 : (moreThan[rolls - 1] ?? 0)) - more,
    );
  };

  return {
    chances: (position) => {
      put(position);
      if (kernel.isBearOff(place, place + SIDE) === 0) return undefined;
      kernel.bearOffChances(place, place + SIDE, answer);
      const found = new Float32Array(kernel.memory.buffer, answer, 5);
      const [win = 0, winGammon = 0, winBackgammon = 0, loseGammon = 0, loseBackgammon = 0] = found;
      return { win, winGammon, winBackgammon, loseGammon, loseBackgammon };
    },
    exact: (position) => {
      put(position);
      if (kernel.isExact(place) === 0) return undefined;
      kernel.exactEquities(place, answer);
      const found = new Float64Array(kernel.memory.buffer, answer, 4);
      const [cubelessEquity = 0, noDoubleOwned = 0, noDoubleCentred = 0, opponentCube = 0] = found;
      const doubled = Math.min(2 * opponentCube, 1);
      return {
        win: (1 + cubelessEquity) / 2,
        cubelessEquity,
        noDoubleOwned,
        noDoubleCentred,
        opponentCube,
        doubleTake: 2 * opponentCube,
        bestOwned: Math.max(noDoubleOwned, doubled),
        bestCentred: Math.max(noDoubleCentred, doubled),
      };
    },
    rolls: (side) => {
      putHome(side);
      return rowAt(kernel.rollsUntilOff(place));
    },
    rollsToFirstOff: (side) => {
      putHome(side);
      return rowAt(kernel.rollsUntilFirstOff(place));
    },
    meanRolls: (side) => {
      putHome(side);
      return kernel.meanRolls(place);
    },
  };
};
