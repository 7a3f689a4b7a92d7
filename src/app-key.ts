/*
 * `npm run app-key`: makes, lists and revokes the keys of apps. It writes to the service's database, by the
 * service's own settings; so it can be used by whoever may read those, and by nobody over HTTP.
 */
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { APP_NAME, createAppKey } from "./application/app-keys.ts";
import type { AppKey, AppStore, Scope } from "./application/ports.ts";
import { LIVE_KEYS_MAX, SCOPES, StoreUnavailable } from "./application/ports.ts";
import type { Settings } from "./env.ts";
import { readSettings, SettingsError } from "./env.ts";
import type { Connection } from "./persistence/client.ts";
import { openEmbedded, runningEmbedded } from "./persistence/embedded.ts";
import {
  DatabaseFailed,
  DiskFull,
  FolderInUse,
  FolderNotWritable,
  PlatformUnsupported,
} from "./persistence/embedded-failures.ts";
import { migrate } from "./persistence/migrate.ts";
import { postgresStores } from "./persistence/postgres-store.ts";

const MIGRATIONS = fileURLToPath(new URL("../drizzle/", import.meta.url));
/** A server that has just been started has so long to start its database. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = 200;

const USAGE = `usage: npm run app-key -- create <app> [--scopes ${SCOPES.join(",")}]
       npm run app-key -- list
       npm run app-key -- revoke <key id>
`;

/** What the operator asked cannot be done, said in a sentence. */
class Refused extends Error {
  override readonly name = "Refused";
}

interface Opened {
  readonly connection: Connection;
  readonly close: () => Promise<void>;
}

/**
 * The service's database. The embedded one is started for the moment, or, where a server holds its folder,
 * reached through that server's private socket.
 */
const openDatabase = async ({ databaseUrl, dataDir }: Settings): Promise<Opened> => {
  if (databaseUrl !== undefined) return { connection: databaseUrl, close: async () => {} };
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      const { connection, stop } = await openEmbedded({ dataDir, log: () => {} });
      return { connection, close: stop };
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const connection = runningEmbedded(dataDir);
      if (connection !== undefined && (await answers(connection))) {
        return { connection, close: async () => {} };
      }
      if (performance.now() > until) throw error;
      await pause(PAUSE_MS);
    }
  }
};

const answers = async (connection: Connection): Promise<boolean> => {
  const stores = postgresStores({ connection, connections: 1 });
  try {
    await stores.ping();
    return true;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  } finally {
    await stores.close();
  }
};

/** Does what the arguments say; the return value goes to standard output. */
type Work = (apps: AppStore) => Promise<string>;

const workOf = (given: readonly string[]): Work => {
  const { values, positionals } = parseArgs({
    args: [...given],
    allowPositionals: true,
    options: { scopes: { type: "string" } },
  });
  const [verb, subject, ...rest] = positionals;
  if (rest.length > 0 || (verb !== "create" && values.scopes !== undefined)) throw usage();
  if (verb === "list" && subject === undefined) return list;
  if (verb === "create" && subject !== undefined) {
    return (apps) => create(apps, subject, scopesOf(values.scopes));
  }
  if (verb === "revoke" && subject !== undefined) return (apps) => revoke(apps, subject);
  throw usage();
};

const usage = (): Refused => new Refused(`what is to be done?\n${USAGE}`);

/** All of them, unless some are named. */
const scopesOf = (text = SCOPES.join(",")): readonly Scope[] =>
  text.split(",").map((name) => {
    const scope = SCOPES.find((one) => one === name);
    if (scope === undefined) {
      throw new Refused(`no scope is called "${name}": there are ${SCOPES.join(", ")}`);
    }
    return scope;
  });

const create = async (apps: AppStore, app: string, scopes: readonly Scope[]): Promise<string> => {
  const created = await createAppKey({ apps, clock: Date.now }, { app, scopes });
  if (!created.ok) {
    throw new Refused(
      created.error === "name"
        ? `an app is named like ${APP_NAME.source}, not "${app}"`
        : `${app} has ${LIVE_KEYS_MAX} keys that are good: revoke one of them first`,
    );
  }
  const { id } = created.value.record;
  process.stderr.write(`key ${id} of ${app}: ${scopes.join(", ")}. It is not shown again.\n`);
  return `${created.value.key}\n`;
};

const revoke = async (apps: AppStore, id: string): Promise<string> => {
  if (!(await apps.revoke(id, Date.now()))) throw new Refused(`no good key has the id ${id}`);
  return `${id} is revoked\n`;
};

const list: Work = async (apps) => (await apps.list()).map(printKey).join("");

const printKey = ({ id, app, scopes, createdAt, revokedAt }: AppKey): string => {
  const made = new Date(createdAt).toISOString();
  const end = revokedAt === undefined ? "good" : `revoked ${new Date(revokedAt).toISOString()}`;
  return `${id}  ${app}  made ${made}  ${end}  ${scopes.join(",")}\n`;
};

/** Mistakes of the operator's, said in a sentence; anything else is a bug, said with its stack. */
const SAID = [
  Refused,
  SettingsError,
  StoreUnavailable,
  FolderInUse,
  FolderNotWritable,
  PlatformUnsupported,
  DiskFull,
  DatabaseFailed,
];

try {
  const work = workOf(process.argv.slice(2));
  const settings = readSettings(process.env);
  const { connection, close } = await openDatabase(settings);
  const where = settings.databaseUrl === undefined ? settings.dataDir : "DATABASE_URL";
  process.stderr.write(`qiju: in the database of ${where}\n`);
  try {
    await migrate({ connection, folder: MIGRATIONS });
    const stores = postgresStores({ connection, connections: 1 });
    try {
      process.stdout.write(await work(stores.apps));
    } finally {
      await stores.close();
    }
  } finally {
    await close();
  }
} catch (error) {
  const isSaid = error instanceof Error && SAID.some((kind) => error instanceof kind);
  const isUsage = error instanceof TypeError && "code" in error;
  process.stderr.write(
    isSaid || isUsage ? `qiju: ${error.message}\n` : `${(error as Error).stack ?? String(error)}\n`,
  );
  process.exitCode = 1;
}
