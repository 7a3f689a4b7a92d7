import type { CubeAt, Holder, Outlook } from "../../src/engines/backgammon/cubeful.ts";

/*
 * The worth of a game with a cube as lines of points, made for every cube up to the limit: the slow way,
 * against which the formulas of `cubeful.ts` are held.
 */

type Point = readonly [chance: number, worth: number];
/** A broken line: points by rising chance, from 0 to 1; what they are worth never falls. */
type Line = readonly Point[];

/** What the game is worth to the seat with this cube, nobody doubling before the roll. */
export const slowCubeful = (outlook: Outlook, cube: CubeAt): number => {
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
const canGain = (outlook: Outlook, { value, owner }: CubeAt, holder: Holder): boolean => {
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
