import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ActedJson, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { IS_FULL } from "../support/embedded-driver.ts";
import {
  type FreshDatabase,
  freshDatabase,
  needsPostgres,
  postgresAvailable,
} from "../support/postgres.ts";
import { type Random, random, report, seedOf } from "../support/seeded.ts";
import { getJson, getText, type Reply, type Sent, send } from "../support/send.ts";
import {
  freshKey,
  type Installation,
  installServer,
  type ServerProcess,
} from "../support/server-process.ts";

const TWINS = 20;
const ROUNDS = IS_FULL ? 25 : 2;
const KILLS = IS_FULL ? 25 : 2;
const RETRY_MS_MAX = 30_000;
const TEST_MS_MAX = IS_FULL ? 300_000 : 60_000;
const seed = seedOf("twins");
const choices = random(seed);

/** Makes a request that changes something, and tells how many lines and claims it must have left. */
interface Errand {
  readonly sent: Sent;
  /** The request with the same key and another body. */
  readonly other: Sent;
  readonly status: 200 | 201;
}

const post = (path: string, rest: Omit<Sent, "method" | "path">): Sent => ({
  method: "POST",
  path,
  ...rest,
});

const opened = async (url: string, seats: readonly object[]): Promise<OpenedJson> => {
  const body = { game: "backgammon", seats };
  const reply = await send(url, post("/v1/matches", { body }));
  expect(reply.status, reply.text).toBe(201);
  return JSON.parse(reply.text) as OpenedJson;
};

const HUMAN = { kind: "human" };
const ENGINE = { kind: "engine", level: "random" };

/** What a key makes safe, each on a match of its own. */
const ERRANDS: Readonly<Record<string, (url: string, random: Random) => Promise<Errand>>> = {
  "POST matches": async (_, { hex }) => {
    const key = hex(32);
    const body = { game: "backgammon", seats: [HUMAN, ENGINE] };
    return {
      sent: post("/v1/matches", { key, body }),
      other: post("/v1/matches", { key, body: { ...body, variant: "nackgammon" } }),
      status: 201,
    };
  },
  "POST seats": async (url, { hex }) => {
    const { match, seats } = await opened(url, [HUMAN, { kind: "open" }]);
    const key = hex(32);
    const token = seats[1]?.invite ?? "";
    const path = `/v1/matches/${match.id}/seats`;
    return {
      sent: post(path, { key, token, body: { name: "Bob" } }),
      other: post(path, { key, token, body: { name: "Bea" } }),
      status: 201,
    };
  },
  "POST commands": async (url, { hex, pick }) => {
    const { match, seats } = await opened(url, [HUMAN, ENGINE]);
    const key = hex(32);
    const token = seats[0]?.token ?? "";
    const path = `/v1/matches/${match.id}/commands`;
    return {
      sent: post(path, { key, token, body: pick(match.legal?.commands ?? []) }),
      other: post(path, { key, token, body: { type: "play", play: "1/off" } }),
      status: 200,
    };
  },
  "POST replies": async (url, { hex }) => {
    const { match } = await opened(url, [ENGINE, ENGINE]);
    const key = hex(32);
    const path = `/v1/matches/${match.id}/replies`;
    return {
      sent: post(path, { key, body: { max: 3 } }),
      other: post(path, { key, body: { max: 2 } }),
      status: 200,
    };
  },
};

/** All answers are one answer; at most one of them is the first. @returns how many were replays */
const areOneAnswer = (replies: readonly Reply[], status: number): number => {
  for (const reply of replies) expect(reply.status, reply.text).toBe(status);
  expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
  expect(new Set(replies.map(({ headers }) => headers.get("ETag"))).size).toBe(1);
  return replies.filter(({ isReplayed }) => isReplayed).length;
};

/** The match holds the errand's lines once, and nothing after them. */
const isDoneOnce = async (url: string, { text }: Reply): Promise<void> => {
  const answer = JSON.parse(text) as ActedJson & Partial<OpenedJson>;
  const { id, version } = answer.match;
  const read = await getJson<MatchJson>(url, `/v1/matches/${id}`);
  expect(read.version, "one of the twins has written").toBe(version);
  const log = await getText(url, `/v1/matches/${id}/log`);
  expect(log.trimEnd().split("\n")).toHaveLength(version + 1);
};

