import { eventLine, isProtocolType } from "../../src/application/table.ts";
import type { Event } from "../../src/games/backgammon/event.ts";
import { init } from "../../src/games/backgammon/evolve.ts";
import { backgammon } from "../../src/games/backgammon/game.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import type { State } from "../../src/games/backgammon/state.ts";
import { ofSeat } from "../../src/games/backgammon/state.ts";
import type { BoardView } from "../../src/games/backgammon/view.ts";
import { legalView, view } from "../../src/games/backgammon/view.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import type { Seat } from "../../src/kernel/seat.ts";
import { optionsOf } from "../games/backgammon/support/given.ts";
import { playedMatch } from "./played-match.ts";

/** A game that a person can read: every roll, how many plays it has, the play, the board after it. */
export const playthrough = async (): Promise<string> => {
  const seats = ["heuristic", "heuristic"];
  const plan = { game: hostedBackgammon, variant: "standard", options: {}, seats };
  const { lines } = await playedMatch({ ...plan, seed: "playthrough 42" });
  const pages = [HEAD];
  let state: State = init(optionsOf());
  let turn = 0;
  for (const line of lines) {
    const body = eventLine(JSON.parse(line) as JsonObject);
    if (isProtocolType(body.type)) continue;
    const event = backgammon.join(body, undefined);
    state = backgammon.evolve(state, event);
    if (event.type === "opening-rolled") pages.push(drawn(view(state).board), openingText(event));
    if (event.type === "opening-rolled" || event.type === "dice-rolled") {
      turn += 1;
      pages.push(`${turn}. ${name(event.seat)} ${rollText(state, event)}`);
    }
    if (event.type === "turn-skipped") pages.push("   no legal play\n");
    if (event.type === "played") pages.push(`   ${event.play}\n\n${drawn(view(state).board)}`);
    if (event.type === "game-won") pages.push(resultText(event));
  }
  return `${pages.join("\n")}\n`;
};

const HEAD = [
  "A game of standard backgammon, both sides played by `heuristic`.",
  "White (X) moves from 24 to 1. Black (O) moves the other way, and its plays are in its own points.",
  "",
].join("\n");

const name = (seat: Seat): string => ofSeat(["White", "Black"], seat);

const openingText = ({ rolls, seat }: Event & { readonly type: "opening-rolled" }): string =>
  `Opening, white's die and black's: ${rolls.map((pair) => pair.join("-")).join(", ")}. ${name(seat)} begins.\n`;

const rollText = (
  state: State,
  { seat, dice }: { readonly seat: Seat; readonly dice: Json | readonly number[] },
): string => {
  const count = legalView(state, seat).plays?.length ?? 0;
  return `${(dice as readonly number[]).join("-")} (${count} ${count === 1 ? "play" : "plays"})`;
};

const resultText = (won: Event & { readonly type: "game-won" }): string =>
  `${name(won.winner)} wins a ${won.kind} (${won.points}), ${won.reason}: the loser has ` +
  `${won.loserBorneOff} off, ${won.loserOnBar} on the bar, ${won.loserInWinnersHome} in the winner's home board.`;

/** The board from white's side: 13 to 24 above, 12 to 1 below, bar in the middle, pips and off beside. */
const drawn = ({ points, bar, off, pips }: BoardView): string => {
  const upper = [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24];
  const lower = upper.map((point) => 25 - point);
  const row = (places: readonly number[], level: number, barred: string): string => {
    const cells = places.map((point) => cell(points[point - 1] ?? 0, level));
    return ` |${cells.slice(0, 6).join("")}|${barred}|${cells.slice(6).join("")}|`;
  };
  const rule = (places: readonly number[]): string => {
    const cells = places.map((point) => String(point).padStart(3));
    return `  ${cells.slice(0, 6).join("")}     ${cells.slice(6).join("")}`;
  };
  const levels = Array.from({ length: HEIGHT }, (_, level) => level);
  const [white, black] = bar;
  return [
    rule(upper),
    ...levels.map((level) =>
      row(upper, level, level === 0 && black > 0 ? `${black}O `.padStart(4) : "    ").replace(
        / +$/,
        "",
      ),
    ),
    ` |${" ".repeat(18)}|    |${" ".repeat(18)}|`,
    ...levels
      .reverse()
      .map((level) =>
        row(lower, level, level === 0 && white > 0 ? `${white}X `.padStart(4) : "    "),
      ),
    rule(lower),
    `  pips X ${pips[0]} O ${pips[1]}, off X ${off[0]} O ${off[1]}`,
    "",
  ].join("\n");
};

const HEIGHT = 5;

/** A place of a point's column, 0 at the board's edge; the innermost tells how many stand higher. */
const cell = (count: number, level: number): string => {
  const checkers = Math.abs(count);
  if (checkers <= level) return "   ";
  if (level === HEIGHT - 1 && checkers > HEIGHT) return String(checkers).padStart(3);
  return count > 0 ? "  X" : "  O";
};
