import type { Dice, Play } from "../../games/backgammon/board.ts";
import type { Chances } from "./chances.ts";
import { withWin } from "./chances.ts";
import { answerToDouble, cubeWorths, doubles, isTooGood } from "./cube.ts";
import type { CubeAt, Outlook } from "./cubeful.ts";
import { cubeful, cubefulAtBest, cubeless, mayTurn } from "./cubeful.ts";
import type { Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { outlookBefore } from "./look-ahead.ts";
import { preferenceOf } from "./preference.ts";
import type { Situation, Stakes } from "./situation.ts";
import { equityOf, stakesOf } from "./situation.ts";

/*
 * What an engine thinks of a situation. All equities are of the side on roll, as `equityOf` scales them: per
 * unit of the cube, in a match so that the chances of winning it after a single at this cube are 1 and -1.
 */

/** What a situation is worth before the roll. */
export interface Evaluation {
  readonly chances: Chances;
  /** The game played out at this cube. */
  readonly cubeless: number;
  /** With the cube, which the side on roll may turn first; both do with it what is best. */
  readonly cubeful: number;
}

/** A legal play in its rank. */
export interface RankedPlay {
  readonly play: Play;
  /** Cubeful, after the play; as `preferenceOf` has it. */
  readonly equity: number;
  /** By how much it is worth less than the best play: 0 for that one, never above. */
  readonly difference: number;
  /** Of the side that plays, after the play. */
  readonly chances: Chances;
  /** How far it was looked ahead; less than asked for where it was soon seen to be worse. */
  readonly plies: Plies;
}

/** What to do with the cube, and why. */
export interface CubeAdvice {
  /** Of the side on roll, before its roll. */
  readonly chances: Chances;
  /** Whether the side on roll may double. If not, the rest says what a double would do if it might. */
  readonly mayDouble: boolean;
  /** To double where that can gain and, well answered, is worth no less (by 1e-9) than `noDouble`. */
  readonly action: "double" | "noDouble";
  /** Of the opponent, if it is doubled; a beaver only where these are allowed. */
  readonly response: "take" | "pass" | "beaver";
  readonly equities: {
    readonly noDouble: number;
    readonly doubleTake: number;
    readonly doublePass: number;
  };
  /** The chance of winning with which the opponent may as well take as pass, its share of gammons given; 0..1. */
  readonly takePoint: number;
  /** Whether `response` is to pass, and `noDouble` more than `doublePass` by over 1e-6. */
  readonly tooGood: boolean;
}

/** What the situation is worth. */
export const evaluation = (
  evaluator: CubeEvaluator,
  situation: Situation,
  plies: Plies,
): Evaluation => {
  const stakes = stakesOf(situation);
  const outlook = outlookBefore(evaluator, situation, plies);
  return {
    chances: outlook.chances,
    cubeless: equityOf(stakes, cubeless(outlook, stakes.cube)),
    cubeful: equityOf(stakes, cubefulAtBest(outlook, stakes.cube)),
  };
};

/**
 * The best plays of the roll, best first; none where none is legal.
 *
 * @param limit - how many at most
 */
export const bestPlays = (
  evaluator: CubeEvaluator,
  situation: Situation,
  dice: Dice,
  plies: Plies,
  limit: number,
): readonly RankedPlay[] => {
  const preference = preferenceOf(evaluator, situation);
  const judged = evaluator.plays(situation.position, dice, plies, preference).slice(0, limit);
  const best = judged[0]?.worth ?? 0;
  return judged.map(({ play, worth, chances, plies: seen }) => ({
    play,
    equity: worth,
    difference: Math.min(0, worth - best),
    chances,
    plies: seen,
  }));
};

/** Whether to double, and what to answer. */
export const cubeAction = (
  evaluator: CubeEvaluator,
  situation: Situation,
  plies: Plies,
): CubeAdvice => {
  const stakes = stakesOf(situation);
  const { cube, cubeLimit } = stakes;
  const outlook = outlookBefore(evaluator, situation, plies);
  const { noDouble, doubleTake, doublePass } = cubeWorths(outlook, cube);
  const mayBeaver = situation.beavers && 4 * cube.value <= cubeLimit;
  return {
    chances: outlook.chances,
    mayDouble: mayTurn(outlook, cube, "own"),
    action: doubles(outlook, cube) ? "double" : "noDouble",
    response: answerToDouble(outlook, cube, mayBeaver),
    equities: {
      noDouble: equityOf(stakes, noDouble),
      doubleTake: equityOf(stakes, doubleTake),
      doublePass: equityOf(stakes, doublePass),
    },
    takePoint: takePointOf(stakes, outlook),
    tooGood: isTooGood(outlook, cube),
  };
};

/** Found by halving: the worth of a taken double rises with the chance of the side that doubled. */
const takePointOf = ({ cube, worth }: Stakes, outlook: Outlook): number => {
  const turned: CubeAt = { value: 2 * cube.value, owner: "other" };
  const estimated = { ...outlook, exact: undefined };
  let [low, high] = [0, 1];
  for (let step = 0; step < HALVINGS; step++) {
    const win = (low + high) / 2;
    const chances = withWin(outlook.chances, win);
    if (cubeful({ ...estimated, chances }, turned) < worth(cube.value)) low = win;
    else high = win;
  }
  return 1 - (low + high) / 2;
};

const HALVINGS = 20;
