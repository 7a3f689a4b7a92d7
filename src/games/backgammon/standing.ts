import type { Dice, Position } from "./board.ts";
import type { WinKind } from "./value.ts";

/** Whose cube it is, from the side on roll. */
export const CUBE_OWNERS = ["centre", "onRoll", "opponent"] as const;
export type CubeOwner = (typeof CUBE_OWNERS)[number];

/** Every cube that the notations can write: the powers of two that 4 bits can name. */
export const CUBE_VALUES: readonly number[] = Array.from({ length: 16 }, (_, log) => 2 ** log);

/** The largest match length and score: what 15 bits hold, as in GNU's Match ID. */
export const POINTS_MAX = 32_767;

/** A player as GNU Backgammon numbers them: 0 is our seat 0, 1 the bottom player of an XGID. */
export type Player = 0 | 1;

/**
 * What is to be decided: roll or double; answer the double of the side on roll; play the roll; answer an
 * offer to resign, which interrupts the roll or the play and says `by` whom it is made.
 */
export type StandingTurn =
  | { readonly phase: "to-roll" }
  | { readonly phase: "take-or-pass" }
  | { readonly phase: "to-play"; readonly dice: Dice }
  | {
      readonly phase: "resignation-offered";
      readonly value: WinKind;
      readonly by: "onRoll" | "opponent";
      /** The roll that is to be played if the offer is refused. */
      readonly dice?: Dice;
    };

/**
 * A state of a match but for where the checkers stand, from the side on roll. That is the side whose turn
 * it is: to roll, to play, or having doubled.
 */
export interface MatchStanding {
  readonly turn: StandingTurn;
  /** The cube as it stands: before the double while one is pending. `value` is one of `CUBE_VALUES`. */
  readonly cube: { readonly value: number; readonly owner: CubeOwner };
  /** Points of the side on roll and of the opponent, 0..`POINTS_MAX`; in a match below its length. */
  readonly score: readonly [number, number];
  /** Points to win, 1..`POINTS_MAX`; 0 is a money session. */
  readonly matchLength: number;
  /** Whether this is the Crawford game: only where exactly one side is one point away. */
  readonly crawford: boolean;
  /** The Jacoby rule; false in a match. */
  readonly jacoby: boolean;
  /** Whether beavers are allowed; false in a match, absent where it is not said. */
  readonly beavers?: boolean;
  /** The largest cube, one of `CUBE_VALUES`; absent where it is not said. */
  readonly cubeLimit?: number;
}

/** What a notation says of a state, from the side on roll. */
export interface Standing extends MatchStanding {
  readonly position: Position;
}

/** Why no game stands so. */
export type Fault =
  | "not-a-power-of-two"
  | "not-a-match-length"
  | "not-a-score-before-the-end"
  | "not-a-crawford-score"
  | "no-cube-in-a-crawford-game"
  | "money-rules-in-a-match"
  | "not-a-possible-double";

/**
 * What is wrong with a standing, if anything: a cube, length or score that no notation can write, or a
 * contradiction. The Crawford game has no cube, so it is centred at 1 and nobody has doubled. The side on
 * roll cannot have doubled with the opponent's cube.
 */
export const faultOf = (standing: MatchStanding): Fault | undefined => {
  const { turn, cube, score, matchLength, crawford, jacoby, beavers } = standing;
  if (!CUBE_VALUES.includes(cube.value)) return "not-a-power-of-two";
  if (!isPoints(matchLength, POINTS_MAX)) return "not-a-match-length";
  const scoreMax = matchLength === 0 ? POINTS_MAX : matchLength - 1;
  if (!score.every((points) => isPoints(points, scoreMax))) return "not-a-score-before-the-end";
  const oneAway = score.filter((points) => points === matchLength - 1);
  if (crawford && oneAway.length !== 1) return "not-a-crawford-score";
  if (crawford && (cube.value > 1 || cube.owner !== "centre")) return "no-cube-in-a-crawford-game";
  if (matchLength > 0 && (jacoby || beavers === true)) return "money-rules-in-a-match";
  if (turn.phase === "take-or-pass" && (crawford || cube.owner === "opponent"))
    return "not-a-possible-double";
  return undefined;
};

/**
 * Whether a game can have come to this cube. One at 1 is nobody's, and one that was turned is somebody's: only a money
 * session has automatic doubles, which leave it in the centre.
 */
export const isPossibleCube = ({ cube, matchLength }: MatchStanding): boolean => {
  if (cube.owner !== "centre") return cube.value > 1;
  return cube.value === 1 || matchLength === 0;
};

const isPoints = (points: number, max: number): boolean =>
  Number.isInteger(points) && points >= 0 && points <= max;
