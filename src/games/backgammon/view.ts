import type { Seat } from "../../kernel/seat.ts";
import type { CheckerMove, Dice, Play } from "./board.ts";
import { at, BAR, mirrored, OFF, pipCount } from "./board.ts";
import { playsOf } from "./legal.ts";
import { printPositionId } from "./position-id.ts";
import type { Phase, State } from "./state.ts";
import { ofSeat, positionFor, WHITE } from "./state.ts";

/** The board as everybody sees it; pairs are [white, black]. */
export interface BoardView {
  /** 24 numbers: `points[i]` is white's point i+1; positive white's checkers, negative black's. */
  readonly points: readonly number[];
  readonly bar: readonly [number, number];
  readonly off: readonly [number, number];
  readonly pips: readonly [number, number];
}

/** A state as everybody sees it: backgammon hides nothing. */
export interface View {
  readonly phase: Phase;
  readonly onRoll?: Seat;
  readonly dice?: Dice;
  readonly cube: { readonly value: number; readonly owner: Seat | null; readonly offered: boolean };
  readonly game: number;
  readonly crawford: boolean;
  readonly board: BoardView;
  /** GNU Position ID, with `onRoll` on roll. */
  readonly positionId?: string;
}

/** A legal play as clients read it. */
export interface PlayView {
  readonly play: string;
  readonly moves: readonly CheckerMove[];
  /** GNU Position ID after the play, with the opponent on roll. */
  readonly resultingPositionId: string;
}

/** What the seat may do. `commands` can be sent as they stand. */
export interface LegalView {
  readonly commands: readonly (
    | { readonly type: "roll" }
    | { readonly type: "play"; readonly play: string }
  )[];
  readonly plays?: readonly PlayView[];
  readonly unavailable: readonly { readonly type: string; readonly why: string }[];
}

/** The state as everybody sees it. */
export const view = (state: State): View => {
  const shared = {
    phase: state.phase,
    cube: { value: state.cube.value, owner: state.cube.owner, offered: false },
    game: state.game,
    crawford: false,
    board: boardView(state),
  };
  if (state.phase === "opening") return shared;
  const positionId = printPositionId(positionFor(state, state.onRoll));
  return state.phase === "to-play"
    ? { ...shared, onRoll: state.onRoll, dice: state.dice, positionId }
    : { ...shared, onRoll: state.onRoll, positionId };
};

const boardView = ({ sides }: State): BoardView => {
  const [white, black] = sides;
  return {
    points: Array.from({ length: 24 }, (_, i) => at(white, i + 1) - at(black, mirrored(i + 1))),
    bar: [at(white, BAR), at(black, BAR)],
    off: [at(white, OFF), at(black, OFF)],
    pips: [pipCount(white), pipCount(black)],
  };
};

/** The commands that the seat may send as they stand; none where it is not to act. */
export const legalCommands = (state: State, seat: Seat): LegalView["commands"] => {
  if (state.phase === "to-roll" && state.onRoll === seat) return [{ type: "roll" }];
  if (state.phase !== "to-play" || state.onRoll !== seat) return [];
  return playsOf(state).map(({ text }) => ({ type: "play", play: text }));
};

/** What the seat may do, and why not what a client may expect; nothing where it is not to act. */
export const legalView = (state: State, seat: Seat): LegalView => {
  const commands = legalCommands(state, seat);
  if (state.phase === "to-play" && state.onRoll === seat) {
    return { commands, plays: playsOf(state).map(playView), unavailable: [] };
  }
  const isToRoll = state.phase === "to-roll" && state.onRoll === seat;
  return { commands, unavailable: isToRoll ? [{ type: "double", why: "no-cube" }] : [] };
};

/** A play as clients read it. */
export const playView = ({ text, moves, after }: Play): PlayView => ({
  play: text,
  moves,
  resultingPositionId: printPositionId(after),
});

/** The seat's checkers of a board view, in its own coordinates, as `Side` has them. */
export const sideOf = (board: BoardView, seat: Seat): readonly number[] => {
  const own = board.points.map((count) => Math.max(0, seat === WHITE ? count : -count));
  const points = seat === WHITE ? own : own.reverse();
  return [ofSeat(board.off, seat), ...points, ofSeat(board.bar, seat)];
};
