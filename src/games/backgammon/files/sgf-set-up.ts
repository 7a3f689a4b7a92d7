import type { Seat } from "../../../kernel/seat.ts";
import { at, BAR, checkers, mirrored, OFF, type Side } from "../board.ts";
import { START, type Variant } from "../start.ts";
import { BLACK, type BySeat, type Cube, ofSeat, WHITE } from "../state.ts";
import type { FileStart } from "./record.ts";
import { letterOf, placeOf } from "./sgf-point.ts";
import type { SgfProperty } from "./sgf-syntax.ts";
import { isUsual } from "./table.ts";

/** A start while it is being set up: the usual one until a property says otherwise. */
export interface SetUp {
  /** Each side in its own coordinates; what is off is counted at the end. */
  readonly sides: BySeat<number[]>;
  cube: Cube;
  onRoll?: Seat;
  /** Whether more than `PL` was said. */
  isSet: boolean;
}

export const usualSetUp = (variant: Variant): SetUp => ({
  sides: [[...START[variant]], [...START[variant]]],
  cube: { value: 1, owner: null },
  isSet: false,
});

const OWNERS: ReadonlyMap<string, Seat | null> = new Map([
  ["c", null],
  ["w", WHITE],
  ["b", BLACK],
]);

const SET_UP = ["AB", "AW", "AE", "CV", "CO"];

/**
 * Whether the property sets position or cube. GNU Backgammon 1.07 writes and reads the owner of the cube as `CP`,
 * which elsewhere is a copyright.
 */
export const isSetUp = ({ name, values }: SgfProperty): boolean =>
  SET_UP.includes(name) || (name === "CP" && OWNERS.has(values[0] ?? ""));

/** Applies a property that sets position or cube; a reason if it cannot be. */
export const setUp = (start: SetUp, { name, values }: SgfProperty): string | undefined => {
  start.isSet = true;
  const [first = ""] = values;
  switch (name) {
    case "CV": {
      const value = /^[1-9]\d{0,5}$/.test(first.trim()) ? Number(first) : 0;
      start.cube = { ...start.cube, value };
      return Number.isInteger(Math.log2(value)) ? undefined : "cube-value";
    }
    case "CO":
    case "CP": {
      const owner = OWNERS.get(first.trim());
      if (owner === undefined) return "cube-owner";
      start.cube = { ...start.cube, owner };
      return undefined;
    }
    default:
      return values.every((value) => setPoints(start, name, value)) ? undefined : "point-not-known";
  }
};

/** One value of `AW`, `AB` or `AE`: a letter, or the two ends of a range. */
const setPoints = ({ sides }: SetUp, name: string, value: string): boolean => {
  const [, from, to = from] = /^\s*([a-z])(?::([a-z]))?\s*$/.exec(value) ?? [];
  if (from === undefined || to === undefined) return false;
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) {
    for (const seat of [WHITE, BLACK]) {
      const place = placeOf(String.fromCharCode(code), seat);
      const counts = ofSeat<number[]>(sides, seat);
      if (name === "AE") counts[place] = 0;
      else if (name === (seat === WHITE ? "AW" : "AB")) counts[place] = at(counts, place) + 1;
    }
  }
  return true;
};

/** The start as it was set up; nothing where it is the usual one; or why it cannot be. */
export const startOf = (start: SetUp, variant: Variant): FileStart | string | undefined => {
  if (!start.isSet) return undefined;
  const withOff = (counts: readonly number[]): Side => {
    const off = checkers(START[variant]) - (checkers(counts) - at(counts, OFF));
    return [off, ...counts.slice(1)];
  };
  const white = withOff(ofSeat(start.sides, WHITE));
  const black = withOff(ofSeat(start.sides, BLACK));
  if (at(white, OFF) < 0 || at(black, OFF) < 0) return "too-many-checkers";
  const isShared = white.some(
    (count, place) => place > OFF && place < BAR && count > 0 && at(black, mirrored(place)) > 0,
  );
  if (isShared) return "point-held-by-both";
  const { cube, onRoll } = start;
  return { sides: [white, black], cube, ...(onRoll === undefined ? {} : { onRoll }) };
};

/** The properties that set the start up: `CV` alone for automatic doubles, else everything. */
export const printSetUp = (start: FileStart, variant: Variant): string => {
  const { sides, cube, onRoll } = start;
  if (isUsual(sides, variant) && cube.owner === null && onRoll === undefined)
    return `CV[${cube.value}]`;
  const owner = cube.owner === null ? "c" : cube.owner === WHITE ? "w" : "b";
  const turn = onRoll === undefined ? "" : `PL[${onRoll === WHITE ? "W" : "B"}]`;
  const [white, black] = ([WHITE, BLACK] as const).map((seat) => {
    const letters = ofSeat(sides, seat).flatMap((count, place) =>
      place === OFF ? [] : new Array<string>(count).fill(letterOf(place, seat)),
    );
    return letters.length === 0
      ? ""
      : `A${seat === WHITE ? "W" : "B"}[${letters.sort().join("][")}]`;
  });
  return `\n;${turn}AE[a:y]${white}${black}CV[${cube.value}]CO[${owner}]CP[${owner}]`;
};