describe.runIf(postgresAvailable)(needsPostgres("twenty requests with one key"), () => {
  let installation: Installation;
  let database: FreshDatabase;
  const secretKey = freshKey();
  let servers: ServerProcess[];
  const urlsOf = (): Promise<string[]> => Promise.all(servers.map(({ ready }) => ready));
  const start = (): ServerProcess => installation.start({ databaseUrl: database.url, secretKey });

  beforeAll(async () => {
    [installation, database] = await Promise.all([installServer(), freshDatabase()]);
    servers = [start(), start()];
    await urlsOf();
  });
  afterAll(async () => {
    await installation.clear();
    await database.drop();
  });

  const names = Object.keys(ERRANDS);
  const errandOf = async (name: string, url: string): Promise<Errand> => {
    const made = await ERRANDS[name]?.(url, choices);
    if (made === undefined) throw new Error(`no errand ${name}`);
    return made;
  };

  describe.each([1, 2])("over %i process(es)", (processes) => {
    it.each(names)(
      "%s: one is done, all get its answer",
      async (name) => {
        for (let round = 0; round < ROUNDS; round++) {
          const urls = (await urlsOf()).slice(0, processes);
          const [url = ""] = urls;
          const { sent, other, status } = await errandOf(name, url);
          const replies = await Promise.all(
            Array.from({ length: TWINS }, (_, nth) => send(urls[nth % processes] ?? url, sent)),
          );
          expect(areOneAnswer(replies, status)).toBe(TWINS - 1);
          const [first] = replies;
          if (first !== undefined) await isDoneOnce(url, first);
          const reused = await send(urls.at(-1) ?? url, other);
          expect(reused.status, reused.text).toBe(422);
          expect((JSON.parse(reused.text) as ProblemJson).code).toBe("idempotency-key-reused");
        }
      },
      TEST_MS_MAX,
    );
  });

  it(
    "different keys on one version: one wins, the others get 412",
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const urls = await urlsOf();
        const [url = ""] = urls;
        const { match, seats } = await opened(url, [HUMAN, ENGINE]);
        const body = choices.pick(match.legal?.commands ?? []);
        const replies = await Promise.all(
          Array.from({ length: TWINS }, (_, nth) =>
            send(
              urls[nth % 2] ?? url,
              post(`/v1/matches/${match.id}/commands`, {
                key: choices.hex(32),
                token: seats[0]?.token ?? "",
                expected: match.version,
                body,
              }),
            ),
          ),
        );
        const won = replies.filter(({ status }) => status === 200);
        expect(won).toHaveLength(1);
        const [winner] = won;
        const { receipt } = JSON.parse(winner?.text ?? "{}") as ActedJson;
        for (const loser of replies.filter((reply) => reply !== winner)) {
          expect(loser.status, loser.text).toBe(412);
          const { code, version } = JSON.parse(loser.text) as ProblemJson;
          expect({ code, version }).toEqual({ code: "stale-version", version: receipt.seq });
        }
        if (winner !== undefined) await isDoneOnce(url, winner);
      }
    },
    TEST_MS_MAX,
  );

  it.each(names)(
    "%s: one is done, though a process is killed in between",
    async (name) => {
      let cut = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const victim = kill % 2;
        const urls = await urlsOf();
        const { sent, status } = await errandOf(name, urls[1 - victim] ?? "");
        const killed = servers[victim];
        const kill9 = (): void => killed?.kill("SIGKILL");
        // Half of the time before there are answers, perhaps.
        const answersMax = choices.isHit(50) ? choices.below(TWINS) : TWINS;
        if (answersMax === TWINS) setTimeout(kill9, choices.below(15));
        let answered = 0;
        const replies = await Promise.all(
          Array.from({ length: TWINS }, async (_, nth) => {
            const url = urls[nth % 2] ?? "";
            const first = await send(url, sent).catch(() => undefined);
            answered += 1;
            if (answered > answersMax) kill9();
            if (first !== undefined) return first;
            cut += 1;
            return untilAnswered(urls[1 - victim] ?? "", sent);
          }),
        );
        expect(areOneAnswer(replies, status)).toBeGreaterThanOrEqual(TWINS - 1);
        kill9();
        await killed?.ended;
        servers[victim] = start();
        const url = (await servers[victim]?.ready) ?? "";
        const late = await send(url, sent);
        expect(areOneAnswer([...replies, late], status)).toBeGreaterThanOrEqual(TWINS);
        await isDoneOnce(url, late);
      }
      report("twins", `${name}: ${KILLS} kills cut ${cut} of ${KILLS * TWINS} requests`);
    },
    TEST_MS_MAX,
  );
});

const untilAnswered = async (url: string, sent: Sent): Promise<Reply> => {
  const end = performance.now() + RETRY_MS_MAX;
  while (performance.now() < end) {
    const reply = await send(url, sent).catch(() => undefined);
    if (reply !== undefined && reply.status < 500) return reply;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${sent.path} was not answered within ${RETRY_MS_MAX} ms`);
};
