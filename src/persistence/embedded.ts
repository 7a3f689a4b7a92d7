/**
 * PostgreSQL inside the service: real server processes, started, watched and stopped by us.
 *
 * `<dataDir>/postgres` is the cluster, `<dataDir>/lock` names the process that owns the folder. The server
 * listens on one socket, in a folder of its own under the system's folder for temporary files: the path
 * of a socket has room for about a hundred bytes, and data folders may be longer. Only this account can
 * enter it, and there is no network port, so no other user of the machine can connect.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { FolderNotWritable, fileFailure } from "./embedded-failures.ts";
import { giveToOwnerOf, lockFolder } from "./folder-lock.ts";
import {
  type Cluster,
  type Log,
  makeCluster,
  type Postmaster,
  startPostmaster,
  stopPostmaster,
} from "./postgres-cluster.ts";
import { chooseAccount, environmentOf, locateProgram, type Program } from "./postgres-program.ts";
import { DATABASE, PORT, USER } from "./postgres-settings.ts";
import { send } from "./processes.ts";

export interface EmbeddedOptions {
  /** The data folder; made if it is missing. */
  readonly dataDir: string;
  /** Gets one line at a time, at most a thousand characters, never a statement or a parameter. */
  readonly log: Log;
  /** Ends a start that is under way: it then rejects with the signal's reason, everything stopped. */
  readonly signal?: AbortSignal;
}

/** An embedded PostgreSQL that runs until it is stopped. */
export interface Embedded {
  /** Options for postgres.js: `postgres({ ...connection, … })`. They stay the same over restarts. */
  readonly connection: {
    readonly host: string;
    readonly port: number;
    readonly username: string;
    readonly database: string;
  };
  /** Whether the server accepts connections, as far as is known; false while it is restarted. */
  readonly isUp: () => boolean;
  /** Settles when the server has failed for good: the service should then exit. Never after a stop. */
  readonly failed: Promise<Error>;
  /** Stops the server and releases the folder. May be called again, and at any moment. */
  readonly stop: () => Promise<void>;
}

const RESTARTS_MAX = 20;
const RESTART_WAIT_MS = 100;
const RESTART_WAIT_MS_MAX = 5_000;
const STEADY_MS = 1_000;
const SOCKET_PATH_BYTES_MAX = 100;
const RUNTIME = /^qiju-[0-9a-f]{16}$/;
const OUR_NAMES = /^(lock|postgres|runtime|secret-key)(\..*)?$/;

/**
 * Opens the database of `dataDir`, making it on the first start.
 *
 * What an earlier process left (a lock, a server, half a database) is recognised and cleared.
 *
 * @throws FolderInUse, at once, where another process owns the folder
 * @throws PlatformUnsupported, FolderNotWritable, DiskFull, DatabaseFailed
 */
export const openEmbedded = async (options: EmbeddedOptions): Promise<Embedded> => {
  const folder = resolve(options.dataDir);
  const signal = options.signal ?? new AbortController().signal;
  signal.throwIfAborted();
  const program = locateProgram();
  makeFolder(folder);
  const lock = await lockFolder(folder);
  let runtime: string | undefined;
  let supervisor: Supervisor | undefined;
  const undo = async (): Promise<void> => {
    await supervisor?.stop();
    if (runtime !== undefined) removeRuntime(folder, runtime);
    lock.release();
  };
  try {
    runtime = makeRuntime(folder, program);
    const cluster = await prepare({ folder, runtime, program, log: options.log });
    signal.throwIfAborted();
    await makeCluster(cluster, signal);
    signal.throwIfAborted();
    supervisor = supervise(cluster);
    await startOrAbort(supervisor, signal);
    return embedded(cluster, supervisor, undo);
  } catch (error) {
    await undo();
    throw signal.aborted ? signal.reason : fileFailure(error, folder);
  }
};

/** The database that another process of this machine runs in the folder, as its `runtime` note says. */
export const runningEmbedded = (dataDir: string): Embedded["connection"] | undefined => {
  const note = join(resolve(dataDir), "runtime");
  const runtime = fs.existsSync(note) ? fs.readFileSync(note, "utf8").trim() : "";
  if (!RUNTIME.test(basename(runtime)) || !isOwn(runtime)) return undefined;
  return connectionTo(runtime);
};

const connectionTo = (runtime: string): Embedded["connection"] => ({
  host: runtime,
  port: PORT,
  username: USER,
  database: DATABASE,
});

const embedded = (
  cluster: Cluster,
  supervisor: Supervisor,
  undo: () => Promise<void>,
): Embedded => {
  let stopping: Promise<void> | undefined;
  return {
    connection: connectionTo(cluster.runtime),
    isUp: supervisor.isUp,
    failed: supervisor.failed,
    stop: () => {
      stopping ??= undo();
      return stopping;
    },
  };
};

const prepare = async (
  parts: Pick<Cluster, "folder" | "runtime" | "program" | "log">,
): Promise<Cluster> => {
  const environment = environmentOf(parts.program, join(parts.runtime, "lib"));
  const isOurs = (name: string): boolean => OUR_NAMES.test(name);
  const account = await chooseAccount({ ...parts, isOurs, environment });
  parts.log("debug", `PostgreSQL runs as ${account.words}`);
  return { ...parts, path: join(parts.folder, "postgres"), account, environment };
};

