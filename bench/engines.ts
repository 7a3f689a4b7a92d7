import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { assert, present } from "../src/kernel/assert.ts";
import { freshDatabase } from "../test/support/postgres.ts";

/*
 * How long a human waits for the engine's reply over HTTP, by level, with the match stored in PostgreSQL; and the same
 * while 24 analyses are asked for at once at the top level.
 *
 *     npm run build && npx tsx bench/engines.ts [replies of each level, 200]
 *
 * The human makes the first legal play. A reply counts where the engine rolled and played in the answer to a play.
 */

const REPLIES = Number(process.argv[2] ?? "200");
const ANALYSES = 24;
const LEVELS = ["intermediate", "expert", "grandmaster"];

interface Match {
  readonly id: string;
  readonly status: string;
  readonly replyOwed: boolean;
  readonly legal?: { readonly commands: readonly { readonly type: string }[] };
}

const post = async <Body>(url: string, body: unknown, token?: string): Promise<Body> => {
  const response = await fetch(url, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  assert(response.ok, `a 2xx of ${url}: ${response.status}`);
  return (await response.json()) as Body;
};

/** Milliseconds of so many replies of a level, by one human after the other; and how many were owed instead. */
const replies = async (url: string, level: string, count: number) => {
  const times: number[] = [];
  let owed = 0;
  while (times.length < count) {
    const opened = await post<{ match: Match; seats: { token: string }[] }>(`${url}/v1/matches`, {
      game: "backgammon",
      seats: [{ kind: "human" }, { kind: "engine", level }],
      options: { cube: false },
    });
    const token = present(opened.seats[0], "the human's seat").token;
    let { match } = opened;
    while (match.status === "playing" && times.length < count) {
      const command = match.replyOwed ? undefined : match.legal?.commands[0];
      const began = performance.now();
      const path = command === undefined ? "replies" : "commands";
      const acted = await post<{ match: Match; events: { type: string; seat?: number }[] }>(
        `${url}/v1/matches/${match.id}/${path}`,
        command ?? {},
        token,
      );
      const hasPlayed = acted.events.some(({ type, seat }) => type === "played" && seat === 1);
      if (command?.type === "play" && hasPlayed) times.push(performance.now() - began);
      if (acted.match.replyOwed) owed += 1;
      match = acted.match;
    }
  }
  return { times, owed };
};

/** A match between engines that is over. */
const finished = async (url: string): Promise<string> => {
  const seats = [
    { kind: "engine", level: "heuristic" },
    { kind: "engine", level: "heuristic" },
  ];
  const asked = { game: "backgammon", seats, options: { length: 5 } };
  let { match } = await post<{ match: Match }>(`${url}/v1/matches`, asked);
  while (match.status === "playing") {
    const path = `${url}/v1/matches/${match.id}/replies`;
    ({ match } = await post<{ match: Match }>(path, { max: 100 }));
  }
  return match.id;
};

const quantile = (times: readonly number[], share: number): string =>
  present(
    [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(share * times.length))],
    "there are times",
  ).toFixed(1);

const said = (name: string, { times, owed }: { times: readonly number[]; owed: number }): string =>
  `${name.padEnd(34)} p50 ${quantile(times, 0.5).padStart(7)} ms  p99 ${quantile(times, 0.99).padStart(7)} ms  ${times.length} replies, ${owed} owed`;

const started = async (environment: Readonly<Record<string, string>>) => {
  const child: ChildProcess = spawn(process.execPath, ["--enable-source-maps", "dist/main.js"], {
    env: { ...process.env, PORT: "0", ...environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const chunk of present(child.stdout, "its output is a pipe")) {
    const port = /127\.0\.0\.1:(\d+)/.exec(String(chunk))?.[1];
    if (port !== undefined) return { url: `http://127.0.0.1:${port}`, child };
  }
  throw new RangeError("the service ended before it listened");
};

const database = await freshDatabase();
const dataDir = mkdtempSync(join(tmpdir(), "qiju-bench-"));
const { url, child } = await started({ DATABASE_URL: database.url, DATA_DIR: dataDir });
try {
  console.log(`${cpus().length} cores, ${cpus()[0]?.model}, Node ${process.version}`);
  for (const level of LEVELS) {
    await replies(url, level, 20);
    console.log(said(level, await replies(url, level, REPLIES)));
  }
  const matches: string[] = [];
  while (matches.length < ANALYSES) matches.push(await finished(url));
  const leaving = new AbortController();
  const statuses: number[] = [];
  const analyses = matches.map(async (id) => {
    const path = `${url}/v1/matches/${id}/analysis?level=grandmaster`;
    const { status } = await fetch(path, { signal: leaving.signal });
    statuses.push(status);
  });
  for (const level of LEVELS) {
    console.log(said(`${level}, ${ANALYSES} analyses asked`, await replies(url, level, REPLIES)));
  }
  const refused = statuses.filter((status) => status === 503).length;
  console.log(`analyses: ${refused} refused at once, ${statuses.length - refused} made meanwhile`);
  leaving.abort();
  await Promise.allSettled(analyses);
} finally {
  child.kill("SIGTERM");
  await once(child, "exit");
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
}
