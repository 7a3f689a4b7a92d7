import { randomUUID } from "node:crypto";
import postgres from "postgres";

/** An empty database of a test's own. */
export interface FreshDatabase {
  readonly url: string;
  /** Closes whatever is still connected to it, and removes it. */
  drop(): Promise<void>;
}

/** The generated migrations. */
export const MIGRATIONS = new URL("../../drizzle", import.meta.url).pathname;

/** `DATABASE_URL`, or a server on this machine; the role must be allowed to create databases. */
const server = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

const quiet = { max: 1, connect_timeout: 2, onnotice: () => {} } as const;

/** A client of a test's own, for what the stores would never do. */
export const rawClient = (url: string, connections = 1): postgres.Sql =>
  postgres(url, { ...quiet, max: connections });

const onServer = async (statement: string): Promise<void> => {
  const sql = rawClient(server);
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 1 });
  }
};

/** Whether a PostgreSQL answers. */
export const postgresAvailable: boolean = await onServer("select 1").then(
  () => true,
  () => false,
);

/** A suite's title, which says why nothing ran where there is no PostgreSQL. */
export const needsPostgres = (title: string): string =>
  postgresAvailable ? title : `skipped: ${title} (needs PostgreSQL)`;

/** A new, empty database, which its maker drops. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const name = `qiju_test_${randomUUID().replaceAll("-", "")}`;
  await onServer(
    `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'`,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onServer(`drop database if exists ${name} with (force)`) };
};
