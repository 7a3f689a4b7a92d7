/**
 * A process that owns a data folder, made to be killed. Speaks JSON, one object a line.
 *
 * `embedded-owner serve <folder>` opens the database; `lock` takes the folder alone. Orders come on stdin:
 * `write <from>` (rows from that number on, each reported after its commit), `rows`, `sql <statement>`,
 * `stop`. Without stdin it ends.
 */
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import { type Embedded, openEmbedded } from "../../src/persistence/embedded.ts";
import { lockFolder } from "../../src/persistence/folder-lock.ts";

const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);

const explain = (error: unknown): object => {
  if (!(error instanceof Error)) return { failure: String(error), message: String(error) };
  const holderPid = "holderPid" in error ? error.holderPid : undefined;
  const from = process.env["SHOW_STACK"] === undefined ? {} : { stack: error.stack };
  return { failure: error.name, message: error.message, holderPid, ...from };
};

const write = async (sql: postgres.Sql, from: number): Promise<never> => {
  await sql`create table if not exists ledger (n int primary key)`;
  for (let n = from; ; n += 1) {
    try {
      await sql`insert into ledger (n) values (${n})`;
      say({ ack: n });
    } catch (error) {
      say({ unknown: n, message: error instanceof Error ? error.message : "" });
      await delay(10);
    }
  }
};

const obey = async (line: string, embedded: Embedded, sql: postgres.Sql): Promise<void> => {
  const [order, ...rest] = line.split(" ");
  const text = rest.join(" ");
  if (order === "write") await write(sql, Number(text));
  if (order === "rows")
    say({ rows: (await sql`select n from ledger order by n`).map(({ n }) => n) });
  if (order === "sql") say({ result: await sql.unsafe(text) });
  if (order === "stop") {
    const stops = [embedded.stop(), embedded.stop()];
    await Promise.all(stops);
    say({ stopped: true });
    process.exit(0);
  }
};

const serve = async (folder: string): Promise<void> => {
  const start = performance.now();
  const log = (level: string, text: string): void => say({ log: level, text });
  const embedded = await openEmbedded({ dataDir: folder, log });
  const sql = postgres({ ...embedded.connection, max: 4, onnotice: () => {}, backoff: false });
  say({ ready: Math.round(performance.now() - start), connection: embedded.connection });
  void embedded.failed.then((error) => say({ failed: explain(error) }));
  const orders = createInterface({ input: process.stdin });
  orders.on("line", (line) => {
    obey(line, embedded, sql).catch((error: unknown) => say({ refused: explain(error) }));
  });
  orders.on("close", () => void embedded.stop().then(() => process.exit(0)));
};

const hold = async (folder: string): Promise<void> => {
  const lock = await lockFolder(folder);
  say({ ready: 0 });
  process.stdin.on("end", () => {
    lock.release();
    process.exit(0);
  });
  process.stdin.resume();
};

const [mode, folder = ""] = process.argv.slice(2);
(mode === "lock" ? hold : serve)(folder).catch((error: unknown) => {
  say(explain(error));
  process.exit(3);
});
