/**
 * One server process owns a data folder.
 *
 * Two locks, because each knows what the other does not. The kernel's lock on the folder itself ends with
 * its process, whatever that process's number, container or name; but some file systems have none. The
 * file `lock` names the holder and works everywhere; but its holder can be looked up only from the same
 * host. Where the kernel's lock is had, it decides; else the file does. Nothing is ever decided by age.
 *
 * The file appears complete or not at all (a `link` of a finished one). One whose holder is dead is
 * removed only by the process that holds its grave, `lock.dead-<nonce>`: a lock like the first, named
 * after the dead one's nonce, so that of many who see the same dead holder one alone removes that file,
 * and nobody can remove the file of a newer holder by mistake.
 */
import { randomBytes } from "node:crypto";
import * as fs from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { errorCode, FolderInUse, fileFailure } from "./embedded-failures.ts";
import { isHidden, kernelLock, startOf, surroundings } from "./processes.ts";

/** Who holds a folder, as its `lock` file says. */
interface Holder {
  readonly pid: number;
  readonly started: string;
  readonly host: string;
  readonly bootId: string;
  readonly pidNamespace: string;
  /** Whether it holds the kernel's lock besides the file. */
  readonly kernel: boolean;
  readonly nonce: string;
}

/** A folder that is ours until it is released, or until this process dies. */
export interface FolderLock {
  readonly release: () => void;
}

const HANDOVER_MS_MAX = 1_000;
const HANDOVER_POLL_MS = 15;
const PRIVATE_FILE = 0o600;

/** Types of file system that no other machine can have mounted at the same time, as `statfs` numbers them. */
const LOCAL_FILE_SYSTEMS: readonly number[] = [
  0xef53, // ext2, ext3, ext4
  0x58465342, // XFS
  0x9123683e, // Btrfs
  0xf2f52010, // F2FS
  0x2fc12fc1, // ZFS
  0x794c7630, // overlay
  0x01021994, // tmpfs
];

/**
 * Takes `folder` for this process, or throws `FolderInUse` at once.
 *
 * @param folder - exists, and this process may write to it
 */
export const lockFolder = async (folder: string): Promise<FolderLock> => {
  const path = join(folder, "lock");
  const fd = fs.openSync(folder, fs.constants.O_RDONLY);
  try {
    const kernel = await kernelLockOrThrow(fd, path);
    const own: Holder = {
      pid: process.pid,
      started: startOf(process.pid) ?? "",
      host: hostname(),
      ...surroundings(),
      kernel,
      nonce: randomBytes(16).toString("hex"),
    };
    acquire(path, own);
    sweep(folder, own);
    return { release: () => release(path, own, fd) };
  } catch (error) {
    fs.closeSync(fd);
    throw fileFailure(error, folder);
  }
};

/** @returns false where the file system has no such locks */
const kernelLockOrThrow = async (fd: number, path: string): Promise<boolean> => {
  const end = performance.now() + HANDOVER_MS_MAX;
  while (true) {
    const answer = await kernelLock(fd);
    if (answer !== "busy") return answer === "taken";
    // Busy without a living holder: it is dying, or it has not written its name yet.
    const holder = read(path);
    const isHolder = typeof holder === "object" && isKnownToLive(holder);
    if (isHolder || performance.now() > end) {
      throw inUse(path, typeof holder === "object" ? holder : undefined, "it is running");
    }
    await delay(HANDOVER_POLL_MS);
  }
};

const acquire = (path: string, own: Holder): void => {
  const finished = `${path}.${own.nonce}`;
  // Flushed, so that a power failure leaves no empty lock that nobody could judge.
  fs.writeFileSync(finished, `${JSON.stringify(own)}\n`, { mode: PRIVATE_FILE, flush: true });
  giveToOwnerOf(dirname(path), finished);
  try {
    while (!isLinked(finished, path)) {
      const holder = read(path);
      if (holder === "gone") continue;
      if (holder === "unreadable") throw inUse(path, undefined, "its lock file cannot be read");
      const doubt = doubtThatDead(holder, own, path);
      if (doubt !== undefined) throw inUse(path, holder, doubt);
      bury(path, holder, own);
    }
  } finally {
    fs.rmSync(finished, { force: true });
  }
};

