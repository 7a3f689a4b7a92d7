import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ENGINES } from "../../src/engines/registry.ts";
import { GAMES } from "../../src/games/registry.ts";
import type { ActedJson, OpenedJson } from "../support/client.ts";
import { IS_FULL } from "../support/embedded-driver.ts";
import {
  checkByNode,
  foldLog,
  hasPython,
  linesOf,
  saidByPython,
  textOf,
} from "../support/log-check.ts";
import {
  type FreshDatabase,
  freshDatabase,
  needsPostgres,
  postgresAvailable,
  rawClient,
} from "../support/postgres.ts";
import { random, report, seedOf } from "../support/seeded.ts";
import { allDecks, getText, type Reply, type Sent, send, sha256 } from "../support/send.ts";
import { freshKey, type Installation, installServer } from "../support/server-process.ts";

const MATCHES = IS_FULL ? 500 : 20;
const TABLES = 4;
const REQUESTS_MAX = 500;
const seed = seedOf("games");

const VARIANTS = GAMES.get("backgammon")?.card.variants ?? ["standard"];
const LEVELS = [...(ENGINES.get("backgammon")?.keys() ?? [])];
const PAIRINGS = VARIANTS.flatMap((variant) =>
  LEVELS.flatMap((white) => LEVELS.map((black) => ({ variant, levels: [white, black] }))),
);

describe.runIf(postgresAvailable)(needsPostgres("engine against engine over HTTP"), () => {
  let installation: Installation;
  let database: FreshDatabase;
  beforeAll(async () => {
    [installation, database] = await Promise.all([installServer(), freshDatabase()]);
  });
  afterAll(async () => {
    await installation.clear();
    await database.drop();
  });

  it(
    `${MATCHES} matches end, and their logs are the stored states`,
    async () => {
      const server = installation.start({ databaseUrl: database.url, secretKey: freshKey() });
      const url = await server.ready;
      const began = performance.now();
      const waiting = Array.from({ length: MATCHES }, (_, nth) => nth);
      const ids: string[] = [];
      const table = async (): Promise<void> => {
        for (let nth = waiting.pop(); nth !== undefined; nth = waiting.pop()) {
          const pairing = PAIRINGS[nth % PAIRINGS.length];
          if (pairing !== undefined) ids.push(await playedOut(url, pairing, nth));
        }
      };
      await Promise.all(Array.from({ length: TABLES }, table));
      const playedMs = performance.now() - began;

      const decks = await allDecks(url);
      const logs = await Promise.all(ids.map((id) => getText(url, `/v1/matches/${id}/log`)));
      for (const log of logs) expect(checkByNode(log, decks)).toMatch(/^OK: .* closed$/);
      if (hasPython) {
        for (const said of saidByPython(logs, decks)) expect(said).toMatch(/^OK: .* closed$/);
      }
      const sql = rawClient(database.url);
      try {
        const rows = await sql<Row[]>`
          select match_id, status, version, head, snapshot, due_at from matches`;
        expect(rows).toHaveLength(MATCHES);
        const byId = new Map(rows.map((row) => [row.match_id, row]));
        for (const [nth, id] of ids.entries()) isRefolded(byId.get(id), logs[nth] ?? "");
      } finally {
        await sql.end({ timeout: 1 });
      }
      const lines = logs.reduce((sum, log) => sum + linesOf(log).length, 0);
      report(
        "games",
        `${MATCHES} matches, ${PAIRINGS.length} pairings, ${lines} lines, played in ${Math.round(playedMs)} ms; checked by node${hasPython ? " and python3" : "; skipped: the checker in Python (needs python3)"}`,
      );
      server.kill("SIGTERM");
      expect(await server.ended).toBe(0);
      expect(server.errors()).toBe("");
    },
    IS_FULL ? 1_200_000 : 120_000,
  );
});

interface Row {
  readonly match_id: string;
  readonly status: string;
  readonly version: number;
  readonly head: string;
  readonly snapshot: string;
  readonly due_at: string | null;
}

/** The row of a match says what its log says. */
const isRefolded = (row: Row | undefined, log: string): void => {
  const lines = linesOf(log);
  const { game, states } = foldLog(lines);
  const last = states.at(-1);
  const snapshot = JSON.parse(row?.snapshot ?? "{}") as { state: unknown; rolls: number };
  expect(row).toMatchObject({ status: "over", version: lines.length - 1, due_at: null });
  expect(row?.head).toBe(sha256(lines.at(-1) ?? ""));
  expect(last === undefined ? "" : textOf(game.printState(last))).toBe(textOf(snapshot.state));
  expect(snapshot.rolls).toBe(lines.filter((line) => line.includes('"type":"roll"')).length);
};

const playedOut = async (
  url: string,
  { variant, levels }: (typeof PAIRINGS)[number],
  nth: number,
): Promise<string> => {
  const { below } = random(seed, nth);
  const seats = levels.map((level) => ({ kind: "engine", level }));
  const body = { game: "backgammon", variant, seats };
  const opening = await done(url, { method: "POST", path: "/v1/matches", body });
  const { match } = JSON.parse(opening.text) as OpenedJson;
  const path = `/v1/matches/${match.id}/replies`;
  for (let request = 0; request < REQUESTS_MAX; request++) {
    const reply = await done(url, { method: "POST", path, body: { max: 1 + below(100) } });
    const acted = JSON.parse(reply.text) as ActedJson;
    if (acted.match.status === "over") return match.id;
  }
  throw new Error(`${match.id} was not over after ${REQUESTS_MAX} requests`);
};

const done = async (url: string, sent: Sent): Promise<Reply> => {
  const reply = await send(url, sent);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
};
