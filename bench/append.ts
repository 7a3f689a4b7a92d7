import { randomUUID } from "node:crypto";
import { cpus } from "node:os";
import postgres from "postgres";
import { type MatchRecord, matchId } from "../src/application/match.ts";
import type { Change } from "../src/application/ports.ts";
import { assert } from "../src/kernel/assert.ts";
import { migrate } from "../src/persistence/migrate.ts";
import { postgresStores } from "../src/persistence/postgres-store.ts";
import type { Stores } from "../src/persistence/stores.ts";
import { freshDatabase, MIGRATIONS, postgresAvailable } from "../test/support/postgres.ts";

/*
 * What a command costs in the database alone: load the match, append two lines and an answer. No rules, no
 * chance, no HTTP; so it is the floor under the times of a whole command.
 *
 *     npx tsx bench/append.ts [seconds a measurement, 5]
 *
 * Counts are checked before and after the clock runs: wrong and fast is not fast.
 */

const SECONDS = Number(process.argv[2] ?? "5");
const WARM_SECONDS = 2;
const MATCHES_A_WORKER = 20;

const line = (id: string, seq: number): string =>
  JSON.stringify({
    match: id,
    seq,
    prev: "ab".repeat(32),
    at: "2026-01-01T00:00:00.000Z",
    type: "checkers-played",
    play: "24/18 13/11",
  });

const newMatch = (): MatchRecord => ({
  id: matchId(randomUUID()),
  game: "backgammon",
  variant: "standard",
  options: { length: 5 },
  visibility: "public",
  status: "playing",
  seats: [
    { kind: "human", tokenHash: "ab".repeat(32) },
    { kind: "engine", level: "expert" },
  ],
  claims: 0,
  version: 0,
  head: "00".repeat(32),
  createdAt: 1_700_000_000_000,
  at: 1_700_000_000_000,
  snapshot: { position: Array.from({ length: 52 }, (_, n) => n), note: "x".repeat(600) },
  hidden: "s".repeat(300),
});

const append = (match: MatchRecord): Change => {
  const version = match.version + 2;
  return {
    next: { ...match, version, at: match.at + 1 },
    lines: [line(match.id, version - 1), line(match.id, version)],
    answer: {
      principal: "seat-0",
      key: version.toString(),
      requestHash: "ef".repeat(32),
      tag: version.toString(),
      body: "b".repeat(1_500),
    },
  };
};

const create = async (stores: Stores): Promise<MatchRecord> => {
  const match = newMatch();
  await stores.matches.create({ next: match, lines: [line(match.id, 0)] });
  return match;
};

/** A command's share of the database, in milliseconds. */
const once = async ({ matches }: Stores, { id }: MatchRecord): Promise<number> => {
  const startedAt = performance.now();
  const match = await matches.load(id);
  assert(match !== undefined, "the match was created");
  assert((await matches.change(match, append(match))) === "done", "nobody else plays this match");
  return performance.now() - startedAt;
};

const during = async (stores: Stores, workers: number, seconds: number) => {
  const until = performance.now() + seconds * 1_000;
  const worker = async (): Promise<readonly number[]> => {
    const matches = await Promise.all(
      Array.from({ length: MATCHES_A_WORKER }, () => create(stores)),
    );
    const times: number[] = [];
    while (performance.now() < until) {
      for (const match of matches) times.push(await once(stores, match));
    }
    return times;
  };
  return (await Promise.all(Array.from({ length: workers }, worker))).flat();
};

const counts = async (sql: postgres.Sql) => {
  const [row] = await sql<{ lines: string; versions: string; answers: string }[]>`
    select (select count(*) from lines) as lines,
           (select sum(version + 1) from matches) as versions,
           (select count(*) from stored_answers) as answers`;
  assert(row !== undefined, "a select without from has one row");
  return { lines: Number(row.lines), versions: Number(row.versions), answers: Number(row.answers) };
};

/** Every line is under a version, and every append of two lines has its answer. */
const check = async (sql: postgres.Sql, appends: number): Promise<void> => {
  const { lines, versions, answers } = await counts(sql);
  assert(lines === versions, "a match has as many lines as its version says");
  assert(answers === appends, "each append was acknowledged once, and stored once");
};

const main = async (): Promise<void> => {
  assert(postgresAvailable, "a PostgreSQL answers at DATABASE_URL or on 127.0.0.1:5432");
  const { url, drop } = await freshDatabase();
  const sql = postgres(url, { max: 1 });
  const stores = postgresStores({ connection: url });
  try {
    await migrate({ connection: url, folder: MIGRATIONS });
    const match = await create(stores);
    for (let n = 0; n < 100; n += 1) await once(stores, match);
    assert((await stores.matches.change(match, append(match))) === "stale", "the guard guards");
    await check(sql, 100);

    let appends = 100 + (await during(stores, 16, WARM_SECONDS)).length;
    const { version } = await stores.server();
    const durability = await stores.durability();
    console.log(
      `load + append, PostgreSQL ${version} (${durability}), Node ${process.version}, ${cpus().length.toString()} cores`,
    );
    for (const workers of [1, 16]) {
      const times = [...(await during(stores, workers, SECONDS))].sort((a, b) => a - b);
      appends += times.length;
      const at = (share: number): string =>
        (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(2);
      const rate = Math.round(times.length / SECONDS);
      console.log(
        `  c=${workers.toString()}: ${rate.toString()} a second, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`,
      );
    }
    await check(sql, appends);
  } finally {
    await stores.close();
    await sql.end({ timeout: 1 });
    await drop();
  }
};

await main();
