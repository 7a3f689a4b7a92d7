/**
 * What the operating system knows about other processes.
 *
 * Linux is read from `/proc`. Elsewhere `ps` is asked, which knows less: no state, no working folder.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { basename } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode } from "./embedded-failures.ts";

const HAS_PROC = existsSync("/proc/self/stat");
const POLL_MS = 15;

/**
 * A text that no later process with the same number will have: when the process `pid` started.
 *
 * @returns nothing where there is no such process, or where it is dead and only waits to be reaped
 */
export const startOf = (pid: number): string | undefined => {
  if (!HAS_PROC) {
    const said = spawnSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8" });
    const text = (said.stdout ?? "").trim();
    return text === "" ? undefined : text;
  }
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command's name is in parentheses and may hold anything, so fields are counted after it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[0] ?? "";
  return state === "Z" || state === "X" ? undefined : fields[19];
};

/** Whether there is such a process, but of an account that we may not look at. */
export const isHidden = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "EPERM";
  }
};

/** Names of this machine's present run and of this process's place in it; empty where unknown. */
export const surroundings = (): { readonly bootId: string; readonly pidNamespace: string } => ({
  bootId: (textOf("/proc/sys/kernel/random/boot_id") ?? "").trim(),
  pidNamespace: linkOf("/proc/self/ns/pid") ?? "",
});

/** How a process that works on a folder of ours is told from all others. */
export interface Mark {
  /** The folder it works in. */
  readonly folder: string;
  /** The `cluster_name` that it was started with. */
  readonly clusterName: string;
  /** The only accounts it may run under. */
  readonly uids: readonly number[];
}

/** Processes that work on the folder of `mark`: PostgreSQL's own, and those that make a database. */
export const processesOf = (mark: Mark): readonly number[] =>
  HAS_PROC ? processesFromProc(mark) : processesFromPs(mark);

const processesFromProc = (mark: Mark): readonly number[] => {
  const folder = identityOf(mark.folder);
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      const uid = uidOf(`/proc/${name}`);
      if (uid === undefined || !mark.uids.includes(uid)) return false;
      if (isMarked((textOf(`/proc/${name}/cmdline`) ?? "").split("\0"), mark)) return true;
      const cwd = identityOf(`/proc/${name}/cwd`);
      return cwd !== undefined && cwd === folder && hasProgramOfOurs(name);
    })
    .map(Number);
};

/** A shell of a person who looks into the folder also has it as its working folder. It is not ours. */
const hasProgramOfOurs = (pid: string): boolean => {
  const program = basename(linkOf(`/proc/${pid}/exe`) ?? "").replace(/ \(deleted\)$/, "");
  return program === "postgres" || program === "initdb";
};

const processesFromPs = (mark: Mark): readonly number[] => {
  const said = spawnSync("ps", ["-axo", "pid=,uid=,command="], { encoding: "utf8" });
  return (said.stdout ?? "").split("\n").flatMap((line) => {
    const [, pid, uid, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || command === undefined || !mark.uids.includes(Number(uid))) return [];
    // Words cannot be told apart where a path has spaces; nothing else has the name in it.
    const isServer = command.includes("/postgres -D ") && `${command} `.includes(optionOf(mark));
    return isServer || isMarked([command], mark) ? [Number(pid)] : [];
  });
};

/** PostgreSQL's children carry the cluster's name in their title, the postmaster in its options. */
const isMarked = (words: readonly string[], mark: Mark): boolean => {
  const first = words[0] ?? "";
  if (first.startsWith(`postgres: ${mark.clusterName}: `)) return true;
  return basename(first) === "postgres" && words.includes(optionOf(mark).trim());
};

const optionOf = (mark: Mark): string => `cluster_name=${mark.clusterName} `;

/** Sends `signal`; a process that has gone meanwhile is no error. */
export const send = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // Gone, or not ours to signal: whoever waits for it to go finds out.
    }
  }
};

/** Asks again and again, until `isSo` or until the time is over. @returns whether it was so */
export const waitUntil = async (
  isSo: () => boolean | Promise<boolean>,
  waitMsMax: number,
): Promise<boolean> => {
  const end = performance.now() + waitMsMax;
  while (!(await isSo())) {
    if (performance.now() > end) return false;
    await delay(POLL_MS);
  }
  return true;
};

/**
 * Takes the kernel's lock (`flock`) on an open file, without waiting.
 *
 * Node has no such call. The lock belongs to the open file, not to a process, so the system's `flock`
 * program can take it for us: it is ours until the last copy of `fd` is closed, by death at the latest.
 *
 * @returns `unsupported` where there is no such program, or the file system has no locks
 */
export const kernelLock = (fd: number): Promise<"taken" | "busy" | "unsupported"> =>
  new Promise((resolve) => {
    const child = spawn("flock", ["-n", "-x", "3"], { stdio: ["ignore", "ignore", "ignore", fd] });
    child.once("error", () => resolve("unsupported"));
    child.once("exit", (status) =>
      resolve(status === 0 ? "taken" : status === 1 ? "busy" : "unsupported"),
    );
  });

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
};

const linkOf = (path: string): string | undefined => {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
};

const uidOf = (path: string): number | undefined => {
  try {
    return statSync(path).uid;
  } catch {
    return undefined;
  }
};

/** Device and number of a folder: the same however it is reached, and after it was renamed. */
export const identityOf = (path: string): string | undefined => {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
};