/** The system's one promise here: of many who link to the same new name, one succeeds. */
const isLinked = (from: string, to: string): boolean => {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
};

const bury = (path: string, dead: Holder, own: Holder): void => {
  const grave = `${path.replace(/\.dead-[0-9a-f]+$/, "")}.dead-${dead.nonce}`;
  acquire(grave, own);
  const present = read(path);
  if (typeof present === "object" && present.nonce === dead.nonce) fs.rmSync(path, { force: true });
  fs.rmSync(grave, { force: true });
};

/** Why `holder` may be alive; nothing if it is certainly dead. */
const doubtThatDead = (holder: Holder, own: Holder, path: string): string | undefined => {
  const sameBoot = holder.bootId === own.bootId;
  const sameHost = holder.host === own.host;
  if (holder.kernel && own.kernel) {
    if (sameBoot || sameHost || isLocal(path)) return undefined;
    return "it ran on another machine, and this file system may be shared with it";
  }
  if (!sameHost && !sameBoot) return "it ran on another machine";
  if (!sameBoot) return undefined;
  if (holder.pidNamespace !== own.pidNamespace) return "it ran in another container";
  return isKnownToLive(holder) ? "it is running" : undefined;
};

const isKnownToLive = (holder: Holder): boolean => {
  const here = surroundings();
  if (holder.bootId !== here.bootId || holder.pidNamespace !== here.pidNamespace) return false;
  const start = startOf(holder.pid);
  if (start === undefined) return isHidden(holder.pid);
  return holder.started === "" || start === holder.started;
};

const isLocal = (path: string): boolean =>
  LOCAL_FILE_SYSTEMS.includes(fs.statfsSync(dirname(path)).type);

const inUse = (path: string, holder: Holder | undefined, why: string): FolderInUse => {
  const folder = dirname(path);
  if (holder === undefined) {
    return new FolderInUse(`${folder} is in use by another process (${why})`);
  }
  const who = `process ${holder.pid} on host ${holder.host}`;
  const advice =
    why === "it is running"
      ? "stop it, or set DATA_DIR to another folder"
      : `if you are sure that it is dead, delete ${path}`;
  return new FolderInUse(`${folder} is in use by ${who} (${why}): ${advice}`, holder.pid);
};

const read = (path: string): Holder | "gone" | "unreadable" => {
  try {
    const value: unknown = JSON.parse(fs.readFileSync(path, "utf8"));
    return isHolder(value) ? value : "unreadable";
  } catch (error) {
    return errorCode(error) === "ENOENT" ? "gone" : "unreadable";
  }
};

const isHolder = (value: unknown): value is Holder =>
  typeof value === "object" &&
  value !== null &&
  "pid" in value &&
  Number.isSafeInteger(value.pid) &&
  "nonce" in value &&
  typeof value.nonce === "string" &&
  /^[0-9a-f]{32}$/.test(value.nonce) &&
  "kernel" in value &&
  typeof value.kernel === "boolean" &&
  ["started", "host", "bootId", "pidNamespace"].every(
    (name) => name in value && typeof Reflect.get(value, name) === "string",
  );

/** Gives a new file to the folder's account: root leaves nothing behind that this one could not read. */
export const giveToOwnerOf = (folder: string, file: string): void => {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = fs.statSync(folder);
  if (uid !== 0) fs.chownSync(file, uid, gid);
};

/**
 * Removes what starts that were killed left behind: unfinished locks and graves whose holders are dead.
 *
 * A grave matters only while `lock` has the nonce that it names, and a nonce never comes back.
 */
const sweep = (folder: string, own: Holder): void => {
  for (const name of fs.readdirSync(folder)) {
    if (!/^lock(\.dead-[0-9a-f]{32}|\.[0-9a-f]{32}){1,2}$/.test(name)) continue;
    const path = join(folder, name);
    const holder = read(path);
    if (typeof holder === "object" && doubtThatDead(holder, own, path) === undefined) {
      fs.rmSync(path, { force: true });
    }
  }
};

const release = (path: string, own: Holder, fd: number): void => {
  const present = read(path);
  if (typeof present === "object" && present.nonce === own.nonce) fs.rmSync(path, { force: true });
  fs.closeSync(fd);
};
