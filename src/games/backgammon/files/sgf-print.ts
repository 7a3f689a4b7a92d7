import { unreachable } from "../../../kernel/assert.ts";
import { ok, type Rejection, type Result, reject } from "../../../kernel/result.ts";
import type { Seat } from "../../../kernel/seat.ts";
import { checkers } from "../board.ts";
import { START } from "../start.ts";
import { WHITE } from "../state.ts";
import type { FileAction, FileGame, FileRoll, MatchFile } from "./record.ts";
import { letterOf } from "./sgf-point.ts";
import { printSgfRules } from "./sgf-rules.ts";
import { printSetUp } from "./sgf-set-up.ts";
import { escapeSgf } from "./sgf-syntax.ts";

/** The program and the version of what it writes. */
const APPLICATION = "Qiju:1";

/**
 * The match as an SGF collection, a game tree a game, in the layout of GNU Backgammon 1.07. Rules that `RU` has no
 * word for stand in a property of our own, `QR`. The Crawford game is marked where the file marks it, else
 * where the score says it.
 *
 * Not written: hits, which the position says.
 *
 * @returns the text; or `file-cannot-say` with the `reason`: `player-not-sayable` or `about-not-sayable` (not one line of text), or
 *   `position-not-sayable` with the `game`, from 1 (a side that has not the number of checkers of the variant)
 */
export const printSgf = (file: MatchFile): Result<string, Rejection<"file-cannot-say">> => {
  if (!file.players.every(isLine))
    return reject("file-cannot-say", { reason: "player-not-sayable" });
  if (!Object.values(file.about).every(isLine))
    return reject("file-cannot-say", { reason: "about-not-sayable" });
  const total = checkers(START[file.variant]);
  const odd = file.games.findIndex(({ start }) =>
    start?.sides.some((side) => checkers(side) !== total),
  );
  if (odd >= 0) return reject("file-cannot-say", { reason: "position-not-sayable", game: odd + 1 });
  const crawford = file.games.findIndex(({ score }) => isCrawfordScore(score, file.length));
  const trees = file.games.map((game, index) => {
    const isCrawford = game.crawford ?? (index === crawford && file.rules.crawford !== false);
    return `(;${rootOf(file, game, index, isCrawford)}${nodesOf(game).join("")})\n`;
  });
  return ok(trees.join(""));
};

const isLine = (text: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(text);

/** Whether one player, and one only, is a point away. */
const isCrawfordScore = (score: readonly number[], length: number): boolean =>
  length > 0 && score.filter((points) => points === length - 1).length === 1;

const rootOf = (file: MatchFile, game: FileGame, index: number, isCrawford: boolean): string => {
  const { players, about, length, variant } = file;
  const [white, black] = game.score;
  const text = (name: string, value: string | undefined): string =>
    value === undefined || value === "" ? "" : `${name}[${escapeSgf(value)}]`;
  return [
    `FF[4]GM[6]CA[UTF-8]AP[${APPLICATION}]`,
    `MI[length:${length}][game:${index}][ws:${white}][bs:${black}]`,
    text("PW", players[0]),
    text("PB", players[1]),
    ...(index > 0
      ? []
      : [
          text("DT", about.date),
          text("EV", about.event),
          text("RO", about.round),
          text("PC", about.place),
        ]),
    printSgfRules(file, isCrawford),
    resultText(game),
    game.start === undefined ? "" : printSetUp(game.start, variant),
  ].join("");
};

const resultText = ({ end }: FileGame): string =>
  end === undefined
    ? ""
    : `RE[${colourOf(end.winner)}+${end.points}${end.reason === "resigned" ? "R" : ""}]`;

const colourOf = (seat: Seat): string => (seat === WHITE ? "W" : "B");

const nodesOf = ({ actions, rolled }: FileGame): readonly string[] => [
  ...actions.map((action) => `\n;${colourOf(action.seat)}[${actionText(action)}]`),
  ...(rolled === undefined ? [] : [`\n;PL[${colourOf(rolled.seat)}]DI[${diceText(rolled)}]`]),
];

const actionText = (action: FileAction): string => {
  switch (action.type) {
    case "play": {
      const hops = action.moves.flatMap(({ from, to }) => [from, to]);
      return diceText(action) + hops.map((place) => letterOf(place, action.seat)).join("");
    }
    case "double":
    case "beaver":
    case "raccoon":
      return "double";
    case "take":
      return "take";
    case "pass":
      return "drop";
    default:
      return unreachable(action);
  }
};

const diceText = ({ dice }: Pick<FileRoll, "dice">): string => `${dice[0]}${dice[1]}`;
