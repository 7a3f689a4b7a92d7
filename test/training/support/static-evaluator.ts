import type { Chances } from "../../../src/engines/backgammon/chances.ts";
import { chances, reversed, wonBy } from "../../../src/engines/backgammon/chances.ts";
import type { Evaluator, JudgedPlay } from "../../../src/engines/backgammon/evaluator.ts";
import type { Position } from "../../../src/games/backgammon/board.ts";
import { legalPlays } from "../../../src/games/backgammon/plays.ts";
import { isOver } from "../../../src/games/backgammon/position.ts";
import { losersCheckers, winKind } from "../../../src/games/backgammon/value.ts";

/** Judges positions by a function, without looking ahead; games that are over by the rules. */
export const evaluatorOf = (
  build: string,
  chancesOf: (position: Position) => Chances,
): Evaluator => ({
  build,
  chances: chancesOf,
  plays: (position, dice, _plies, { worth }) =>
    legalPlays(position, dice)
      .map((play): JudgedPlay => {
        const { after } = play;
        const own = isOver(after)
          ? wonBy(winKind(losersCheckers(after.onRoll)))
          : reversed(chancesOf(after));
        return { play, chances: own, worth: worth(own, after), plies: 0 };
      })
      .sort((a, b) => b.worth - a.worth),
});

/** The static estimate of `chances.ts`. */
export const staticEvaluator: Evaluator = evaluatorOf(
  "backgammon-static/1",
  ({ onRoll, opponent }) => chances(onRoll, opponent),
);
