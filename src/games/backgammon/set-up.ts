import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import type { Dice, Position, Side } from "./board.ts";
import { checkers, OFF, turned } from "./board.ts";
import type { SetUp } from "./options.ts";
import { countPlays } from "./plays.ts";
import { isOver } from "./position.ts";
import type { Standing } from "./standing.ts";
import { BLACK, WHITE } from "./state.ts";

/** Why a match cannot begin at a state. */
type Reason =
  | "start-has-dice"
  | "start-has-resignation"
  | "game-over"
  | "checkers-missing"
  | "nobody-can-move"
  | "not-a-possible-cube";

/**
 * The table at which a match begins that is set up: the side on roll is white, which has not rolled yet, or
 * waits for the answer to its double. Its dice come from the server, so the state may have none. What stands
 * on no place has been borne off.
 *
 * @param checkersPerSide - 15; 3 in hypergammon
 */
export const setUpOf = (
  { position, turn, cube, score, crawford, matchLength }: Standing,
  checkersPerSide: number,
): Result<SetUp, Rejection<Reason>> => {
  if (turn.phase === "to-play") return reject("start-has-dice");
  if (turn.phase === "resignation-offered") return reject("start-has-resignation");
  const sides = [position.onRoll, position.opponent].map((side) => filled(side, checkersPerSide));
  const [white, black] = sides;
  if (white === undefined || black === undefined) return reject("checkers-missing");
  const whole: Position = { onRoll: white, opponent: black };
  if (isOver(whole)) return reject("game-over");
  if (isStuck(whole) && isStuck(turned(whole))) return reject("nobody-can-move");
  if (cube.owner !== "centre" && cube.value === 1) return reject("not-a-possible-cube");
  const isTurnedInMatch = matchLength > 0 && cube.owner === "centre" && cube.value > 1;
  if (isTurnedInMatch || (crawford && cube.value > 1)) return reject("not-a-possible-cube");
  const owner = { centre: null, onRoll: WHITE, opponent: BLACK }[cube.owner];
  return ok({
    sides: [white, black],
    cube: { value: cube.value, owner },
    score,
    crawford,
    isDoubleOffered: turn.phase === "take-or-pass",
  });
};

/** The side with all its checkers, where the board says none or all of those that are off. */
const filled = (side: Side, checkersPerSide: number): Side | undefined => {
  const missing = checkersPerSide - checkers(side);
  const said = side[OFF] ?? 0;
  if (missing === 0) return side;
  return said === 0 && missing > 0 ? [missing, ...side.slice(1)] : undefined;
};

const ROLLS: readonly Dice[] = [1, 2, 3, 4, 5, 6].flatMap((one) =>
  [1, 2, 3, 4, 5, 6].map((other): Dice => [one, other]),
);

/** No roll has a legal play. */
const isStuck = (position: Position): boolean =>
  ROLLS.every((dice) => countPlays(position, dice) === 0);
