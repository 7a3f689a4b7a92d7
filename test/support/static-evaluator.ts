import type { Chances } from "../../src/engines/backgammon/chances.ts";
import { chances, reversed, wonBy } from "../../src/engines/backgammon/chances.ts";
import type { Evaluator, JudgedPlay, Plies } from "../../src/engines/backgammon/evaluator.ts";
import type { Dice, Position } from "../../src/games/backgammon/board.ts";
import { turned } from "../../src/games/backgammon/board.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { isOver } from "../../src/games/backgammon/position.ts";
import { losersCheckers, winKind } from "../../src/games/backgammon/value.ts";

/*
 * An evaluator as slow as it is plain: static chances, and looking ahead is the mean over the rolls of the
 * best reply by 0 plies, all plays alike.
 */

const equity = (of: Chances): number =>
  2 * of.win - 1 + of.winGammon + of.winBackgammon - of.loseGammon - of.loseBackgammon;

const chancesOf = (position: Position, plies: Plies): Chances => {
  if (isOver(position)) return reversed(wonBy(winKind(losersCheckers(position.onRoll))));
  if (plies === 0) return chances(position.onRoll, position.opponent);
  const mean = { win: 0, winGammon: 0, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 };
  for (let high = 1; high <= 6; high++) {
    for (let low = 1; low <= high; low++) {
      const replies = afterOf(position, [high, low]);
      const seen = replies.map((after) => reversed(chancesOf(after, 0)));
      const best = seen.reduce((one, other) => (equity(other) > equity(one) ? other : one));
      for (const [name, chance] of Object.entries(best)) {
        mean[name as keyof Chances] += ((high === low ? 1 : 2) / 36) * chance;
      }
    }
  }
  return mean;
};

const afterOf = (position: Position, dice: Dice): readonly Position[] => {
  const plays = legalPlays(position, dice);
  return plays.length === 0 ? [turned(position)] : plays.map(({ after }) => after);
};

export const staticEvaluator: Evaluator = {
  build: "static",
  chances: chancesOf,
  plays: (position, dice, plies, { worth }) =>
    legalPlays(position, dice)
      .map((play): JudgedPlay => {
        const of = reversed(chancesOf(play.after, plies));
        return { play, chances: of, worth: worth(of, play.after), plies };
      })
      .sort((one, other) => other.worth - one.worth),
};
