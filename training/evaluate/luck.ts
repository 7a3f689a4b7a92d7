import type { Chances } from "../../src/engines/backgammon/chances.ts";
import { reversed } from "../../src/engines/backgammon/chances.ts";
import { cubefulAtBest } from "../../src/engines/backgammon/cubeful.ts";
import type { Evaluator } from "../../src/engines/backgammon/evaluator.ts";
import type { CubeEvaluator } from "../../src/engines/backgammon/exact-cube.ts";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import { outlookOf, stakesOf } from "../../src/engines/backgammon/situation.ts";
import type { Dice, Position } from "../../src/games/backgammon/board.ts";
import { turned } from "../../src/games/backgammon/board.ts";
import type { Pair } from "../../src/kernel/draw.ts";
import { equityOf, MONEY } from "./money.ts";

/*
 * What the dice gave. Every roll is worth something to who rolls it, by some judgement; its luck is how much more
 * that is than the mean over all rolls. The mean of the luck of a roll is 0 whatever the judgement, as long as that
 * does not know the dice, so to take the luck of all rolls off a result leaves its mean where it was. The better the
 * judgement, the less is left of the scatter.
 */

/** What the roll is worth to the side on roll, the situation being as before it. The sum of both sides' is 0. */
export type RollWorth = (situation: Situation, dice: Dice) => number;

/** The 21 rolls, and how many of the 36 throws of two dice each is. */
const ROLLS: readonly { readonly dice: Dice; readonly throws: number }[] = [
  1, 2, 3, 4, 5, 6,
].flatMap((larger) =>
  [1, 2, 3, 4, 5, 6]
    .filter((smaller) => smaller <= larger)
    .map((smaller) => ({
      dice: [larger, smaller] as const,
      throws: larger === smaller ? 1 : 2,
    })),
);

/** The luck of a roll, to the side on roll. */
export const luckOf = (worth: RollWorth, situation: Situation, dice: Dice): number => {
  const sum = ROLLS.reduce((all, roll) => all + roll.throws * worth(situation, roll.dice), 0);
  return worth(situation, dice) - sum / 36;
};

/**
 * The luck of an opening, to the side of the first die: who begins, and with what.
 *
 * @param situation - of the first game's side, as if it were on roll
 * @param pair - the two sides' dice; not equal
 */
export const openingLuckOf = (worth: RollWorth, situation: Situation, pair: Pair): number => {
  const other = opposite(situation);
  const sum = ROLLS.filter(({ throws }) => throws === 2).reduce(
    (all, { dice }) => all + worth(situation, dice) - worth(other, dice),
    0,
  );
  const [own, theirs] = pair;
  const fallen = own > theirs ? worth(situation, pair) : -worth(other, pair);
  return fallen - sum / 30;
};

/** The same situation as if the other side were on roll. */
const opposite = ({ position, cube, match, ...rest }: Situation): Situation => ({
  ...rest,
  position: turned(position),
  cube: {
    ...cube,
    owner: ({ centre: "centre", onRoll: "opponent", opponent: "onRoll" } as const)[cube.owner],
  },
  match: { ...match, score: [match.score[1], match.score[0]] },
});

/** Points of a game without a cube, by the evaluator's own look at the position. */
export const cubelessWorth =
  (evaluator: Evaluator): RollWorth =>
  ({ position }, dice) =>
    equityOf(best(evaluator, position, dice).chances);

/**
 * With the cube: points in money games, and in a match the chance of winning it less the chance of losing it. The
 * play is chosen as without a cube.
 */
export const cubefulWorth =
  (evaluator: CubeEvaluator): RollWorth =>
  (situation, dice) => {
    const { chances, after } = best(evaluator, situation.position, dice);
    const stakes = stakesOf(situation);
    const moment = {
      position: after,
      chances,
      onRoll: "other",
      exact: evaluator.exact?.(after),
    } as const;
    const worth = cubefulAtBest(outlookOf(stakes, moment), stakes.cube);
    return stakes.isMoney ? worth : 2 * worth - 1;
  };

/** The best play by the evaluator's own look, with the chances of the side that has played it. */
const best = (
  evaluator: Evaluator,
  position: Position,
  dice: Dice,
): { readonly chances: Chances; readonly after: Position } => {
  const [found] = evaluator.plays(position, dice, 0, MONEY);
  if (found !== undefined) return { chances: found.chances, after: found.play.after };
  const after = turned(position);
  return { chances: reversed(evaluator.chances(after, 0)), after };
};
