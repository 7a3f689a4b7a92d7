import postgres from "postgres";
import { StoreUnavailable } from "../application/ports.ts";
import { InvariantViolation } from "../kernel/assert.ts";

/*
 * A postgres.js client that always answers.
 *
 * The driver alone may leave a query unanswered for ever: when a socket goes silent, or when a connection
 * ends while others queue for it (porsager/postgres #1186). It also pipelines, so that one slow statement
 * holds up strangers on its connection, and a parameter that cannot be built fails a stranger's query.
 * Hence three rules here.
 *
 * 1. At most as many statements are under way as there are connections; the rest wait in our own queue. A
 *    statement has a connection to itself, and what was never sent certainly did not happen.
 * 2. Every call settles by its deadline. The server gives up on a statement somewhat earlier, by
 *    `statement_timeout`, so a slow statement comes back as an error and its connection stays good.
 * 3. A statement that is still unanswered a whole deadline after it was sent condemns its client: a fresh
 *    one takes over, and the old one is closed as soon as its other statements are through.
 *
 * Each call is one statement. There is no transaction here and there must be none: postgres.js 3.4.9 can run
 * a dead transaction's statements inside another one.
 */

/** The driver's tag for statements, with `bigint` read as a number: ours are milliseconds and counts. */
export type Sql = postgres.Sql<{ bigint: number }>;

export interface Client {
  /**
   * Runs one statement. Throws `UniqueViolation`, `StoreUnavailable`, or, for our own mistakes,
   * `InvariantViolation`; none of them shows a parameter.
   */
  run<Rows>(statement: (sql: Sql) => PromiseLike<Rows>): Promise<Rows>;
  /** Refuses new calls, and gives those under way one deadline. */
  close(): Promise<void>;
}

/** Where a database is: a URL, or the private socket of the embedded server. */
export type Connection =
  | string
  | {
      readonly host: string;
      readonly port: number;
      readonly username: string;
      readonly database: string;
    };

/** A driver for the database; it connects when it is first used. `bigint` is read as a number. */
export const openDriver = (
  connection: Connection,
  options: Omit<postgres.Options<{ bigint: postgres.PostgresType<number> }>, "types">,
): Sql => {
  const all = { ...options, types: BIGINT_AS_NUMBER };
  return typeof connection === "string"
    ? postgres(connection, all)
    : postgres({ ...connection, ...all });
};

const BIGINT_AS_NUMBER = { bigint: { to: 20, from: [20], serialize: String, parse: Number } };

interface ClientOptions {
  readonly connection: Connection;
  /** How many connections, and so statements at a time; 10 for two cores. */
  readonly connections: number;
  /** By when a call settles, in milliseconds. */
  readonly deadlineMs: number;
}

/** A key was taken (SQLSTATE 23505). */
export class UniqueViolation extends Error {
  override readonly name = "UniqueViolation";
  readonly constraint: string;
  constructor(constraint: string) {
    super(`the key is taken: ${constraint}`);
    this.constraint = constraint;
  }
}

/** The server's share of a deadline: it answers before we stop listening. */
const SERVER_SHARE = 0.8;
const BACKOFF_SECONDS_MAX = 0.5;

export const openClient = (options: ClientOptions): Client => {
  const { connections, deadlineMs } = options;
  const waiting = new Set<() => void>();
  let driver = connect(options);
  let free = connections;
  let closed = false;

  const turn = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const start = (): void => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.delete(start);
        reject(new StoreUnavailable(`no connection was free in ${deadlineMs.toString()} ms`));
      }, deadlineMs);
      waiting.add(start);
    });
  };

  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };

  const condemn = (condemned: Sql): void => {
    if (condemned !== driver || closed) return;
    driver = connect(options);
    condemned.end({ timeout: deadlineMs / 1_000 }).catch(() => {});
  };

  return {
    run: async (statement) => {
      if (closed) throw new StoreUnavailable("the store is closed");
      const calledAt = performance.now();
      await turn();
      const used = driver;
      const asked = (async () => await statement(used))();
      const answer = within(asked, deadlineMs, () => condemn(used)).finally(release);
      const leftMs = deadlineMs - (performance.now() - calledAt);
      try {
        return whole(await (leftMs > deadlineMs - 1 ? answer : within(answer, leftMs, () => {})));
      } catch (error) {
        throw translated(error);
      }
    },

    close: async () => {
      closed = true;
      await driver.end({ timeout: deadlineMs / 1_000 });
    },
  };
};

