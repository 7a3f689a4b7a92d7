import type { Dice, Position } from "../../games/backgammon/board.ts";
import { turned } from "../../games/backgammon/board.ts";
import type { State } from "../../games/backgammon/state.ts";
import { opponentOf } from "../../games/backgammon/state.ts";
import { present } from "../../kernel/assert.ts";
import type { Seat } from "../../kernel/seat.ts";
import { reversed } from "./chances.ts";
import type { Evaluator, Preference } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { preferenceOf } from "./preference.ts";
import type { Amount } from "./standpoint.ts";
import { amountOf, standpointOf } from "./standpoint.ts";

/*
 * Luck is the equity of a roll, played as well as can be, less the mean of all rolls (D. Zare, "Hedging Toward
 * Skill"). Its own mean is 0 whatever the evaluator thinks, so 0 plies are enough, as GNU Backgammon has it.
 */

/** What the roll has brought the seat above the mean of all 36. */
export const rollLuck = (
  evaluator: CubeEvaluator,
  state: State,
  seat: Seat,
  dice: Dice,
): Amount => {
  const rolls = judgedRolls(evaluator, state, seat);
  let mean = 0;
  for (const { roll, equity } of rolls) mean += ((isDoubles(roll) ? 1 : 2) * equity) / 36;
  return amountOf(standpointOf(state, seat), equityOfRoll(rolls, dice) - mean);
};

/** What an opening has brought the seat that begins above the mean of all 30; half of them let the other begin. */
export const openingLuck = (
  evaluator: CubeEvaluator,
  state: State,
  seat: Seat,
  dice: Dice,
): Amount => {
  const own = judgedRolls(evaluator, state, seat);
  const others = judgedRolls(evaluator, state, opponentOf(seat));
  let mean = 0;
  for (const { roll, equity } of own) if (!isDoubles(roll)) mean += equity / 30;
  for (const { roll, equity } of others) if (!isDoubles(roll)) mean -= equity / 30;
  return amountOf(standpointOf(state, seat), equityOfRoll(own, dice) - mean);
};

/** A roll, larger die first, and its equity to the seat on roll, played as well as can be. */
interface JudgedRoll {
  readonly roll: Dice;
  readonly equity: number;
}

const ROLLS: readonly Dice[] = [1, 2, 3, 4, 5, 6].flatMap((high) =>
  Array.from({ length: high }, (_, low): Dice => [high, low + 1]),
);

const isDoubles = ([one, other]: Dice): boolean => one === other;

/** All 21 rolls, with the seat on roll. */
const judgedRolls = (evaluator: CubeEvaluator, state: State, seat: Seat): readonly JudgedRoll[] => {
  const { situation } = standpointOf(state, seat);
  const { position } = situation;
  const preference = preferenceOf(evaluator, situation);
  return ROLLS.map((roll) => {
    const [best] = evaluator.plays(position, roll, 0, preference);
    return { roll, equity: best?.worth ?? stayed(evaluator, position, preference) };
  });
};

/** The equity of not moving. */
const stayed = (evaluator: Evaluator, position: Position, preference: Preference): number => {
  const after = turned(position);
  return preference.worth(reversed(evaluator.chances(after, 0)), after);
};

const equityOfRoll = (rolls: readonly JudgedRoll[], [one, other]: Dice): number => {
  const [high, low] = [Math.max(one, other), Math.min(one, other)];
  const found = rolls.find(({ roll }) => roll[0] === high && roll[1] === low);
  return present(found, "every roll is judged").equity;
};
