import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { readMigrationFiles } from "drizzle-orm/migrator";
import postgres from "postgres";
import { StoreUnavailable } from "../application/ports.ts";
import { assert } from "../kernel/assert.ts";
import { type Connection, openDriver, type Sql, translated, UniqueViolation } from "./client.ts";

/*
 * Brings a database to the newest of the generated migrations, at start, one process at a time.
 *
 * drizzle-kit writes the migrations and drizzle-orm reads them. They are applied here, because drizzle's own
 * migrator opens a transaction through the driver, and a transaction whose connection dies goes on outside
 * itself on the next connection (porsager/postgres #1215). Here each migration is one message: PostgreSQL
 * runs all of its statements in one implicit transaction, or none.
 *
 * A lease row keeps processes from working at the same time. It is courtesy only: should a holder stall past
 * its lease, the primary key of `migrations`, written first in the same message, still lets one of the two
 * through.
 */

interface MigrateOptions {
  readonly connection: Connection;
  /** The folder that holds `meta/_journal.json` and the SQL files. */
  readonly folder: string;
  /** How long to wait for another process, or for a lock. */
  readonly patienceMs?: number;
}

interface Migration {
  /** When it was generated, in milliseconds; its name in the database. */
  readonly made: number;
  readonly hash: string;
  readonly statements: string;
}

/** A holder that was killed keeps the others waiting this long. */
const LEASE_MS = 10_000;
const LOCK_TIMEOUT_MS = 2_000;
const PAUSE_MS = 50;

/** Throws `StoreUnavailable` where the database cannot be reached or another process takes too long. */
export const migrate = async ({
  connection,
  folder,
  patienceMs = 30_000,
}: MigrateOptions): Promise<void> => {
  const migrations = readMigrations(folder);
  const sql = openDriver(connection, {
    max: 1,
    fetch_types: false,
    connect_timeout: 5,
    onnotice: () => {},
    connection: { application_name: "qiju-migrate", lock_timeout: LOCK_TIMEOUT_MS },
  });
  const holder = randomUUID();
  const until = performance.now() + patienceMs;
  try {
    for (;;) {
      try {
        if (await attempt(sql, migrations, holder)) return;
      } catch (error) {
        if (!hasCode(error, PASSING) || performance.now() > until) throw named(error);
      }
      if (performance.now() > until) throw new StoreUnavailable("another process is migrating");
      await pause(PAUSE_MS);
    }
  } finally {
    await sql.end({ timeout: 1 });
  }
};

const readMigrations = (folder: string): readonly Migration[] =>
  readMigrationFiles({ migrationsFolder: folder }).map(({ folderMillis, hash, sql }) => ({
    made: folderMillis,
    hash,
    statements: sql.join(";\n"),
  }));

/** True once all migrations are applied; false while another process holds the lease. */
const attempt = async (
  sql: Sql,
  migrations: readonly Migration[],
  holder: string,
): Promise<boolean> => {
  if ((await pending(sql, migrations)).length === 0) return true;
  if (!(await hasTables(sql)) || !(await hasLease(sql, holder))) return false;
  try {
    for (const migration of await pending(sql, migrations)) {
      await hasLease(sql, holder);
      await sql.unsafe(message(migration)).simple();
    }
  } finally {
    await sql`delete from migration_lease where holder = ${holder}`.catch(() => {});
  }
  return true;
};

/** Makes the tables of this file; false where another process was making them at the same time. */
const hasTables = async (sql: Sql): Promise<boolean> => {
  try {
    await sql`
      create table if not exists migrations (
        made bigint primary key, hash text not null, applied_at timestamptz not null)`;
    await sql`
      create table if not exists migration_lease (
        name text primary key, holder text not null, lapses_at timestamptz not null)`;
    return true;
  } catch (error) {
    if (hasCode(error, RACES)) return false;
    throw error;
  }
};

/** The migrations that the database has not seen. It may have seen newer ones, of a newer release. */
const pending = async (
  sql: Sql,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> => {
  const [found] = await sql<{ found: boolean }[]>`
    select to_regclass('migrations') is not null as found`;
  if (found?.found !== true) return migrations;
  const rows = await sql<{ made: string; hash: string }[]>`select made, hash from migrations`;
  const applied = new Map(rows.map(({ made, hash }) => [Number(made), hash]));
  for (const { made, hash } of migrations) {
    assert((applied.get(made) ?? hash) === hash, "a migration is never edited once it was applied");
  }
  return migrations.filter(({ made }) => !applied.has(made));
};

const hasLease = async (sql: Sql, holder: string): Promise<boolean> => {
  const rows = await sql`
    insert into migration_lease (name, holder, lapses_at)
    values ('migrate', ${holder}, now() + ${LEASE_MS}::int * interval '1 millisecond')
    on conflict (name) do update set holder = excluded.holder, lapses_at = excluded.lapses_at
     where migration_lease.holder = excluded.holder or migration_lease.lapses_at <= now()
    returning name`;
  return rows.length === 1;
};

/** Numbers and hex only: nothing in it needs quoting. */
const message = ({ made, hash, statements }: Migration): string =>
  `insert into migrations (made, hash, applied_at) values (${made.toString()}, '${hash}', now());\n${statements}`;

/**
 * `create … if not exists` is no promise between processes: the loser meets a key of the catalogue (23505),
 * the finished object (42P07, 42710) or a changed row (XX000).
 */
const RACES = ["23505", "42P07", "42710", "XX000"];

/** Another process has just applied the same migration (23505); a lock or a conflict that will pass. */
const PASSING = ["23505", "55P03", "40001", "40P01"];

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof postgres.PostgresError && codes.includes(error.code);

/** The error as the stores would throw it. */
const named = (error: unknown): unknown => {
  if (!(error instanceof Error && "code" in error)) return error;
  const ours = translated(error);
  return ours instanceof UniqueViolation
    ? new StoreUnavailable("the migrations meet each other", { cause: ours })
    : ours;
};
