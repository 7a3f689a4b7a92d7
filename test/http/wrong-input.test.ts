import { beforeAll, describe, expect, it } from "vitest";
import type { Asked, Client, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { command, followNext, playUntil, tokenOfSeat } from "../support/player.ts";
import { testService } from "../support/service.ts";
import type { WatchedStores } from "../support/watched-stores.ts";
import { watchedStores } from "../support/watched-stores.ts";

const HUMAN = { kind: "human" };
const RANDOM = { kind: "engine", level: "random" };
/** A random engine passes doubles: its games would be short. */
const NO_CUBE = { cube: false };
const MB = 1_024 * 1_024;

let watched: WatchedStores;
let api: Client;
let opened: OpenedJson;
let over: OpenedJson;
beforeAll(async () => {
  watched = watchedStores();
  api = await clientOf((await testService({ chainLength: 64, stores: watched.stores })).app);
  opened = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
  const match = await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
  opened = { ...opened, match };
  over = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
  await followNext(api, over);
});

/** Sends what is wrong, and sees to it that nothing was stored. */
const refused = async (method: string, path: string, asked: Asked): Promise<ProblemJson> => {
  const content = await watched.content();
  const answered = await api.request<ProblemJson>(method, path, asked);
  expect(answered.status, answered.text).toBeGreaterThanOrEqual(400);
  expect(answered.status, answered.text).toBeLessThan(500);
  expect(await watched.content()).toBe(content);
  return answered.body;
};

const OPEN = "/v1/matches";
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, "utf16le");
const json = '{"game":"backgammon"}';

/** A body of so many bytes, in pieces and without a Content-Length. */
const chunked = (bytes: number): ReadableStream<Uint8Array> => {
  const piece = new Uint8Array(64 * 1_024).fill(0x20);
  let sent = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (sent >= bytes) return controller.close();
      sent += piece.length;
      controller.enqueue(piece);
    },
  });
};

describe("a body that is not JSON as it should be", () => {
  it.each<[string, NonNullable<RequestInit["body"]>, string]>([
    ["cut off", '{"game":', "malformed-request"],
    ["of words", "game=backgammon", "malformed-request"],
    ["with a comma too many", '{"game":"backgammon",}', "malformed-request"],
    ["with two values", "{}{}", "malformed-request"],
    ["empty", "", "malformed-request"],
    ["null", "null", "malformed-request"],
    ["a list", "[]", "malformed-request"],
    ["a text", '"backgammon"', "malformed-request"],
    ["a number too large for any", "1e999999", "malformed-request"],
    ["in UTF-16", utf16(json), "malformed-request"],
    ["in UTF-16 without a mark", Buffer.from(json, "utf16le"), "malformed-request"],
    ["in Latin-1", Buffer.from('{"game":"é"}', "latin1"), "malformed-request"],
    [
      "with half a surrogate pair, raw",
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      "malformed-request",
    ],
    ["with half a surrogate pair, escaped", '{"game":"\\ud800"}', "malformed-request"],
    [
      "with half a surrogate pair in a key",
      '{"game":"backgammon","\\udc00":1}',
      "malformed-request",
    ],
    ["with a NUL, raw", '{"game":"a\u0000"}', "malformed-request"],
    ["with a NUL, escaped", '{"game":"a\\u0000"}', "malformed-request"],
    ["with a key twice", '{"game":"backgammon","game":"backgammon"}', "malformed-request"],
    [
      "with a key twice, once escaped",
      '{"game":"backgammon","g\\u0061me":"x"}',
      "malformed-request",
    ],
    [
      "with a key twice, deep inside",
      '{"game":"backgammon","options":{"a":{"b":1,"b":1}}}',
      "malformed-request",
    ],
    [
      "nested a little too deep",
      `{"game":${"[".repeat(17)}${"]".repeat(17)}}`,
      "malformed-request",
    ],
    ["nested as deep as fits", "[".repeat(16_000), "malformed-request"],
    ["nested 100,000 deep", "[".repeat(100_000) + "]".repeat(100_000), "body-too-large"],
    ["of 50 MB", Buffer.alloc(50 * MB, 0x20), "body-too-large"],
  ])("%s is refused", async (_, raw, code) => {
    expect((await refused("POST", OPEN, { raw })).code).toBe(code);
  });

  it("with a byte-order mark is read past it (RFC 8259, section 8.1, allows that)", async () => {
    expect((await api.request("POST", OPEN, { raw: `\uFEFF${json}` })).status).toBe(201);
  });

  it("of 50 MB without a Content-Length is refused when it has grown too large", async () => {
    expect((await refused("POST", OPEN, { raw: chunked(50 * MB) })).code).toBe("body-too-large");
  });

  it("of 17 kB is refused by every operation that takes one, and by an import of a megabyte and a little", async () => {
    for (const [template, methods] of Object.entries(api.document.paths)) {
      if (methods["post"] === undefined) continue;
      const path = template.replace("{id}", opened.match.id);
      const bytes = path === "/v1/matches/import" ? 1_025 * 1_024 : 17 * 1_024;
      const { code } = await refused("POST", path, { raw: Buffer.alloc(bytes, 0x20) });
      expect(code, path).toBe("body-too-large");
    }
  });

  it("says nothing of repeated keys where they only look repeated", async () => {
    const raw =
      '{"game":"backgammon","seats":[{"kind":"human","name":"\\"name\\":"},{"kind":"open"}]}';
    expect((await api.request("POST", OPEN, { raw })).status).toBe(201);
  });

  it("missing is refused where one is needed", async () => {
    for (const path of [OPEN, `/v1/matches/${opened.match.id}/commands`, "/v1/positions/convert"]) {
      const { code } = await refused("POST", path, { token: tokenOfSeat(opened, 0) });
      expect(code, path).toBe("malformed-request");
    }
  });
});

