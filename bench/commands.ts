import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { type MatchRecord, matchId } from "../src/application/match.ts";
import { assert, present } from "../src/kernel/assert.ts";
import { migrate } from "../src/persistence/migrate.ts";
import { postgresStores } from "../src/persistence/postgres-store.ts";
import { freshDatabase, MIGRATIONS, postgresAvailable } from "../test/support/postgres.ts";

/*
 * What a command costs over HTTP, beside what its SQL costs alone and what a bare hono route costs, in one
 * run: the four take turns, and each figure is the median of the rounds.
 *
 *     npm run build && npx tsx bench/commands.ts [rounds, 3] [seconds a measurement, 4]
 *
 * Clients play backgammon against `heuristic`: they roll, and make the first legal play; the engine's reply
 * is in the answer to the play. The SQL alone moves as many lines and bytes a command as the service did.
 * Counts are checked in the database: each acknowledged command is one stored answer, and no line is
 * missing.
 */

const ROUNDS = Number(process.argv[2] ?? "3");
const SECONDS = Number(process.argv[3] ?? "4");
const CLIENTS = [1, 16];
const WARM_SECONDS = 60;

interface Timed {
  readonly type: string;
  readonly ms: number;
}

/** A connection that sends one request at a time and waits for its whole answer. */
class Caller {
  readonly #socket: Socket;
  #buffer = "";
  #wake: (() => void) | undefined;

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.setNoDelay(true).setEncoding("latin1");
    this.#socket.on("data", (chunk: string) => {
      this.#buffer += chunk;
      this.#wake?.();
    });
  }

  async post(path: string, body: string, headers = ""): Promise<string> {
    this.#socket.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    for (;;) {
      const head = this.#buffer.indexOf("\r\n\r\n");
      const length = /content-length: (\d+)/i.exec(this.#buffer.slice(0, Math.max(0, head)))?.[1];
      const end = head + 4 + Number(length);
      if (head >= 0 && this.#buffer.length >= end) {
        const answer = this.#buffer.slice(0, end);
        this.#buffer = this.#buffer.slice(end);
        assert(/^HTTP\/1.1 2/.test(answer), `a 2xx: ${answer.slice(0, 600)}`);
        return answer.slice(head + 4);
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  close(): void {
    this.#socket.destroy();
  }
}

interface Player {
  readonly id: string;
  readonly token: string;
  version: string;
  command: string;
}

const OPENING = JSON.stringify({
  game: "backgammon",
  seats: [{ kind: "human" }, { kind: "engine", level: "heuristic" }],
});

const opened = async (caller: Caller): Promise<Player> => {
  const { match, seats } = JSON.parse(await caller.post("/v1/matches", OPENING)) as {
    match: { id: string; version: number; legal: { commands: unknown[] } };
    seats: { token: string }[];
  };
  return {
    id: match.id,
    token: present(seats[0], "the human's seat").token,
    version: String(match.version),
    command: JSON.stringify(match.legal.commands[0]),
  };
};

const COMMANDS = '"legal":{"commands":[';

/** The first command of an answer, found without parsing it: the client must cost little. */
const nextCommand = (answer: string): string | undefined => {
  const at = answer.indexOf(COMMANDS);
  if (at < 0) return undefined;
  const from = at + COMMANDS.length;
  return answer.slice(from, answer.indexOf("}", from) + 1);
};

const playing = async (
  port: number,
  clients: number,
  seconds: number,
): Promise<readonly Timed[]> => {
  const until = performance.now() + seconds * 1_000;
  const client = async (): Promise<readonly Timed[]> => {
    const caller = new Caller(port);
    let player = await opened(caller);
    const times: Timed[] = [];
    while (performance.now() < until) {
      const began = performance.now();
      const answer = await caller.post(
        `/v1/matches/${player.id}/commands`,
        player.command,
        `Authorization: Bearer ${player.token}\r\nIf-Match: "${player.version}"\r\nIdempotency-Key: ${randomUUID()}\r\n`,
      );
      times.push({
        type: player.command.includes("roll") ? "roll" : "play",
        ms: performance.now() - began,
      });
      const command = nextCommand(answer);
      const version = /"version":(\d+)/.exec(answer)?.[1];
      if (command === undefined || version === undefined) player = await opened(caller);
      else player = { ...player, command, version };
    }
    caller.close();
    return times;
  };
  return (await Promise.all(Array.from({ length: clients }, client))).flat();
};

/** A server of ours as a process of its own, until it says where it listens. */
const started = async (
  script: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly port: number; readonly child: ChildProcess }> => {
  const child = spawn(process.execPath, ["--enable-source-maps", script], {
    env: { ...process.env, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of present(child.stdout, "its output is a pipe")) {
    const port = /127\.0\.0\.1:(\d+)/.exec(String(chunk))?.[1];
    if (port !== undefined) return { port: Number(port), child };
  }
  throw new Error(`${script} ended before it listened`);
};

const stopped = async (child: ChildProcess): Promise<void> => {
  child.kill("SIGTERM");
  await once(child, "exit");
};

const bareRoute = async (
  port: number,
  clients: number,
  seconds: number,
  bytes: number,
): Promise<readonly Timed[]> => {
  const until = performance.now() + seconds * 1_000;
  const body = JSON.stringify({ type: "play", bytes });
  const client = async (): Promise<readonly Timed[]> => {
    const caller = new Caller(port);
    const times: Timed[] = [];
    while (performance.now() < until) {
      const began = performance.now();
      await caller.post("/", body);
      times.push({ type: "bare", ms: performance.now() - began });
    }
    caller.close();
    return times;
  };
  return (await Promise.all(Array.from({ length: clients }, client))).flat();
};

/** How much the service moves a command, on average. */
interface Load {
  readonly lines: number;
  readonly lineBytes: number;
  readonly bodyBytes: number;
  readonly snapshotBytes: number;
}

const sqlAlone = async (url: string, clients: number, seconds: number, load: Load) => {
  const stores = postgresStores({ connection: url });
  const until = performance.now() + seconds * 1_000;
  const client = async (): Promise<readonly Timed[]> => {
    const match = record(load);
    await stores.matches.create({ next: match, lines: ["{}"] });
    const times: Timed[] = [];
    while (performance.now() < until) {
      const began = performance.now();
      const key = { match: match.id, principal: "p".repeat(64), key: randomUUID() };
      const [before] = await Promise.all([
        stores.matches.load(match.id),
        stores.matches.answer(key),
      ]);
      const { version, ...rest } = present(before, "the match was created");
      const done = await stores.matches.change(
        { ...rest, version },
        {
          next: { ...rest, version: version + load.lines, at: rest.at + 1 },
          lines: Array.from({ length: load.lines }, () => `"${"l".repeat(load.lineBytes)}"`),
          answer: {
            principal: key.principal,
            key: key.key,
            requestHash: "e".repeat(64),
            tag: String(version + load.lines),
            body: "b".repeat(load.bodyBytes),
          },
        },
      );
      assert(done === "done", "nobody else plays this match");
      times.push({ type: "sql", ms: performance.now() - began });
    }
    return times;
  };
  const times = (await Promise.all(Array.from({ length: clients }, client))).flat();
  await stores.close();
  return times;
};

const record = ({ snapshotBytes }: Load): MatchRecord => ({
  id: matchId(randomUUID()),
  game: "backgammon",
  variant: "standard",
  options: {},
  visibility: "public",
  status: "playing",
  seats: [
    { kind: "human", tokenHash: "a".repeat(64) },
    { kind: "engine", level: "heuristic" },
  ],
  claims: 0,
  version: 0,
  head: "0".repeat(64),
  createdAt: 1,
  at: 1,
  dueAt: 2,
  snapshot: { text: "s".repeat(snapshotBytes) },
  hidden: "h".repeat(300),
});

const measuredLoad = async (sql: postgres.Sql): Promise<Load> => {
  const [row] = await sql<{ lines: number; bytes: number; body: number; snapshot: number }[]>`
    select (select count(*) from lines)::float / (select count(*) from stored_answers) as lines,
           (select avg(octet_length(line)) from lines)::float as bytes,
           (select avg(octet_length(body)) from stored_answers)::float as body,
           (select avg(octet_length(snapshot)) from matches)::float as snapshot`;
  const { lines, bytes, body, snapshot } = present(row, "a select without from has one row");
  return {
    lines: Math.round(lines),
    lineBytes: Math.round(bytes),
    bodyBytes: Math.round(body),
    snapshotBytes: Math.round(snapshot),
  };
};

/** Every acknowledged command is stored once, and every line is under its match's version. */
const checkCounts = async (sql: postgres.Sql, commands: number): Promise<void> => {
  const [row] = await sql<{ answers: string; lines: string; versions: string }[]>`
    select (select count(*) from stored_answers) as answers, (select count(*) from lines) as lines,
           (select sum(version + 1) from matches) as versions`;
  const { answers, lines, versions } = present(row, "a select without from has one row");
  assert(Number(answers) === commands, `${answers} answers for ${commands} commands`);
  assert(lines === versions, "a match has as many lines as its version says");
};

const quantile = (times: readonly number[], share: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? Number.NaN;

const median = (values: readonly number[]): number => quantile(values, 0.5);

interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

const roundOf = (times: readonly Timed[]): Round => {
  const ms = times.map((time) => time.ms);
  return {
    perSecond: times.length / SECONDS,
    p50: quantile(ms, 0.5),
    p99: quantile(ms, 0.99),
  };
};

const row = (name: string, rounds: readonly Round[]): string => {
  const rates = rounds.map(({ perSecond }) => perSecond);
  const spread = `${Math.min(...rates).toFixed(0)}–${Math.max(...rates).toFixed(0)}`;
  const p50 = median(rounds.map((round) => round.p50)).toFixed(2);
  const p99 = median(rounds.map((round) => round.p99)).toFixed(1);
  return `| ${name} | ${median(rates).toFixed(0)} (${spread}) | ${p50} | ${p99} |`;
};

const BARE = `
  import { Hono } from "hono";
  import { serve } from "@hono/node-server";
  const app = new Hono().post("/", async (c) => c.json({ body: "b".repeat((await c.req.json()).bytes) }));
  serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, ({ port }) => console.log("127.0.0.1:" + port));
`;

const bareServer = async () => {
  const child = spawn(process.execPath, ["--input-type=module", "-e", BARE], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [chunk] = (await once(present(child.stdout, "a pipe"), "data")) as [Buffer];
  return { port: Number(/:(\d+)/.exec(String(chunk))?.[1]), child };
};

const main = async (): Promise<void> => {
  assert(postgresAvailable, "a PostgreSQL answers at DATABASE_URL or on 127.0.0.1:5432");
  const served = await freshDatabase();
  const alone = await freshDatabase();
  await migrate({ connection: alone.url, folder: MIGRATIONS });
  const folder = mkdtempSync(join(tmpdir(), "qiju-bench-"));
  const given = await started("dist/main.js", {
    DATABASE_URL: served.url,
    DATA_DIR: join(folder, "given"),
  });
  const environment = { ...process.env };
  delete process.env["DATABASE_URL"];
  const embedded = await started("dist/main.js", { DATA_DIR: join(folder, "embedded") });
  Object.assign(process.env, environment);
  const bare = await bareServer();
  const sql = postgres(served.url, { max: 1 });

  let commands = 0;
  const onGiven = async (clients: number, seconds: number): Promise<readonly Timed[]> => {
    const times = await playing(given.port, clients, seconds);
    commands += times.length;
    await checkCounts(sql, commands);
    return times;
  };
  try {
    await onGiven(4, WARM_SECONDS);
    await playing(embedded.port, 4, WARM_SECONDS);
    const load = await measuredLoad(sql);
    await bareRoute(bare.port, 4, 2, load.bodyBytes);
    await sqlAlone(alone.url, 4, 2, load);
    console.log(
      `Node ${process.version}, ${cpus().length} cores; a command moves ${load.lines} lines of ${load.lineBytes} B, a body of ${load.bodyBytes} B\n`,
    );
    for (const clients of CLIENTS) {
      const rounds: Record<string, Round[]> = { bare: [], sql: [], given: [], embedded: [] };
      const byType: Record<string, number[]> = { roll: [], play: [] };
      for (let n = 0; n < ROUNDS; n++) {
        rounds["bare"]?.push(roundOf(await bareRoute(bare.port, clients, SECONDS, load.bodyBytes)));
        rounds["sql"]?.push(roundOf(await sqlAlone(alone.url, clients, SECONDS, load)));
        const times = await onGiven(clients, SECONDS);
        for (const { type, ms } of times) byType[type]?.push(ms);
        rounds["given"]?.push(roundOf(times));
        rounds["embedded"]?.push(roundOf(await playing(embedded.port, clients, SECONDS)));
      }
      console.log(
        `| ${clients} client(s) | a second (spread) | p50 ms | p99 ms |\n|---|---|---|---|`,
      );
      console.log(row("bare hono route, same body size", rounds["bare"] ?? []));
      console.log(row("the SQL alone", rounds["sql"] ?? []));
      console.log(row("commands, PostgreSQL", rounds["given"] ?? []));
      console.log(row("commands, embedded", rounds["embedded"] ?? []));
      const rate = (name: string): number =>
        median((rounds[name] ?? []).map(({ perSecond }) => perSecond));
      const share = (100 * rate("given")) / rate("sql");
      console.log(`\ncommands on PostgreSQL / the SQL alone: ${share.toFixed(0)} %`);
      console.log(
        `p50 of a roll ${median(byType["roll"] ?? []).toFixed(2)} ms, of a play with the engine's reply ${median(byType["play"] ?? []).toFixed(2)} ms\n`,
      );
    }
  } finally {
    sql.end({ timeout: 1 }).catch(() => undefined);
    await Promise.all([stopped(given.child), stopped(embedded.child), stopped(bare.child)]);
    await Promise.all([served.drop(), alone.drop()]);
    rmSync(folder, { recursive: true, force: true });
  }
};

await main();
