import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatchId } from "../../src/application/match.ts";
import { openDriver, type Sql } from "../../src/persistence/client.ts";
import { migrate } from "../../src/persistence/migrate.ts";
import { playerMatches } from "../../src/persistence/postgres-players.ts";
import { postgresStores } from "../../src/persistence/postgres-store.ts";
import type { Stores } from "../../src/persistence/stores.ts";
import { created, playing } from "../support/matches.ts";
import {
  type FreshDatabase,
  freshDatabase,
  MIGRATIONS,
  needsPostgres,
  postgresAvailable,
} from "../support/postgres.ts";

const MATCHES = 10_000;
const LIMIT = 100;
const ANN = { app: "shop", player: "ann", onTurn: false, limit: LIMIT } as const;

interface Plan {
  readonly "Actual Rows": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Plan[];
}

describe.skipIf(!postgresAvailable)(needsPostgres("ten thousand matches of a player"), () => {
  let database: FreshDatabase;
  let sql: Sql;
  let stores: Stores;
  beforeAll(async () => {
    database = await freshDatabase();
    await migrate({ connection: database.url, folder: MIGRATIONS });
    sql = openDriver(database.url, { max: 1, onnotice: () => {} });
    stores = postgresStores({ connection: database.url });
    // Every moment has matches of ann and of bob; three in a row have the same time.
    await sql`
      insert into matches (match_id, game, variant, options, visibility, status, seats, claims, version,
                           head, created_at, at, snapshot, app)
      select gen_random_uuid(), 'backgammon', 'standard', '{}', 'private',
             case when n % 9 = 0 then 'open' else 'over' end, '[]', 0, 0, '', n / 3, n, 'null',
             case when n % 2 = 0 then 'shop' else 'rival' end
        from generate_series(1, ${4 * MATCHES}::int) as n`;
    await sql`
      insert into seated_players (match_id, seat, app, player, game, status, on_turn, created_at)
      select match_id, 0, app, case when at % 4 < 2 then 'ann' else 'bob' end, game, status, at % 11 = 0,
             created_at
        from matches`;
    await sql`analyze`;
  });
  afterAll(async () => {
    await stores?.close();
    await sql?.end({ timeout: 1 });
    await database?.drop();
  });

  it("are all in its pages, each once and in order, while new ones are opened", async () => {
    const rows = await sql<{ id: MatchId }[]>`
      select match_id as id from seated_players where app = 'shop' and player = 'ann'
       order by created_at desc, match_id desc`;
    expect(rows).toHaveLength(MATCHES);
    const paged: MatchId[] = [];
    for (let before: { readonly createdAt: number; readonly id: MatchId } | undefined; ; ) {
      const page = await stores.matches.listOfPlayer({ ...ANN, ...(before && { before }) });
      paged.push(...page.map(({ id }) => id));
      before = page.at(-1);
      if (before === undefined) break;
      const fresh = playing({
        app: "shop",
        seats: [{ kind: "human", player: "ann", tokenHash: "ab".repeat(32) }],
      });
      await stores.matches.create(created(fresh));
    }
    expect(paged).toEqual(rows.map(({ id }) => id));
  }, 60_000);

  /** What a page's statement really did, and the blocks that it touched. */
  const costOf = async (filter: Parameters<typeof playerMatches>[1]) => {
    const [row] = await sql<{ "QUERY PLAN": [{ Plan: Plan }] }[]>`
      explain (analyze, buffers, format json) ${playerMatches(sql, filter)}`;
    const top = row?.["QUERY PLAN"][0].Plan;
    if (top === undefined) throw new TypeError("a plan was printed");
    const nodes: Plan[] = [];
    for (const waiting = [top]; waiting.length > 0; ) {
      const node = waiting.pop();
      if (node === undefined) break;
      nodes.push(node);
      waiting.push(...(node.Plans ?? []));
    }
    return { nodes, blocks: top["Shared Hit Blocks"] + top["Shared Read Blocks"] };
  };

  it.each([
    ["all of them", {}],
    ["those that are open", { status: "open" }],
    ["those where the player is to act", { onTurn: true }],
  ] as const)("cost as much at the end as at the beginning: %s", async (_, more) => {
    const rows = await sql<{ created_at: number; id: MatchId }[]>`
      select created_at, match_id as id from seated_players
       where app = 'shop' and player = 'ann' order by created_at, match_id limit 1 offset ${10 * LIMIT}`;
    const [late] = rows;
    if (late === undefined) throw new TypeError("there are so many");
    const before = { createdAt: late.created_at, id: late.id };
    const costs = [await costOf({ ...ANN, ...more }), await costOf({ ...ANN, ...more, before })];
    for (const { nodes, blocks } of costs) {
      const rows = nodes.map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0));
      expect(Math.max(...rows)).toBeLessThanOrEqual(2 * LIMIT);
      expect(blocks).toBeLessThan(3 * LIMIT);
    }
  });
});
