/**
 * One PostgreSQL cluster in a data folder: making it, starting its server, and clearing what a killed
 * process left behind.
 *
 * Whoever works on the cluster holds the kernel's lock on the file `postgres.lock`: PostgreSQL's processes
 * inherit it open, so it is free exactly when the last of them is gone, also where we cannot see them (a
 * process that ends last, another container).
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { databaseFailure, FolderInUse, fileFailure } from "./embedded-failures.ts";
import { type Account, give, identity, MAJOR_VERSION, type Program } from "./postgres-program.ts";
import { settings, USER } from "./postgres-settings.ts";
import { identityOf, kernelLock, type Mark, processesOf, send, waitUntil } from "./processes.ts";

/** How much a line of PostgreSQL matters to an operator. */
export type Level = "debug" | "info" | "warn" | "error";
export type Log = (level: Level, text: string) => void;

/** What every step needs. */
export interface Cluster {
  /** The data folder. */
  readonly folder: string;
  /** The cluster in it. */
  readonly path: string;
  /** Private folder for the socket. */
  readonly runtime: string;
  readonly program: Program;
  readonly account: Account;
  readonly environment: NodeJS.ProcessEnv;
  readonly log: Log;
}

/** A running PostgreSQL server. */
export interface Postmaster {
  readonly pid: number;
  /** Settles when it has ended, with words for how, and what it said last. */
  readonly ended: Promise<{ readonly how: string; readonly lastLines: readonly string[] }>;
}

const FAST_MS_MAX = 10_000;
const IMMEDIATE_MS_MAX = 5_000;
const GONE_MS_MAX = 15_000;
const READY_MS_MAX = 120_000;
const LINE_MAX = 1_000;
const LAST_LINES_MAX = 20;
const UNFINISHED = /^postgres\.new-[0-9a-f]{16}$/;
const READY_LINE = 7;
const POLL_MS = 15;

/**
 * Makes the cluster unless it is there.
 *
 * It is made beside its place and renamed when it is whole and flushed, so there is never half a cluster.
 */
export const makeCluster = async (cluster: Cluster, signal: AbortSignal): Promise<void> => {
  for (const name of fs.readdirSync(cluster.folder)) {
    if (UNFINISHED.test(name)) await clearUnfinished(cluster, join(cluster.folder, name));
  }
  if (fs.existsSync(join(cluster.path, "PG_VERSION"))) return checkVersion(cluster);
  const unfinished = join(cluster.folder, `postgres.new-${randomBytes(8).toString("hex")}`);
  fs.mkdirSync(unfinished, { mode: 0o700 });
  giveIfOther(unfinished, cluster.account);
  const { fd: lock } = await lockUse(cluster, []);
  try {
    const options = ["--locale=C", "--encoding=UTF8", "--auth=trust", `--username=${USER}`];
    const child = launch(cluster, cluster.program.initdb, [...options, "-D", unfinished], {
      cwd: unfinished,
      lock,
    });
    const kill = (): void => void child.process.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    const { how, lastLines } = await child.ended;
    signal.removeEventListener("abort", kill);
    signal.throwIfAborted();
    if (how !== "exit status 0") throw databaseFailure("cannot make the database", lastLines);
    // Only through the socket, which lies in a folder that no other account can enter.
    writeFlushed(join(unfinished, "pg_hba.conf"), `local all ${USER} trust\n`);
    fs.renameSync(unfinished, cluster.path);
    flushFolder(cluster.folder);
  } catch (error) {
    throw fileFailure(error, unfinished);
  } finally {
    fs.closeSync(lock);
    if (fs.existsSync(unfinished)) await clearUnfinished(cluster, unfinished);
  }
};

const checkVersion = (cluster: Cluster): void => {
  const version = fs.readFileSync(join(cluster.path, "PG_VERSION"), "utf8").trim();
  if (version === MAJOR_VERSION) return;
  const versions = `it was made by PostgreSQL ${version}, and this is ${MAJOR_VERSION}`;
  throw databaseFailure(`cannot open ${cluster.path}: ${versions}`, []);
};

/** A killed process may have left initdb at work; its folder has a name that nothing else has. */
const clearUnfinished = async (cluster: Cluster, path: string): Promise<void> => {
  await waitUntil(() => {
    const pids = processesOf(markOf(cluster, path));
    send(pids, "SIGKILL");
    return pids.length === 0;
  }, GONE_MS_MAX);
  fs.rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
};

/**
 * Starts the server and waits until it accepts connections, recovery included.
 *
 * @param onLaunch - gets the server at once, while it is not yet ready, so that it can be stopped
 * @throws DiskFull or DatabaseFailed when it ends instead
 */
export const startPostmaster = async (
  cluster: Cluster,
  onLaunch: (postmaster: Postmaster) => void,
): Promise<Postmaster> => {
  const lock = await clearLeftovers(cluster);
  const name = clusterName(cluster.path);
  const options = ["-D", cluster.path, ...settings(cluster.runtime, name)];
  const child = launch(cluster, cluster.program.postgres, options, { cwd: cluster.path, lock });
  fs.closeSync(lock);
  const postmaster: Postmaster = { pid: child.process.pid ?? 0, ended: child.ended };
  onLaunch(postmaster);
  let end: Awaited<Postmaster["ended"]> | undefined;
  void postmaster.ended.then((how) => {
    end = how;
  });
  const isReady = (): boolean => {
    const lines = postmasterFile(cluster);
    return Number(lines[0]) === postmaster.pid && lines[READY_LINE]?.trim() === "ready";
  };
  const isOver = await waitUntil(() => end !== undefined || isReady(), READY_MS_MAX);
  if (end !== undefined) throw databaseFailure(`PostgreSQL ended (${end.how})`, end.lastLines);
  if (!isOver) {
    await stopPostmaster(postmaster);
    throw databaseFailure(`PostgreSQL was not ready within ${READY_MS_MAX / 1000} s`, []);
  }
  return postmaster;
};

