import type { AppKey, AppStore, Scope } from "../application/ports.ts";
import { LIVE_KEYS_MAX, SCOPES } from "../application/ports.ts";
import { type Client, UniqueViolation } from "./client.ts";

/** Times that another may take the slot that was just free. */
const RACES_MAX = 5;

/** The keys of apps over PostgreSQL. */
export const appStore = (client: Client): AppStore => ({
  live: async (keyHash) => {
    const [row] = await client.run(
      (sql) => sql<KeyRow[]>`
        select key_id, app, scopes, created_at, revoked_at from app_keys
         where key_hash = ${keyHash} and revoked_at is null`,
    );
    return row === undefined ? undefined : parseKey(row);
  },

  // A key takes a free slot of its app; an index lets one key have it.
  add: async (key, keyHash) => {
    for (let race = 0; ; race++) {
      try {
        const added = await client.run(
          (sql) => sql`
            insert into app_keys (key_id, key_hash, app, slot, scopes, created_at)
            select ${key.id}, ${keyHash}, ${key.app}, slot, ${key.scopes.join(" ")}, ${key.createdAt}::bigint
              from generate_series(1, ${LIVE_KEYS_MAX}::int) as free (slot)
             where not exists (
               select 1 from app_keys as held
                where held.app = ${key.app} and held.slot = free.slot and held.revoked_at is null)
             order by slot limit 1
            returning key_id`,
        );
        return added.length === 1;
      } catch (error) {
        const isRace = error instanceof UniqueViolation && error.constraint === "app_keys_live";
        if (!isRace || race > RACES_MAX) throw error;
      }
    }
  },

  revoke: async (id, at) => {
    const revoked = await client.run(
      (sql) => sql`
        update app_keys set revoked_at = ${at} where key_id = ${id} and revoked_at is null
        returning key_id`,
    );
    return revoked.length === 1;
  },

  list: async () => {
    const rows = await client.run(
      (sql) => sql<KeyRow[]>`
        select key_id, app, scopes, created_at, revoked_at from app_keys
         order by app, created_at, key_id`,
    );
    return rows.map(parseKey);
  },
});

interface KeyRow {
  readonly key_id: string;
  readonly app: string;
  readonly scopes: string;
  readonly created_at: number;
  readonly revoked_at: number | null;
}

/** A scope that this release does not know gives nothing. */
const parseKey = (row: KeyRow): AppKey => ({
  id: row.key_id,
  app: row.app,
  scopes: row.scopes.split(" ").filter((scope): scope is Scope => SCOPES.some((s) => s === scope)),
  createdAt: row.created_at,
  ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
});
