import { beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../src/application/policy.ts";
import { POLICY } from "../../src/http/access.ts";
import { keyOfApp } from "../support/apps.ts";
import type { Client, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import type { Located } from "../support/contract.ts";
import { operationsOf } from "../support/contract.ts";
import { tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";

// Who may do what, as it is meant: written out, and held against every operation of the document.

const PRINCIPALS = [
  ...["nobody", "mistyped", "seat elsewhere", "invite elsewhere", "seat", "invite"],
  ...["its app", "its app without scopes", "another app"],
] as const;

/** In the order of PRINCIPALS; `ok` is anything but the three. */
type Row = string;

const SEE: Row = "ok 401 401 401 ok ok ok ok ok";
const HIDDEN: Row = "404 404 404 404 ok ok ok 403 404";
const SEAT_ONLY: Row = "401 401 401 401 ok 403 403 403 403";
const HIDDEN_SEAT_ONLY: Row = "404 404 404 404 ok 403 403 403 404";

/** At a public match and at a private one; or, of what is about no match, twice the same. */
const MEANT: Readonly<Record<Action | "public", readonly [Row, Row]>> = {
  see: [SEE, HIDDEN],
  reply: [SEE, HIDDEN],
  act: [SEAT_ONLY, HIDDEN_SEAT_ONLY],
  legal: [SEAT_ONLY, HIDDEN_SEAT_ONLY],
  hint: [SEAT_ONLY, HIDDEN_SEAT_ONLY],
  claim: ["401 401 401 401 403 ok 403 403 403", "404 404 404 404 403 ok 403 403 404"],
  rotate: ["401 401 401 401 ok 403 ok 403 403", "404 404 404 404 ok 403 ok 403 404"],
  open: ["ok 401 403 403 403 403 ok 403 ok", "ok 401 403 403 403 403 ok 403 ok"],
  list: ["ok 401 ok ok ok ok ok ok ok", "ok 401 ok ok ok ok ok ok ok"],
  "list-players": ["401 401 403 403 403 403 ok 403 ok", "401 401 403 403 403 403 ok 403 ok"],
  "read-statistics": ["401 401 403 403 403 403 ok 403 404", "401 401 403 403 403 403 ok 403 404"],
  public: ["ok ok ok ok ok ok ok ok ok", "ok ok ok ok ok ok ok ok ok"],
};

const UNKNOWN = "00000000-0000-4000-8000-000000000000";
const { app, stores } = await testService({ chainLength: 16 });
const api: Client = await clientOf(app);
const operations = operationsOf(api.document);
const keys = { own: "", bare: "", other: "" };
let elsewhere: OpenedJson;

beforeAll(async () => {
  keys.own = await keyOfApp(stores, "shop");
  keys.bare = await keyOfApp(stores, "shop", []);
  keys.other = await keyOfApp(stores, "rival");
  elsewhere = await open("public", keys.other, "bob");
});

/** A match with a player of the app's in seat 0, and an invite for seat 1. */
const open = (visibility: string, token: string, player: string): Promise<OpenedJson> =>
  api.open({ seats: [{ kind: "human", player }, { kind: "open" }], visibility }, { token });

const mistyped = (token: string): string => token.slice(0, -1) + (token.endsWith("0") ? "1" : "0");

const tokenOf = (
  principal: (typeof PRINCIPALS)[number],
  opened: OpenedJson,
): string | undefined => {
  const inviteOf = ({ seats }: OpenedJson): string => seats[1]?.invite ?? "";
  switch (principal) {
    case "nobody":
      return undefined;
    case "mistyped":
      return mistyped(keys.own);
    case "seat elsewhere":
      return tokenOfSeat(elsewhere, 0);
    case "invite elsewhere":
      return inviteOf(elsewhere);
    case "seat":
      return tokenOfSeat(opened, 0);
    case "invite":
      return inviteOf(opened);
    case "its app":
      return keys.own;
    case "its app without scopes":
      return keys.bare;
    default:
      return keys.other;
  }
};

const NAMES: Readonly<Record<string, string>> = {
  game: "backgammon",
  code: "stale-version",
  player: "ann",
};

const send = ({ path, method, operation }: Located, id: string, token?: string, query = "") => {
  const named = path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "id" ? id : (NAMES[name] ?? name),
  );
  const body = operation.requestBody?.content["application/json"]?.example;
  return api.request<ProblemJson>(method.toUpperCase(), named + query, {
    ...(body === undefined ? {} : { body }),
    ...(token === undefined ? {} : { token }),
  });
};

const saying = (status: number): string => ([401, 403, 404].includes(status) ? `${status}` : "ok");

/** What every principal met, as a row. */
const met = async (located: Located, visibility: string, query = ""): Promise<Row> => {
  const row: string[] = [];
  for (const principal of PRINCIPALS) {
    const opened = await open(visibility, keys.own, "ann");
    const token = tokenOf(principal, opened);
    const answered = await send(located, opened.match.id, token, query);
    row.push(saying(answered.status));
    if (answered.status === 404) await isAsUnknown(located, answered.text, token);
  }
  return row.join(" ");
};

const masked = (text: string): string => text.replace(/urn:uuid:[0-9a-f-]{36}/, "instance");

/** Fails where a refusal differs from that of a match, or a player, that does not exist. */
const isAsUnknown = async (located: Located, text: string, token?: string): Promise<void> => {
  const unknown = await send(located, UNKNOWN, token);
  expect(masked(text)).toBe(masked(unknown.text));
};

const policyOf = (operationId: string): Action | "public" | undefined =>
  (POLICY as Readonly<Record<string, Action | "public">>)[operationId];

it("every operation of the document has a policy, and every policy an operation", () => {
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(ids.filter((id) => policyOf(id) === undefined)).toEqual([]);
  expect(Object.keys(POLICY).filter((id) => !ids.includes(id))).toEqual([]);
});

describe.each(operations.map((located) => [located.operation.operationId, located] as const))(
  "%s",
  (operationId, located) => {
    const policy = policyOf(operationId) ?? "public";
    const { path, operation } = located;

    it(`lets everybody do what "${policy}" means`, async () => {
      const [atPublic, atPrivate] = MEANT[policy];
      expect(await met(located, "public")).toBe(atPublic);
      expect(await met(located, "private")).toBe(atPrivate);
    });

    it("says of its token what is true", () => {
      const bearer = { bearer: [] };
      const [first] = MEANT[policy][0].split(" ");
      const meant = policy === "public" ? undefined : first === "ok" ? [bearer, {}] : [bearer];
      expect(operation.security).toEqual(meant);
    });

    it("declares the refusals that its policy means", () => {
      const meant = MEANT[policy].flatMap((row) => row.split(" ")).filter((one) => one !== "ok");
      const declared = Object.keys(operation.responses);
      expect([...new Set(meant)].filter((status) => !declared.includes(status))).toEqual([]);
      const takesToken = path.includes("/matches") || path.includes("/players");
      expect(policy === "public").toBe(!takesToken);
    });
  },
);

it("a player in the list's query is for apps, each its own", async () => {
  const list = operations.find(({ operation }) => operation.operationId === "listMatches");
  if (list === undefined) throw new TypeError("matches are listed");
  for (const query of ["?player=ann", "?player=ann&onTurn=true"]) {
    expect(await met(list, "private", query)).toBe(MEANT["list-players"][0]);
  }
});

it("a revoked key is unknown at the next request", async () => {
  const key = await keyOfApp(stores, "leaver");
  const opened = await open("private", key, "ann");
  const path = `/v1/matches/${opened.match.id}`;
  expect((await api.get(path, { token: key })).status).toBe(200);
  const made = (await stores.apps.list()).find((one) => one.app === "leaver");
  expect(await stores.apps.revoke(made?.id ?? "", 1)).toBe(true);
  expect((await api.get(path, { token: key })).status).toBe(404);
  const refused = await api.post<ProblemJson>(
    "/v1/matches",
    { game: "backgammon" },
    { token: key },
  );
  expect([refused.status, refused.body.code]).toEqual([401, "token-unknown"]);
  const successor = await keyOfApp(stores, "leaver");
  expect((await api.get(path, { token: successor })).status, "the app goes on").toBe(200);
});

it("a scope that is missing is named", async () => {
  const seer = await keyOfApp(stores, "seer", ["read-matches"]);
  const refused = await api.post<ProblemJson & { scope: string }>(
    "/v1/matches",
    { game: "backgammon" },
    { token: seer },
  );
  expect([refused.body.code, refused.body.scope]).toEqual(["scope-missing", "open-matches"]);
  const statistics = await api.get<ProblemJson & { scope: string }>("/v1/players/ann/statistics", {
    token: seer,
  });
  expect(statistics.body.scope).toBe("read-statistics");
  expect((await api.get("/v1/matches?player=ann", { token: seer })).status).toBe(200);
});
