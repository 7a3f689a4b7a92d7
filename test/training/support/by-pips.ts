import { pipCount } from "../../../src/games/backgammon/board.ts";
import { evaluatorOf } from "./static-evaluator.ts";

/** A poor judge, and a quick one: it sees the race alone. */
export const byPips = evaluatorOf("pips", ({ onRoll, opponent }) => ({
  win: 1 / (1 + Math.exp((pipCount(onRoll) - pipCount(opponent) - 4) / 10)),
  winGammon: 0,
  winBackgammon: 0,
  loseGammon: 0,
  loseBackgammon: 0,
}));
