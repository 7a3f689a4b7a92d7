import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";

/*
 * The tables, as `drizzle-kit` reads them; the statements are written out in `postgres-store.ts`.
 *
 * `match_id` comes first in every key of a match, ids are made by us, and nothing here is a sequence,
 * trigger, array, `jsonb` or foreign key: so the same tables can be sharded by match. Payloads are text,
 * because they are stored and returned whole, byte for byte. Times are milliseconds since 1970.
 *
 * drizzle has no word for storage parameters. The first migration was given `WITH (fillfactor = 50)` on
 * `matches` by hand: a row there is rewritten by every append, and finds room on its own page.
 */

/** A match as one row: who sits there, and a snapshot of its stream. */
export const matches = pgTable(
  "matches",
  {
    matchId: uuid("match_id").primaryKey(),
    game: text("game").notNull(),
    variant: text("variant").notNull(),
    options: text("options").notNull(),
    visibility: text("visibility").notNull(),
    status: text("status").notNull(),
    seats: text("seats").notNull(),
    claims: integer("claims").notNull(),
    version: integer("version").notNull(),
    head: text("head").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    at: bigint("at", { mode: "number" }).notNull(),
    dueAt: bigint("due_at", { mode: "number" }),
    snapshot: text("snapshot").notNull(),
    hidden: text("hidden"),
    app: text("app"),
    imported: text("imported"),
  },
  (table) => [
    index("matches_listed")
      .on(table.createdAt.desc().nullsFirst(), table.matchId.desc().nullsFirst())
      .where(sql`${table.visibility} = 'public'`),
    index("matches_listed_by_status")
      .on(table.status, table.createdAt.desc().nullsFirst(), table.matchId.desc().nullsFirst())
      .where(sql`${table.visibility} = 'public'`),
    index("matches_private")
      .on(table.app, table.createdAt.desc().nullsFirst(), table.matchId.desc().nullsFirst())
      .where(sql`${table.visibility} = 'private' and ${table.app} is not null`),
    index("matches_private_by_status")
      .on(
        table.app,
        table.status,
        table.createdAt.desc().nullsFirst(),
        table.matchId.desc().nullsFirst(),
      )
      .where(sql`${table.visibility} = 'private' and ${table.app} is not null`),
    index("matches_due").on(table.dueAt, table.matchId).where(sql`${table.dueAt} is not null`),
  ],
);

/** The log: one canonical JSON text a row, never changed and never removed. */
export const lines = pgTable(
  "lines",
  {
    matchId: uuid("match_id").notNull(),
    seq: integer("seq").notNull(),
    line: text("line").notNull(),
  },
  (table) => [primaryKey({ name: "lines_pkey", columns: [table.matchId, table.seq] })],
);

/** The first answer to each keyed request. */
export const storedAnswers = pgTable(
  "stored_answers",
  {
    matchId: uuid("match_id").notNull(),
    principal: text("principal").notNull(),
    key: text("key").notNull(),
    requestHash: text("request_hash").notNull(),
    tag: text("tag").notNull(),
    body: text("body").notNull(),
  },
  (table) => [
    primaryKey({
      name: "stored_answers_pkey",
      columns: [table.matchId, table.principal, table.key],
    }),
  ],
);

/**
 * The seats of apps' players, for the lists of their matches. `status` and `on_turn` are the match's own,
 * repeated so that an index can have them.
 */
export const seatedPlayers = pgTable(
  "seated_players",
  {
    matchId: uuid("match_id").notNull(),
    seat: integer("seat").notNull(),
    app: text("app").notNull(),
    player: text("player").notNull(),
    game: text("game").notNull(),
    status: text("status").notNull(),
    onTurn: boolean("on_turn").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ name: "seated_players_pkey", columns: [table.matchId, table.seat] }),
    index("seated_players_listed").on(
      table.app,
      table.player,
      table.createdAt.desc().nullsFirst(),
      table.matchId.desc().nullsFirst(),
    ),
    index("seated_players_listed_by_status").on(
      table.app,
      table.player,
      table.status,
      table.createdAt.desc().nullsFirst(),
      table.matchId.desc().nullsFirst(),
    ),
    index("seated_players_on_turn")
      .on(
        table.app,
        table.player,
        table.createdAt.desc().nullsFirst(),
        table.matchId.desc().nullsFirst(),
      )
      .where(sql`${table.onTurn}`),
  ],
);

/** The games of apps' players that have ended, one row a game and player, never changed. */
export const playedGames = pgTable(
  "played_games",
  {
    matchId: uuid("match_id").notNull(),
    nth: integer("nth").notNull(),
    seat: integer("seat").notNull(),
    app: text("app").notNull(),
    player: text("player").notNull(),
    game: text("game").notNull(),
    opponent: text("opponent").notNull(),
    level: text("level"),
    won: boolean("won").notNull(),
    points: integer("points").notNull(),
    kind: text("kind"),
    reason: text("reason").notNull(),
    endedAt: bigint("ended_at", { mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ name: "played_games_pkey", columns: [table.matchId, table.nth, table.seat] }),
    index("played_games_of_player").on(
      table.app,
      table.player,
      table.endedAt,
      table.matchId,
      table.nth,
    ),
  ],
);

/** Keys of apps: their hashes only. Of one app's keys that are good, each has a slot of its own. */
export const appKeys = pgTable(
  "app_keys",
  {
    keyId: text("key_id").primaryKey(),
    keyHash: text("key_hash").notNull(),
    app: text("app").notNull(),
    slot: integer("slot").notNull(),
    scopes: text("scopes").notNull(),
    createdAt: bigint("created_at", { mode: "number" }).notNull(),
    revokedAt: bigint("revoked_at", { mode: "number" }),
  },
  (table) => [
    uniqueIndex("app_keys_hash").on(table.keyHash),
    uniqueIndex("app_keys_live").on(table.app, table.slot).where(sql`${table.revokedAt} is null`),
  ],
);

/** Committed decks, each with its sealed secret. */
export const decks = pgTable("decks", {
  deck: integer("deck").primaryKey(),
  size: integer("size").notNull(),
  length: integer("length").notNull(),
  root: text("root").notNull(),
  sealedSecret: text("sealed_secret").notNull(),
  createdAt: bigint("created_at", { mode: "number" }).notNull(),
});

/** Rights that one process holds at a time. */
export const leases = pgTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  lapsesAt: bigint("lapses_at", { mode: "number" }).notNull(),
});

/** Facts about the service itself: the id of the key that the sealed values belong to. */
export const service = pgTable("service", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});
