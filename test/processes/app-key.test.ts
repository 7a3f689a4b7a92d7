import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { until } from "../support/embedded-driver.ts";
import { freshDatabase, needsPostgres, postgresAvailable } from "../support/postgres.ts";
import { type Sent, send } from "../support/send.ts";
import { freshKey, type Installation, installServer } from "../support/server-process.ts";

const KEY = /^qj_app_[0-9A-Za-z]{38}\n$/;

let installation: Installation;
beforeAll(async () => {
  installation = await installServer();
});
afterAll(() => installation.clear());

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the operator's command as `npm run app-key` does. */
const appKey = async (
  settings: Readonly<Record<string, string>>,
  ...given: readonly string[]
): Promise<Said> => {
  const program = join(installation.folder, "dist", "app-key.js");
  const env = { PATH: process.env["PATH"], ...settings };
  try {
    const run = promisify(execFile)(process.execPath, [program, ...given], { env });
    const { stdout, stderr } = await run;
    return { code: 0, out: stdout, err: stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, out: stdout, err: stderr };
  }
};

const openAs = (url: string, key: string) => {
  const body = { game: "backgammon", seats: [{ kind: "human", player: "ann" }, { kind: "open" }] };
  const request: Sent = {
    method: "POST",
    path: "/v1/matches",
    token: key,
    key: randomUUID(),
    body,
  };
  return send(url, request);
};

const made = async (settings: Readonly<Record<string, string>>, app: string): Promise<string> => {
  const { code, out, err } = await appKey(settings, "create", app);
  expect(code, err).toBe(0);
  expect(out).toMatch(KEY);
  return out.trim();
};

/** Makes, uses and revokes keys of a server that runs. */
const lifeOf = async (settings: Readonly<Record<string, string>>, url: string): Promise<void> => {
  const [first, second] = [await made(settings, "shop"), await made(settings, "shop")];
  const third = await appKey(settings, "create", "shop");
  expect([third.code, third.out]).toEqual([1, ""]);
  expect(third.err).toContain("qiju: shop has 2 keys that are good: revoke one of them first\n");
  for (const key of [first, second]) expect((await openAs(url, key)).status).toBe(201);

  const listed = (await appKey(settings, "list")).out;
  const ids = [...listed.matchAll(/^([0-9a-f]{12}) {2}shop .* good /gm)].map(([, id]) => id ?? "");
  expect(ids).toHaveLength(2);
  expect(listed).not.toMatch(/qj_app_/);
  expect((await appKey(settings, "revoke", ids[0] ?? "")).code).toBe(0);
  const statuses = [await openAs(url, first), await openAs(url, second)].map((r) => r.status);
  expect(statuses.sort()).toEqual([201, 401]);
  await made(settings, "shop");
};

describe("npm run app-key", () => {
  it("works on the embedded database before, beside and after the server", async () => {
    const dataDir = installation.dataDir();
    const settings = { DATA_DIR: dataDir };
    const early = await made(settings, "early");
    const server = installation.start({ dataDir });
    const url = await server.ready;
    expect((await openAs(url, early)).status).toBe(201);
    await lifeOf(settings, url);
    server.kill("SIGTERM");
    expect(await server.ended, server.errors()).toBe(0);
    const late = await made(settings, "late");
    const again = installation.start({ dataDir });
    expect((await openAs(await again.ready, late)).status).toBe(201);
  }, 120_000);

  it("waits for a server that is just starting", async () => {
    const dataDir = installation.dataDir();
    const server = installation.start({ dataDir });
    await until(() => existsSync(join(dataDir, "lock")), "the server has the folder");
    const [key, url] = await Promise.all([made({ DATA_DIR: dataDir }, "eager"), server.ready]);
    expect((await openAs(url, key)).status).toBe(201);
  }, 60_000);

  it("takes over what a killed server left", async () => {
    const dataDir = installation.dataDir();
    const server = installation.start({ dataDir });
    await server.ready;
    server.kill("SIGKILL");
    await server.ended;
    const key = await made({ DATA_DIR: dataDir }, "heir");
    const next = installation.start({ dataDir });
    expect((await openAs(await next.ready, key)).status).toBe(201);
  }, 60_000);

  it("says what is wrong in a sentence, and makes nothing", async () => {
    const settings = { DATA_DIR: installation.dataDir() };
    for (const [given, why] of [
      [[], /usage/],
      [["create"], /usage/],
      [["create", "two words"], /an app is named like/],
      [["create", "shop", "--scopes", "all"], /no scope is called "all": there are open-matches/],
      [["list", "--scopes", "open-matches"], /usage/],
      [["revoke", "0123456789ab"], /no good key has the id/],
      [["list", "--loud"], /--loud/],
    ] as const) {
      const { code, out, err } = await appKey(settings, ...given);
      expect([code, out], given.join(" ")).toEqual([1, ""]);
      expect(err).toMatch(why);
      expect(err).not.toMatch(/ {4}at /);
    }
    expect((await appKey(settings, "list")).out).toBe("");
  }, 60_000);

  const title = "works on a given database, for every server of it";
  it.skipIf(!postgresAvailable)(
    postgresAvailable ? title : needsPostgres(title),
    async () => {
      const { url: databaseUrl, drop } = await freshDatabase();
      const server = installation.start({ databaseUrl, secretKey: freshKey() });
      try {
        await lifeOf({ DATABASE_URL: databaseUrl }, await server.ready);
      } finally {
        server.kill("SIGTERM");
        await server.ended;
        await drop();
      }
    },
    60_000,
  );
});
