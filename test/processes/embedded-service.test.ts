import * as fs from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MatchJson } from "../support/client.ts";
import { IS_FULL, IS_ROOT, until } from "../support/embedded-driver.ts";
import { ledgerFaults, newLedger, playMatch } from "../support/ledger.ts";
import { type Random, random, report, seedOf } from "../support/seeded.ts";
import { getJson, type Reply, type Sent, send } from "../support/send.ts";
import {
  databaseProcesses,
  freshKey,
  type Installation,
  installServer,
  type ServerProcess,
} from "../support/server-process.ts";

/** What the README promises of a first start. */
const FIRST_START_MS_MAX = 10_000;
const REFUSAL_MS_MAX = 3_000;
const STOPS = IS_FULL ? 10 : 2;
const BUSY_CLIENTS = 12;
/** Engine moves a request asks for: long ones are under way at a signal, short ones just come or go. */
const LENGTHS = [100, 1];
const STARTS_STOPPED = IS_FULL ? 20 : 4;
const NOBODY = 65_534;
const seed = seedOf("embedded-service");

let installation: Installation;
beforeAll(async () => {
  installation = await installServer(IS_ROOT);
});
afterAll(() => installation.clear());

const stop = async (server: ServerProcess): Promise<void> => {
  server.kill("SIGTERM");
  expect(await server.ended, server.errors()).toBe(0);
};

const timed = (what: string, server: ServerProcess): void =>
  report("embedded-service", `${what}: ready after ${Math.round(server.startedInMs())} ms`);

/** Plays one match, so that there is something to lose, and checks what is there. */
const playSome = async (url: string, stream: number) => {
  const ledger = newLedger();
  const choices = random(seed, stream);
  const isOver = (): boolean => ledger.acknowledged >= 5;
  await playMatch(ledger, { url: async () => url, isOver, random: choices });
  expect(await ledgerFaults(url, ledger)).toEqual([]);
  return ledger;
};

describe("the README's start", () => {
  it("is ready in time on a fresh folder, owns it, and finds it again after SIGTERM and SIGKILL", async () => {
    const dataDir = installation.dataDir();
    const first = installation.start({ dataDir });
    const url = await first.ready;
    timed("first start", first);
    expect(first.startedInMs()).toBeLessThan(FIRST_START_MS_MAX);
    const meta = await getJson<{ durability: string }>(url, "/v1/meta");
    expect(meta.durability).toBe("disk");
    const ledger = await playSome(url, 1);

    const began = performance.now();
    const second = installation.start({ dataDir });
    await expect(second.ready).rejects.toThrow();
    expect(await second.ended).toBe(1);
    const refusedMs = Math.round(performance.now() - began);
    report("embedded-service", `second start on the folder: refused after ${refusedMs} ms`);
    expect(refusedMs).toBeLessThan(REFUSAL_MS_MAX);
    expect(second.errors()).toMatch(new RegExp(`^qiju: .* in use by process ${first.pid} .*\n$`));
    expect(await ledgerFaults(url, ledger), "the first is not harmed").toEqual([]);

    await stop(first);
    expect(databaseProcesses(dataDir), "no database is left behind").toEqual([]);
    const again = installation.start({ dataDir });
    expect(await ledgerFaults(await again.ready, ledger)).toEqual([]);
    timed("start after SIGTERM", again);

    again.kill("SIGKILL");
    await again.ended;
    const recovered = installation.start({ dataDir });
    expect(await ledgerFaults(await recovered.ready, ledger)).toEqual([]);
    timed("start after SIGKILL", recovered);
    await stop(recovered);
  }, 120_000);

  it("refuses a database that was made under another SECRET_KEY", async () => {
    const dataDir = installation.dataDir();
    const secretKey = freshKey();
    const first = installation.start({ dataDir, secretKey });
    const ledger = await playSome(await first.ready, 2);
    await stop(first);
    const wrong = installation.start({ dataDir, secretKey: freshKey() });
    await expect(wrong.ready).rejects.toThrow();
    expect(await wrong.ended).toBe(1);
    expect(wrong.errors()).toMatch(/^qiju: the database was made under another SECRET_KEY: .*\n$/);
    expect(databaseProcesses(dataDir), "no database is left behind").toEqual([]);
    const right = installation.start({ dataDir, secretKey });
    expect(await ledgerFaults(await right.ready, ledger)).toEqual([]);
    await stop(right);
  }, 120_000);

  it("finishes what is under way at SIGTERM, and exits with 0", async () => {
    const dataDir = installation.dataDir();
    const choices = random(seed, 3);
    for (let nth = 0; nth < STOPS; nth++) {
      const server = installation.start({ dataDir });
      const url = await server.ready;
      const [after, max] = [choices.below(40), LENGTHS[nth % LENGTHS.length] ?? 1];
      const load = await busy(url, server, random(seed, 10 + nth), { after, max });
      report(
        "embedded-service",
        `SIGTERM: ${load.underWay.length} requests under way, ${load.answered} answered before; ended after ${load.endedMs} ms`,
      );
      expect(load.cut, "requests that were cut").toEqual([]);
      expect(server.errors()).toBe("");
      const next = installation.start({ dataDir });
      const nextUrl = await next.ready;
      for (const { sent, reply } of load.underWay) {
        const replayed = await send(nextUrl, sent);
        expect(replayed.isReplayed).toBe(true);
        expect(replayed.text).toBe(reply.text);
      }
      await stop(next);
    }
  }, 120_000);
});

