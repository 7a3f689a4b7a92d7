import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatchRecord } from "../../src/application/match.ts";
import { StoreUnavailable } from "../../src/application/ports.ts";
import { migrate } from "../../src/persistence/migrate.ts";
import { postgresStores } from "../../src/persistence/postgres-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { answer, created, line, moved, playing } from "../support/matches.ts";
import {
  type FreshDatabase,
  freshDatabase,
  MIGRATIONS,
  needsPostgres,
  postgresAvailable,
  rawClient,
} from "../support/postgres.ts";

const DEADLINE_MS = 5_000;
const SLACK_MS = 10_000;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, n) => n);

describe.skipIf(!postgresAvailable)(needsPostgres("many at once on PostgreSQL"), () => {
  let database: FreshDatabase;
  let raw: postgres.Sql;
  /** Two processes, as far as the database can tell. */
  let one: Stores;
  let two: Stores;
  beforeAll(async () => {
    database = await freshDatabase();
    await migrate({ connection: database.url, folder: MIGRATIONS });
    raw = rawClient(database.url);
    one = postgresStores({ connection: database.url, deadlineMs: DEADLINE_MS });
    two = postgresStores({ connection: database.url, deadlineMs: DEADLINE_MS });
  });
  afterAll(async () => {
    await one?.close();
    await two?.close();
    await raw?.end({ timeout: 1 });
    await database?.drop();
  });

  const start = async (): Promise<MatchRecord> => {
    const match = playing();
    await one.matches.create(created(match));
    return match;
  };

  const seqsOf = async (match: MatchRecord): Promise<readonly number[]> => {
    const rows = await raw<{ seq: number }[]>`
      select seq from lines where match_id = ${match.id} order by seq`;
    return rows.map(({ seq }) => seq);
  };

  it("one of 16 writers wins each version, and no seq is left out", async () => {
    const match = await start();
    const rounds = 25;
    const winners: string[] = [];
    const writer = async (name: string, stores: Stores): Promise<void> => {
      for (let version = 0; version < rounds; ) {
        const change = { ...moved({ ...match, version }), lines: [line(match, version + 1, name)] };
        const said = await stores.matches.change({ version, claims: 0 }, change);
        if (said === "done") winners.push(line(match, version + 1, name));
        version = (await stores.matches.load(match.id))?.version ?? 0;
      }
    };
    await Promise.all(numbers(16).map((n) => writer(`w${n.toString()}`, n % 2 === 0 ? one : two)));

    const kept = await one.matches.lines(match.id, 0, 1_000);
    expect(kept).toHaveLength(rounds);
    expect([...kept].sort()).toEqual([...winners].sort());
    expect(await seqsOf(match)).toEqual(numbers(rounds + 1));
    expect((await two.matches.load(match.id))?.version).toBe(rounds);
  });

  it("a write is seen by the other process as soon as it is acknowledged", async () => {
    const match = await start();
    for (let version = 0; version < 20; version += 1) {
      const [writer, reader] = version % 2 === 0 ? [one, two] : [two, one];
      const at = { ...match, version };
      expect(await writer.matches.change(at, moved(at))).toBe("done");
      expect((await reader.matches.load(match.id))?.version).toBe(version + 1);
      expect(await reader.matches.lines(match.id, version, 9)).toHaveLength(1);
    }
  });

  it("a thousand matches do not wait for one that is locked", async () => {
    const locked = await start();
    const others = numbers(1_000).map(() => playing());
    const owner = rawClient(database.url);
    const locker = await owner.reserve();
    try {
      await locker`begin`;
      await locker`select 1 from matches where match_id = ${locked.id} for update`;
      const waiting = one.matches.change(locked, moved(locked));
      const said = await Promise.all(
        others.map(async (match) => {
          await one.matches.create(created(match));
          return one.matches.change(match, moved(match, 2, { answer: answer() }));
        }),
      );
      expect(said.every((word) => word === "done")).toBe(true);
      await locker`rollback`;
      expect(await waiting).toBe("done");
    } finally {
      locker.release();
      await owner.end({ timeout: 1 });
    }
    const [sum] = await raw<{ n: string }[]>`
      select count(*) as n from lines where match_id in ${raw(others.map(({ id }) => id))}`;
    expect(Number(sum?.n)).toBe(3_000);
  });

  it("one of 20 twins is done, and the others find its answer", async () => {
    for (const round of numbers(10)) {
      const match = await start();
      const twins = numbers(20).map(async (n) => {
        const stores = n % 2 === 0 ? one : two;
        const mine = answer({ body: `twin ${n.toString()}` });
        const said = await stores.matches.change(match, moved(match, 2, { answer: mine }));
        const kept = await stores.matches.answer({ ...mine, match: match.id });
        return { said, body: kept?.body, mine: mine.body };
      });
      const all = await Promise.all(twins);
      const done = all.filter(({ said }) => said === "done");
      expect(done, `round ${round.toString()}`).toHaveLength(1);
      for (const { body } of all) expect(body).toBe(done[0]?.mine);
      expect(await seqsOf(match)).toEqual([0, 1, 2]);
    }
  });

  it("one of 20 twins that expect what is there meets the key, and moves nothing", async () => {
    const match = await start();
    await one.matches.change(match, moved(match, 1, { answer: answer() }));
    const now = { ...match, version: 1 };
    const said = await Promise.all(
      numbers(20).map((n) =>
        (n % 2 === 0 ? one : two).matches.change(now, moved(now, 1, { answer: answer() })),
      ),
    );
    expect(new Set(said)).toEqual(new Set(["answered"]));
    expect(await seqsOf(match)).toEqual([0, 1]);
  });

  it("a claim and a removal of the same open match: one of the two", async () => {
    for (const _ of numbers(20)) {
      const match = playing({ status: "open", version: -1 });
      await one.matches.create(created(match, { answer: answer() }));
      const claim = { next: { ...match, claims: 1 }, lines: [], answer: answer({ key: "claim" }) };
      const [said] = await Promise.all([
        one.matches.change(match, claim),
        two.matches.removeOpen(match.id, 0),
      ]);
      const left = await one.matches.load(match.id);
      expect(left?.claims).toBe(said === "done" ? 1 : undefined);
      const kept = await raw`select key from stored_answers where match_id = ${match.id}`;
      expect(kept).toHaveLength(said === "done" ? 2 : 0);
    }
  });

  it("loses, doubles and mixes nothing while its connections are killed 50 times", async () => {
    const kills = 50;
    const matches = await Promise.all(numbers(8).map(start));
    let killed = 0;
    let acknowledged = 0;
    let slowestMs = 0;

    /** The answer of a call, or nothing where it is not known whether it happened. */
    const timed = async <Value>(call: () => Promise<Value>): Promise<Value | undefined> => {
      const calledAt = performance.now();
      try {
        return await call();
      } catch (error) {
        expect(error).toBeInstanceOf(StoreUnavailable);
        return undefined;
      } finally {
        slowestMs = Math.max(slowestMs, performance.now() - calledAt);
      }
    };

    const writer = async (match: MatchRecord, stores: Stores) => {
      const done: string[] = [];
      const unknown: string[] = [];
      for (let version = 0, turn = 0; killed < kills; turn += 1) {
        const change = moved({ ...match, version }, 2, {
          answer: answer({ key: turn.toString() }),
        });
        const marked = change.lines.map((_, n) => line(match, version + 1 + n, turn.toString()));
        const said = await timed(() =>
          stores.matches.change({ version, claims: 0 }, { ...change, lines: marked }),
        );
        if (said === "done") {
          done.push(...marked);
          version += 2;
          acknowledged += 1;
          continue;
        }
        // Nobody else writes here: `stale` can only follow an append of ours that was not acknowledged.
        unknown.push(...marked);
        version = (await timed(() => stores.matches.load(match.id)))?.version ?? version;
      }
      return { match, done, unknown };
    };

    const killer = async (): Promise<void> => {
      const sql = rawClient(database.url);
      try {
        while (killed < kills) {
          const before = acknowledged;
          const gone = await sql`
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and application_name = 'qiju'`;
          if (gone.length > 0) killed += 1;
          // The writers stop at the last kill, and need not acknowledge anything after it.
          if (killed === kills) return;
          await expect
            .poll(() => acknowledged, { interval: 5, timeout: 20_000 })
            .toBeGreaterThan(before);
        }
      } finally {
        await sql.end({ timeout: 1 });
      }
    };

    const [written] = await Promise.all([
      Promise.all(matches.map((match, n) => writer(match, n % 2 === 0 ? one : two))),
      killer(),
    ]);

    expect(slowestMs).toBeLessThan(DEADLINE_MS + SLACK_MS);
    expect(acknowledged).toBeGreaterThanOrEqual(kills);
    for (const { match, done, unknown } of written) {
      const kept = await raw<{ line: string }[]>`
        select line from lines where match_id = ${match.id} and seq > 0 order by seq`;
      const texts = kept.map((row) => row.line);
      const set = new Set(texts);
      expect(set.size, "no line twice").toBe(texts.length);
      expect(
        done.filter((text) => !set.has(text)),
        "no acknowledged line lost",
      ).toEqual([]);
      const ours = new Set([...done, ...unknown]);
      expect(
        texts.filter((text) => !ours.has(text)),
        "no line of another's",
      ).toEqual([]);
      expect(await seqsOf(match), "no gap").toEqual(numbers(texts.length + 1));
      const [row] = await raw`select version from matches where match_id = ${match.id}`;
      expect(row?.["version"]).toBe(texts.length);
      const [answers] = await raw<{ n: string }[]>`
        select count(*) as n from stored_answers where match_id = ${match.id}`;
      expect(Number(answers?.n), "an answer for each append").toBe(texts.length / 2);
    }
  });
});

