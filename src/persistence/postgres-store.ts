import type postgres from "postgres";
import {
  type MatchRecord,
  matchId,
  type SeatRecord,
  type Status,
  type Visibility,
} from "../application/match.ts";
import type {
  Change,
  Changed,
  DeckRecord,
  DeckStore,
  LeaseStore,
  MatchFilter,
  MatchStore,
  StoredAnswer,
} from "../application/ports.ts";
import { InvariantViolation, present } from "../kernel/assert.ts";
import type { Json } from "../kernel/json.ts";
import {
  assertAnswerKey,
  assertChange,
  assertCreation,
  assertLimit,
  type Expected,
} from "./change.ts";
import { type Client, type Connection, openClient, type Sql, UniqueViolation } from "./client.ts";
import { appStore } from "./postgres-apps.ts";
import {
  parseRecord,
  playedRows,
  playerGames,
  playerMatches,
  type RecordRow,
  seatedRows,
  turnedRows,
} from "./postgres-players.ts";
import type { Stores } from "./stores.ts";

/*
 * The ports over PostgreSQL. Every method is one statement, so every method is one transaction; the
 * statements are tagged templates, which the driver prepares once a connection. Nothing is retried here: a
 * call that throws `StoreUnavailable` may have happened, and only the caller knows how to ask.
 */

interface PostgresOptions {
  readonly connection: Connection;
  /** Statements at a time, each on a connection of its own; 10 suit two cores. */
  readonly connections?: number;
  /** By when every call settles. */
  readonly deadlineMs?: number;
}

export const postgresStores = ({
  connection,
  connections = 10,
  deadlineMs = 5_000,
}: PostgresOptions): Stores => {
  const client = openClient({ connection, connections, deadlineMs });
  return {
    matches: matchStore(client),
    decks: deckStore(client),
    leases: leaseStore(client),
    apps: appStore(client),
    claimKey: claimKey(client),

    durability: async () => {
      const [row] = await client.run(
        (sql) => sql<{ fsync: string; commit: string; pages: string }[]>`
          select current_setting('fsync') as fsync,
                 current_setting('synchronous_commit') as commit,
                 current_setting('full_page_writes') as pages`,
      );
      const { fsync, commit, pages } = present(row, "a select without from has one row");
      return fsync === "on" && pages === "on" && commit !== "off" ? "disk" : "process";
    },

    server: async () => {
      const [row] = await client.run(
        (sql) => sql<{ version: string }[]>`select current_setting('server_version') as version`,
      );
      return { kind: "postgresql", ...present(row, "a select without from has one row") };
    },

    ping: async () => {
      await client.run((sql) => sql`select 1`);
    },

    close: client.close,
  };
};

const matchStore = (client: Client): MatchStore => ({
  create: async (change) => {
    assertCreation(change);
    try {
      await client.run((sql) => creation(sql, change));
      return "done";
    } catch (error) {
      return answeredOrThrow(error);
    }
  },

  change: async (expected, change): Promise<Changed> => {
    assertChange(expected, change);
    try {
      const moved = await client.run((sql) => move(sql, expected, change));
      return moved.length === 1 ? "done" : "stale";
    } catch (error) {
      return answeredOrThrow(error);
    }
  },

  load: async (id) => {
    const [row] = await client.run(
      (sql) => sql<MatchRow[]>`select ${columns(sql)} from matches where match_id = ${id}`,
    );
    return row === undefined ? undefined : parseMatch(row);
  },

  loadWithAnswer: async (key) => {
    assertAnswerKey(key);
    const [row] = await client.run(
      (sql) => sql<(MatchRow & (AnswerRow | { readonly body: null }))[]>`
        select ${columns(sql)}, request_hash, tag, body
          from matches left join (
            select match_id as answered, request_hash, tag, body from stored_answers
             where match_id = ${key.match} and principal = ${key.principal} and key = ${key.key}) as kept
            on answered = match_id
         where match_id = ${key.match}`,
    );
    if (row === undefined) return undefined;
    const record = parseMatch(row);
    return row.body === null ? { record } : { record, answer: parseAnswer(row) };
  },

  answer: async (key) => {
    assertAnswerKey(key);
    const [row] = await client.run(
      (sql) => sql<AnswerRow[]>`
        select request_hash, tag, body from stored_answers
         where match_id = ${key.match} and principal = ${key.principal} and key = ${key.key}`,
    );
    return row === undefined ? undefined : parseAnswer(row);
  },

  lines: async (id, after, limit) => {
    assertLimit(limit);
    const rows = await client.run(
      (sql) => sql<{ line: string }[]>`
        select line from lines where match_id = ${id} and seq > ${after}
         order by seq limit ${limit}`,
    );
    return rows.map(({ line }) => line);
  },

  list: async (filter) => {
    const { app, limit } = filter;
    assertLimit(limit);
    // Each half has its index; joined by an `or` neither would serve.
    const rows = await client.run((sql) =>
      app === undefined
        ? sql<MatchRow[]>`${page(sql, filter, sql`visibility = 'public'`)}`
        : sql<MatchRow[]>`
            select * from (
              (${page(sql, filter, sql`visibility = 'public'`)})
              union all
              (${page(sql, filter, sql`visibility = 'private' and app = ${app}`)})) as shown
             order by created_at desc, match_id desc limit ${limit}`,
    );
    return rows.map(parseMatch);
  },

  listOfPlayer: async (filter) => {
    assertLimit(filter.limit);
    const rows = await client.run(
      (sql) => sql<MatchRow[]>`
        select ${columns(sql)} from matches where match_id in (${playerMatches(sql, filter)})
         order by created_at desc, match_id desc`,
    );
    return rows.map(parseMatch);
  },

  playerRecord: async (player) =>
    parseRecord(await client.run((sql) => sql<RecordRow[]>`${playerGames(sql, player)}`)),

  due: async (now, limit) => {
    assertLimit(limit);
    const rows = await client.run(
      (sql) => sql<{ match_id: string }[]>`
        select match_id from matches where due_at <= ${now}
         order by due_at, match_id limit ${limit}`,
    );
    return rows.map((row) => matchId(row.match_id));
  },

  removeOpen: async (id, claims) => {
    await client.run(
      (sql) => sql`
        with gone as (
          delete from matches
           where match_id = ${id} and status = 'open' and claims = ${claims}
          returning match_id),
        empty as (
          delete from seated_players using gone where seated_players.match_id = gone.match_id)
        delete from stored_answers using gone where stored_answers.match_id = gone.match_id`,
    );
  },
});

