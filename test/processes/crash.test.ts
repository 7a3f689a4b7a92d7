import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_FULL, postmasterOf, until } from "../support/embedded-driver.ts";
import { type Ledger, ledgerFaults, newLedger, playOn, spotCheck } from "../support/ledger.ts";
import { freshDatabase, needsPostgres, postgresAvailable, rawClient } from "../support/postgres.ts";
import { type Random, random, report, seedOf } from "../support/seeded.ts";
import { getJson } from "../support/send.ts";
import {
  databaseProcesses,
  freshKey,
  type Installation,
  installServer,
  type ServerProcess,
  type ServerSettings,
  signal,
} from "../support/server-process.ts";

const KILLS = IS_FULL ? 50 : 5;
const PLAYERS = IS_FULL ? 8 : 4;
const CHECKS_AFTER_KILL = 3;
const seed = seedOf("crash");

let installation: Installation;
beforeAll(async () => {
  installation = await installServer();
});
afterAll(() => installation.clear());

/** A service that is killed: its server of the moment, and how each kind of victim dies. */
interface Stage {
  readonly settings: ServerSettings;
  server: ServerProcess;
  readonly victims: Readonly<Record<string, (stage: Stage) => Promise<void>>>;
}

/** Starts the next server once the last one has died. */
const killServer = async (stage: Stage): Promise<void> => {
  stage.server.kill("SIGKILL");
  await stage.server.ended;
  stage.server = installation.start(stage.settings);
  await stage.server.ready;
};

const urlOf = async (stage: Stage): Promise<string> => {
  if (stage.server.hasEnded()) throw new Error("between two servers");
  return stage.server.ready;
};

/** From the kill on: until a read is answered again, with what was acknowledged before. */
const untilGood = async (stage: Stage, ledger: Ledger): Promise<void> => {
  const [match, entries] = [...ledger.matches].at(-1) ?? ["", []];
  const version = entries.at(-1)?.last ?? 0;
  const end = performance.now() + 60_000;
  while (performance.now() < end) {
    const read = await urlOf(stage)
      .then((url) => getJson<{ version: number }>(url, `/v1/matches/${match}`))
      .catch(() => undefined);
    if (read !== undefined) {
      expect(read.version, "an acknowledged line is there").toBeGreaterThanOrEqual(version);
      return;
    }
    await delay(5);
  }
  throw new Error("no good answer within 60 s");
};

const crash = async (stage: Stage, choices: Random): Promise<Ledger> => {
  const ledger = newLedger();
  let isOver = false;
  await stage.server.ready;
  const players = Promise.all(
    Array.from({ length: PLAYERS }, (_, nth) =>
      playOn(ledger, {
        url: () => urlOf(stage),
        isOver: () => isOver,
        random: random(seed, 100 + nth),
      }),
    ),
  );
  players.catch(() => {});
  const names = Object.keys(stage.victims);
  const times: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const from = ledger.acknowledged;
      const moment = from + 1 + choices.below(40);
      await until(() => ledger.acknowledged >= moment, "play goes on");
      await delay(choices.below(20));
      // Each kind of victim once, then at random.
      const name = names[kill] ?? choices.pick(names);
      const began = performance.now();
      await stage.victims[name]?.(stage);
      await untilGood(stage, ledger);
      const after = ledger.acknowledged;
      await until(() => ledger.acknowledged > after, "a command is acknowledged again");
      times[name]?.push(Math.round(performance.now() - began));
      const url = await urlOf(stage);
      if (name === "server") {
        expect(await spotCheck(url, ledger, choices, CHECKS_AFTER_KILL)).toEqual([]);
      }
    }
    const from = ledger.acknowledged;
    await until(() => ledger.acknowledged >= from + PLAYERS, "play goes on after the last kill");
  } finally {
    isOver = true;
    await players;
  }
  for (const [name, ms] of Object.entries(times)) {
    if (ms.length > 0)
      report("crash", `${name}: ${ms.length} kills, good again after ${spread(ms)}`);
  }
  return ledger;
};

