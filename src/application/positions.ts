import type { Dice, Position, Side } from "../games/backgammon/board.ts";
import { at, BAR, checkers, OFF, pipCount, side } from "../games/backgammon/board.ts";
import { parseMatchId, printMatchId } from "../games/backgammon/match-id.ts";
import { legalPlays } from "../games/backgammon/plays.ts";
import { isOver, position } from "../games/backgammon/position.ts";
import { parsePositionId, printPositionId } from "../games/backgammon/position-id.ts";
import type { CubeOwner, MatchStanding, Player, Standing } from "../games/backgammon/standing.ts";
import { faultOf } from "../games/backgammon/standing.ts";
import { START, type Variant } from "../games/backgammon/start.ts";
import type { PlayView } from "../games/backgammon/view.ts";
import { playView } from "../games/backgammon/view.ts";
import { parseXgid, printXgid } from "../games/backgammon/xgid.ts";
import { present } from "../kernel/assert.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";

/** One side as a client writes it: its own points, the bar, and what is off. */
export interface SideSetup {
  readonly points: Readonly<Record<string, number>>;
  readonly bar?: number | undefined;
  readonly off?: number | undefined;
}

interface BoardSetup {
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

/** A state in every notation that can say it. */
export interface Converted {
  readonly positionId: string;
  readonly matchId: string;
  /** Both GNU IDs with a colon between. */
  readonly gnubgId: string;
  /** Absent while a resignation is offered. */
  readonly xgid?: string;
  readonly board: BoardSetup;
  readonly pips: { readonly onRoll: number; readonly opponent: number };
  readonly match: MatchStanding;
}

/**
 * Every legal play of a roll, as a tool: nothing is stored. What the notation says besides the position,
 * dice among it, plays no part.
 */
export const legalPlaysOf = (
  setup: PositionSetup,
  variant: Variant,
  dice: Dice,
): Result<readonly PlayView[], Failure> => {
  const read = readStanding({ position: setup, variant });
  if (!read.ok) return read;
  const { position } = read.value;
  if (isOver(position)) return reject("position-not-playable", { reason: "game-over" });
  return ok(legalPlays(position, dice).map(playView));
};

/** The state in every notation. */
export const convert = (asked: PositionAsked): Result<Converted, Failure> => {
  const read = readStanding(asked);
  if (!read.ok) return read;
  const { player, ...standing } = read.value;
  const { position: found, ...match } = standing;
  const positionId = printPositionId(found);
  const matchId = present(printMatchId(match, player), "what was read can be written");
  const xgid = printXgid(standing);
  return ok({
    positionId,
    matchId,
    gnubgId: `${positionId}:${matchId}`,
    ...(xgid === undefined ? {} : { xgid }),
    board: { onRoll: sideSetup(found.onRoll), opponent: sideSetup(found.opponent) },
    pips: { onRoll: pipCount(found.onRoll), opponent: pipCount(found.opponent) },
    match,
  });
};

/** A state, and GNU's player on roll: 1, the bottom player, where the notation does not say it. */
type Read = Standing & { readonly player: Player };

const readStanding = (asked: PositionAsked): Result<Read, Failure> => {
  const { position: setup, variant } = asked;
  const checkersPerSide = checkers(START[variant]);
  if ("xgid" in setup) {
    return saidTwice("xgid", asked) ?? checked(parseXgid(setup.xgid, checkersPerSide), variant);
  }
  if ("board" in setup) {
    const { onRoll, opponent } = setup.board;
    const position = { onRoll: sideOf(onRoll), opponent: sideOf(opponent) };
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
): Result<Read, Failure> => {
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
  const reason = faultOf(standing);
  return reason === undefined ? ok(standing) : reject("position-not-playable", { reason });
};

const checked = (read: Result<Read, Failure>, variant: Variant): Result<Read, Failure> => {
  if (!read.ok) return read;
  const playable = position(read.value.position, checkers(START[variant]));
  return playable.ok ? read : playable;
};

const sideOf = ({ points, bar = 0, off = 0 }: SideSetup): Side =>
  side({ ...points, [BAR]: bar, [OFF]: off });

const sideSetup = (of: Side): SideSetup => {
  const points: Record<string, number> = {};
  for (let point = BAR - 1; point > OFF; point--) {
    if (at(of, point) > 0) points[point] = at(of, point);
  }
  return { points, bar: at(of, BAR), off: at(of, OFF) };
};