describe.skipIf(!postgresAvailable)(needsPostgres("migrations on PostgreSQL"), () => {
  const withDatabase = async (act: (url: string, sql: postgres.Sql) => Promise<void>) => {
    const { url, drop } = await freshDatabase();
    const sql = rawClient(url);
    try {
      await act(url, sql);
    } finally {
      await sql.end({ timeout: 1 });
      await drop();
    }
  };

  it("are applied once by three processes that start on an empty database", async () => {
    for (const _ of numbers(3)) {
      await withDatabase(async (url, sql) => {
        await Promise.all(numbers(3).map(() => migrate({ connection: url, folder: MIGRATIONS })));
        const applied = await sql`select made from migrations`;
        expect(applied.length).toBeGreaterThanOrEqual(1);
        expect(await sql`select 1 from migration_lease`).toHaveLength(0);
        expect(await sql`select 1 from matches`).toHaveLength(0);
      });
    }
  });

  it("have nothing to do the second time", async () => {
    await withDatabase(async (url, sql) => {
      await migrate({ connection: url, folder: MIGRATIONS });
      const before = await sql`select * from migrations`;
      await migrate({ connection: url, folder: MIGRATIONS });
      expect([...(await sql`select * from migrations`)]).toEqual([...before]);
    });
  });

  it("wait for the lease of another process, and take one that has lapsed", async () => {
    await withDatabase(async (url, sql) => {
      await sql`
        create table migration_lease (
          name text primary key, holder text not null, lapses_at timestamptz not null)`;
      await sql`insert into migration_lease values ('migrate', 'another', now() + interval '1 hour')`;
      await expect(
        migrate({ connection: url, folder: MIGRATIONS, patienceMs: 200 }),
      ).rejects.toThrow(StoreUnavailable);
      const waiting = migrate({ connection: url, folder: MIGRATIONS });
      await sql`update migration_lease set lapses_at = now()`;
      await waiting;
      expect(await sql`select 1 from matches`).toHaveLength(0);
    });
  });

  it("leave nothing of a migration that fails", async () => {
    await withDatabase(async (url, sql) => {
      await sql`create table stored_answers (in_the_way int)`;
      await expect(
        migrate({ connection: url, folder: MIGRATIONS, patienceMs: 200 }),
      ).rejects.toThrow();
      const [row] = await sql`select to_regclass('matches') is null as none`;
      expect(row?.["none"]).toBe(true);
      expect(await sql`select 1 from migrations`).toHaveLength(0);
      await sql`drop table stored_answers`;
      await migrate({ connection: url, folder: MIGRATIONS });
    });
  });

  it("refuse a database whose migrations were edited since", async () => {
    await withDatabase(async (url, sql) => {
      await migrate({ connection: url, folder: MIGRATIONS });
      await sql`update migrations set hash = 'another'`;
      await expect(migrate({ connection: url, folder: MIGRATIONS })).rejects.toThrow(
        "never edited",
      );
    });
  });
});
