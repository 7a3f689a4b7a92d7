import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keyOfApp } from "../support/apps.ts";
import type { Client, OpenedJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import type { Located, Operation } from "../support/contract.ts";
import { checkOf, operationsOf, pointerTo } from "../support/contract.ts";
import { broken, valuesOf } from "../support/from-schema.ts";
import { followNext, playUntil } from "../support/player.ts";
import { testService } from "../support/service.ts";
import { watchedStores } from "../support/watched-stores.ts";

const RUNS = process.env["TEST_SCALE"] === "full" ? 500 : 50;
/** The longest that a request may take on a busy machine, in the mean. */
const RUN_MS_MAX = 500;
const SEED = Number(process.env["SEED"] ?? Math.floor(Math.random() * 0x7fff_ffff));

const HUMAN = { kind: "human" };
const RANDOM = { kind: "engine", level: "random" };

const watched = watchedStores();
const { app } = await testService({ chainLength: 64, stores: watched.stores });
const api: Client = await clientOf(app);
const check = checkOf(api.document);
const appKey = await keyOfApp(watched.stores, "shop");

/** Matches in every status, and what their tokens are. */
const matches: OpenedJson[] = [];
const statuses = new Map<string, Set<number>>();
let requests = 0;

beforeAll(async () => {
  const over = await api.open({ seats: [HUMAN, RANDOM] });
  await followNext(api, over);
  matches.push(
    over,
    await toRoll({ seats: [HUMAN, RANDOM] }),
    await toRoll({ seats: [HUMAN, HUMAN] }),
    await api.open({ seats: [HUMAN, { kind: "open" }] }),
    await api.open({ seats: [{ kind: "open" }, { kind: "open" }], visibility: "private" }),
    await api.open({ seats: [RANDOM, RANDOM] }),
    await api.open({ seats: [{ ...HUMAN, player: "ann" }, RANDOM] }, { token: appKey }),
  );
});

/** A match in which a human may roll, as the example of a command does. */
const toRoll = async (wish: object): Promise<OpenedJson> => {
  const opened = await api.open(wish);
  await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
  return opened;
};

/** A request as it is drawn: numbers choose among what exists only once the tests run. */
interface Fuzzed {
  readonly path: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly match: number;
  readonly token: number;
  readonly body: unknown;
  readonly hasBody: boolean;
}

const TEXT = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom("", "0", "-1", "1e9", "null", "true", "%00", "../..", "x".repeat(300)),
);

const KNOWN: Readonly<Record<string, string>> = {
  game: "backgammon",
  code: "stale-version",
  player: "ann",
};

/** The document's own example, at each match and as each of its seats: sent first. */
const friendly = ({ path, operation }: Located): [Fuzzed][] => {
  const body = operation.requestBody?.content["application/json"]?.example;
  const named = path.replace(/\{(\w+)\}/g, (whole, name: string) => KNOWN[name] ?? whole);
  return [0, 1, 2, 3, 4, 5, 6].flatMap((match) =>
    [0, 1, 2].map((token): [Fuzzed] => [
      { path: named, query: "", headers: {}, match, token, body, hasBody: true },
    ]),
  );
};

const pathsOf = ({ path, operation }: Located): fc.Arbitrary<string> => {
  const names = (operation.parameters ?? []).filter((parameter) => parameter.in === "path");
  const values = names.map(({ name }) =>
    name === "id"
      ? fc.constant("{id}")
      : fc.oneof(
          fc.constant(KNOWN[name] ?? ""),
          TEXT.filter((t) => t !== ""),
        ),
  );
  return fc
    .tuple(...values)
    .map((drawn) =>
      names.reduce(
        (text, { name }, i) => text.replace(`{${name}}`, () => encoded(drawn[i] ?? "")),
        path,
      ),
    );
};

/** A dot alone would be resolved away by every client. */
const encoded = (text: string): string =>
  text === "{id}" ? text : encodeURIComponent(text.replaceAll(".", "_"));

const parametersOf = (operation: Operation, where: "query" | "header") =>
  fc.record(
    Object.fromEntries(
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === where)
        .map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 4, arbitrary: valuesOf(api.document, schema) }, TEXT),
        ]),
    ),
    { requiredKeys: [] },
  );