describe("a stop while it starts", () => {
  it("leaves no database behind, and a folder that the next start can use", async () => {
    const choices = random(seed, 6);
    const dataDir = installation.dataDir();
    const ends: string[] = [];
    for (let nth = 0; nth < STARTS_STOPPED; nth++) {
      const server = installation.start({ dataDir });
      const moment = performance.now() + choices.below(1_500);
      await until(() => performance.now() >= moment || server.hasEnded(), "the moment comes");
      const signal = nth % 2 === 0 ? "SIGTERM" : "SIGKILL";
      server.kill(signal);
      const end = await server.ended;
      ends.push(`${signal} ${end}`);
      // Before the program has set its handlers, the signal itself ends it.
      expect(signal === "SIGTERM" ? [0, "SIGTERM"] : ["SIGKILL"]).toContain(end);
      if (signal === "SIGTERM") expect(server.errors()).toBe("");
    }
    report("embedded-service", `stopped while it started: ${ends.join(", ")}`);
    const last = installation.start({ dataDir });
    await playSome(await last.ready, 7);
    await stop(last);
    expect(databaseProcesses(dataDir), "no database is left behind").toEqual([]);
  }, 240_000);
});

interface Load {
  readonly answered: number;
  /** Requests that had been sent when the signal was, with their answers. */
  readonly underWay: readonly { readonly sent: Sent; readonly reply: Reply }[];
  readonly cut: readonly string[];
  readonly endedMs: number;
}

/** Sends long requests from many clients, and SIGTERM in their midst. */
const busy = async (
  url: string,
  server: ServerProcess,
  choices: Random,
  { after, max }: { readonly after: number; readonly max: number },
): Promise<Load> => {
  const engine = { kind: "engine", level: "heuristic" };
  const underWay: { sent: Sent; reply: Reply }[] = [];
  const cut: string[] = [];
  let answered = 0;
  let signalledAt = Number.POSITIVE_INFINITY;
  const client = async (): Promise<void> => {
    for (;;) {
      const body = { game: "backgammon", seats: [engine, engine] };
      const opened = await ask({ method: "POST", path: "/v1/matches", key: choices.hex(32), body });
      if (opened === undefined) return;
      const { match } = JSON.parse(opened.text) as { match: MatchJson };
      const path = `/v1/matches/${match.id}/replies`;
      const replied: Sent = { method: "POST", path, key: choices.hex(32), body: { max } };
      if ((await ask(replied)) === undefined) return;
    }
  };
  const ask = async (sent: Sent): Promise<Reply | undefined> => {
    const sentAt = performance.now();
    const reply = await send(url, sent).catch((error: unknown) => {
      // Sent before the signal, and not answered: cut. Sent after it, it may be refused.
      if (sentAt < signalledAt)
        cut.push(`${sent.path}: ${String((error as Error).cause ?? error)}`);
      return undefined;
    });
    if (reply === undefined) return undefined;
    answered += 1;
    expect([200, 201], reply.text).toContain(reply.status);
    if (sentAt < signalledAt && performance.now() > signalledAt) underWay.push({ sent, reply });
    return reply;
  };
  const clients = Array.from({ length: BUSY_CLIENTS }, client);
  await until(() => answered >= BUSY_CLIENTS + after, "the server is busy");
  signalledAt = performance.now();
  server.kill("SIGTERM");
  await Promise.all(clients);
  expect(await server.ended, server.errors()).toBe(0);
  return { answered, underWay, cut, endedMs: Math.round(performance.now() - signalledAt) };
};

/** Starts, plays, stops and starts again in a folder, under an account. */
const servesIn = async (what: string, dataDir: string, uid?: number): Promise<void> => {
  const settings = { dataDir, ...(uid === undefined ? {} : { uid }) };
  const first = installation.start(settings);
  const ledger = await playSome(await first.ready, 5);
  timed(what, first);
  await stop(first);
  const second = installation.start(settings);
  expect(await ledgerFaults(await second.ready, ledger)).toEqual([]);
  await stop(second);
  expect(first.errors() + second.errors()).toBe("");
};

const needsRoot = (title: string): string =>
  IS_ROOT ? title : `skipped: ${title} (needs to be root)`;

describe("accounts that the service may run as", () => {
  it("serves as the account of the test", async () => {
    const dataDir = installation.dataDir();
    fs.chmodSync(dataDir, 0o755);
    await servesIn(IS_ROOT ? "root" : "an ordinary user", dataDir);
  }, 60_000);

  it.runIf(IS_ROOT)(
    needsRoot("serves as an ordinary user"),
    async () => {
      const dataDir = installation.dataDir();
      fs.chownSync(dataDir, NOBODY, NOBODY);
      await servesIn("an ordinary user", dataDir, NOBODY);
      expect(fs.statSync(join(dataDir, "secret-key")).uid).toBe(NOBODY);
    },
    60_000,
  );

  it.runIf(IS_ROOT)(
    needsRoot("serves as root where only root may enter"),
    async () => {
      const parent = installation.dataDir();
      const dataDir = join(parent, "data");
      fs.mkdirSync(dataDir, { mode: 0o700 });
      fs.chmodSync(parent, 0o700);
      await servesIn("root in a folder of mode 700", dataDir);
      expect(fs.statSync(dataDir).mode & 0o777).toBe(0o700);
      expect(fs.statSync(join(dataDir, "secret-key")).mode & 0o777).toBe(0o600);
    },
    60_000,
  );
});
