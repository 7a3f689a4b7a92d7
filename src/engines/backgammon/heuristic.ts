import type { Dice, Play, Position } from "../../games/backgammon/board.ts";
import { legalPlays } from "../../games/backgammon/plays.ts";
import { opponentOf } from "../../games/backgammon/state.ts";
import type { View } from "../../games/backgammon/view.ts";
import { sideOf } from "../../games/backgammon/view.ts";
import type { Json } from "../../kernel/json.ts";
import type { Seat } from "../../kernel/seat.ts";
import { seat as seatOf } from "../../kernel/seat.ts";
import type { Engine, EngineTask } from "../engine.ts";
import {
  acceptsResignation,
  answerToBeaver,
  answerToDouble,
  doubles,
  takesRaccoon,
} from "./cube.ts";
import { evaluate } from "./evaluate.ts";

/**
 * Plays by a static evaluation: the play with the best score, the first of equals. Turns the cube by static
 * chances of winning (`cube.ts`). It never resigns, and refuses to be resigned to for less than it has.
 */
export const heuristicEngine: Engine = {
  build: "backgammon-heuristic/4",
  choose: ({ view, commands, seat }: EngineTask): Json => {
    const shown = view as unknown as View;
    const mayDo = new Set(commands.map(({ type }) => String(type)));
    const own = seatOf(seat);
    switch (shown.phase) {
      case "to-roll":
        return { type: mayDo.has("double") && doubles(shown, own) ? "double" : "roll" };
      case "take-or-pass":
        return { type: answerTo(shown, own, mayDo) };
      case "resignation-offered": {
        const points = shown.resignation?.points ?? 0;
        const isEnough = acceptsResignation(shown, own, points, afterRoll(shown));
        return { type: isEnough ? "accept-resignation" : "refuse-resignation" };
      }
      case "to-play":
        return shown.dice === undefined ? null : playOf(shown, own, shown.dice, commands);
      default:
        return commands[0] ?? null;
    }
  },
};

const answerTo = (view: View, own: Seat, mayDo: ReadonlySet<string>): string => {
  switch (view.offer?.kind) {
    case "beaver":
      return answerToBeaver(view, own, mayDo.has("raccoon"));
    case "raccoon":
      return takesRaccoon(view, own) ? "take" : "pass";
    default:
      return answerToDouble(view, own, mayDo.has("beaver"));
  }
};

const playOf = ({ board }: View, own: Seat, dice: Dice, commands: EngineTask["commands"]): Json => {
  const [only, another] = commands.filter(({ type }) => type === "play");
  if (only !== undefined && another === undefined) return only;
  return { type: "play", play: bestPlay(positionFor(board, own), dice)?.text ?? "" };
};

/** The position once the roll is played that lies on the table, if one does. */
const afterRoll = ({ board, onRoll, dice }: View): Position | undefined =>
  dice === undefined || onRoll === undefined
    ? undefined
    : bestPlay(positionFor(board, onRoll), dice)?.after;

const positionFor = (board: View["board"], onRoll: Seat): Position => ({
  onRoll: sideOf(board, onRoll),
  opponent: sideOf(board, opponentOf(onRoll)),
});

const bestPlay = (position: Position, dice: Dice): Play | undefined => {
  let best: { readonly play: Play; readonly score: number } | undefined;
  for (const play of legalPlays(position, dice)) {
    const score = evaluate(play.after.opponent, play.after.onRoll);
    if (best === undefined || score > best.score) best = { play, score };
  }
  return best?.play;
};
