import type { Chances } from "./chances.ts";

/*
 * What a game with a cube is worth before the roll: Janowski's model ("Take-Points in Money Games",
 * 1993), carried over from points to any worth, so that it serves match scores too.
 *
 * Say that the chances move in small steps and that the shares of gammons stay as they are. Then every
 * double comes exactly where the other side may as well take as pass, and the worth by the chance of
 * winning is a broken line through these points: the live cube. The dead cube is the straight line of a
 * game that is played out at this cube. The truth lies between, nearer to the live cube as long as the
 * game is long.
 *
 * The points of the line at one cube follow from the line at twice that cube, and so on up to a cube that
 * may not be turned, or that it is senseless to turn.
 */

/** What it is worth to a seat to win (above 0) or lose (below 0) so many points. Never falls. */
export type Worth = (points: number) => number;

/** A side of a game as one seat sees it. */
export type Holder = "own" | "other";

/** A game whose next roll is due, as one seat sees it. */
export interface Outlook {
  /** The seat's chances. */
  readonly chances: Chances;
  /** How much of the live cube there is in the game: 0 the cube is dead, 1 every double is efficient. */
  readonly liveness: number;
  readonly worth: Worth;
  /** The highest value of the cube. */
  readonly cubeLimit: number;
  /** Whether a gammon counts only once a double has been taken. */
  readonly jacoby: boolean;
}

/** The cube: who may turn it is its owner, or, in the middle, both. */
export interface CubeAt {
  readonly value: number;
  /** Null: in the middle. */
  readonly owner: Holder | null;
}

type Point = readonly [chance: number, worth: number];
/** A broken line: points by rising chance, from 0 to 1; what they are worth never falls. */
type Line = readonly Point[];

/** What the game is worth to the seat with this cube, nobody doubling before the roll. */
export const cubeful = (outlook: Outlook, cube: CubeAt): number => {
  const { liveness, chances } = outlook;
  const { won, lost } = ends(outlook, cube);
  const dead = lost + (won - lost) * chances.win;
  return dead + liveness * (worthAt(liveLine(outlook, cube), chances.win) - dead);
};

/** What a win and what a loss is worth on the average, at this cube. */
const ends = ({ chances, worth, jacoby }: Outlook, { value, owner }: CubeAt) => {
  const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = chances;
  const isSingle = jacoby && owner === null;
  const average = (sign: 1 | -1, gammon: number, backgammon: number): number =>
    isSingle
      ? worth(sign * value)
      : (1 - gammon) * worth(sign * value) +
        (gammon - backgammon) * worth(sign * 2 * value) +
        backgammon * worth(sign * 3 * value);
  return {
    won: average(1, share(winGammon, win), share(winBackgammon, win)),
    lost: average(-1, share(loseGammon, 1 - win), share(loseBackgammon, 1 - win)),
  };
};

const share = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));

/** Less than this is no gain. */
const NOTHING = 1e-9;

/**
 * Whether turning the cube can win the holder anything. Not where a single win at the present value
 * already is all that can be won: the cube is dead for it, and to turn it only raises what it may lose.
 */
export const canGain = (outlook: Outlook, { value, owner }: CubeAt, holder: Holder): boolean => {
  if ((owner !== null && owner !== holder) || 2 * value > outlook.cubeLimit) return false;
  const now = ends(outlook, { value, owner });
  const turned = ends(outlook, { value: 2 * value, owner: otherThan(holder) });
  return holder === "own" ? turned.won > now.won + NOTHING : turned.lost < now.lost - NOTHING;
};

const otherThan = (holder: Holder): Holder => (holder === "own" ? "other" : "own");

/**
 * The live cube's line.
 *
 * Where both may gain, each doubles where the other may as well pass. Where one alone may, it doubles
 * wherever that is best, a problem of when to stop: the line is the smallest concave one above what a
 * double is worth, for the other side the largest convex one below.
 */
const liveLine = (outlook: Outlook, cube: CubeAt): Line => {
  const { won, lost } = ends(outlook, cube);
  const first = [0, lost] as const;
  const last = [1, won] as const;
  const mine = canGain(outlook, cube, "own") ? ownDoubles(outlook, cube.value) : [];
  const theirs = canGain(outlook, cube, "other") ? otherDoubles(outlook, cube.value) : [];
  if (mine.length > 0 && theirs.length > 0) {
    return [first, ...theirs.slice(0, 1), ...mine.slice(-1), last];
  }
  return hull([first, ...theirs, ...mine, last], mine.length > 0 ? 1 : -1);
};

/** What the seat's double is worth by its chance, up to the chance where the other passes. */
const ownDoubles = (outlook: Outlook, value: number): Line => {
  const line = liveLine(outlook, { value: 2 * value, owner: "other" });
  const cash = outlook.worth(value);
  const passes = chanceOf(line, cash);
  return [...line.filter(([chance]) => chance < passes), [passes, cash] as const].filter(isInside);
};

/** What the other's double is worth to the seat by its chance, from the chance where it takes. */
const otherDoubles = (outlook: Outlook, value: number): Line => {
  const line = liveLine(outlook, { value: 2 * value, owner: "own" });
  const given = outlook.worth(-value);
  const takes = chanceOf(line, given);
  return [[takes, given] as const, ...line.filter(([chance]) => chance > takes)].filter(isInside);
};

const isInside = ([chance]: Point): boolean => chance > 0 && chance < 1;

/** The points of the line that bound the others: from above (1), or from below (-1). */
const hull = (points: Line, side: 1 | -1): Line => {
  const kept: Point[] = [];
  for (const point of points) {
    while (isIdle(kept.at(-2), kept.at(-1), point, side)) kept.pop();
    kept.push(point);
  }
  return kept;
};

/** Whether the middle one of three points bounds nothing. */
const isIdle = (a: Point | undefined, b: Point | undefined, c: Point, side: 1 | -1): boolean =>
  a !== undefined &&
  b !== undefined &&
  side * ((b[1] - a[1]) * (c[0] - a[0]) - (c[1] - a[1]) * (b[0] - a[0])) <= 0;

/** What the line says at the chance. */
const worthAt = (line: Line, chance: number): number => {
  let [x, y] = line[0] ?? [0, 0];
  for (const [nextX, nextY] of line) {
    if (chance <= nextX)
      return nextX === x ? nextY : y + ((nextY - y) * (chance - x)) / (nextX - x);
    [x, y] = [nextX, nextY];
  }
  return y;
};

/** The lowest chance at which the line is worth so much; 1 where it never is. */
const chanceOf = (line: Line, sought: number): number => {
  let [x, y] = line[0] ?? [0, 0];
  for (const [nextX, nextY] of line) {
    if (sought <= nextY) return nextY === y ? x : x + ((nextX - x) * (sought - y)) / (nextY - y);
    [x, y] = [nextX, nextY];
  }
  return 1;
};
