import type { Position } from "../../games/backgammon/board.ts";
import { legalPlays } from "../../games/backgammon/plays.ts";
import { isOver } from "../../games/backgammon/position.ts";
import { losersCheckers, winKind } from "../../games/backgammon/value.ts";
import type { Engine } from "../engine.ts";
import type { Chances } from "./chances.ts";
import { chances, reversed, wonBy } from "./chances.ts";
import { evaluate } from "./evaluate.ts";
import type { Evaluator } from "./evaluator.ts";
import { levelOf } from "./levels.ts";

const BUILD = "backgammon-heuristic/5";

/**
 * Judges plays by the static evaluation, whatever is preferred, and chances by static estimates. No roll is
 * looked ahead.
 */
const heuristicEvaluator: Evaluator = {
  build: BUILD,
  chances: ({ onRoll, opponent }) => chances(onRoll, opponent),
  plays: (position, dice) =>
    legalPlays(position, dice)
      .map((play) => ({
        play,
        // Made when asked for: of the best play, if at all.
        get chances() {
          return chancesAfter(play.after);
        },
        worth: evaluate(play.after.opponent, play.after.onRoll),
        plies: 0 as const,
      }))
      .sort((one, other) => other.worth - one.worth),
};

/** Of the side that has played. */
const chancesAfter = (after: Position): Chances =>
  isOver(after)
    ? wonBy(winKind(losersCheckers(after.onRoll)))
    : reversed(chances(after.onRoll, after.opponent));

/**
 * Plays by a static evaluation: the play with the best score, the first of equals. Turns the cube by static
 * chances of winning. It never resigns, and refuses to be resigned to for less than it has.
 */
export const heuristicEngine: Engine = levelOf({
  build: BUILD,
  evaluator: heuristicEvaluator,
  plies: 0,
  cubePlies: 0,
  resigns: false,
});
