import { assert, unreachable } from "../../kernel/assert.ts";
import type { Seat } from "../../kernel/seat.ts";
import { moneyRules } from "./options.ts";
import type { Cube, Offer, State, TakeOrPass, ToRoll } from "./state.ts";
import { opponentOf } from "./state.ts";

export const CUBE_REFUSALS = [
  "no-cube",
  "crawford-game",
  "opponent-owns-cube",
  "cube-limit",
  "no-beavers",
  "no-raccoons",
] as const;
/** Why a seat may not do something with the cube. */
export type CubeRefusal = (typeof CUBE_REFUSALS)[number];

/** Why the seat may not double when it is on roll; undefined: it may. */
export const doubleRefusal = (
  { options, crawford, cube }: Pick<State, "options" | "crawford" | "cube">,
  seat: Seat,
): CubeRefusal | undefined => {
  if (options.cubeLimit === 1) return "no-cube";
  if (crawford) return "crawford-game";
  if (cube.owner === opponentOf(seat)) return "opponent-owns-cube";
  return 2 * cube.value > options.cubeLimit ? "cube-limit" : undefined;
};

/** The seat that must answer the cube. */
export const answererOf = ({ offer, onRoll }: TakeOrPass): Seat =>
  offer === "beaver" ? onRoll : opponentOf(onRoll);

/** What the answer decides about: the game goes on at `value` after a take, and is lost at `stake` by a pass. */
export const stakesOf = ({
  offer,
  cube,
}: TakeOrPass): { readonly value: number; readonly stake: number } => {
  const doubles = { double: 1, beaver: 2, raccoon: 3 }[offer];
  return { value: cube.value * 2 ** doubles, stake: cube.value * 2 ** (doubles - 1) };
};

/** The cube after the answerer takes: whoever was doubled first keeps it. */
export const takenCube = (state: TakeOrPass): Cube & { readonly owner: Seat } => ({
  value: stakesOf(state).value,
  owner: opponentOf(state.onRoll),
});

/** What doubles once more what was offered, and is it open? A raccoon is the last. */
export const counterOf = (
  state: TakeOrPass,
): { readonly counter: Exclude<Offer, "double">; readonly refusal?: CubeRefusal } | undefined => {
  const { beavers, raccoons } = moneyRules(state.options.contest);
  const isOverLimit = 2 * stakesOf(state).value > state.options.cubeLimit;
  const refusal = isOverLimit ? ({ refusal: "cube-limit" } as const) : {};
  switch (state.offer) {
    case "double":
      return beavers
        ? { counter: "beaver", ...refusal }
        : { counter: "beaver", refusal: "no-beavers" };
    case "beaver":
      return raccoons
        ? { counter: "raccoon", ...refusal }
        : { counter: "raccoon", refusal: "no-raccoons" };
    case "raccoon":
      return undefined;
    default:
      return unreachable(state.offer);
  }
};

/** What a game is worth that ends now without a last play, as a multiple of one point: what the last double has set. */
export const stakeNow = (state: State): number =>
  state.phase === "take-or-pass" ? stakesOf(state).stake : state.cube.value;

/** What the cube shows after `ties` of the opening. */
export const automaticallyDoubled = (
  { options, cube }: Pick<State, "options" | "cube">,
  ties: number,
): number => {
  assert(cube.owner === null, "the cube is centred at the opening");
  const { automaticDoubles } = moneyRules(options.contest);
  let { value } = cube;
  for (let tie = 0; tie < Math.min(ties, automaticDoubles); tie++) {
    if (2 * value <= options.cubeLimit) value *= 2;
  }
  return value;
};

/** Whether the seat on roll has nothing to decide before it rolls, and the match rolls for it. */
export const rollsByItself = (state: Omit<ToRoll, "phase" | "refused">): boolean =>
  state.options.autoRoll && doubleRefusal(state, state.onRoll) !== undefined;
