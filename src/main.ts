import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setImmediate as immediate, setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { analysisCache } from "./application/analysis.ts";
import { openCards } from "./application/cards.ts";
import { tableCache } from "./application/load.ts";
import type { Service } from "./application/service.ts";
import { SWEEP_EVERY_MS, sweep } from "./application/sweep.ts";
import { EngineFilesUnusable, openEngines } from "./engine-files.ts";
import type { Engines } from "./engines/registry.ts";
import type { Settings } from "./env.ts";
import { readSettings, SettingsError } from "./env.ts";
import { keyId, vault } from "./fairness/vault.ts";
import { GAMES } from "./games/registry.ts";
import { httpApp } from "./http/app.ts";
import type { Listening } from "./http/server.ts";
import { CannotListen, listen } from "./http/server.ts";
import { openLog } from "./log.ts";
import type { Embedded } from "./persistence/embedded.ts";
import { openEmbedded } from "./persistence/embedded.ts";
import {
  DatabaseFailed,
  DiskFull,
  FolderInUse,
  FolderNotWritable,
  PlatformUnsupported,
} from "./persistence/embedded-failures.ts";
import { readKeyFile } from "./persistence/key-file.ts";
import { migrate } from "./persistence/migrate.ts";
import { postgresStores } from "./persistence/postgres-store.ts";
import type { Pool } from "./pool.ts";
import { openPool } from "./pool.ts";

/** Folded matches kept in memory. */
const TABLES_MAX = 2_000;
/** Analyses kept in memory, some 100 kB each. */
const ANALYSES_MAX = 100;
/** An answer that is under way when the service stops has so long. */
const DRAIN_MS_MAX = 10_000;
/** What a client sent before the stop arrives within so long, also on a busy machine. */
const ARRIVALS_MS = 100;

/** The package's folder: this file is in `src` or, bundled, in `dist`. */
const ROOT = new URL("../", import.meta.url);

/** The database belongs to another service key. */
class OtherKey extends Error {
  override readonly name = "OtherKey";
}

/** What is undone at the end, the last first. */
type Undo = () => Promise<void>;

const start = async (settings: Settings, undo: Undo[]): Promise<Listening> => {
  const log = openLog(settings.logLevel);
  const secretKey = settings.secretKey ?? readKeyFile(settings.dataDir);
  const connection = settings.databaseUrl ?? (await embedded(settings, log, undo)).connection;
  await migrate({ connection, folder: fileURLToPath(new URL("drizzle/", ROOT)) });
  const stores = postgresStores({ connection });
  undo.push(stores.close);
  if (!(await stores.claimKey(keyId(secretKey)))) {
    throw new OtherKey(
      "the database was made under another SECRET_KEY: start with that key, or with another database",
    );
  }
  const engines = openEngines();
  const pool = openPool({ engines });
  undo.push(pool.close);
  const service = await makeService(stores, secretKey, engines, pool);
  const app = httpApp({
    service,
    log,
    referenceScript: new URL("dist/reference.js", ROOT),
    ...(settings.publicUrl === undefined ? {} : { publicUrl: settings.publicUrl }),
    about: {
      name: "qiju",
      version: packageVersion(),
      commit: settings.commit,
      database: async () => ({
        ...(await stores.server()),
        kind: settings.databaseUrl === undefined ? "embedded" : "postgresql",
      }),
      durability: stores.durability,
      ready: async () => {
        stopping.signal.throwIfAborted();
        await stores.ping();
      },
    },
  });
  const holder = randomUUID();
  const sweeper = setInterval(() => {
    sweep(service, stores.leases, holder).catch((error: unknown) => {
      log.error({ error: String(error) }, "the sweeper failed");
    });
  }, SWEEP_EVERY_MS);
  undo.push(async () => clearInterval(sweeper));
  const listening = await listen(async (request) => {
    const response = await app.fetch(request);
    // A client that is never idle would else keep its connection, and this process with it.
    if (stopping.signal.aborted) response.headers.set("Connection", "close");
    return response;
  }, settings);
  undo.push(async () => {
    // What has arrived is accepted and read first: a connection that still waits for that would be cut.
    await pause(ARRIVALS_MS);
    await immediate();
    pool.giveUpAnalyses();
    await Promise.race([listening.close(), after(DRAIN_MS_MAX)]);
  });
  return listening;
};

const embedded = async (
  { dataDir }: Settings,
  log: ReturnType<typeof openLog>,
  undo: Undo[],
): Promise<Embedded> => {
  const opened = await openEmbedded({
    dataDir,
    signal: stopping.signal,
    log: (level, line) => (level === "error" ? log.error({}, line) : log.debug({}, line)),
  });
  undo.push(opened.stop);
  opened.failed.then((error) => fail(error)).catch(fail);
  return opened;
};

const makeService = async (
  stores: ReturnType<typeof postgresStores>,
  secretKey: Buffer,
  engines: Engines,
  pool: Pool,
): Promise<Service> => {
  const clock = Date.now;
  const sealed = vault(secretKey);
  const { matches, decks, apps } = stores;
  const cards = await openCards({ decks, vault: sealed, clock, makeTips: pool.deckTips });
  return {
    games: GAMES,
    engines,
    thinker: pool.thinker,
    matches,
    decks,
    apps,
    vault: sealed,
    clock,
    cards,
    serviceKey: secretKey,
    tables: tableCache(TABLES_MAX),
    analyses: analysisCache(ANALYSES_MAX),
  };
};

const packageVersion = (): string => {
  const text = readFileSync(new URL("package.json", ROOT), "utf8");
  const { version } = JSON.parse(text) as { readonly version: string };
  return version;
};

const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/** Mistakes of the operator's, said in a sentence; anything else is a bug, said with its stack. */
const SAID = [
  EngineFilesUnusable,
  CannotListen,
  SettingsError,
  OtherKey,
  FolderInUse,
  FolderNotWritable,
  PlatformUnsupported,
  DiskFull,
  DatabaseFailed,
];

const fail = (error: unknown): void => {
  if (stopping.signal.aborted) return;
  const isSaid = SAID.some((kind) => error instanceof kind);
  console.error(isSaid && error instanceof Error ? `qiju: ${error.message}` : error);
  stop(1);
};

const undo: Undo[] = [];
/** Aborted once the process is about to end. */
const stopping = new AbortController();

/** Undoes what was begun, the last first, and ends the process. */
const stop = (code: number): void => {
  if (stopping.signal.aborted) return;
  stopping.abort();
  void undoAll().finally(() => process.exit(code));
};

const undoAll = async (): Promise<void> => {
  for (const step of undo.reverse()) await step().catch((error: unknown) => console.error(error));
};

for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => stop(0));

try {
  const settings = readSettings(process.env);
  const { port } = await start(settings, undo);
  const host = settings.host.includes(":") ? `[${settings.host}]` : settings.host;
  console.log(`Qiju serves on http://${host}:${port} (try it: http://${host}:${port}/docs)`);
} catch (error) {
  fail(error);
}
