import type { Dice, Side } from "../games/backgammon/board.ts";
import { at, BAR, OFF, pipCount } from "../games/backgammon/board.ts";
import { printMatchId } from "../games/backgammon/match-id.ts";
import { legalPlays } from "../games/backgammon/plays.ts";
import { isOver } from "../games/backgammon/position.ts";
import { printPositionId } from "../games/backgammon/position-id.ts";
import type {
  BoardSetup,
  PositionAsked,
  PositionSetup,
  SideSetup,
} from "../games/backgammon/position-setup.ts";
import { readStanding } from "../games/backgammon/position-setup.ts";
import type { MatchStanding } from "../games/backgammon/standing.ts";
import type { Variant } from "../games/backgammon/start.ts";
import type { PlayView } from "../games/backgammon/view.ts";
import { playView } from "../games/backgammon/view.ts";
import { printXgid } from "../games/backgammon/xgid.ts";
import { present } from "../kernel/assert.ts";
import type { Result } from "../kernel/result.ts";
import { ok, reject } from "../kernel/result.ts";
import type { Failure } from "./failure.ts";

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

const sideSetup = (of: Side): SideSetup => {
  const points: Record<string, number> = {};
  for (let point = BAR - 1; point > OFF; point--) {
    if (at(of, point) > 0) points[point] = at(of, point);
  }
  return { points, bar: at(of, BAR), off: at(of, OFF) };
};
