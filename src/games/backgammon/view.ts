import type { Seat } from "../../kernel/seat.ts";
import type { CheckerMove, Dice, Play } from "./board.ts";
import { at, BAR, mirrored, OFF, pipCount } from "./board.ts";
import type { Command } from "./command.ts";
import { answererOf, CUBE_REFUSALS, counterOf, doubleRefusal, stakesOf } from "./cube.ts";
import { playsOf } from "./legal.ts";
import { notationsOf } from "./notated.ts";
import { moneyRules } from "./options.ts";
import { printPositionId } from "./position-id.ts";
import { pointsOf } from "./result.ts";
import type {
  GameResult,
  Offer,
  Phase,
  ResignationOffered,
  State,
  TakeOrPass,
  ToPlay,
  ToRoll,
} from "./state.ts";
import { BLACK, ofSeat, opponentOf, positionFor, WHITE } from "./state.ts";
import type { WinKind } from "./value.ts";
import { MULTIPLIERS, WIN_KINDS } from "./value.ts";

/** The board as everybody sees it; pairs are [white, black]. */
export interface BoardView {
  /** 24 numbers: `points[i]` is white's point i+1; positive white's checkers, negative black's. */
  readonly points: readonly number[];
  readonly bar: readonly [number, number];
  readonly off: readonly [number, number];
  readonly pips: readonly [number, number];
}

/** A double, beaver or raccoon that is to be answered. */
interface OfferView {
  readonly by: Seat;
  readonly kind: Offer;
  /** The cube after a take. */
  readonly cube: number;
  /** What a pass loses. */
  readonly passPoints: number;
}

/** A state as everybody sees it: backgammon hides nothing. */
export interface View {
  readonly phase: Phase;
  readonly onRoll?: Seat;
  readonly dice?: Dice;
  /** As before the double, while one is offered. */
  readonly cube: { readonly value: number; readonly owner: Seat | null; readonly offered: boolean };
  /** The highest value that the cube may take; 1: there is no cube. */
  readonly cubeLimit: number;
  readonly offer?: OfferView;
  /** A resignation that is to be answered, and what it is worth. */
  readonly resignation?: { readonly by: Seat; readonly value: WinKind; readonly points: number };
  /** Who has asked for the next game, [white, black]. */
  readonly ready?: readonly [boolean, boolean];
  readonly game: number;
  /** Points to win; 0 a money session; absent a single game. */
  readonly length?: number;
  readonly score: readonly [number, number];
  readonly crawford: boolean;
  /** Gammons count as singles, as no double has been taken in this game. */
  readonly jacoby: boolean;
  readonly board: BoardView;
  /** GNU Position ID, with `onRoll` on roll. */
  readonly positionId?: string;
  /** GNU Match ID and XGID, where they can say the state. */
  readonly matchId?: string;
  readonly xgid?: string;
  /** The games that have ended, in order. */
  readonly games: readonly GameResult[];
}

/** A legal play as clients read it. */
export interface PlayView {
  readonly play: string;
  readonly moves: readonly CheckerMove[];
  /** GNU Position ID after the play, with the opponent on roll. */
  readonly resultingPositionId: string;
}

export const WHYS = [...CUBE_REFUSALS, "refused-before"] as const;
/** Why a command that a client may expect is not open. */
type Why = (typeof WHYS)[number];

/** What the seat may do. `commands` can be sent as they stand. */
export interface LegalView {
  readonly commands: readonly Command[];
  readonly plays?: readonly PlayView[];
  readonly unavailable: readonly { readonly type: Command["type"]; readonly why: Why }[];
}

/** The state as everybody sees it. */
export const view = (state: State): View => ({
  phase: state.phase,
  ...("onRoll" in state ? { onRoll: state.onRoll } : {}),
  ...diceView(state),
  cube: { ...state.cube, offered: state.phase === "take-or-pass" },
  cubeLimit: state.options.cubeLimit,
  ...(state.phase === "take-or-pass" ? { offer: offerView(state) } : {}),
  ...(state.phase === "resignation-offered" ? { resignation: resignationView(state) } : {}),
  ...(state.phase === "between-games" ? { ready: state.ready } : {}),
  game: state.game,
  ...lengthView(state),
  score: state.score,
  crawford: state.crawford,
  jacoby: moneyRules(state.options.contest).jacoby && !state.isDoubled,
  board: boardView(state),
  ...("onRoll" in state ? { positionId: printPositionId(positionFor(state, state.onRoll)) } : {}),
  ...notationsOf(state),
  games: state.results,
});