/**
 * A result without holes. postgres.js 3.4.9 counts rows from where a statement that died after its first row
 * left off, so the next one on that connection has its rows further back: a row that is there would be
 * missed, and a change that was made would seem refused.
 */
const whole = <Rows>(rows: Rows): Rows =>
  Array.isArray(rows) && rows.length > 0 && !(0 in rows) ? (rows.filter(() => true) as Rows) : rows;

/** The promise's own end, where it comes in time; else `late` is called, and the answer is given up. */
const within = <Value>(promise: PromiseLike<Value>, ms: number, late: () => void): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => {
        late();
        reject(new StoreUnavailable("no answer before the deadline"));
      },
      Math.max(1, ms),
    );
    promise.then(
      (value) => {
        clearTimeout(timer);
        resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });

const connect = ({ connection, connections, deadlineMs }: ClientOptions): Sql =>
  openDriver(connection, {
    max: connections,
    connect_timeout: (deadlineMs * SERVER_SHARE) / 1_000,
    // Ours are few and long-lived; a connection that ends at its hour is one more thing to get wrong.
    max_lifetime: null,
    // The driver's own grows to 20 s: much longer than a database takes to come back.
    backoff: (retries: number) => Math.min(0.02 * 2 ** retries, BACKOFF_SECONDS_MAX),
    fetch_types: false,
    onnotice: () => {},
    connection: {
      application_name: "qiju",
      statement_timeout: Math.max(1, Math.floor(deadlineMs * SERVER_SHARE)),
    },
  });

/**
 * SQLSTATE classes and codes that say "not now": connection (08), resources (53: disk full, too many
 * connections), intervention (57: shutdown, timeout), system (58), conflicts and deadlocks (40), a lock not
 * had in time (55P03), a standby after a failover (25006), who may connect (28), no such database (3D).
 */
const NOT_NOW = /^(08|28|3D|40|53|57|58)|^(25006|55P03)$/;

/** Classes whose messages quote values: bad data, broken constraints. */
const QUOTES_VALUES = /^2[23]/;

/** What the driver says when we have misused it; all its other codes are the connection's. */
const MISUSE =
  /^(COPY_IN_PROGRESS|ERR_INVALID_|MAX_PARAMETERS_EXCEEDED|MESSAGE_NOT_|NOT_TAGGED_|UNDEFINED_VALUE|UNSAFE_)/;

/**
 * The driver's error as one of ours. What PostgreSQL adds to an error (`detail`, `where`) quotes what was
 * stored, and so do some messages: nothing goes on but the code and a message that cannot quote.
 */
export const translated = (error: unknown): Error => {
  if (error instanceof StoreUnavailable) return error;
  if (error instanceof postgres.PostgresError) {
    const { code } = error;
    if (code === "23505") return new UniqueViolation(error.constraint_name ?? "");
    const message = QUOTES_VALUES.test(code) ? "" : `: ${error.message}`;
    const cause = new Error(`SQLSTATE ${code}${message}`);
    return NOT_NOW.test(code)
      ? new StoreUnavailable(`the database cannot now: SQLSTATE ${code}`, { cause })
      : new InvariantViolation(`the database refused a statement: SQLSTATE ${code}`, { cause });
  }
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code === "" || MISUSE.test(code)
    ? new InvariantViolation(`the driver refused a statement: ${code}`, { cause: error })
    : new StoreUnavailable(`the database was not reached: ${code}`, { cause: error });
};