/** Stops the server: politely, then firmly, then by force. What was committed is safe either way. */
export const stopPostmaster = async (postmaster: Postmaster): Promise<void> => {
  let isOver = false;
  const over = postmaster.ended.then(() => {
    isOver = true;
  });
  for (const [signal, waitMs] of STOP_STEPS) {
    if (isOver) break;
    send([postmaster.pid], signal);
    await waitUntil(() => isOver, waitMs);
  }
  await over;
};

const STOP_STEPS = [
  ["SIGINT", FAST_MS_MAX],
  ["SIGQUIT", IMMEDIATE_MS_MAX],
  ["SIGKILL", 0],
] as const satisfies readonly (readonly [NodeJS.Signals, number])[];

/**
 * Ends every process that still works on the cluster, and takes the kernel's lock on it.
 *
 * A server that a killed service left behind is stopped, not adopted: the new one has a socket of its own,
 * the settings of this release, and is our child, whose end we notice.
 *
 * @returns the open lock file, for the next process to inherit
 */
const clearLeftovers = async (cluster: Cluster): Promise<number> => {
  const mark = markOf(cluster, cluster.path);
  const leader = Number(postmasterFile(cluster)[0]);
  for (const [signal, waitMs] of STOP_STEPS) {
    const present = processesOf(mark);
    if (!present.includes(leader)) break;
    cluster.log("warn", `stopping the PostgreSQL server ${leader} that an earlier process left`);
    send([leader], signal);
    await waitUntil(() => processesOf(mark).length === 0, waitMs);
  }
  // Without their leader the others can do nothing but hold the shared memory; recovery does the rest.
  const { fd, isAlone } = await lockUse(cluster, [mark]);
  // Its number may belong to a stranger by now, and then PostgreSQL would refuse to start.
  if (isAlone) fs.rmSync(join(cluster.path, "postmaster.pid"), { force: true });
  return fd;
};

/** The open lock file, and whether it is certain that no other process uses the cluster. */
const lockUse = async (
  cluster: Cluster,
  marks: readonly Mark[],
): Promise<{ readonly fd: number; readonly isAlone: boolean }> => {
  const path = join(cluster.folder, "postgres.lock");
  const fd = fs.openSync(path, "a", 0o600);
  try {
    giveIfOther(path, cluster.account);
    const end = performance.now() + GONE_MS_MAX;
    while (performance.now() < end) {
      const leftovers = marks.flatMap(processesOf);
      send(leftovers, "SIGKILL");
      const answer = leftovers.length > 0 ? "busy" : await kernelLock(fd);
      // Without such locks all processes can be seen, except where there are containers.
      if (answer === "taken") return { fd, isAlone: true };
      if (answer === "unsupported") return { fd, isAlone: process.platform !== "linux" };
      await delay(POLL_MS);
    }
  } catch (error) {
    fs.closeSync(fd);
    throw error;
  }
  fs.closeSync(fd);
  throw new FolderInUse(
    `${cluster.folder} is in use by a PostgreSQL server that cannot be stopped from here, perhaps in another container`,
  );
};

/** The lines of `postmaster.pid`: number, folder, start, port, socket folder, address, key, state. */
const postmasterFile = (cluster: Cluster): readonly string[] => {
  try {
    return fs.readFileSync(join(cluster.path, "postmaster.pid"), "utf8").split("\n");
  } catch {
    return [];
  }
};

const launch = (
  cluster: Cluster,
  program: string,
  options: readonly string[],
  place: { readonly cwd: string; readonly lock: number },
): { readonly process: ChildProcess; readonly ended: Postmaster["ended"] } => {
  const [command = program, ...rest] = [...cluster.account.prefix, program, ...options];
  const child = spawn(command, rest, {
    env: cluster.environment,
    cwd: place.cwd,
    // Apart from our terminal: an interrupt there is for us, and we still need the database to finish.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", place.lock],
    ...identity(cluster.account),
  });
  const lastLines: string[] = [];
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on("line", (line) => {
    const text = line.slice(0, LINE_MAX);
    lastLines.push(text);
    if (lastLines.length > LAST_LINES_MAX) lastLines.shift();
    cluster.log(/^(FATAL|PANIC):/.test(text) ? "warn" : "debug", `postgres: ${text}`);
  });
  const ended = new Promise<{ how: string; lastLines: readonly string[] }>((resolve) => {
    child.once("error", (error) => resolve({ how: error.message, lastLines }));
    child.once("exit", (status, signal) =>
      resolve({ how: signal ?? `exit status ${status}`, lastLines }),
    );
  });
  return { process: child, ended };
};

/** Stable for a folder, wherever it is moved on its disk, and different from any other's. */
const clusterName = (path: string): string =>
  `qiju-${createHash("sha256")
    .update(identityOf(path) ?? path)
    .digest("hex")
    .slice(0, 16)}`;

const markOf = (cluster: Cluster, folder: string): Mark => ({
  folder,
  clusterName: clusterName(folder),
  uids: [cluster.account.uid, process.getuid?.() ?? cluster.account.uid],
});

const giveIfOther = (path: string, account: Account): void => {
  if (account.isOther) give(path, account);
};

const writeFlushed = (path: string, text: string): void =>
  fs.writeFileSync(path, text, { flush: true });

const flushFolder = (path: string): void => {
  const fd = fs.openSync(path, "r");
  fs.fsyncSync(fd);
  fs.closeSync(fd);
};