const diceView = (state: State): { readonly dice?: Dice } => {
  if (state.phase === "to-play") return { dice: state.dice };
  return state.phase === "resignation-offered" && state.interrupted.phase === "to-play"
    ? { dice: state.interrupted.dice }
    : {};
};

const lengthView = ({ options: { contest } }: State): { readonly length?: number } => {
  if (contest.kind === "match") return { length: contest.length };
  return contest.kind === "money-session" ? { length: 0 } : {};
};

const offerView = (state: TakeOrPass): OfferView => {
  const { value, stake } = stakesOf(state);
  return {
    by: opponentOf(answererOf(state)),
    kind: state.offer,
    cube: value,
    passPoints: stake,
  };
};

const resignationView = (state: ResignationOffered) => ({
  by: state.onRoll,
  value: state.value,
  points: pointsOf(state, state.value).points,
});

const boardView = ({ sides }: State): BoardView => {
  const [white, black] = sides;
  return {
    points: Array.from({ length: 24 }, (_, i) => at(white, i + 1) - at(black, mirrored(i + 1))),
    bar: [at(white, BAR), at(black, BAR)],
    off: [at(white, OFF), at(black, OFF)],
    pips: [pipCount(white), pipCount(black)],
  };
};

/** The seats that are to act; none where chance is owed or the match is over. */
export const seatsToAct = (state: State): readonly Seat[] => {
  switch (state.phase) {
    case "to-roll":
    case "to-play":
      return [state.onRoll];
    case "take-or-pass":
      return [answererOf(state)];
    case "resignation-offered":
      return [opponentOf(state.onRoll)];
    case "between-games":
      return [WHITE, BLACK].filter((seat) => !ofSeat(state.ready, seat));
    default:
      return [];
  }
};

/**
 * The commands that the seat may send as they stand, the likeliest first and giving up last. A seat that is
 * not to act may only resign the match.
 */
export const legalCommands = (state: State, seat: Seat): readonly Command[] => {
  const onTurn = seatsToAct(state);
  if (onTurn.length === 0) return [];
  return [...(onTurn.includes(seat) ? turnCommands(state) : []), { type: "resign-match" }];
};

const turnCommands = (state: State): readonly Command[] => {
  switch (state.phase) {
    case "to-roll": {
      const mayDouble = doubleRefusal(state, state.onRoll) === undefined;
      return [
        { type: "roll" },
        ...(mayDouble ? [{ type: "double" } as const] : []),
        ...resignations(state),
      ];
    }
    case "to-play":
      return [
        ...playsOf(state).map(({ text }) => playCommand(state, text)),
        ...resignations(state),
      ];
    case "take-or-pass": {
      const counter = counterOf(state);
      const isOpen = counter !== undefined && counter.refusal === undefined;
      return [
        { type: "take" },
        { type: "pass" },
        ...(isOpen ? [{ type: counter.counter } as const] : []),
      ];
    }
    case "resignation-offered":
      return [{ type: "accept-resignation" }, { type: "refuse-resignation" }];
    case "between-games":
      return [{ type: "next-game" }];
    default:
      return [];
  }
};

/** A play as it can be sent: with its roll where the match rolls by itself, or a retry could play twice. */
const playCommand = ({ options, dice }: ToPlay, play: string): Command =>
  options.autoRoll ? { type: "play", play, dice } : { type: "play", play };

const resignations = ({ refused }: ToRoll | ToPlay): readonly Command[] =>
  WIN_KINDS.filter((value) => MULTIPLIERS[value] > refused).map((value) => ({
    type: "offer-resignation",
    value,
  }));

/** What the seat may do, and why not what a client may expect. */
export const legalView = (state: State, seat: Seat): LegalView => {
  const commands = legalCommands(state, seat);
  if (!seatsToAct(state).includes(seat)) return { commands, unavailable: [] };
  const unavailable = unavailableTo(state);
  return state.phase === "to-play"
    ? { commands, plays: playsOf(state).map(playView), unavailable }
    : { commands, unavailable };
};

const unavailableTo = (state: State): LegalView["unavailable"] => {
  if (state.phase === "take-or-pass") {
    const counter = counterOf(state);
    return counter?.refusal === undefined ? [] : [{ type: counter.counter, why: counter.refusal }];
  }
  if (state.phase !== "to-roll" && state.phase !== "to-play") return [];
  const why = state.phase === "to-roll" ? doubleRefusal(state, state.onRoll) : undefined;
  return [
    ...(why === undefined ? [] : [{ type: "double", why } as const]),
    ...(state.refused === MULTIPLIERS.backgammon
      ? [{ type: "offer-resignation", why: "refused-before" } as const]
      : []),
  ];
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