describe("a body in another form", () => {
  it.each([
    [{ "Content-Type": "text/plain" }],
    [{ "Content-Type": "application/x-www-form-urlencoded" }],
    [{ "Content-Type": "multipart/form-data; boundary=x" }],
    [{ "Content-Type": "application/json; charset=utf-16" }],
    [{ "Content-Type": "application/jsonp" }],
    [{ "Content-Type": "application/vnd.api+json" }],
    [{ "Content-Type": "" }],
    [{ "Content-Encoding": "gzip" }],
    [{ "Content-Encoding": "identity" }],
  ])("is refused: %o", async (headers) => {
    const { code } = await refused("POST", OPEN, { raw: Buffer.from(json), headers });
    expect(code).toBe("media-type-not-supported");
  });

  it.each(["application/json", "APPLICATION/JSON", 'application/json; charset="UTF-8"'])(
    "is taken as %s",
    async (type) => {
      const headers = { "Content-Type": type };
      expect((await api.request("POST", OPEN, { raw: json, headers })).status).toBe(201);
    },
  );
});

describe("a value that is not as it should be", () => {
  const pointers = async (path: string, body: unknown): Promise<readonly string[]> => {
    const asked = { raw: JSON.stringify(body), token: tokenOfSeat(opened, 0) };
    const { code, errors } = await refused("POST", path, asked);
    expect(code).toBe("malformed-request");
    return [...new Set(errors?.map(({ pointer }) => pointer))];
  };
  const wish = { game: "backgammon" };
  const name = (text: string) => ({ ...wish, seats: [{ kind: "human", name: text }, HUMAN] });

  it.each<[string, unknown, readonly string[]]>([
    ["an unknown key", { ...wish, colour: 1 }, ["/colour"]],
    ["two unknown keys", { ...wish, a: 1, b: 2 }, ["/a", "/b"]],
    ["an unknown key with a slash", { ...wish, "a/b~c": 1 }, ["/a~1b~0c"]],
    ["the key constructor", { ...wish, constructor: { prototype: {} } }, ["/constructor"]],
    ["an unknown key of a seat", { ...wish, seats: [{ kind: "open", x: 1 }] }, ["/seats/0/x"]],
    ["no game", {}, ["/game"]],
    ["a game that is a number", { game: 7 }, ["/game"]],
    ["a game without a name", { game: "" }, ["/game"]],
    ["a game with a very long name", { game: "x".repeat(41) }, ["/game"]],
    ["seats that are no list", { ...wish, seats: {} }, ["/seats"]],
    ["no seats", { ...wish, seats: [] }, ["/seats"]],
    ["too many seats", { ...wish, seats: Array(17).fill(HUMAN) }, ["/seats"]],
    ["a seat of no kind", { ...wish, seats: [{}, HUMAN] }, ["/seats/0/kind"]],
    ["a seat of an unknown kind", { ...wish, seats: [{ kind: "cat" }] }, ["/seats/0/kind"]],
    ["an engine without a level", { ...wish, seats: [{ kind: "engine" }] }, ["/seats/0/level"]],
    ["options that are a list", { ...wish, options: [] }, ["/options"]],
    ["options that are null", { ...wish, options: null }, ["/options"]],
    ["a visibility of no sense", { ...wish, visibility: "secret" }, ["/visibility"]],
    ["an empty name", name(""), ["/seats/0/name"]],
    ["a long name", name("安".repeat(41)), ["/seats/0/name"]],
    ["a name with a line break", name("An\nn"), ["/seats/0/name"]],
    ["a name that turns the text round", name("An\u202En"), ["/seats/0/name"]],
    ["a name that is not composed", name("e\u0301"), ["/seats/0/name"]],
    ["a name of spaces", name(" "), ["/seats/0/name"]],
  ])("%s is named by its pointer", async (_, body, expected) => {
    expect(await pointers(OPEN, body)).toEqual(expected);
  });

  it.each([
    ["/v1/matches", '{"game":"backgammon","__proto__":{"visibility":"private"}}', "/__proto__"],
    ["/v1/matches", '{"game":"backgammon","options":{"__proto__":{}}}', "/options/__proto__"],
    [
      "/v1/positions/convert",
      '{"position":{"board":{"onRoll":{"points":{"__proto__":{"6":5}}},"opponent":{"points":{}}}}}',
      "/position/board/onRoll/points/__proto__",
    ],
  ])("the key __proto__ of %s is named by its pointer", async (path, raw, pointer) => {
    const { errors } = await refused("POST", path, { raw });
    expect(errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it.each<[string, unknown, readonly string[]]>([
    ["an unknown command", { type: "rol" }, ["/type"]],
    ["a command without a type", { play: "8/5" }, ["/type"]],
    ["an unknown key of a command", { type: "roll", dice: [6, 6] }, ["/dice"]],
    ["a die of 7 with a play", { type: "play", play: "8/5", dice: [6, 7] }, ["/dice/1"]],
    ["a resignation without its value", { type: "offer-resignation" }, ["/value"]],
    ["a resignation of a double", { type: "offer-resignation", value: "double" }, ["/value"]],
    ["a play that is a number", { type: "play", play: 1 }, ["/play"]],
    ["an empty play", { type: "play", play: "" }, ["/play"]],
    ["a play of a thousand characters", { type: "play", play: "8/5 ".repeat(250) }, ["/play"]],
    ["a move from nowhere", { type: "play", moves: [{ from: 26, to: 1 }] }, ["/moves/0/from"]],
    ["a move of half a point", { type: "play", moves: [{ from: 8.5, to: 1 }] }, ["/moves/0/from"]],
    ["a huge number", { type: "play", moves: [{ from: 1e308, to: 1 }] }, ["/moves/0/from"]],
    ["no moves", { type: "play", moves: [] }, ["/moves"]],
  ])("%s is named by its pointer", async (_, body, expected) => {
    expect(await pointers(`/v1/matches/${opened.match.id}/commands`, body)).toEqual(expected);
  });

  it.each<[string, unknown, readonly string[]]>([
    ["a die of seven", { position: { positionId: "4HPwATDgc/ABMA" }, dice: [7, 1] }, ["/dice/0"]],
    ["one die", { position: { positionId: "4HPwATDgc/ABMA" }, dice: [1] }, ["/dice"]],
    [
      "a position of two kinds",
      { position: { positionId: "x", xgid: "x" }, dice: [1, 2] },
      ["/position"],
    ],
    ["a position of no kind", { position: {}, dice: [1, 2] }, ["/position"]],
    [
      "an ID that is a number",
      { position: { positionId: 1 }, dice: [1, 2] },
      ["/position/positionId"],
    ],
    [
      "a board of one side",
      { position: { board: { onRoll: { points: {} } } }, dice: [1, 2] },
      ["/position/board/opponent"],
    ],
  ])("%s is named by its pointer", async (_, body, expected) => {
    expect(await pointers("/v1/positions/legal-plays", body)).toEqual(expected);
  });

  it("too many replies are refused", async () => {
    expect(await pointers(`/v1/matches/${opened.match.id}/replies`, { max: 101 })).toEqual([
      "/max",
    ]);
    expect(await pointers(`/v1/matches/${opened.match.id}/replies`, { max: 0 })).toEqual(["/max"]);
  });
});

describe("a query that is not as it should be", () => {
  it.each([
    ["/v1/matches?limit=0", "/query/limit"],
    ["/v1/matches?limit=101", "/query/limit"],
    ["/v1/matches?limit=1e1", "/query/limit"],
    ["/v1/matches?limit=0x10", "/query/limit"],
    ["/v1/matches?limit=", "/query/limit"],
    ["/v1/matches?limit=1&limit=2", "/query/limit"],
    ["/v1/matches?limit=99999999999999999999", "/query/limit"],
    ["/v1/matches?status=lost", "/query/status"],
    ["/v1/matches?colour=red", "/query/colour"],
    ["/v1/matches?constructor=1", "/query/constructor"],
    ["/v1/matches?__proto__=1", "/query/__proto__"],
    ["/v1/matches?game=%00", "/query/game"],
    ["/v1/matches?cursor=MTc5", "/query/cursor"],
    [`/v1/matches?cursor=${"x".repeat(200)}`, "/query/cursor"],
    ["/v1/games?x=1", "/query/x"],
    ["/v1/meta?x", "/query/x"],
    ["/v1/audit/decks?after=-1", "/query/after"],
  ])("is refused: %s", async (path, pointer) => {
    const { code, errors } = await refused("GET", path, {});
    expect(code).toBe("malformed-request");
    expect(errors?.map((error) => error.pointer)).toEqual([pointer]);
  });

  it.each(["after=x", "after=-2", "after=", "limit=501", "before=1"])(
    "is refused by the events of a match: %s",
    async (query) => {
      const path = `/v1/matches/${opened.match.id}/events?${query}`;
      expect((await refused("GET", path, {})).code).toBe("malformed-request");
    },
  );
});

describe("a header that is not as it should be", () => {
  const path = (): string => `/v1/matches/${opened.match.id}/commands`;
  it.each([
    ["Idempotency-Key", "", "/header/idempotency-key"],
    ["Idempotency-Key", "x".repeat(256), "/header/idempotency-key"],
    ["Idempotency-Key", "a b", "/header/idempotency-key"],
    ["Idempotency-Key", "clé", "/header/idempotency-key"],
    ["If-Match", "41", "/header/if-match"],
    ["If-Match", '"-1"', "/header/if-match"],
    ["If-Match", '"1e3"', "/header/if-match"],
    ["If-Match", '"99999999999"', "/header/if-match"],
  ])("is refused: %s: %s", async (name, value, pointer) => {
    const asked = { body: { type: "roll" }, token: tokenOfSeat(opened, 0) };
    const { code, errors } = await refused("POST", path(), {
      ...asked,
      headers: { [name]: value },
    });
    expect(code).toBe("malformed-request");
    expect(errors?.map((error) => error.pointer)).toEqual([pointer]);
  });
});

describe("a request that comes at the wrong time or from the wrong place", () => {
  const act = async (of: OpenedJson, body: unknown, headers = {}): Promise<string> => {
    const asked = { body, token: tokenOfSeat(of, 0), headers };
    return (await refused("POST", `/v1/matches/${of.match.id}/commands`, asked)).code;
  };

  it.each([
    "00000000-0000-4000-8000-000000000000",
    "3F0C0F1E-5B1A-4C1E-9D0E-6C4C1B7A2D11",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "'; drop table matches; --",
    "x".repeat(5_000),
  ])("names a match that is not there: %s", async (id) => {
    for (const [method, path] of [
      ["GET", ""],
      ["GET", "/log"],
      ["GET", "/events"],
      ["POST", "/replies"],
    ] as const) {
      const { code } = await refused(method, `/v1/matches/${encodeURI(id)}${path}`, {});
      expect(code).toBe("match-not-found");
    }
  });

  it("acts on a version that has passed, or will never come", async () => {
    expect(await act(opened, { type: "roll" }, { "If-Match": '"0"' })).toBe("stale-version");
    expect(await act(opened, { type: "roll" }, { "If-Match": '"999999999"' })).toBe(
      "stale-version",
    );
  });

  it("plays before it has rolled, and acts after the end", async () => {
    expect(await act(opened, { type: "play", play: "8/5 6/5" })).toBe("wrong-phase");
    expect(await act(over, { type: "roll" })).toBe("match-over");
  });

  it.each(["8/5 6/5/4/3/2/1", "bar/20", "nonsense", "24/1(4)", "25/0", "8/5 8/5 8/5 8/5 8/5"])(
    "plays what is not legal: %s",
    async (play) => {
      const game = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
      const match = await playUntil(api, game, ({ state }) => state.phase === "to-play");
      expect(await act({ ...game, match }, { type: "play", play })).toBe("play-not-legal");
    },
  );

  it("leads to a Position ID that no play leads to", async () => {
    const game = await api.open({ seats: [HUMAN, RANDOM], options: NO_CUBE });
    const match = await playUntil(api, game, ({ state }) => state.phase === "to-play");
    for (const resultingPositionId of ["4HPwATDgc/ABMA", "x", "////////////////"]) {
      const asked = { type: "play", resultingPositionId };
      expect(await act({ ...game, match }, asked)).toBe("play-not-legal");
    }
  });
});

it("a command that was refused changes nothing for the next one", async () => {
  const match = await playUntil(api, opened, ({ state }) => state.phase === "to-roll");
  const rolled = await command(api, match.id, tokenOfSeat(opened, 0), { type: "roll" });
  expect(rolled.status).toBe(200);
});
