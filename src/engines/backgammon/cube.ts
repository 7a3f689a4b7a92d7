import type { CubeAt, Outlook } from "./cubeful.ts";
import { canGain, cubeful, cubefulAtBest } from "./cubeful.ts";

/*
 * What to do with the cube, and with an offer to resign: whatever is worth most, if the other side then does
 * what is worth least to us. Each is asked of an outlook: that of the side on roll, the one that doubles,
 * also where the other side decides. The cube is as before the double.
 */

/** Less of equity than this is no difference; and to play on has to gain more than this. */
const EVEN = 1e-9;
const GAIN = 1e-6;

/** So much equity in the outlook's worth. */
const worthOf = (equity: number, { worth }: Outlook, { value }: CubeAt): number =>
  (equity * (worth(value) - worth(-value))) / 2;

/** What the side on roll has before it, in the outlook's worth. */
export interface CubeWorths {
  readonly noDouble: number;
  readonly doubleTake: number;
  readonly doublePass: number;
}

/** What it is worth to roll, and to double with either answer; also where doubling is not open. */
export const cubeWorths = (outlook: Outlook, cube: CubeAt): CubeWorths => ({
  noDouble: cubeful(outlook, cube),
  doubleTake: cubeful(outlook, { value: 2 * cube.value, owner: "other" }),
  doublePass: outlook.worth(cube.value),
});

/**
 * Whether the side on roll doubles: where it can gain by it, and the double costs nothing if the opponent answers
 * as it should.
 */
export const doubles = (outlook: Outlook, cube: CubeAt): boolean => {
  if (!canGain(outlook, cube, "own")) return false;
  const { noDouble, doubleTake, doublePass } = cubeWorths(outlook, cube);
  return Math.min(doubleTake, doublePass) >= noDouble - worthOf(EVEN, outlook, cube);
};

/** Whether a double would be passed, and to play on is worth more than that pass. */
export const isTooGood = (outlook: Outlook, cube: CubeAt): boolean => {
  const { noDouble, doublePass } = cubeWorths(outlook, cube);
  const isPassed = answerToDouble(outlook, cube, false) === "pass";
  return isPassed && noDouble > doublePass + worthOf(GAIN, outlook, cube);
};

/** Whether to raise costs nothing if the other answers as it should, and wins if it takes. */
const isRaised = (now: number, taken: number, passed: number): boolean =>
  Math.min(taken, passed) >= now - EVEN && taken > now + EVEN;

/** The opponent's answer to a double, with a beaver only where that is open. */
export const answerToDouble = (
  outlook: Outlook,
  cube: CubeAt,
  mayBeaver: boolean,
): "take" | "pass" | "beaver" => {
  const { value } = cube;
  const taken = cubeful(outlook, { value: 2 * value, owner: "other" });
  const beavered = cubeful(outlook, { value: 4 * value, owner: "other" });
  if (mayBeaver && isRaised(-taken, -beavered, -outlook.worth(-2 * value))) return "beaver";
  return taken <= outlook.worth(value) + worthOf(EVEN, outlook, cube) ? "take" : "pass";
};

/** The doubler's answer to a beaver, with a raccoon only where that is open. */
export const answerToBeaver = (
  outlook: Outlook,
  { value }: CubeAt,
  mayRaccoon: boolean,
): "take" | "pass" | "raccoon" => {
  const taken = cubeful(outlook, { value: 4 * value, owner: "other" });
  const raccooned = cubeful(outlook, { value: 8 * value, owner: "other" });
  if (mayRaccoon && isRaised(taken, raccooned, outlook.worth(4 * value))) return "raccoon";
  return taken >= outlook.worth(-2 * value) - EVEN ? "take" : "pass";
};

/** Whether the beavering opponent takes the raccoon. */
export const takesRaccoon = (outlook: Outlook, { value }: CubeAt): boolean =>
  cubeful(outlook, { value: 8 * value, owner: "other" }) <= outlook.worth(4 * value) + EVEN;

/**
 * Whether the opponent does not lose by letting the other resign so many points.
 *
 * @param outlook - of the side that resigns; on roll, or having played the roll it has
 */
export const acceptsResignation = (outlook: Outlook, cube: CubeAt, points: number): boolean =>
  outlook.worth(-points) <= cubefulAtBest(outlook, cube) + EVEN;

/** The multiple of the cube at which the side on roll may as well resign; undefined: it plays on. */
export const resignation = (outlook: Outlook, cube: CubeAt): 1 | 2 | 3 | undefined => {
  if (outlook.chances.win > HOPELESS) return undefined;
  const played = cubefulAtBest(outlook, cube);
  const single = outlook.worth(cube.value) - outlook.worth(-cube.value);
  return MULTIPLES.find(
    (multiple) =>
      Math.abs(outlook.worth(-multiple * cube.value) - played) <= (HOPELESS * single) / 2,
  );
};

/** A chance, and a half of it in what a single is worth, that is given up. */
const HOPELESS = 0.001;
const MULTIPLES = [1, 2, 3] as const;
