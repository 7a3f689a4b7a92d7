import { assert } from "../../../kernel/assert.ts";
import type { Seat } from "../../../kernel/seat.ts";
import { at, BAR, type Dice, mirrored, OFF, type Side } from "../board.ts";
import type { Hop } from "../play-text.ts";
import { countPlays } from "../plays.ts";
import { START, type Variant } from "../start.ts";
import { BLACK, type BySeat, ofSeat, opponentOf, WHITE } from "../state.ts";
import type { FileAction, FileEnd, FileEnding, FileRoll, FileStart } from "./record.ts";

/*
 * A board and a cube that follow what a file says, with as little judgement as reading needs: who has to
 * act, whether the checkers are there, what is hit, and whether the game is over. Legality is not its matter.
 */

/** The longest text that is read, in UTF-16 code units, and the most games in it. */
export const FILE_LENGTH_MAX = 1_048_576;
export const FILE_GAMES_MAX = 1000;

/** Who has to do what. `open`: nothing was done yet, either may begin. */
export type Stage =
  | { readonly kind: "open" }
  | { readonly kind: "turn"; readonly seat: Seat }
  | { readonly kind: "doubled" | "beavered" | "raccooned"; readonly doubler: Seat }
  | { readonly kind: "over"; readonly winner: Seat; readonly reason: "played" | "passed" };

/** A game as far as it has been read. Written by the functions below only. */
export interface FileTable {
  /** Each side in its own coordinates. */
  readonly sides: readonly [number[], number[]];
  readonly actions: FileAction[];
  stage: Stage;
  /** The cube as raised, taken or not. */
  cube: number;
}

/** Why something cannot follow what was read so far. */
export type Misfit =
  | "turn-order"
  | "no-checker-there"
  | "game-over"
  | "no-double-to-answer"
  | "winner-contradicts-game";

/** How a game of the variant starts when nothing is set up. */
export const usualStart = (variant: Variant): FileStart => ({
  sides: [START[variant], START[variant]],
  cube: { value: 1, owner: null },
});

/** The game at its start; whoever acts first is on roll, whatever the start says. */
export const fileTable = (start: FileStart): FileTable => ({
  sides: [[...ofSeat(start.sides, WHITE)], [...ofSeat(start.sides, BLACK)]],
  actions: [],
  stage: { kind: "open" },
  cube: start.cube.value,
});

/** A roll and its moves. After a beaver or a raccoon, the doubler's roll says that it was taken. */
export const addPlay = (
  table: FileTable,
  seat: Seat,
  dice: Dice,
  hops: readonly Hop[],
): Misfit | undefined => {
  const { stage } = table;
  if ((stage.kind === "beavered" || stage.kind === "raccooned") && stage.doubler === seat)
    addAnswer(table, answering(stage), "take");
  const misfit = mayAct(table, seat);
  if (misfit !== undefined) return misfit;
  const moves = moved(table.sides, seat, hops);
  if (moves === undefined) return "no-checker-there";
  table.actions.push({ seat, type: "play", dice, moves });
  const isOver = ofSeat(table.sides, seat).every((count, place) => place === OFF || count === 0);
  table.stage = isOver
    ? { kind: "over", winner: seat, reason: "played" }
    : { kind: "turn", seat: opponentOf(seat) };
  return undefined;
};

/** The cube is raised: a double, or in answer to one a beaver, or in answer to that a raccoon. */
export const addRaise = (table: FileTable, seat: Seat): Misfit | undefined => {
  const { stage } = table;
  switch (stage.kind) {
    case "open":
    case "turn": {
      const misfit = mayAct(table, seat);
      if (misfit === undefined) raise(table, seat, "double", { kind: "doubled", doubler: seat });
      return misfit;
    }
    case "doubled":
      if (seat !== answering(stage)) return "turn-order";
      raise(table, seat, "beaver", { kind: "beavered", doubler: stage.doubler });
      return undefined;
    case "beavered":
      if (seat !== answering(stage)) return "turn-order";
      raise(table, seat, "raccoon", { kind: "raccooned", doubler: stage.doubler });
      return undefined;
    case "raccooned":
      return "turn-order";
    default:
      return "game-over";
  }
};

