import type { Chances } from "./chances.ts";
import { withWin } from "./chances.ts";
import { cubeful, cubefulAtBest, cubeless } from "./cubeful.ts";
import type { Preference } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import type { Situation, Stakes } from "./situation.ts";
import { equityOf, outlookOf, stakesOf } from "./situation.ts";

/**
 * By what plays are compared in a situation: the equity with the cube where it is, the other side doing with
 * it what is best. Without a cube and for money it is the cubeless equity.
 *
 * Plays that all leave a double to be passed would be worth the same, so a little of it is cubeless.
 */
export const preferenceOf = (evaluator: CubeEvaluator, situation: Situation): Preference => {
  const stakes = stakesOf(situation);
  return {
    worth: (chances, position) => {
      const exact = evaluator.exact?.(position);
      const outlook = outlookOf(stakes, { position, chances, onRoll: "other", exact });
      const { cube } = stakes;
      const best = cubefulAtBest(outlook, cube);
      return equityOf(stakes, best + CUBELESS * (cubeless(outlook, cube) - best));
    },
    slopes: slopesAt(stakes, situation, evaluator.chances(situation.position, 0)),
  };
};

/** So little that it decides between equals only. */
const CUBELESS = 1e-5;

/**
 * How the equity rises with each of the five chances, about these: half as the cube has it, which may not at
 * all where a double would be passed, half as if it were dead.
 */
const slopesAt = (stakes: Stakes, { position }: Situation, about: Chances): Chances => {
  const win = Math.min(1 - WIN_MIN, Math.max(WIN_MIN, about.win));
  const from = withWin(about, win, GAMMONS_MAX);
  const { liveness } = outlookOf(stakes, { position, chances: from, onRoll: "own" });
  const equity = (more: Partial<Chances>): number => {
    const chances = { ...from, ...more };
    const outlook = { ...stakes, chances, liveness, onRoll: "other" } as const;
    const { cube } = stakes;
    return equityOf(stakes, (cubeful(outlook, cube) + cubeless(outlook, cube)) / 2);
  };
  const base = equity({});
  const slope = (name: keyof Chances): number =>
    (equity({ [name]: from[name] + STEP }) - base) / STEP;
  return {
    win: (equity({ win: from.win + STEP }) - equity({ win: from.win - STEP })) / (2 * STEP),
    winGammon: slope("winGammon"),
    winBackgammon: slope("winBackgammon"),
    loseGammon: slope("loseGammon"),
    loseBackgammon: slope("loseBackgammon"),
  };
};

const STEP = 0.05;

/** Where either side may still win, and a step leaves the chances possible. */
const WIN_MIN = 0.2;
const GAMMONS_MAX = 0.6;