/** A page of a list, newest first. */
const page = (
  sql: Sql,
  { game, status, before, limit }: MatchFilter,
  shown: postgres.PendingQuery<postgres.Row[]>,
) => sql`
  select ${columns(sql)} from matches
   where ${shown}
     ${game === undefined ? sql`` : sql`and game = ${game}`}
     ${status === undefined ? sql`` : sql`and status = ${status}`}
     ${before === undefined ? sql`` : sql`and (created_at, match_id) < (${before.createdAt}, ${before.id})`}
   order by created_at desc, match_id desc limit ${limit}`;

/*
 * An append is one statement whose parts all hang on the row that it moves: where the guard fails, `moved`
 * is empty, and so is everything that selects from it. The lines travel as one parameter, joined by
 * newlines, which no JSON text contains; so there is one prepared statement whatever their number, and
 * nothing is escaped twice. What keeps the players of apps in their lists is added only where there are any.
 */

const move = (sql: Sql, expected: Expected, change: Change) => {
  const { next, lines, answer } = change;
  return sql<{ match_id: string }[]>`
  with moved as (
    update matches
       set status = ${next.status}, seats = ${JSON.stringify(next.seats)}, claims = ${next.claims},
           version = ${next.version}, head = ${next.head}, at = ${next.at},
           due_at = ${next.dueAt ?? null}, snapshot = ${JSON.stringify(next.snapshot)},
           hidden = ${next.hidden}
     where match_id = ${next.id} and version = ${expected.version} and claims = ${expected.claims}
    returning match_id),
  stored as (
    insert into stored_answers (match_id, principal, key, request_hash, tag, body)
    select match_id, ${answer?.principal ?? null}, ${answer?.key ?? null}, ${answer?.requestHash ?? null},
           ${answer?.tag ?? null}, ${answer?.body ?? null}
      from moved where ${answer !== undefined}),
  written as (
    insert into lines (match_id, seq, line)
    select match_id, ${expected.version}::int + given.nth, given.line
      from moved, unnest(string_to_array(${lines.join("\n")}, chr(10))) with ordinality as given (line, nth))
  ${turnedRows(sql, change)}
  ${playedRows(sql, change)}
  select match_id from moved`;
};

const creation = (sql: Sql, change: Change) => {
  const { next, lines, answer } = change;
  return sql`
  with moved as (
    insert into matches (${columns(sql)})
    values (${next.id}, ${next.game}, ${next.variant}, ${JSON.stringify(next.options)},
            ${next.visibility}, ${next.status}, ${JSON.stringify(next.seats)}, ${next.claims},
            ${next.version}, ${next.head}, ${next.createdAt}, ${next.at}, ${next.dueAt ?? null},
            ${JSON.stringify(next.snapshot)}, ${next.hidden}, ${next.app ?? null},
            ${next.imported ?? null})
    returning match_id),
  stored as (
    insert into stored_answers (match_id, principal, key, request_hash, tag, body)
    select match_id, ${answer?.principal ?? null}, ${answer?.key ?? null}, ${answer?.requestHash ?? null},
           ${answer?.tag ?? null}, ${answer?.body ?? null}
      from moved where ${answer !== undefined})
  ${seatedRows(sql, change)}
  ${playedRows(sql, change)}
  insert into lines (match_id, seq, line)
  select match_id, given.nth - 1, given.line
    from moved, unnest(string_to_array(${lines.join("\n")}, chr(10))) with ordinality as given (line, nth)`;
};