/** The cube is taken, and the doubler rolls; or passed, and the game is over. */
export const addAnswer = (
  table: FileTable,
  seat: Seat,
  type: "take" | "pass",
): Misfit | undefined => {
  const { stage } = table;
  if (stage.kind === "over") return "game-over";
  if (stage.kind === "open" || stage.kind === "turn") return "no-double-to-answer";
  if (seat !== answering(stage)) return "turn-order";
  table.actions.push({ seat, type });
  table.stage =
    type === "take"
      ? { kind: "turn", seat: stage.doubler }
      : { kind: "over", winner: opponentOf(seat), reason: "passed" };
  return undefined;
};

/** What the file says about the end: the winner and the points, or nothing. */
export type SaidEnd = Omit<FileEnd<"played">, "reason"> | undefined;

/**
 * How the game ended. What board and cube do not explain was resigned. A last roll without moves that could have
 * been played was not played any more: it is taken back from the actions.
 */
export const endingOf = (
  table: FileTable,
  said: SaidEnd,
  pending: FileRoll | undefined,
): FileEnding | Misfit => {
  const { stage } = table;
  if (stage.kind !== "over") {
    const rolled = pending ?? unplayed(table);
    const roll = rolled === undefined ? {} : { rolled };
    return said === undefined ? roll : { end: { ...said, reason: "resigned" }, ...roll };
  }
  if (pending !== undefined) return "game-over";
  if (said === undefined) return {};
  if (said.winner !== stage.winner) return "winner-contradicts-game";
  return { end: { ...said, reason: stage.reason } };
};

const unplayed = (table: FileTable): FileRoll | undefined => {
  const last = table.actions.at(-1);
  if (last?.type !== "play" || last.moves.length > 0) return undefined;
  const { seat, dice } = last;
  const position = {
    onRoll: ofSeat<Side>(table.sides, seat),
    opponent: ofSeat<Side>(table.sides, opponentOf(seat)),
  };
  if (countPlays(position, dice) === 0) return undefined;
  table.actions.pop();
  return { seat, dice };
};

const mayAct = ({ stage }: FileTable, seat: Seat): Misfit | undefined => {
  if (stage.kind === "over") return "game-over";
  return stage.kind === "open" || (stage.kind === "turn" && stage.seat === seat)
    ? undefined
    : "turn-order";
};

/** Who answers a raise: the other of the two each time. */
const answering = (stage: Extract<Stage, { readonly doubler: Seat }>): Seat =>
  stage.kind === "beavered" ? stage.doubler : opponentOf(stage.doubler);

const raise = (
  table: FileTable,
  seat: Seat,
  type: "double" | "beaver" | "raccoon",
  stage: Stage,
): void => {
  table.actions.push({ seat, type });
  table.cube *= 2;
  table.stage = stage;
};

/** Makes the moves on the board; the moves with their hits, or nothing if a checker is not there. */
const moved = (
  sides: readonly [number[], number[]],
  seat: Seat,
  hops: readonly Hop[],
): readonly Hop[] | undefined => {
  const mine = ofSeat<number[]>(sides, seat);
  const theirs = ofSeat<number[]>(sides, opponentOf(seat));
  const moves: Hop[] = [...hops];
  const waiting = new Set(hops.keys());
  // The order written need not be the order played: whichever can go next, goes.
  while (waiting.size > 0) {
    const next = [...waiting].find((index) => at(mine, (hops[index] as Hop).from) > 0);
    if (next === undefined) return undefined;
    const { from, to } = hops[next] as Hop;
    assert(from > to && from <= BAR && to >= OFF, "a hop goes forward");
    mine[from] = at(mine, from) - 1;
    mine[to] = at(mine, to) + 1;
    const hit = to !== OFF && at(theirs, mirrored(to)) === 1;
    if (hit) {
      theirs[mirrored(to)] = 0;
      theirs[BAR] = at(theirs, BAR) + 1;
    }
    moves[next] = { from, to, hit };
    waiting.delete(next);
  }
  return moves;
};

/** Whether the sides stand as the variant starts. */
export const isUsual = (sides: BySeat<Side>, variant: Variant): boolean =>
  sides.every((side) => side.every((count, place) => count === START[variant][place]));