const spread = (ms: readonly number[]): string => {
  const sorted = [...ms].sort((a, b) => a - b);
  return `${sorted[0]}…${sorted[sorted.length >> 1]}…${sorted.at(-1)} ms`;
};

const holds = async (title: string, stage: Stage, ledger: Ledger): Promise<void> => {
  const { acknowledged, unanswered, doneUnanswered, matches } = ledger;
  report(
    "crash",
    `${title}: ${acknowledged} acknowledged in ${matches.size} matches; ${unanswered} unanswered at first, ${doneUnanswered} of them done`,
  );
  const url = await stage.server.ready;
  expect(await ledgerFaults(url, ledger)).toEqual([]);
  for (const forged of forgedLedgers(ledger)) {
    expect((await ledgerFaults(url, forged)).length, "a forged ledger is seen").toBeGreaterThan(0);
  }
};

/** Ledgers of one match that do not fit it: an answer too few, too many, with another body or line. */
const forgedLedgers = (ledger: Ledger): readonly Ledger[] => {
  const [match, entries] = [...ledger.matches].find(([, of]) => of.length >= 3) ?? ["", []];
  const [first, second, ...others] = entries;
  if (first === undefined || second === undefined) return [];
  return [
    [first, ...others],
    [first, second, second, ...others],
    [first, { ...second, bodyHash: first.bodyHash }, ...others],
    [first, { ...second, hash: "0".repeat(64) }, ...others],
    [...entries.slice(0, -1), { ...second, last: second.last + 10_000 }],
  ].map((forged) => ({ ...newLedger(), matches: new Map([[match, forged]]) }));
};

/** Kills some process of the embedded database, and waits for nobody: the server must see to it. */
const killDatabase =
  (choose: (pids: readonly number[], postmaster: number) => number | undefined) =>
  async ({ settings }: Stage): Promise<void> => {
    const dataDir = settings.dataDir ?? "";
    const victim = choose(databaseProcesses(dataDir), postmasterOf(dataDir));
    if (victim !== undefined) signal(victim, "SIGKILL");
  };

describe("kill -9 in the middle of play", () => {
  it(
    "embedded: loses nothing, doubles nothing",
    async () => {
      const choices = random(seed, 1);
      const settings = { dataDir: installation.dataDir() };
      const stage: Stage = {
        settings,
        server: installation.start(settings),
        victims: {
          server: killServer,
          postmaster: killDatabase((_, postmaster) => postmaster),
          backend: killDatabase((pids, postmaster) => {
            const backends = pids.filter((pid) => pid !== postmaster);
            return backends.length === 0 ? undefined : choices.pick(backends);
          }),
          both: async (on) => {
            signal(postmasterOf(settings.dataDir), "SIGKILL");
            await killServer(on);
          },
        },
      };
      const ledger = await crash(stage, choices);
      await holds("embedded", stage, ledger);
      stage.server.kill("SIGTERM");
      expect(await stage.server.ended).toBe(0);
    },
    IS_FULL ? 1_800_000 : 120_000,
  );

  it.runIf(postgresAvailable)(
    needsPostgres("PostgreSQL: loses nothing, doubles nothing"),
    async () => {
      const choices = random(seed, 2);
      const database = await freshDatabase();
      const settings = { databaseUrl: database.url, secretKey: freshKey() };
      const sql = rawClient(database.url);
      const stage: Stage = {
        settings,
        server: installation.start(settings),
        victims: {
          server: killServer,
          connections: async () => {
            await sql`
              select pg_terminate_backend(pid) from pg_stat_activity
               where datname = current_database() and application_name = 'qiju'`;
          },
        },
      };
      try {
        const ledger = await crash(stage, choices);
        await holds("PostgreSQL", stage, ledger);
      } finally {
        stage.server.kill("SIGKILL");
        await stage.server.ended;
        await sql.end({ timeout: 1 });
        await database.drop();
      }
    },
    IS_FULL ? 1_800_000 : 120_000,
  );
});
