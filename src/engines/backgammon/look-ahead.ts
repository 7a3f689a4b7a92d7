import type { Dice } from "../../games/backgammon/board.ts";
import { turned } from "../../games/backgammon/board.ts";
import { reversed } from "./chances.ts";
import type { Ahead, Outlook } from "./cubeful.ts";
import type { Plies, Preference } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { preferenceOf } from "./preference.ts";
import type { Situation, Stakes } from "./situation.ts";
import { outlookOf, stakesOf } from "./situation.ts";

/**
 * The game as the side on roll sees it before its roll. From 1 ply on, each roll is looked at for what it
 * does to the cube, unless there is none to turn.
 */
export const outlookBefore = (
  evaluator: CubeEvaluator,
  situation: Situation,
  plies: Plies,
): Outlook => {
  const { position } = situation;
  const stakes = stakesOf(situation);
  const chances = evaluator.chances(position, plies);
  const exact = evaluator.exact?.(position);
  const outlook = outlookOf(stakes, { position, chances, onRoll: "own", exact });
  const isSeen =
    plies > 0 && outlook.exact === undefined && 2 * stakes.cube.value <= stakes.cubeLimit;
  return isSeen ? { ...outlook, ahead: aheadOf(evaluator, situation, stakes) } : outlook;
};

/** The game as the side sees it that has a roll to play, once it has played: the other side is on roll. */
export const outlookAfter = (
  evaluator: CubeEvaluator,
  situation: Situation,
  dice: Dice,
  plies: Plies,
): Outlook => {
  const preference = preferenceOf(evaluator, situation);
  return playedBy(evaluator, situation, stakesOf(situation))(dice, plies, preference);
};

const playedBy =
  (evaluator: CubeEvaluator, { position }: Situation, stakes: Stakes) =>
  (dice: Dice, plies: Plies, preference: Preference): Outlook => {
    const [best] = evaluator.plays(position, dice, plies, preference);
    const after = best?.play.after ?? turned(position);
    const chances = best?.chances ?? reversed(evaluator.chances(after, plies));
    const exact = evaluator.exact?.(after);
    return outlookOf(stakes, { position: after, chances, onRoll: "other", exact });
  };

const aheadOf = (evaluator: CubeEvaluator, situation: Situation, stakes: Stakes): Ahead => {
  const preference = preferenceOf(evaluator, situation);
  const played = playedBy(evaluator, situation, stakes);
  const rolls = ROLLS.map(({ odds, dice }) => ({ odds, outlook: played(dice, 0, preference) }));
  const mean = { win: 0, winGammon: 0, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 };
  for (const { odds, outlook } of rolls) {
    for (const name of NAMES) mean[name] += odds * outlook.chances[name];
  }
  return { chances: mean, rolls };
};

const NAMES = ["win", "winGammon", "winBackgammon", "loseGammon", "loseBackgammon"] as const;

/** The 21 rolls. */
const ROLLS = Array.from({ length: 6 }, (_, high) =>
  Array.from({ length: high + 1 }, (_, low) => ({
    odds: (high === low ? 1 : 2) / 36,
    dice: [high + 1, low + 1] as Dice,
  })),
).flat();
