/** Another process has the folder, or it cannot be proved that none has. Nothing in it was changed. */
export class FolderInUse extends Error {
  override readonly name = "FolderInUse";
  /** The process that holds the folder, where it is known; on another host it is that host's number. */
  readonly holderPid: number | undefined;

  constructor(message: string, holderPid?: number) {
    super(message);
    this.holderPid = holderPid;
  }
}

/** The embedded PostgreSQL cannot run here: no binaries, or no account that may run them. */
export class PlatformUnsupported extends Error {
  override readonly name = "PlatformUnsupported";
}

/** The data folder cannot be made or written to. */
export class FolderNotWritable extends Error {
  override readonly name = "FolderNotWritable";
}

/** The disk (or the quota) of the data folder, or of the folder for temporary files, is full. */
export class DiskFull extends Error {
  override readonly name = "DiskFull";
}

/** PostgreSQL did not start, or kept failing. The message ends with what it said last. */
export class DatabaseFailed extends Error {
  override readonly name = "DatabaseFailed";
}

const NOT_WRITABLE = ["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENAMETOOLONG", "EEXIST"];
const DISK_FULL = ["ENOSPC", "EDQUOT"];

/** The failure that an error of `node:fs` about `path` means to an operator, or the error itself. */
export const fileFailure = (error: unknown, path: string): unknown => {
  const code = errorCode(error);
  if (DISK_FULL.includes(code)) {
    return new DiskFull(`no space left for ${path}: free some, then start again`, { cause: error });
  }
  if (NOT_WRITABLE.includes(code)) {
    const advice = "set DATA_DIR to a folder that this account may write to";
    return new FolderNotWritable(`cannot use ${path} (${code}): ${advice}`, { cause: error });
  }
  return error;
};

/** The failure that PostgreSQL's last lines mean. `what` says what was being done. */
export const databaseFailure = (what: string, lastLines: readonly string[]): Error => {
  const said = lastLines.join("\n").trim();
  if (/No space left on device|Disk quota exceeded/.test(said)) {
    return new DiskFull(`${what}: the disk is full: free some space, then start again\n${said}`);
  }
  return new DatabaseFailed(said === "" ? what : `${what}:\n${said}`);
};

/** The code of a system error (`ENOENT`), or the empty text. */
export const errorCode = (error: unknown): string =>
  error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
