import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import type { Dice, Position, Side } from "./board.ts";
import { BAR, checkers, side } from "./board.ts";
import { parseMatchId } from "./match-id.ts";
import { position } from "./position.ts";
import { parsePositionId } from "./position-id.ts";
import type { CubeOwner, Player, Standing } from "./standing.ts";
import { faultOf, isPossibleCube } from "./standing.ts";
import { START, type Variant } from "./start.ts";
import { parseXgid } from "./xgid.ts";

/**
 * One side as a client writes it: its own points, the bar, and what is off: by default what the others leave of its
 * checkers.
 */
export interface SideSetup {
  readonly points: Readonly<Record<string, number>>;
  readonly bar?: number | undefined;
  readonly off?: number | undefined;
}

export interface BoardSetup {
  readonly onRoll: SideSetup;
  readonly opponent: SideSetup;
}

/** A position in one of the notations that clients use. */
export type PositionSetup =
  | { readonly positionId: string; readonly matchId?: string | undefined }
  | { readonly xgid: string }
  | { readonly board: BoardSetup };

/** The cube and the match around a position, from the side on roll; what is absent is as by default. */
export interface CubeSetup {
  readonly value?: number | undefined;
  readonly owner?: CubeOwner | undefined;
  readonly matchLength?: number | undefined;
  readonly score?: readonly [number, number] | undefined;
  readonly crawford?: boolean | undefined;
  readonly jacoby?: boolean | undefined;
  readonly beavers?: boolean | undefined;
}

/** A position with what its notation does not say; `cube` and `dice` only where it does not. */
export interface PositionAsked {
  readonly position: PositionSetup;
  readonly variant: Variant;
  readonly cube?: CubeSetup | undefined;
  readonly dice?: Dice | undefined;
}

/** A state, and GNU's player on roll: 1, the bottom player, where the notation does not say it. */
export type Read = Standing & { readonly player: Player };

/** Why a state cannot be read: it is no text of its notation, stands on no board, or is said twice. */
type SetupRejection = Rejection<
  "position-not-readable" | "position-not-playable" | "position-said-twice"
>;

/** The state that a client has described. */
export const readStanding = (asked: PositionAsked): Result<Read, SetupRejection> => {
  const { position: setup, variant } = asked;
  const checkersPerSide = checkers(START[variant]);
  if ("xgid" in setup) {
    return saidTwice("xgid", asked) ?? checked(parseXgid(setup.xgid, checkersPerSide), variant);
  }
  if ("board" in setup) {
    const { onRoll, opponent } = setup.board;
    const position = {
      onRoll: sideOf(onRoll, checkersPerSide),
      opponent: sideOf(opponent, checkersPerSide),
    };
    return checked(standingOf(position, asked), variant);
  }
  const found = parsePositionId(setup.positionId, checkersPerSide);
  if (!found.ok) return found;
  if (setup.matchId === undefined) return checked(standingOf(found.value, asked), variant);
  const match = parseMatchId(setup.matchId);
  const read = match.ok ? ok({ position: found.value, ...match.value }) : match;
  return saidTwice("matchId", asked) ?? checked(read, variant);
};

/** Refuses a cube or dice beside a notation that says them, whether they agree or not. */
const saidTwice = (notation: string, { cube, dice }: PositionAsked) => {
  if (cube !== undefined) return reject("position-said-twice", { notation, member: "cube" });
  if (dice !== undefined) return reject("position-said-twice", { notation, member: "dice" });
  return undefined;
};

/** A bare position with its cube and dice: a money session with a centred cube unless they say more. */
const standingOf = (
  position: Position,
  { cube = {}, dice }: PositionAsked,
): Result<Read, SetupRejection> => {
  const standing: Read = {
    position,
    player: 1,
    turn: dice === undefined ? { phase: "to-roll" } : { phase: "to-play", dice },
    cube: { value: cube.value ?? 1, owner: cube.owner ?? "centre" },
    score: cube.score ?? [0, 0],
    matchLength: cube.matchLength ?? 0,
    crawford: cube.crawford ?? false,
    jacoby: cube.jacoby ?? false,
    beavers: cube.beavers ?? false,
  };
  const reason = faultOf(standing) ?? cubeFaultOf(cube, standing);
  return reason === undefined ? ok(standing) : reject("position-not-playable", { reason });
};

/** What is wrong with a cube that is said apart, besides what `faultOf` finds. */
const cubeFaultOf = (cube: CubeSetup, standing: Standing) => {
  if (cube.score !== undefined && cube.matchLength === undefined) return "score-without-length";
  return isPossibleCube(standing) ? undefined : "not-a-possible-cube";
};

const checked = (
  read: Result<Read, SetupRejection>,
  variant: Variant,
): Result<Read, SetupRejection> => {
  if (!read.ok) return read;
  const checkersPerSide = checkers(START[variant]);
  const playable = position(read.value.position, checkersPerSide);
  if (!playable.ok) return playable;
  const { onRoll, opponent } = playable.value;
  if (checkers(onRoll) < checkersPerSide) return missing("onRoll");
  if (checkers(opponent) < checkersPerSide) return missing("opponent");
  return read;
};

const missing = (of: keyof Position) =>
  reject("position-not-playable", { reason: "checkers-missing", side: of });

/** The side as it is described; too many checkers leave none to be off. */
const sideOf = ({ points, bar = 0, off }: SideSetup, checkersPerSide: number): Side => {
  const onBoard = side({ ...points, [BAR]: bar });
  const borneOff = off ?? Math.max(0, checkersPerSide - checkers(onBoard));
  return [borneOff, ...onBoard.slice(1)];
};
