import type { Position } from "../../games/backgammon/board.ts";
import { opponentOf } from "../../games/backgammon/state.ts";
import type { View } from "../../games/backgammon/view.ts";
import { sideOf } from "../../games/backgammon/view.ts";
import type { Seat } from "../../kernel/seat.ts";
import { chances, liveness, reversed } from "./chances.ts";
import type { CubeAt, Outlook, Worth } from "./cubeful.ts";
import { canGain, cubeful } from "./cubeful.ts";
import { matchWorth } from "./match-equity.ts";

/*
 * What to do with the cube, and with an offer to resign: whatever is worth most, if the other side then does
 * what is worth least to us. Worth is points in a single game or a money session, and the chance of winning
 * the match in a match; `cubeful` says what a game with a cube is worth, from static chances. No roll is
 * looked ahead.
 */

/** What the seat knows: the state as it is shown. */
type CubeView = Pick<
  View,
  "board" | "onRoll" | "cube" | "cubeLimit" | "crawford" | "jacoby" | "length" | "score"
>;

/** Less than this is no difference. */
const EVEN = 1e-9;

/** Whether the seat on roll doubles: not where it can gain nothing, and not where it is too good to win by a pass. */
export const doubles = (view: CubeView, seat: Seat): boolean => {
  const outlook = outlookOf(view, seat);
  const { value } = view.cube;
  const now = cubeOf(view, seat);
  if (!canGain(outlook, now, "own")) return false;
  const taken = cubeful(outlook, { value: 2 * value, owner: "other" });
  return isRaised(cubeful(outlook, now), taken, outlook.worth(value));
};

/** Whether to raise costs nothing if the other answers as it should, and wins if it takes. */
const isRaised = (now: number, taken: number, passed: number): boolean =>
  Math.min(taken, passed) >= now - EVEN && taken > now + EVEN;

/** The answer to a double, with a beaver only where that is open. */
export const answerToDouble = (
  view: CubeView,
  seat: Seat,
  mayBeaver: boolean,
): "take" | "pass" | "beaver" => {
  const outlook = outlookOf(view, seat);
  const { value } = view.cube;
  const taken = cubeful(outlook, { value: 2 * value, owner: "own" });
  const beavered = cubeful(outlook, { value: 4 * value, owner: "own" });
  if (mayBeaver && isRaised(taken, beavered, outlook.worth(2 * value))) return "beaver";
  return taken >= outlook.worth(-value) - EVEN ? "take" : "pass";
};

/** The doubler's answer to a beaver, with a raccoon only where that is open. */
export const answerToBeaver = (
  view: CubeView,
  seat: Seat,
  mayRaccoon: boolean,
): "take" | "pass" | "raccoon" => {
  const outlook = outlookOf(view, seat);
  const { value } = view.cube;
  const taken = cubeful(outlook, { value: 4 * value, owner: "other" });
  const raccooned = cubeful(outlook, { value: 8 * value, owner: "other" });
  if (mayRaccoon && isRaised(taken, raccooned, outlook.worth(4 * value))) return "raccoon";
  return taken >= outlook.worth(-2 * value) - EVEN ? "take" : "pass";
};

/** Whether the beavering seat takes the raccoon. */
export const takesRaccoon = (view: CubeView, seat: Seat): boolean => {
  const outlook = outlookOf(view, seat);
  const { value } = view.cube;
  return cubeful(outlook, { value: 8 * value, owner: "own" }) >= outlook.worth(-4 * value) - EVEN;
};

/**
 * Whether an offer to lose so many points is worth no less to the seat than playing on.
 *
 * @param played - where the other has a roll to play: the position after it, the seat on roll
 */
export const acceptsResignation = (
  view: CubeView,
  seat: Seat,
  points: number,
  played?: Position,
): boolean => {
  const outlook = outlookOf(view, seat, played);
  return outlook.worth(points) >= cubeful(outlook, cubeOf(view, seat)) - EVEN;
};

const cubeOf = ({ cube: { value, owner } }: CubeView, seat: Seat): CubeAt => ({
  value,
  owner: owner === null ? null : owner === seat ? "own" : "other",
});

/** The game as the seat sees it, whoever is on roll; in another position with the seat on roll, if one is given. */
const outlookOf = (view: CubeView, seat: Seat, position?: Position): Outlook => {
  const onRoll = position === undefined ? (view.onRoll ?? seat) : seat;
  const own = position?.onRoll ?? sideOf(view.board, onRoll);
  const other = position?.opponent ?? sideOf(view.board, opponentOf(onRoll));
  const ofRoller = chances(own, other);
  return {
    chances: onRoll === seat ? ofRoller : reversed(ofRoller),
    liveness: liveness(own, other),
    worth: worthOf(view, seat),
    cubeLimit: view.crawford ? 1 : view.cubeLimit,
    jacoby: view.jacoby,
  };
};

const worthOf = ({ length, score }: CubeView, seat: Seat): Worth => {
  if (length === undefined || length === 0) return (points) => points;
  const [own = 0, other = 0] = [score[seat], score[1 - seat]].map((won) => length - (won ?? 0));
  const isOneAway = (own === 1) !== (other === 1);
  return matchWorth({ own, other }, isOneAway ? "post-crawford" : "crawford");
};
