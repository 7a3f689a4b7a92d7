import type { EndedGame } from "../games/host.ts";
import type { MatchRecord, SeatRecord } from "./match.ts";
import type { Principal } from "./policy.ts";
import { knowsPlayers } from "./policy.ts";
import type { Opponent, PlayedGame } from "./ports.ts";
import type { Table } from "./table.ts";
import type { MatchView } from "./view.ts";

/** The player whom an app has seated there. */
const playerOf = (held: SeatRecord): string | undefined =>
  held.kind === "human" ? held.player : undefined;

/** A view with the references of the players in it, where the principal is shown them. */
export const shownTo = (principal: Principal, record: MatchRecord, view: MatchView): MatchView => {
  if (!knowsPlayers(principal, record)) return view;
  const seats = view.seats.map((shown) => {
    const held = record.seats[shown.seat];
    const player = held === undefined ? undefined : playerOf(held);
    return shown.kind === "human" && player !== undefined ? { ...shown, player } : shown;
  });
  return { ...view, seats };
};

/** The games of a table that have ended, from the one after the first `known` on, for each of its players. */
export const playedGames = (table: Table, known: number): readonly PlayedGame[] => {
  const { seats } = table.record;
  const ended = table.game.ended(table.state).slice(known);
  return ended.flatMap((game, after) =>
    seats.flatMap((held, seat) => {
      const player = playerOf(held);
      if (player === undefined) return [];
      const opponent = opponentOf(seats, seat);
      return [{ ...playedBy(game, seat), nth: known + after + 1, player, opponent }];
    }),
  );
};

const playedBy = ({ winner, points, kind, reason }: EndedGame, seat: number) => ({
  seat,
  won: winner === seat,
  points: winner === seat ? points : -points,
  ...(kind === undefined ? {} : { kind }),
  reason,
});

/** Engines of one level, or, where anybody else sits there, humans. */
const opponentOf = (seats: readonly SeatRecord[], seat: number): Opponent => {
  const levels = new Set(
    seats
      .filter((_, place) => place !== seat)
      .map((held) => (held.kind === "engine" ? held.level : undefined)),
  );
  const [level] = levels;
  return levels.size === 1 && level !== undefined ? { kind: "engine", level } : { kind: "human" };
};
