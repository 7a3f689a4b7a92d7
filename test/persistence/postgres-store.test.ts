import { inspect } from "node:util";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { MatchId } from "../../src/application/match.ts";
import { StoreUnavailable } from "../../src/application/ports.ts";
import { InvariantViolation } from "../../src/kernel/assert.ts";
import { openClient } from "../../src/persistence/client.ts";
import { migrate } from "../../src/persistence/migrate.ts";
import { postgresStores } from "../../src/persistence/postgres-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { matchStoreContract } from "../contract/match-store.ts";
import { answer, created, moved, newId, playing } from "../support/matches.ts";
import {
  type FreshDatabase,
  freshDatabase,
  MIGRATIONS,
  needsPostgres,
  postgresAvailable,
  rawClient,
} from "../support/postgres.ts";
import { silentProxy } from "../support/silent-proxy.ts";

const DEADLINE_MS = 2_000;
/** How much later than its deadline a call may settle on a busy machine. */
const SLACK_MS = 10_000;

describe.skipIf(!postgresAvailable)(needsPostgres("PostgreSQL"), () => {
  matchStoreContract("the stores in PostgreSQL", async () => {
    const { url, drop } = await freshDatabase();
    await migrate({ connection: url, folder: MIGRATIONS });
    return { stores: postgresStores({ connection: url }), drop };
  });

  describe("when the world breaks", () => {
    let database: FreshDatabase;
    let raw: postgres.Sql;
    let stores: Stores;
    beforeAll(async () => {
      database = await freshDatabase();
      await migrate({ connection: database.url, folder: MIGRATIONS });
      raw = rawClient(database.url, 2);
      stores = postgresStores({
        connection: database.url,
        connections: 4,
        deadlineMs: DEADLINE_MS,
      });
    });
    afterAll(async () => {
      await stores?.close();
      await raw?.end({ timeout: 1 });
      await database?.drop();
    });

    const start = async () => {
      const match = playing();
      await stores.matches.create(created(match));
      return match;
    };

    /** The error of a call, which must settle by its deadline. */
    const failure = async (call: () => Promise<unknown>): Promise<unknown> => {
      const calledAt = performance.now();
      const error: unknown = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(performance.now() - calledAt).toBeLessThan(DEADLINE_MS + SLACK_MS);
      return error;
    };

    it("misses no row after a statement that died when its first rows were through", async () => {
      const client = openClient({
        connection: database.url,
        connections: 1,
        deadlineMs: DEADLINE_MS,
      });
      const dying = client.run(
        (sql) => sql`select 1 / (${4}::int - g) from generate_series(1, 9) as g`,
      );
      await expect(dying).rejects.toThrow();
      expect(await client.run((sql) => sql`select 42 as x`)).toEqual([{ x: 42 }]);
      await client.close();
    });

    /** What happens while somebody else holds the row of the match. */
    const whileLocked = async (id: MatchId, act: () => Promise<void>): Promise<void> => {
      const locker = await raw.reserve();
      try {
        await locker`begin`;
        await locker`select 1 from matches where match_id = ${id} for update`;
        await act();
        await locker`rollback`;
      } finally {
        locker.release();
      }
    };

    it("gives up on a locked match, keeps nothing of the change, and goes on", async () => {
      const match = await start();
      await whileLocked(match.id, async () => {
        const change = moved(match, 1, { answer: answer() });
        const error = await failure(() => stores.matches.change(match, change));
        expect(error).toBeInstanceOf(StoreUnavailable);
        await stores.ping();
      });
      expect(await stores.matches.load(match.id)).toEqual(match);
      expect(await stores.matches.change(match, moved(match))).toBe("done");
    });

    it("settles calls that wait for a connection, too", async () => {
      const match = await start();
      await whileLocked(match.id, async () => {
        const change = moved(match, 1, { answer: answer() });
        const calls = Array.from({ length: 12 }, () =>
          failure(() => stores.matches.change(match, change)),
        );
        for (const error of await Promise.all(calls)) {
          expect(error).toBeInstanceOf(StoreUnavailable);
        }
      });
      // Those that were sent late may still have happened: one of them, whole.
      await stores.matches.change(match, moved(match));
      expect(await stores.matches.lines(match.id, -1, 9)).toHaveLength(2);
    });

    it("settles every call when the server falls silent, and recovers by itself", async () => {
      const proxy = await silentProxy(database.url);
      const far = postgresStores({
        connection: proxy.url,
        connections: 2,
        deadlineMs: DEADLINE_MS,
      });
      try {
        const match = await start();
        await Promise.all([1, 2, 3].map(() => far.ping()));
        proxy.silence();
        const errors = await Promise.all([
          failure(() => far.matches.change(match, moved(match))),
          failure(() => far.matches.load(match.id)),
          failure(() => far.ping()),
          failure(() => far.ping()),
        ]);
        for (const error of errors) expect(error).toBeInstanceOf(StoreUnavailable);
        proxy.speak();
        await expect.poll(() => failure(() => far.ping()), { timeout: 20_000 }).toBeUndefined();
        expect(await far.matches.load(match.id)).toEqual(match);
      } finally {
        await far.close();
        await proxy.close();
      }
    });

    it("says at once that nobody listens", async () => {
      const url = new URL(database.url);
      url.port = "1";
      const nowhere = postgresStores({ connection: url.href, deadlineMs: DEADLINE_MS });
      const error = await failure(() => nowhere.ping());
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect((error as Error).cause).toBeInstanceOf(Error);
      await nowhere.close();
    });

    it("says that a database does not exist, without its password", async () => {
      const url = new URL(database.url);
      url.pathname = "/qiju_test_no_such_database";
      url.password = "hunter2";
      const nowhere = postgresStores({ connection: url.href, deadlineMs: DEADLINE_MS });
      const error = await failure(() => nowhere.ping());
      expect(error).toBeInstanceOf(StoreUnavailable);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("hunter2");
      await nowhere.close();
    });

    it("comes back after its connections were ended", async () => {
      await Promise.all([1, 2, 3, 4, 5, 6].map(() => stores.ping()));
      await raw`
        select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'qiju'`;
      await expect.poll(() => failure(() => stores.ping()), { timeout: 20_000 }).toBeUndefined();
      const match = await start();
      expect(await stores.matches.change(match, moved(match))).toBe("done");
    });

    it("refuses calls once it is closed", async () => {
      const closing = postgresStores({ connection: database.url, deadlineMs: DEADLINE_MS });
      const before = closing.ping();
      await before;
      await closing.close();
      expect(await failure(() => closing.ping())).toBeInstanceOf(StoreUnavailable);
    });

    describe("an error of the server", () => {
      beforeAll(async () => {
        await raw`
          create function refuse() returns trigger language plpgsql as $$
          begin
            if new.line like '%raise:%' then
              raise exception 'line %', new.line using errcode = substring(new.line from 'raise:(.{5})');
            end if;
            return new;
          end $$`;
        await raw`create trigger refuse before insert on lines for each row execute function refuse()`;
      });
      afterAll(async () => {
        await raw`drop function refuse cascade`;
      });

      const raising = async (code: string) => {
        const match = await start();
        const line = `"raise:${code}"`;
        const error = await failure(() =>
          stores.matches.change(match, { ...moved(match, 1, { answer: answer() }), lines: [line] }),
        );
        expect(await stores.matches.load(match.id)).toEqual(match);
        expect(await stores.matches.answer({ ...answer(), match: match.id })).toBeUndefined();
        return error;
      };

      it.each(["53100", "53300", "57P01", "57P02", "57P03", "57014", "08006", "40001", "58030"])(
        "%s means: not now",
        async (code) => {
          const error = await raising(code);
          expect(error).toBeInstanceOf(StoreUnavailable);
          expect(inspect((error as Error).cause)).toContain(code);
        },
      );

      it.each(["22P02", "23514", "42P01", "P0001"])("%s is a bug of ours", async (code) => {
        expect(await raising(code)).toBeInstanceOf(InvariantViolation);
      });
    });

    it("shows no parameter in an error, however deep one looks", async () => {
      const match = await start();
      const secret = "swordfish";
      await raw`insert into lines (match_id, seq, line) values (${match.id}, 1, ${secret})`;
      const next = { ...match, version: 1, hidden: secret, head: secret };
      const error = await failure(() => stores.matches.change(match, { next, lines: [secret] }));
      expect(error).toBeInstanceOf(InvariantViolation);
      expect(String(error)).toContain("the guard held but the line existed");
      expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/swordfish/);
      expect(await stores.matches.load(match.id)).toEqual(match);

      const broken = { ...playing(), id: `not-a-uuid-${secret}` as typeof match.id };
      const other = await failure(() => stores.matches.load(broken.id));
      expect(other).toBeInstanceOf(InvariantViolation);
      expect(inspect(other, { depth: 9, showHidden: true })).not.toMatch(/swordfish/);
    });

    it("reads how durable a commit is", async () => {
      const [settings] = await raw<{ disk: boolean }[]>`
        select current_setting('fsync') = 'on' and current_setting('full_page_writes') = 'on'
           and current_setting('synchronous_commit') <> 'off' as disk`;
      expect(await stores.durability()).toBe(settings?.disk === true ? "disk" : "process");
      const { pathname } = new URL(database.url);
      const name = pathname.slice(1);
      await raw.unsafe(`alter database ${name} set synchronous_commit = off`);
      const careless = postgresStores({ connection: database.url, deadlineMs: DEADLINE_MS });
      expect(await careless.durability()).toBe("process");
      await careless.close();
      await raw.unsafe(`alter database ${name} reset synchronous_commit`);
    });
  });

  describe("the tables", () => {
    let database: FreshDatabase;
    let raw: postgres.Sql;
    beforeEach(async () => {
      database = await freshDatabase();
      raw = rawClient(database.url);
      return async () => {
        await raw.end({ timeout: 1 });
        await database.drop();
      };
    });

    it("leave room on each page for a match to be rewritten", async () => {
      await migrate({ connection: database.url, folder: MIGRATIONS });
      const [row] =
        await raw`select reloptions::text as options from pg_class where relname = 'matches'`;
      expect(row?.["options"]).toBe("{fillfactor=50}");
    });

    it("use nothing that a sharded database lacks", async () => {
      await migrate({ connection: database.url, folder: MIGRATIONS });
      const columns = await raw<{ type: string }[]>`
        select distinct data_type as type from information_schema.columns
         where table_schema = 'public' and table_name not like 'migration%' order by 1`;
      expect(columns.map(({ type }) => type)).toEqual([
        ...["bigint", "boolean", "integer", "text", "uuid"],
      ]);
      const [none] = await raw<{ n: string }[]>`
        select (select count(*) from pg_sequences) + (select count(*) from pg_trigger)
             + (select count(*) from pg_constraint where contype = 'f') as n`;
      expect(none?.n).toBe("0");
    });

    it("are reached through an index by every hot statement", async () => {
      await migrate({ connection: database.url, folder: MIGRATIONS });
      await raw`set enable_seqscan = off`;
      await raw`set enable_sort = off`;
      const plan = async (query: string): Promise<string> =>
        (await raw.unsafe(`explain ${query}`)).map((row) => row["QUERY PLAN"]).join("\n");
      const order = "order by created_at desc, match_id desc limit 2";
      const after = `(created_at, match_id) < (1, '${newId()}')`;
      expect(
        await plan(`select 1 from matches where visibility = 'public' and ${after} ${order}`),
      ).toMatch(/Index.* matches_listed /);
      expect(
        await plan(
          `select 1 from matches where visibility = 'public' and status = 'open' and ${after} ${order}`,
        ),
      ).toMatch(/Index.* matches_listed_by_status /);
      expect(
        await plan(
          "select match_id from matches where due_at <= 9 order by due_at, match_id limit 2",
        ),
      ).toMatch(/Index.* matches_due /);
      const ofApp = "visibility = 'private' and app = 'shop'";
      expect(await plan(`select 1 from matches where ${ofApp} and ${after} ${order}`)).toMatch(
        /Index.* matches_private /,
      );
      expect(
        await plan(
          `select 1 from matches where ${ofApp} and status = 'open' and ${after} ${order}`,
        ),
      ).toMatch(/Index.* matches_private_by_status /);
      const ofPlayer = "from seated_players where app = 'shop' and player = 'ann'";
      expect(await plan(`select 1 ${ofPlayer} and ${after} ${order}`)).toMatch(
        /Index.* seated_players_listed /,
      );
      expect(await plan(`select 1 ${ofPlayer} and status = 'over' and ${after} ${order}`)).toMatch(
        /Index.* seated_players_listed_by_status /,
      );
      expect(await plan(`select 1 ${ofPlayer} and on_turn and ${after} ${order}`)).toMatch(
        /Index.* seated_players_on_turn /,
      );
    });
  });
});
