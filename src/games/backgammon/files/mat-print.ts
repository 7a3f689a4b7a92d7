import { unreachable } from "../../../kernel/assert.ts";
import { ok, type Rejection, type Result, reject } from "../../../kernel/result.ts";
import type { Seat } from "../../../kernel/seat.ts";
import type { Hop } from "../play-text.ts";
import { BLACK, ofSeat, WHITE } from "../state.ts";
import { printMatHeader } from "./mat-header.ts";
import type { FileAction, FileGame, FileRoll, MatchFile } from "./record.ts";
import { isUsual } from "./table.ts";

/** The width of a left cell, without the number before it and the space after it. */
const CELL_WIDTH = 27;
/** The width of the left player with the score. */
const PLAYER_WIDTH = 31;

/**
 * The match as a .mat, in the layout of GNU Backgammon 1.07: byte by byte for a file of its own whose games
 * have all ended. Rules that the file names stand in headers, which GNU Backgammon passes over.
 *
 * Not written: which game is the Crawford game, since the score says it; who is on roll at the start, since
 * the first action says it.
 *
 * @returns the text; or `file-cannot-say` with the `reason`: `player-not-sayable` or `about-not-sayable` (not one line of text), or with
 *   the `game`, from 1, `position-not-sayable` or `cube-not-sayable` (it starts with another, which no double tells)
 */
export const printMat = (file: MatchFile): Result<string, Rejection<"file-cannot-say">> => {
  if (!file.players.every((name) => isLine(name) && name === name.trim()))
    return reject("file-cannot-say", { reason: "player-not-sayable" });
  if (!Object.values(file.about).every(isLine))
    return reject("file-cannot-say", { reason: "about-not-sayable" });
  let text = printMatHeader(file)
    .map((line) => `${line}\n`)
    .join("");
  text += `\n ${file.length} point match\n\n`;
  for (const [index, game] of file.games.entries()) {
    const reason = unsayable(file, game);
    if (reason !== undefined) return reject("file-cannot-say", { reason, game: index + 1 });
    const [white, black] = [WHITE, BLACK].map((seat) => playerText(file, game, seat));
    text += ` Game ${index + 1}\n ${white?.padEnd(PLAYER_WIDTH)}`;
    text += `${(white?.length ?? 0) < PLAYER_WIDTH ? "" : "  "}${black}\n${gameText(game)}\n`;
  }
  return ok(text);
};

const isLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

const playerText = ({ players }: MatchFile, { score }: FileGame, seat: Seat): string =>
  `${ofSeat(players, seat)} : ${ofSeat(score, seat)}`;

/** What of the game's start has no place in a .mat. */
const unsayable = (file: MatchFile, { start, actions }: FileGame): string | undefined => {
  if (start === undefined) return undefined;
  if (!isUsual(start.sides, file.variant) || start.onRoll !== undefined) {
    return "position-not-sayable";
  }
  const { value, owner } = start.cube;
  const isTold =
    owner === null && file.length === 0 && actions.some(({ type }) => type === "double");
  return isTold || (value === 1 && owner === null) ? undefined : "cube-not-sayable";
};

const gameText = (game: FileGame): string => {
  let text = "";
  let line = 1;
  let isLeftOpen = false;
  const put = (seat: Seat, cell: string) => {
    if (isLeftOpen === (seat === WHITE)) put(seat === WHITE ? BLACK : WHITE, "");
    text +=
      seat === WHITE ? `${String(line).padStart(3)}) ${cell.padEnd(CELL_WIDTH)} ` : `${cell}\n`;
    if (seat === BLACK) line++;
    isLeftOpen = seat === WHITE;
  };
  let cube = game.start?.cube.value ?? 1;
  for (const [index, action] of game.actions.entries()) {
    if (isRaise(action)) cube *= 2;
    if (!isImplied(game.actions, index)) put(action.seat, actionText(action, cube));
  }
  if (game.rolled !== undefined) put(game.rolled.seat, rollText(game.rolled));
  const { end } = game;
  if (end === undefined) return isLeftOpen ? `${text.trimEnd()}\n` : text;
  const wins = `Wins ${end.points} point${end.points === 1 ? "" : "s"}`;
  if (end.winner === WHITE) return `${text}${isLeftOpen ? "\n" : ""}      ${wins}\n`;
  if (!isLeftOpen) return `${text}${" ".repeat(34)}${wins}\n`;
  const isPassed = end.reason === "passed";
  return `${text}${game.rolled === undefined ? " " : ""}${wins}${isPassed ? " " : ""}\n`;
};

const isRaise = ({ type }: FileAction): boolean =>
  type === "double" || type === "beaver" || type === "raccoon";

/** After a beaver or a raccoon the doubler's roll says that it was taken. */
const isImplied = (actions: readonly FileAction[], index: number): boolean => {
  const before = actions[index - 1]?.type;
  const isAnswer = actions[index]?.type === "take" && (before === "beaver" || before === "raccoon");
  return isAnswer && actions[index + 1]?.type === "play";
};

const actionText = (action: FileAction, cube: number): string => {
  switch (action.type) {
    case "play":
      return rollText(action) + movesText(action.moves);
    case "double":
      return ` Doubles => ${cube}`;
    case "beaver":
    case "raccoon":
      return ` Beavers => ${cube}`;
    case "take":
      return " Takes";
    case "pass":
      return " Drops";
    default:
      return unreachable(action);
  }
};

const rollText = ({ dice }: Pick<FileRoll, "dice">): string => `${dice[0]}${dice[1]}: `;

/** Four moves fill the cell; fewer are followed by a space. */
const movesText = (moves: readonly Hop[]): string => {
  const words = moves.map(({ from, to, hit }) => `${from}/${to}${hit ? "*" : ""}`);
  return words.join(" ") + (moves.length > 0 && moves.length < 4 ? " " : "");
};
