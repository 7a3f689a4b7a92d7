import type { CubeAdvice, Evaluation, RankedPlay } from "../engines/backgammon/advice.ts";
import type { Situation } from "../engines/backgammon/situation.ts";
import type { AdviceLevel } from "../games/backgammon/advice.ts";
import type { Dice } from "../games/backgammon/board.ts";
import { isOver } from "../games/backgammon/position.ts";
import type { CubeSetup, PositionSetup } from "../games/backgammon/position-setup.ts";
import { readStanding } from "../games/backgammon/position-setup.ts";
import type { Standing } from "../games/backgammon/standing.ts";
import { CUBE_VALUES, isPossibleCube } from "../games/backgammon/standing.ts";
import type { Variant } from "../games/backgammon/start.ts";
import type { PlayView } from "../games/backgammon/view.ts";
import { playView } from "../games/backgammon/view.ts";
import type { Rejection, Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";
import type { Service } from "./service.ts";

/** A position of no match, and who is asked about it. */
export interface AdviceAsked {
  readonly position: PositionSetup;
  readonly variant: Variant;
  /** Only where the notation does not say it. */
  readonly cube?: CubeSetup | undefined;
  readonly level: AdviceLevel;
}

/** A legal play in its rank. */
export type PlayAdvice = PlayView & Pick<RankedPlay, "equity" | "difference" | "chances" | "plies">;

type Thinking = Pick<Service, "thinker">;

/** What the position is worth to the side on roll before its roll, also where a roll is to be played. */
export const evaluatePosition = async (
  { thinker }: Thinking,
  asked: AdviceAsked,
  signal?: AbortSignal,
): Promise<Result<Evaluation, Failure>> => {
  const read = situationOf(asked);
  if (!read.ok) return read;
  const { situation } = read.value;
  return thinker.think("evaluation", { situation, level: asked.level }, signal);
};

/** The best legal plays of the roll, which `dice` or the notation says, best first; none where it has none. */
export const rankPlays = async (
  { thinker }: Thinking,
  asked: AdviceAsked & { readonly dice?: Dice | undefined; readonly limit: number },
  signal?: AbortSignal,
): Promise<Result<readonly PlayAdvice[], Failure>> => {
  const { level, limit } = asked;
  const read = situationOf(asked);
  if (!read.ok) return read;
  const { situation, standing } = read.value;
  const roll = rollOf(standing, asked.dice);
  if (!roll.ok) return roll;
  const task = { situation, level, dice: roll.value, limit };
  const ranked = await thinker.think("bestPlays", task, signal);
  if (!ranked.ok) return ranked;
  return ok(
    ranked.value.map(({ play, equity, difference, chances, plies }) => ({
      ...playView(play),
      equity,
      difference,
      chances,
      plies,
    })),
  );
};

/** Whether the side on roll doubles, and what the other then answers. */
export const adviseOnCube = async (
  { thinker }: Thinking,
  asked: AdviceAsked,
  signal?: AbortSignal,
): Promise<Result<CubeAdvice, Failure>> => {
  const read = situationOf(asked);
  if (!read.ok) return read;
  const { situation } = read.value;
  return thinker.think("cubeAction", { situation, level: asked.level }, signal);
};

const situationOf = ({
  position,
  variant,
  cube,
}: AdviceAsked): Result<
  { readonly situation: Situation; readonly standing: Standing },
  Rejection<string>
> => {
  const read = readStanding({ position, variant, cube });
  if (!read.ok) return read;
  const standing = read.value;
  if (isOver(standing.position)) return reject("position-not-playable", { reason: "game-over" });
  if (!isPossibleCube(standing)) {
    return reject("position-not-playable", { reason: "not-a-possible-cube" });
  }
  const { cube: stands, matchLength: length, score, crawford, jacoby, beavers } = standing;
  const situation: Situation = {
    position: standing.position,
    cube: { ...stands, limit: standing.cubeLimit ?? Math.max(...CUBE_VALUES) },
    match: { length, score, crawford },
    jacoby,
    beavers: beavers ?? false,
  };
  return ok({ situation, standing });
};

/** The roll that is to be played: as asked, as the notation says it, or both where they agree. */
const rollOf = (
  { turn }: Standing,
  asked: Dice | undefined,
): Result<Dice, Rejection<"dice-contradict" | "dice-missing">> => {
  const said = "dice" in turn ? turn.dice : undefined;
  const roll = asked ?? said;
  if (roll === undefined) return reject("dice-missing");
  const isSame = said === undefined || [...said].sort().join() === [...roll].sort().join();
  return isSame ? ok(roll) : reject("dice-contradict", { dice: said.join("-") });
};
