import type { MatchRecord } from "../application/match.ts";
import type {
  Change,
  GameGroup,
  MatchFilter,
  Opponent,
  Player,
  PlayerRecord,
} from "../application/ports.ts";
import type { Sql } from "./client.ts";

/*
 * The parts of a store's statements that are about the players of apps. Those of an append stand in its
 * one statement, after `moved`, the row that the append has moved; where a match has no players they are
 * empty, and cost nothing.
 *
 * The rows travel as one JSON text. The cast by way of `text` keeps the driver from printing it again.
 */

interface Seated {
  readonly seat: number;
  readonly player: string;
}

const playersOf = ({ seats }: MatchRecord): readonly Seated[] =>
  seats.flatMap((held, seat) =>
    held.kind === "human" && held.player !== undefined ? [{ seat, player: held.player }] : [],
  );

/** The seats on turn as the statements take them. */
const printSeats = (seats: readonly number[] = []): string => seats.join(" ");

/** Seats the players of a match that is created. */
export const seatedRows = (sql: Sql, { next, onTurn }: Change) => {
  const players = playersOf(next);
  if (players.length === 0 || next.app === undefined) return sql``;
  return sql`, seated as (
    insert into seated_players (match_id, seat, app, player, game, status, on_turn, created_at)
    select match_id, seat, ${next.app}, player, ${next.game}, ${next.status},
           seat = any (string_to_array(${printSeats(onTurn)}, ' ')::int[]), ${next.createdAt}::bigint
      from moved, json_to_recordset(${JSON.stringify(players)}::text::json) as given (seat int, player text))`;
};

/** Moves the players' rows with their match, where they differ from it. */
export const turnedRows = (sql: Sql, { next, onTurn }: Change) => {
  if (playersOf(next).length === 0 || onTurn === undefined) return sql``;
  const isOnTurn = sql`(seat = any (string_to_array(${printSeats(onTurn)}, ' ')::int[]))`;
  return sql`, turned as (
    update seated_players set status = ${next.status}, on_turn = ${isOnTurn}
      from moved
     where seated_players.match_id = moved.match_id
       and (status <> ${next.status} or on_turn <> ${isOnTurn}))`;
};

/** Counts the games that end with the change. */
export const playedRows = (sql: Sql, { next, played = [] }: Change) => {
  if (played.length === 0 || next.app === undefined) return sql``;
  const rows = played.map(({ opponent, ...game }) => ({
    ...game,
    opponent: opponent.kind,
    level: opponent.kind === "engine" ? opponent.level : undefined,
  }));
  return sql`, played as (
    insert into played_games (match_id, nth, seat, app, player, game, opponent, level, won, points, kind,
                              reason, ended_at)
    select match_id, nth, seat, ${next.app}, player, ${next.game}, opponent, level, won, points, kind,
           reason, ${next.at}::bigint
      from moved, json_to_recordset(${JSON.stringify(rows)}::text::json) as given
           (nth int, seat int, player text, opponent text, level text, won boolean, points int, kind text,
            reason text))`;
};

/** The ids of a page of a player's matches, read from an index in the list's order. */
export const playerMatches = (
  sql: Sql,
  {
    app,
    player,
    onTurn,
    game,
    status,
    before,
    limit,
  }: MatchFilter & Player & { readonly onTurn: boolean },
) => sql`
  select match_id from seated_players
   where app = ${app} and player = ${player}
     ${onTurn ? sql`and on_turn` : sql``}
     ${game === undefined ? sql`` : sql`and game = ${game}`}
     ${status === undefined ? sql`` : sql`and status = ${status}`}
     ${before === undefined ? sql`` : sql`and (created_at, match_id) < (${before.createdAt}, ${before.id})`}
   order by created_at desc, match_id desc limit ${limit}`;

/**
 * A player's games in groups. One row at least where the player is known: its `games` is then 0.
 *
 * A streak is a run of games won. Within it a game's number among all games and its number among those
 * won grow alike, so their difference is the run's own.
 */
export const playerGames = (sql: Sql, { app, player }: Player) => sql`
  with ordered as (
    select game, opponent, level, kind, won, points,
           row_number() over (order by ended_at, match_id, nth)
             - row_number() over (partition by won order by ended_at, match_id, nth) as run
      from played_games where app = ${app} and player = ${player}),
  streaks as (select count(*)::int as length from ordered where won group by run)
  select game, opponent, level, kind, won, count(*)::int as games, sum(points)::int as points,
         (select max(length) from streaks) as streak
    from ordered group by game, opponent, level, kind, won
  union all
  select '', '', null, null, false, 0, 0, 0
   where exists (select 1 from seated_players where app = ${app} and player = ${player})`;

export interface RecordRow {
  readonly game: string;
  readonly opponent: string;
  readonly level: string | null;
  readonly kind: string | null;
  readonly won: boolean;
  readonly games: number;
  readonly points: number;
  readonly streak: number | null;
}

/** The rows of `playerGames` as the port has them. */
export const parseRecord = (rows: readonly RecordRow[]): PlayerRecord | undefined =>
  rows.length === 0
    ? undefined
    : {
        groups: rows.filter(({ games }) => games > 0).map(parseGroup),
        longestStreak: Math.max(...rows.map(({ streak }) => streak ?? 0)),
      };

const parseGroup = ({ game, opponent, level, kind, won, games, points }: RecordRow): GameGroup => ({
  game,
  opponent: parseOpponent(opponent, level),
  won,
  ...(kind === null ? {} : { kind }),
  games,
  points,
});

const parseOpponent = (kind: string, level: string | null): Opponent =>
  kind === "engine" && level !== null ? { kind: "engine", level } : { kind: "human" };