const queriesOf = (operation: Operation): fc.Arbitrary<string> =>
  fc
    .tuple(parametersOf(operation, "query"), fc.nat(9), TEXT)
    .map(([given, odd, text]) =>
      [
        ...Object.entries(given).map(
          ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
        ),
        ...(odd === 0 ? [`${encodeURIComponent(text)}=1`] : []),
      ].join("&"),
    );

const bodiesOf = (operation: Operation): fc.Arbitrary<unknown> => {
  const media = operation.requestBody?.content["application/json"];
  if (media === undefined) return fc.constant(undefined);
  const values = valuesOf(api.document, media.schema);
  const good = media.example === undefined ? values : fc.oneof(values, fc.constant(media.example));
  return fc.oneof(good, broken(good), broken(broken(good)));
};

const requestsOf = (located: Located): fc.Arbitrary<Fuzzed> =>
  fc.record({
    path: pathsOf(located),
    query: queriesOf(located.operation),
    headers: parametersOf(located.operation, "header") as fc.Arbitrary<Record<string, string>>,
    match: fc.nat(100),
    token: fc.nat(9),
    body: bodiesOf(located.operation),
    hasBody: fc.nat(9).map((n) => n > 0),
  });

const tokenFor = ({ seats }: OpenedJson, choice: number): string | undefined => {
  const own = seats.map(({ token, invite }) => token ?? invite ?? "");
  const tokens = [
    ...own,
    ...own,
    appKey,
    undefined,
    "qj_seat_",
    ...(matches[0]?.seats ?? []).map((s) => s.token),
  ];
  return tokens[choice % tokens.length];
};

/** Header values that a client can send: no line breaks, one byte a character. */
const sendable = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, text]) => [
      name,
      text.replace(/[^\x20-\x7e\xa0-\xff]/g, "?"),
    ]),
  );

const send = async (located: Located, fuzzed: Fuzzed) => {
  const match = matches[fuzzed.match % (matches.length + 1)];
  const id = match?.match.id ?? "00000000-0000-4000-8000-000000000000";
  const path = fuzzed.path.replace("{id}", id) + (fuzzed.query === "" ? "" : `?${fuzzed.query}`);
  const token = match === undefined ? undefined : tokenFor(match, fuzzed.token);
  const raw =
    located.operation.requestBody !== undefined && fuzzed.hasBody && fuzzed.body !== undefined
      ? JSON.stringify(fuzzed.body)
      : undefined;
  const answered = await api.request<OpenedJson>(located.method.toUpperCase(), path, {
    headers: sendable(fuzzed.headers),
    ...(token === undefined ? {} : { token }),
    ...(raw === undefined ? {} : { raw }),
  });
  const isRotated = located.operation.operationId === "rotateSeat" && answered.status === 200;
  if (match !== undefined && isRotated) {
    const [fresh] = answered.body.seats;
    const seats = match.seats.map((held) => (held.seat === fresh?.seat ? fresh : held));
    matches[matches.indexOf(match)] = { ...match, seats };
  }
  return answered;
};

const isInvalid = ({ path, method, operation }: Located, { body, hasBody }: Fuzzed): boolean => {
  if (operation.requestBody === undefined || !hasBody || body === undefined) return false;
  const steps = ["paths", path, method, "requestBody", "content", "application/json", "schema"];
  return check(pointerTo(...steps), JSON.parse(JSON.stringify(body))) !== undefined;
};

describe(`fuzzed requests (SEED=${SEED}, ${RUNS} an operation)`, () => {
  it.each(
    operationsOf(api.document).map((located) => [located.operation.operationId, located] as const),
  )(
    "%s answers as declared, never with a 5xx, and a refusal stores nothing",
    async (id, located) => {
      const met = new Set<number>();
      statuses.set(id, met);
      await fc.assert(
        fc.asyncProperty(requestsOf(located), async (fuzzed) => {
          const writes = watched.writes();
          const { status, text } = await send(located, fuzzed);
          requests += 1;
          met.add(status);
          expect(status, text).toBeLessThan(500);
          if (status >= 400) expect(watched.writes(), text).toBe(writes);
          if (isInvalid(located, fuzzed)) expect(status, text).toBeGreaterThanOrEqual(400);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true, examples: friendly(located) },
      );
    },
    RUNS * RUN_MS_MAX,
  );

  afterAll(() => {
    expect(requests).toBeGreaterThanOrEqual(RUNS * statuses.size);
    for (const [id, met] of statuses) {
      expect(Math.min(...met), `${id} was never done`).toBeLessThan(400);
    }
  });
});
