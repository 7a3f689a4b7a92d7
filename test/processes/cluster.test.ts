import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IS_FULL } from "../support/embedded-driver.ts";
import { anomalies, cursorFaults } from "../support/history.ts";
import { checkByNode } from "../support/log-check.ts";
import {
  type FreshDatabase,
  freshDatabase,
  needsPostgres,
  postgresAvailable,
} from "../support/postgres.ts";
import { follow, newRivalry, openShared, rival, settledLog } from "../support/rivals.ts";
import { random, report, seedOf } from "../support/seeded.ts";
import { allDecks } from "../support/send.ts";
import { freshKey, type Installation, installServer } from "../support/server-process.ts";

/** For each number of processes. */
const COMMANDS = IS_FULL ? 10_000 : 250;
const CLIENTS = 12;
const MATCHES = 6;
const CURSORS_A_MATCH = IS_FULL ? 2 : 1;
const seed = seedOf("cluster");
const secretKey = freshKey();

let installation: Installation;
let database: FreshDatabase;

describe.runIf(postgresAvailable)(needsPostgres("processes that share a database"), () => {
  beforeAll(async () => {
    [installation, database] = await Promise.all([installServer(), freshDatabase()]);
  });
  afterAll(async () => {
    await installation.clear();
    await database.drop();
  });

  it.each([2, 3])(
    "%i of them look like one",
    async (processes) => {
      const settings = { databaseUrl: database.url, secretKey };
      const servers = Array.from({ length: processes }, () => installation.start(settings));
      const urls = await Promise.all(servers.map(({ ready }) => ready));
      const rivalry = newRivalry(urls);
      for (let nth = 0; nth < MATCHES; nth++) await openShared(rivalry, random(seed, nth));
      let isOver = false;
      const followed = rivalry.matches.slice(0, 3);
      const readers = followed.flatMap((match, place) =>
        Array.from({ length: CURSORS_A_MATCH }, async (_, nth) => {
          const client = 100 + place * CURSORS_A_MATCH + nth;
          const read = await follow(rivalry, match, client, random(seed, client), () => isOver);
          return { match, read };
        }),
      );
      const began = performance.now();
      try {
        await Promise.all(
          Array.from({ length: CLIENTS }, (_, client) =>
            rival(rivalry, client, random(seed, 1_000 * processes + client), COMMANDS),
          ),
        );
      } finally {
        isOver = true;
        await Promise.allSettled(readers);
      }
      const seconds = Math.round((performance.now() - began) / 100) / 10;
      const answers = [...rivalry.answers].sort().map(([name, times]) => `${name}: ${times}`);
      report(
        "cluster",
        `${processes} processes, ${rivalry.commands} commands in ${seconds} s, ${rivalry.matches.length} matches; ${answers.join(", ")}`,
      );

      const decks = await allDecks(urls[0] ?? "");
      const found = [...rivalry.faults];
      const logs = new Map<string, readonly string[]>();
      for (const match of rivalry.matches) {
        const { text, log } = await settledLog(urls[0] ?? "", match);
        checkByNode(text, decks);
        logs.set(match.id, log.events);
        found.push(...anomalies(match.operations, log).map((fault) => `${match.id}: ${fault}`));
      }
      for (const { match, read } of await Promise.all(readers)) {
        found.push(...cursorFaults(read, logs.get(match.id) ?? []));
      }
      expect(found).toEqual([]);
      for (const server of servers) server.kill("SIGTERM");
      expect(await Promise.all(servers.map(({ ended }) => ended))).toEqual(servers.map(() => 0));
      expect(servers.map((server) => server.errors()).join("")).toBe("");
    },
    IS_FULL ? 1_200_000 : 120_000,
  );
});
