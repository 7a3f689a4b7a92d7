import type { Dice, Position, Side } from "../games/backgammon/board.ts";
import { at, BAR, OFF, pipCount, side } from "../games/backgammon/board.ts";
import { legalPlays } from "../games/backgammon/plays.ts";
import { isOver, position } from "../games/backgammon/position.ts";
import { parsePositionId, printPositionId } from "../games/backgammon/position-id.ts";
import type { PlayView } from "../games/backgammon/view.ts";
import { playView } from "../games/backgammon/view.ts";
import type { Xgid } from "../games/backgammon/xgid.ts";
import { parseXgid } from "../games/backgammon/xgid.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";

/** One side as a client writes it: its own points, the bar, and what is off. */
export interface SideSetup {
  readonly points: Readonly<Record<string, number>>;
  readonly bar?: number | undefined;
  readonly off?: number | undefined;
}

/** A position in one of the notations that clients use. */
export type PositionSetup =
  | { readonly positionId: string }
  | { readonly xgid: string }
  | { readonly board: { readonly onRoll: SideSetup; readonly opponent: SideSetup } };

/** A position in every notation, and what an XGID said besides. */
export interface Converted {
  readonly positionId: string;
  readonly board: { readonly onRoll: SideSetup; readonly opponent: SideSetup };
  readonly pips: { readonly onRoll: number; readonly opponent: number };
  readonly match?: Omit<Xgid, "position">;
}

/** Every legal play of a roll, as a tool: nothing is stored. */
export const legalPlaysOf = (
  setup: PositionSetup,
  dice: Dice,
): Result<readonly PlayView[], Failure> => {
  const read = readPosition(setup);
  if (!read.ok) return read;
  const { position } = read.value;
  if (isOver(position)) return reject("position-not-playable", { reason: "game-over" });
  return ok(legalPlays(position, dice).map(playView));
};

/** The position in every notation. */
export const convert = (setup: PositionSetup): Result<Converted, Failure> => {
  const read = readPosition(setup);
  if (!read.ok) return read;
  const { position: found, ...match } = read.value;
  const converted = {
    positionId: printPositionId(found),
    board: { onRoll: sideSetup(found.onRoll), opponent: sideSetup(found.opponent) },
    pips: { onRoll: pipCount(found.onRoll), opponent: pipCount(found.opponent) },
  };
  return ok("turn" in match ? { ...converted, match } : converted);
};

const readPosition = (
  setup: PositionSetup,
): Result<{ readonly position: Position } | Xgid, Failure> => {
  if ("xgid" in setup) return checked(parseXgid(setup.xgid));
  if ("positionId" in setup) {
    const read = parsePositionId(setup.positionId);
    return read.ok ? checked(ok({ position: read.value })) : read;
  }
  const { onRoll, opponent } = setup.board;
  return checked(ok({ position: { onRoll: sideOf(onRoll), opponent: sideOf(opponent) } }));
};

const checked = <Read extends { readonly position: Position }>(
  read: Result<Read, Failure>,
): Result<Read, Failure> => {
  if (!read.ok) return read;
  const playable = position(read.value.position);
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
