import type { Position } from "../../games/backgammon/board.ts";
import { isOver } from "../../games/backgammon/position.ts";
import type { CubeOwner } from "../../games/backgammon/standing.ts";
import { ofSeat, opponentOf } from "../../games/backgammon/state.ts";
import type { View } from "../../games/backgammon/view.ts";
import { sideOf } from "../../games/backgammon/view.ts";
import type { Seat } from "../../kernel/seat.ts";
import type { Chances } from "./chances.ts";
import { liveness } from "./chances.ts";
import type { CubeAt, Holder, Outlook, Worth } from "./cubeful.ts";
import type { ExactCube } from "./exact-cube.ts";
import { matchWorth } from "./match-equity.ts";

/** What is to be judged, from the side on roll. */
export interface Situation {
  readonly position: Position;
  readonly cube: {
    readonly value: number;
    readonly owner: CubeOwner;
    /** The highest value that the cube may take; 1: there is no cube. */
    readonly limit: number;
  };
  /** `length` 0: money, whatever the score. Else the score is [on roll, opponent], each below the length. */
  readonly match: {
    readonly length: number;
    readonly score: readonly [number, number];
    readonly crawford: boolean;
  };
  /** Gammons count as singles while the cube is in the middle. */
  readonly jacoby: boolean;
  readonly beavers: boolean;
}

/** What is shown of a game that decides what it is worth. */
export type GameView = Pick<
  View,
  "board" | "cube" | "cubeLimit" | "crawford" | "jacoby" | "length" | "score"
>;

/** The game as the seat sees it that is on roll. Whether beavers are allowed is not shown, and so false. */
export const situationOf = (
  { board, cube, cubeLimit, crawford, jacoby, length = 0, score }: GameView,
  onRoll: Seat,
): Situation => {
  const opponent = opponentOf(onRoll);
  const owner = cube.owner === null ? "centre" : cube.owner === onRoll ? "onRoll" : "opponent";
  return {
    position: { onRoll: sideOf(board, onRoll), opponent: sideOf(board, opponent) },
    cube: { value: cube.value, owner, limit: cubeLimit },
    match: { length, score: [ofSeat(score, onRoll), ofSeat(score, opponent)], crawford },
    jacoby,
    beavers: false,
  };
};

/** What is at stake in a situation, as the side on roll sees it: all but the position. */
export interface Stakes {
  readonly cube: CubeAt;
  /** Points for money, the chance of winning it in a match. */
  readonly worth: Worth;
  readonly cubeLimit: number;
  readonly jacoby: boolean;
  /** Whether equities of money play say what a position is worth. */
  readonly isMoney: boolean;
}

export const stakesOf = ({ cube, match, jacoby }: Situation): Stakes => {
  const owner = cube.owner === "centre" ? null : cube.owner === "onRoll" ? "own" : "other";
  const worth = match.length === 0 ? points : inMatch(match);
  const isSettled = worth(cube.value) - worth(-cube.value) < SETTLED;
  return {
    cube: { value: cube.value, owner },
    worth: isSettled ? points : worth,
    cubeLimit: match.crawford || match.length === 1 ? 1 : cube.limit,
    jacoby,
    isMoney: match.length === 0,
  };
};

const points: Worth = (won) => won;

/** Made once for each number of points: it is asked some hundreds of times a decision. */
const inMatch = ({ length, score }: Situation["match"]): Worth => {
  const [own, other] = [length - score[0], length - score[1]];
  const next = own === 1 || other === 1 ? "post-crawford" : "crawford";
  const worth = matchWorth({ own, other }, next);
  const known: number[] = [];
  return (won) => {
    const index = other + Math.min(own, Math.max(-other, won));
    const made = known[index] ?? worth(won);
    known[index] = made;
    return made;
  };
};

/** A match in which a game changes the chance of winning it by less is played on for points. */
const SETTLED = 1e-9;

/**
 * A worth as an equity: to win a single at this cube is 1, to lose it -1. For money these are points per
 * unit of the cube; in a match it is what GNU Backgammon calls the normalised equity.
 */
export const equityOf = ({ worth, cube: { value } }: Stakes, of: number): number => {
  const [won, lost] = [worth(value), worth(-value)];
  return (2 * of - won - lost) / (won - lost);
};

/** A moment of the game: before its roll, or after its play, when the other side is on roll. */
export interface Moment {
  /** From the side on roll at the moment. */
  readonly position: Position;
  /** Of the side that was on roll in the situation, as all else. */
  readonly chances: Chances;
  readonly onRoll: Holder;
  readonly exact?: ExactCube | undefined;
}

/** The game as the side that is on roll in the situation sees it, at a moment. */
export const outlookOf = (
  { worth, cubeLimit, jacoby, cube, isMoney }: Stakes,
  { position, chances, onRoll, exact }: Moment,
): Outlook => ({
  chances,
  onRoll,
  liveness: isOver(position) ? 0 : liveness(position.onRoll, position.opponent),
  worth,
  cubeLimit,
  jacoby,
  exact:
    exact !== undefined && isMoney && TURNS_LEFT * cube.value <= cubeLimit
      ? (owner) =>
          onRoll === "own" ? ofRoller(exact, owner) : -ofRoller(exact, turnedRound(owner))
      : undefined,
});

/** So much higher the cube must be allowed to go for a limit not to be felt. */
const TURNS_LEFT = 16;

const ofRoller = (exact: ExactCube, owner: CubeAt["owner"]): number =>
  owner === null
    ? exact.noDoubleCentred
    : owner === "own"
      ? exact.noDoubleOwned
      : exact.opponentCube;

const turnedRound = (owner: CubeAt["owner"]): CubeAt["owner"] =>
  owner === null ? null : owner === "own" ? "other" : "own";