/** Says `answered` where a twin was there first; the statement has left nothing behind. */
const answeredOrThrow = (error: unknown): "answered" => {
  if (!(error instanceof UniqueViolation)) throw error;
  switch (error.constraint) {
    case "matches_pkey":
    case "stored_answers_pkey":
      return "answered";
    default:
      throw new InvariantViolation("the guard held but the line existed", { cause: error });
  }
};

interface MatchRow {
  readonly match_id: string;
  readonly game: string;
  readonly variant: string;
  readonly options: string;
  readonly visibility: string;
  readonly status: string;
  readonly seats: string;
  readonly claims: number;
  readonly version: number;
  readonly head: string;
  readonly created_at: number;
  readonly at: number;
  readonly due_at: number | null;
  readonly snapshot: string;
  readonly hidden: string | null;
  readonly app: string | null;
  readonly imported: string | null;
}

const columns = (sql: Sql) => sql`
  match_id, game, variant, options, visibility, status, seats, claims, version, head,
  created_at, at, due_at, snapshot, hidden, app, imported`;

/** A row that we wrote, read back. */
const parseMatch = (row: MatchRow): MatchRecord => ({
  id: matchId(row.match_id),
  game: row.game,
  variant: row.variant,
  options: JSON.parse(row.options) as Json,
  visibility: row.visibility as Visibility,
  ...(row.app === null ? {} : { app: row.app }),
  ...(row.imported === null
    ? {}
    : { imported: row.imported as NonNullable<MatchRecord["imported"]> }),
  status: row.status as Status,
  seats: JSON.parse(row.seats) as readonly SeatRecord[],
  claims: row.claims,
  version: row.version,
  head: row.head,
  createdAt: row.created_at,
  at: row.at,
  ...(row.due_at === null ? {} : { dueAt: row.due_at }),
  snapshot: JSON.parse(row.snapshot) as Json,
  hidden: row.hidden,
});

interface AnswerRow {
  readonly request_hash: string;
  readonly tag: string;
  readonly body: string;
}

const parseAnswer = (row: AnswerRow): StoredAnswer => ({
  requestHash: row.request_hash,
  tag: row.tag,
  body: row.body,
});

const deckStore = (client: Client): DeckStore => ({
  last: async () => {
    const [row] = await client.run(
      (sql) => sql<{ last: number }[]>`select coalesce(max(deck), 0) as last from decks`,
    );
    return present(row, "an aggregate has one row").last;
  },

  add: async (deck) => {
    const added = await client.run(
      (sql) => sql`
        insert into decks (deck, size, length, root, sealed_secret, created_at)
        values (${deck.deck}, ${deck.size}, ${deck.length}, ${deck.root}, ${deck.sealedSecret},
                ${deck.createdAt})
        on conflict (deck) do nothing returning deck`,
    );
    return added.length === 1;
  },

  get: async (deck) => {
    const [row] = await client.run(
      (sql) => sql<DeckRow[]>`
        select deck, size, length, root, sealed_secret, created_at from decks where deck = ${deck}`,
    );
    return row === undefined ? undefined : parseDeck(row);
  },

  list: async (after, limit) => {
    assertLimit(limit);
    const rows = await client.run(
      (sql) => sql<DeckRow[]>`
        select deck, size, length, root, sealed_secret, created_at from decks
         where deck > ${after} order by deck limit ${limit}`,
    );
    return rows.map(parseDeck);
  },
});

interface DeckRow {
  readonly deck: number;
  readonly size: number;
  readonly length: number;
  readonly root: string;
  readonly sealed_secret: string;
  readonly created_at: number;
}

const parseDeck = (row: DeckRow): DeckRecord => ({
  deck: row.deck,
  size: row.size,
  length: row.length,
  root: row.root,
  sealedSecret: row.sealed_secret,
  createdAt: row.created_at,
});

/** By the server's clock, which all processes share. */
const leaseStore = (client: Client): LeaseStore => ({
  acquire: async (name, holder, forMs) => {
    const held = await client.run(
      (sql) => sql`
        insert into leases (name, holder, lapses_at)
        values (${name}, ${holder}, (extract(epoch from now()) * 1000)::bigint + ${forMs}::bigint)
        on conflict (name) do update
           set holder = excluded.holder, lapses_at = excluded.lapses_at
         where leases.holder = excluded.holder
            or leases.lapses_at <= (extract(epoch from now()) * 1000)::bigint
        returning name`,
    );
    return held.length === 1;
  },
});

/** In two statements: the first may have waited for a rival whose row its own snapshot cannot show. */
const claimKey =
  (client: Client) =>
  async (keyId: string): Promise<boolean> => {
    await client.run(
      (sql) => sql`
        insert into service (name, value) values ('key-id', ${keyId}) on conflict (name) do nothing`,
    );
    const [row] = await client.run(
      (sql) => sql<{ value: string }[]>`select value from service where name = 'key-id'`,
    );
    return present(row, "the row was there or has just been inserted").value === keyId;
  };