const makeFolder = (folder: string): void => {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw fileFailure(error, folder);
  }
};

/** A private folder for the socket and for links to libraries; its predecessor's is removed. */
const makeRuntime = (folder: string, program: Program): string => {
  const note = join(folder, "runtime");
  if (fs.existsSync(note)) removeRuntime(folder, fs.readFileSync(note, "utf8").trim());
  const name = `qiju-${randomBytes(8).toString("hex")}`;
  for (const parent of [tmpdir(), "/tmp", "/dev/shm", folder]) {
    const path = join(parent, name);
    if (Buffer.byteLength(join(path, `.s.PGSQL.${PORT}.lock`)) > SOCKET_PATH_BYTES_MAX) continue;
    try {
      fs.writeFileSync(note, `${path}\n`, { mode: 0o600 });
      giveToOwnerOf(folder, note);
      // Fails if it exists: nobody can have prepared it for us.
      fs.mkdirSync(path, { mode: 0o700 });
      fs.mkdirSync(join(path, "lib"), { mode: 0o700 });
      for (const link of program.missingLinks)
        fs.symlinkSync(link.file, join(path, "lib", link.name));
      return path;
    } catch (error) {
      fs.rmSync(path, { recursive: true, force: true });
      if (fileFailure(error, path) === error) throw error;
    }
  }
  throw new FolderNotWritable("no folder for temporary files can be used for a socket: set TMPDIR");
};

const removeRuntime = (folder: string, path: string): void => {
  if (RUNTIME.test(basename(path)) && isOwn(path)) {
    fs.rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
  fs.rmSync(join(folder, "runtime"), { force: true });
};

/** Root may own it under another account; for all others the system refuses what is not theirs. */
const isOwn = (path: string): boolean => {
  const stat = fs.lstatSync(path, { throwIfNoEntry: false });
  const uid = process.getuid?.();
  return stat?.isDirectory() === true && (uid === 0 || stat.uid === uid);
};

/** What keeps one server running. */
interface Supervisor {
  readonly start: () => Promise<void>;
  readonly isUp: () => boolean;
  readonly failed: Promise<Error>;
  readonly stop: () => Promise<void>;
}

const startOrAbort = async (supervisor: Supervisor, signal: AbortSignal): Promise<void> => {
  const abort = (): void => void supervisor.stop();
  signal.addEventListener("abort", abort, { once: true });
  await supervisor.start();
  signal.removeEventListener("abort", abort);
  signal.throwIfAborted();
};

const supervise = (cluster: Cluster): Supervisor => {
  const stopped = new AbortController();
  let current: Postmaster | undefined;
  let isReady = false;
  let loop: Promise<void> = Promise.resolve();
  let fail: (error: Error) => void = () => {};
  const failed = new Promise<Error>((settle) => {
    fail = settle;
  });
  // Without a stop, the end of Node must not leave a server behind; a kill is for the next start.
  const atExit = (): void => send(current === undefined ? [] : [current.pid], "SIGINT");

  const launch = async (): Promise<Postmaster> => {
    stopped.signal.throwIfAborted();
    const postmaster = await startPostmaster(cluster, (launched) => {
      current = launched;
      if (stopped.signal.aborted) void stopPostmaster(launched);
    }).catch((error: unknown) => {
      current = undefined;
      throw error;
    });
    isReady = true;
    return postmaster;
  };

  const watch = async (first: Postmaster): Promise<void> => {
    let postmaster = first;
    let restarts = 0;
    while (true) {
      const startedAt = performance.now();
      const { how, lastLines } = await postmaster.ended;
      isReady = false;
      current = undefined;
      if (stopped.signal.aborted) return;
      if (performance.now() - startedAt > STEADY_MS) restarts = 0;
      cluster.log("error", `PostgreSQL ended (${how}) and is started again`);
      let next: Postmaster | undefined;
      let reason: unknown = new Error(lastLines.join("\n"));
      while (next === undefined) {
        restarts += 1;
        if (restarts > RESTARTS_MAX) return fail(failure(reason));
        const waitMs = Math.min(RESTART_WAIT_MS * 2 ** (restarts - 2), RESTART_WAIT_MS_MAX);
        await delay(restarts === 1 ? 0 : waitMs, undefined, { signal: stopped.signal });
        next = await launch().catch((error: unknown) => {
          reason = error;
          cluster.log("error", `PostgreSQL did not start: ${failure(error).message}`);
          return undefined;
        });
      }
      postmaster = next;
      cluster.log("info", "PostgreSQL runs again");
    }
  };

  return {
    start: async () => {
      process.on("exit", atExit);
      const postmaster = await launch();
      loop = watch(postmaster).catch((error: unknown) => {
        if (!stopped.signal.aborted) fail(failure(error));
      });
    },
    isUp: () => isReady,
    failed,
    stop: async () => {
      isReady = false;
      stopped.abort();
      if (current !== undefined) await stopPostmaster(current);
      await loop;
      process.off("exit", atExit);
    },
  };
};

const failure = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
