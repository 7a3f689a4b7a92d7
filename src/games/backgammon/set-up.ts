import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import type { Dice, Position } from "./board.ts";
import { turned } from "./board.ts";
import type { SetUp } from "./options.ts";
import { countPlays } from "./plays.ts";
import { isOver } from "./position.ts";
import type { Standing } from "./standing.ts";
import { isPossibleCube } from "./standing.ts";
import { BLACK, WHITE } from "./state.ts";

/** Why a match cannot begin at a state. */
type Reason =
  | "start-has-dice"
  | "start-has-resignation"
  | "game-over"
  | "nobody-can-move"
  | "not-a-possible-cube";

/**
 * The table at which a match begins that is set up: the side on roll is white, which has not rolled yet, or
 * waits for the answer to its double. Its dice come from the server, so the state may have none.
 */
export const setUpOf = (standing: Standing): Result<SetUp, Rejection<Reason>> => {
  const { position, turn, cube, score, crawford } = standing;
  if (turn.phase === "to-play") return reject("start-has-dice");
  if (turn.phase === "resignation-offered") return reject("start-has-resignation");
  if (isOver(position)) return reject("game-over");
  if (isStuck(position) && isStuck(turned(position))) return reject("nobody-can-move");
  if (!isPossibleCube(standing)) return reject("not-a-possible-cube");
  const owner = { centre: null, onRoll: WHITE, opponent: BLACK }[cube.owner];
  return ok({
    sides: [position.onRoll, position.opponent],
    cube: { value: cube.value, owner },
    score,
    crawford,
    isDoubleOffered: turn.phase === "take-or-pass",
  });
};

const ROLLS: readonly Dice[] = [1, 2, 3, 4, 5, 6].flatMap((one) =>
  [1, 2, 3, 4, 5, 6].map((other): Dice => [one, other]),
);

/** No roll has a legal play. */
const isStuck = (position: Position): boolean =>
  ROLLS.every((dice) => countPlays(position, dice) === 0);
