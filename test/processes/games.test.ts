import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GAMES } from "../../src/games/registry.ts";
import type { ActedJson, MatchJson, OpenedJson } from "../support/client.ts";
import { IS_FULL } from "../support/embedded-driver.ts";
import { LEVELS } from "../support/engines.ts";
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

/** Single games, matches to 7, and money sessions with everything that a session may have. */
const [GAMES_PLAYED, TO_SEVEN, SESSIONS] = IS_FULL ? [500, 200, 50] : [12, 6, 4];
const MATCHES = GAMES_PLAYED + TO_SEVEN + SESSIONS;
const TABLES = 4;
/** A session is given up after so many games. */
const SESSION_GAMES = 6;
const REQUESTS_MAX = 500;
const seed = seedOf("games");

const VARIANTS = GAMES.get("backgammon")?.card.variants ?? ["standard"];
const PAIRINGS = VARIANTS.flatMap((variant) =>
  LEVELS.flatMap((white) => LEVELS.map((black) => ({ variant, levels: [white, black] }))),
);

type Pairing = (typeof PAIRINGS)[number];

const SESSION = { length: 0, beavers: true, raccoons: true, automaticDoubles: 3 };

/** How the nth match is played. */
const optionsOf = (nth: number): object => {
  if (nth < GAMES_PLAYED) return {};
  return nth < GAMES_PLAYED + TO_SEVEN ? { length: 7 } : SESSION;
};

describe.runIf(postgresAvailable)(needsPostgres("games, matches and sessions over HTTP"), () => {
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
          if (pairing === undefined) continue;
          const isSession = nth >= GAMES_PLAYED + TO_SEVEN;
          ids.push(await (isSession ? sessionPlayed : playedOut)(url, pairing, nth));
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
        `${GAMES_PLAYED} games, ${TO_SEVEN} matches to 7, ${SESSIONS} money sessions, ${PAIRINGS.length} pairings, ${lines} lines, played in ${Math.round(playedMs)} ms; checked by node${hasPython ? " and python3" : "; skipped: the checker in Python (needs python3)"}`,
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

/** The games' points are the score, and a match ends with the game in which a side reaches its length. */
const addUp = (match: MatchJson, length: number): void => {
  const score = [0, 0];
  const games = match.result?.games ?? [];
  for (const [index, { game, winner, points }] of games.entries()) {
    expect(game).toBe(index + 1);
    expect(Math.max(...score)).toBeLessThan(length);
    score[winner] = (score[winner] ?? 0) + points;
  }
  expect(match.score).toEqual(score);
  if (Number.isFinite(length)) expect(Math.max(...score)).toBeGreaterThanOrEqual(length);
};

/** A session of a human, who does what is legal by chance, against an engine, given up at last. */
const sessionPlayed = async (url: string, { variant, levels }: Pairing, nth: number) => {
  const { pick } = random(seed, nth);
  const seats = [{ kind: "human" }, { kind: "engine", level: levels[0] }];
  const body = { game: "backgammon", variant, options: optionsOf(nth), seats };
  const opening = await done(url, { method: "POST", path: "/v1/matches", body });
  const opened = JSON.parse(opening.text) as OpenedJson;
  const token = opened.seats[0]?.token ?? "";
  let { match } = opened;
  const path = `/v1/matches/${match.id}/commands`;
  for (let request = 0; request < 10 * REQUESTS_MAX; request++) {
    const isEnough = match.state.games.length >= SESSION_GAMES;
    const legal = (match.legal?.commands ?? []).filter(({ type }) => type !== "resign-match");
    const command = isEnough ? { type: "resign-match" } : pick(legal);
    const acted = await done(url, { method: "POST", path, body: command, token });
    match = (JSON.parse(acted.text) as ActedJson).match;
    if (match.status !== "over") continue;
    addUp(match, Number.POSITIVE_INFINITY);
    return match.id;
  }
  throw new Error(`${match.id} was not over`);
};

const playedOut = async (url: string, { variant, levels }: Pairing, nth: number) => {
  const { below } = random(seed, nth);
  const seats = levels.map((level) => ({ kind: "engine", level }));
  const options = optionsOf(nth);
  const body = { game: "backgammon", variant, options, seats };
  const opening = await done(url, { method: "POST", path: "/v1/matches", body });
  const { match } = JSON.parse(opening.text) as OpenedJson;
  const path = `/v1/matches/${match.id}/replies`;
  for (let request = 0; request < REQUESTS_MAX; request++) {
    const reply = await done(url, { method: "POST", path, body: { max: 1 + below(100) } });
    const acted = JSON.parse(reply.text) as ActedJson;
    if (acted.match.status !== "over") continue;
    addUp(acted.match, "length" in options ? 7 : 1);
    return match.id;
  }
  throw new Error(`${match.id} was not over after ${REQUESTS_MAX} requests`);
};

const done = async (url: string, sent: Sent): Promise<Reply> => {
  const reply = await send(url, sent);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply;
};
