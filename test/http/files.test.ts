import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import type { ActedJson, Client, MatchJson, OpenedJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { checkByNode, type Deck } from "../support/log-check.ts";
import { command, followNext, tokenOfSeat } from "../support/player.ts";
import type { Random } from "../support/seeded.ts";
import { random, seedOf } from "../support/seeded.ts";
import { testService } from "../support/service.ts";

let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService()).app);
});

const FORMATS = new URL("../golden/backgammon/formats/", import.meta.url);
const file = (name: string): string => readFileSync(new URL(name, FORMATS), "utf8");

const imported = async (format: string, text: string, more: object = {}) => {
  const opened = await api.post<OpenedJson>("/v1/matches/import", { format, file: text, ...more });
  expect(opened.status, opened.text).toBe(201);
  return opened.body;
};

const refusal = async (asked: object) =>
  (await api.post<ProblemJson & { readonly reason?: string }>("/v1/matches/import", asked)).body;

const exported = async (match: MatchJson, format: string) => {
  const answer = await api.get<FileJson>(`/v1/matches/${match.id}/export?format=${format}`);
  expect(answer.status, answer.text).toBe(200);
  return answer;
};

interface FileJson {
  readonly players: readonly string[];
  readonly length: number;
  readonly games: readonly {
    readonly score: readonly number[];
    readonly actions: readonly object[];
    readonly end?: object;
  }[];
}

/** What the moves of a turn come to: the points left and the points reached, those on the way left out. */
const net = (moves: string): string => {
  const steps = moves
    .replaceAll("*", "")
    .trim()
    .split(" ")
    .map((step) => step.split("/"));
  const left = steps.map(([from = ""]) => from);
  const reached = steps
    .map(([, to = ""]) => to)
    .filter((to) => {
      const passed = left.indexOf(to);
      if (passed >= 0) left.splice(passed, 1);
      return passed < 0;
    });
  return `${left.sort().join(" ")} to ${reached.sort().join(" ")} `;
};

const decks = async () => (await api.get<{ decks: readonly Deck[] }>("/v1/audit/decks")).body.decks;

describe.each([
  ["match5-crawford", "over", [4, 5]],
  ["money-cube", "playing", [0, 4]],
] as const)("the match %s of GNU Backgammon", (name, status, score) => {
  it.each(["mat", "sgf"])(
    "is imported from %s, replayed, and exported equal in all actions",
    async (format) => {
      const { match, seats } = await imported(format, file(`${name}.${format}`));
      expect(match).toMatchObject({
        status,
        imported: format,
        seats: [{ name: "anna" }, { name: "boris" }],
      });
      expect(
        match.state.games.reduce(
          (sum, { winner, points }) => {
            sum[winner] = (sum[winner] ?? 0) + points;
            return sum;
          },
          [0, 0],
        ),
      ).toEqual(match.score);
      if (status === "playing") expect(match.score).toEqual(score);
      expect(seats).toHaveLength(2);
      const again = await exported(match, "json");
      // Both formats of a match say the same; a match of one format is exported as the other, and read again.
      for (const other of ["mat", "sgf"]) {
        const text = (await exported(match, other)).text;
        const back = await imported(other, text);
        expect((await exported(back.match, "json")).body.games).toEqual(again.body.games);
      }
    },
  );

  it("from .mat and from SGF is one match", async () => {
    const [mat, sgf] = await Promise.all(
      ["mat", "sgf"].map(async (format) => {
        const { match } = await imported(format, file(`${name}.${format}`));
        return (await exported(match, "json")).body;
      }),
    );
    expect(sgf?.games).toEqual(mat?.games);
    expect(sgf?.players).toEqual(["anna", "boris"]);
  });

  it("is exported as the text that it was imported from, but for the order of dice in a turn", async () => {
    const { match } = await imported("mat", file(`${name}.mat`));
    const lines = (text: string) =>
      text
        .split("\n")
        .filter((line) => !line.startsWith(";") && line.trim() !== "")
        .map((line) => line.replaceAll(/(?:\d+\/\d+\*? ?)+/g, net).replaceAll(/ +/g, " "));
    expect(lines((await exported(match, "mat")).text)).toEqual(lines(file(`${name}.mat`)));
  });

  it("has a log that the independent checker accepts, with dice outside the audit", async () => {
    const { match } = await imported("mat", file(`${name}.mat`));
    const log = await api.get(match.links["log"] ?? "");
    const [open = "{}"] = log.text.split("\n");
    expect(JSON.parse(open)).toMatchObject({ type: "open", imported: { format: "mat" } });
    expect(checkByNode(log.text, await decks())).toMatch(/^OK: \d+ lines, 0 rolls, /);
    expect(log.text).not.toContain('"dice-rolled"');
  });
});

describe("an imported match that has not ended", () => {
  const UNFINISHED = ` 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Takes
`;

  it("goes on with dice of the service's own, which are audited", async () => {
    const { match, seats } = await imported("mat", UNFINISHED, {
      seats: [
        { kind: "human", name: "Ann" },
        { kind: "engine", level: "heuristic" },
      ],
    });
    expect(match).toMatchObject({
      status: "playing",
      turn: { seats: [0] },
      state: { phase: "to-roll", cube: { value: 2, owner: 1 } },
    });
    const token = seats[0]?.token ?? "";
    const rolled = await command(api, match.id, token, { type: "roll" });
    expect(rolled.body.match.status).toBe("playing");
    const log = await api.get(match.links["log"] ?? "");
    expect(checkByNode(log.text, await decks())).toMatch(
      /^OK: \d+ lines, [1-9]\d* rolls, not closed yet$/,
    );
    expect(log.text).toContain('"dice-rolled"');
  });

  it("between games waits for both seats to ask for the next", async () => {
    const { match, seats } = await imported("mat", file("money-cube.mat"));
    expect(match).toMatchObject({ state: { phase: "between-games" }, turn: { seats: [0, 1] } });
    let now: ActedJson | undefined;
    for (const seat of [0, 1]) {
      const token = seats[seat]?.token ?? "";
      now = (await command(api, match.id, token, { type: "next-game" })).body;
    }
    expect(now?.match.state).toMatchObject({ phase: "to-play", game: 2 });
  });
});

describe("an import is refused whole", () => {
  const turn = (line: string, length = 3) =>
    ` ${length} point match\n\n Game 1\n A : 0                          B : 0\n${line}`;

  it.each<readonly [string, object, string, string]>([
    [
      "what is no file",
      { format: "mat", file: "hello" },
      "file-not-readable",
      "line-not-understood",
    ],
    ["what is no SGF", { format: "sgf", file: "hello" }, "file-not-readable", "not-sgf"],
    [
      "an illegal play",
      { format: "mat", file: turn("  1) 31: 8/5 6/4\n") },
      "file-not-playable",
      "play-not-legal",
    ],
    [
      "the smaller of two dice",
      { format: "mat", file: turn("  1) 66: 24/18 24/18 13/7 13/7  66: 24/18\n") },
      "file-not-playable",
      "opening-not-possible",
    ],
    [
      "no move where there is one",
      { format: "mat", file: turn("  1) 31: 8/5 6/5                 64:\n  2) 21: 13/11 6/5\n") },
      "file-not-playable",
      "play-not-legal",
    ],
    [
      "a double in the Crawford game",
      {
        format: "mat",
        file: ` 1 point match\n\n Game 1\n A : 0                          B : 0\n  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes\n`,
      },
      "file-not-playable",
      "cube-not-available",
    ],
    [
      "a score that does not follow",
      {
        format: "mat",
        file: turn(
          "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n                                  Wins 1 point\n\n Game 2\n A : 1                          B : 0\n",
        ),
      },
      "file-not-playable",
      "other-score",
    ],
    [
      "points that the game does not come to",
      {
        format: "mat",
        file: turn(
          "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Drops\n                                  Wins 2 points\n",
        ),
      },
      "file-not-playable",
      "other-result",
    ],
  ])("for %s", async (_name, body, code, reason) => {
    const before = (await api.get<{ matches: unknown[] }>("/v1/matches?limit=100")).body.matches
      .length;
    const refused = await refusal(body);
    expect([refused.status, refused.code, refused.reason]).toEqual([422, code, reason]);
    const after = (await api.get<{ matches: unknown[] }>("/v1/matches?limit=100")).body.matches
      .length;
    expect(after).toBe(before);
  });

  it("for a game without files, an unknown level and an unknown key", async () => {
    const text = turn("  1) 31: 8/5 6/5\n");
    expect((await refusal({ format: "mat", file: text, game: "go" })).code).toBe("game-unknown");
    const seats = [{ kind: "human" }, { kind: "engine", level: "perfect" }];
    expect((await refusal({ format: "mat", file: text, seats })).code).toBe("engine-level-unknown");
    const player = [{ kind: "human", player: "ann" }, { kind: "human" }];
    expect((await refusal({ format: "mat", file: text, seats: player })).status).toBe(400);
    expect((await refusal({ format: "xg", file: text })).status).toBe(400);
  });

  it("for a body of more than a megabyte, and takes one of almost one", async () => {
    const filler = `; [Comment "${"x".repeat(1_000)}"]\n`;
    const long = await refusal({ format: "mat", file: filler.repeat(1_100) });
    expect([long.status, long.code]).toEqual([413, "body-too-large"]);
    const { status } = await refusal({ format: "mat", file: filler.repeat(950) });
    expect(status).toBe(422);
  });

  it("and repeated with its key is the same match", async () => {
    const body = { format: "mat", file: file("money-cube.mat") };
    const headers = { "Idempotency-Key": "an-import-that-is-sent-twice" };
    const one = await api.post<OpenedJson>("/v1/matches/import", body, { headers });
    const again = await api.post<OpenedJson>("/v1/matches/import", body, { headers });
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    expect(again.text).toBe(one.text);
  });
});

const closed = ["a", "b", "c", "d", "e", "f"];
const bothStuck = (side: string, points: readonly string[]) =>
  `${side}${points.map((point) => `[${point}][${point}]`).join("")}[y][y][y]`;
const farClosed = ["x", "w", "v", "u", "t", "s"];

it.each([
  ["a game that is over", "(;GM[6]MI[length:5];PL[W]AE[a:y]AB[a]CV[1]CO[c])"],
  ["an empty board", "(;GM[6]MI[length:5];PL[W]AE[a:y]CV[1]CO[c])"],
  [
    "nobody who can ever move",
    `(;GM[6]MI[length:5];PL[W]AE[a:y]${bothStuck("AW", closed)}${bothStuck("AB", farClosed)})`,
  ],
  ["an owned cube of 1", "(;GM[6]MI[length:5];PL[W]AE[a:y]AW[f]AB[a]CV[1]CO[w])"],
  ["a cube in a match to 1", "(;GM[6]MI[length:1];PL[W]AE[a:y]AW[f]AB[a]CV[2]CO[w])"],
  ["a cube without one", "(;GM[6]MI[length:5]RU[NoCube];PL[W]AE[a:y]AW[f]AB[a]CV[2]CO[w])"],
  ["a score past the length", "(;GM[6]MI[length:5][ws:7][bs:0];PL[W]AE[a:y]AW[f]AB[a]CV[1]CO[c])"],
  ["a score of both at the length", "(;GM[6]MI[length:5][ws:5][bs:5];PL[W]AE[a:y]AW[f]AB[a])"],
  ["more points than can be said", "(;GM[6]MI[length:0][ws:99999];PL[W]AE[a:y]AW[f]AB[a])"],
  ["a cube that is too high", "(;GM[6]MI[length:5];PL[W]AE[a:y]AW[f]AB[a]CV[65536]CO[w])"],
  ["a turned cube in the middle of a match", "(;GM[6]MI[length:5];CV[4]CO[c];W[31hefe])"],
  ["a match of more than 1,000 points", "(;GM[6]MI[length:2000];W[31hefe])"],
])("a file that begins with %s is refused, and leaves nothing", async (_name, text) => {
  const refused = await refusal({ format: "sgf", file: text });
  expect(refused.status, JSON.stringify(refused)).toBe(422);
  expect(refused.reason).toBeDefined();
});

it.each([
  ["a pending double, taken", "-b----E-C---eE---c-e----B-:0:0:1:D:2:3:0:7:10", ["take"]],
  ["a pending double, passed", "-b----E-C---eE---c-e----B-:0:0:1:D:2:3:0:7:10", ["pass"]],
  ["a pending double", "-b----E-C---eE---c-e----B-:0:0:1:D:2:3:0:7:10", []],
  ["the Crawford game", "-b----E-C---eE---c-e----B-:0:0:1:00:6:3:1:7:10", []],
  ["a score", "-b----E-C---eE---c-e----B-:0:0:1:00:2:3:0:7:10", ["double"]],
] as const)(
  "a match that starts with %s comes back from SGF, and .mat refuses it",
  async (_name, xgid, said) => {
    const opened = await api.open({
      options: { start: { xgid }, nextGame: "ask" },
      seats: [{ kind: "human" }, { kind: "human" }],
    });
    let { match } = opened;
    for (const type of said) {
      const token = tokenOfSeat(opened, match.turn.seats[0] ?? 0);
      match = (await command(api, match.id, token, { type })).body.match;
    }
    const back = await imported("sgf", (await exported(match, "sgf")).text);
    const ofState = ({ state, score }: MatchJson) => {
      const { phase, ...rest } = state as typeof state & { readonly crawford: boolean };
      return { phase, score, crawford: rest.crawford, games: state.games };
    };
    expect(ofState(back.match)).toEqual(ofState(match));
    const mat = await api.get<ProblemJson>(`/v1/matches/${match.id}/export?format=mat`);
    expect([mat.status, mat.body.code]).toEqual([422, "file-cannot-say"]);
  },
);

/** The text with a few characters lost, doubled or changed. */
const mutated = (text: string, { below, pick }: Random): string => {
  let changed = text;
  for (let times = 1 + below(4); times > 0; times--) {
    const at = below(changed.length);
    const cut = below(3) === 0 ? 1 + below(200) : below(2);
    const put = pick([
      "",
      "",
      "6",
      "1",
      "(",
      ")",
      "[",
      "]",
      ";",
      ":",
      "/",
      "bar",
      "Takes",
      "\n",
      " ",
      "x",
    ]);
    changed = changed.slice(0, at) + put + changed.slice(at + cut);
  }
  return changed;
};

const MUTATIONS = 150;
const seed = seedOf("mutated files");

it(`${MUTATIONS} mutated files of each kind are read or refused, with a reason in words (SEED=${seed})`, async () => {
  const choices = random(seed);
  let refusals = 0;
  for (const [format, name] of [
    ["mat", "match5-crawford.mat"],
    ["sgf", "match5-crawford.sgf"],
    ["mat", "money-cube.mat"],
    ["sgf", "money-cube.sgf"],
  ] as const) {
    for (let nth = 0; nth < MUTATIONS; nth++) {
      const body = { format, file: mutated(file(name), choices) };
      const answer = await api.post<ProblemJson & { readonly reason?: string }>(
        "/v1/matches/import",
        body,
      );
      if (answer.status === 201) continue;
      // The client holds each answer to the document, which lists the reasons that have words.
      expect([answer.status, typeof answer.body.reason], answer.text).toEqual([422, "string"]);
      refusals += 1;
    }
  }
  expect(refusals).toBeGreaterThan(MUTATIONS);
}, 120_000);

describe("an export", () => {
  it("of a match in play ends where it is", async () => {
    const opened = await api.open({ options: { length: 3 } });
    const { body } = await exported(opened.match, "json");
    expect(body).toMatchObject({ length: 3, games: [{ score: [0, 0] }] });
    expect(body.games.at(-1)).not.toHaveProperty("end");
  });

  it("of a match to 3 of engines is read back as it was played", async () => {
    const seats = [
      { kind: "engine", level: "heuristic" },
      { kind: "engine", level: "random" },
    ];
    const opened = await api.open({ options: { length: 3 }, seats });
    const { match } = await followNext(api, opened, (seat) => tokenOfSeat(opened, seat));
    const { body } = await exported(match, "json");
    for (const format of ["mat", "sgf"]) {
      const back = await imported(format, (await exported(match, format)).text);
      expect((await exported(back.match, "json")).body.games).toEqual(body.games);
      expect(back.match.status).toBe("over");
    }
  });

  it("of a start that .mat has no words for is refused, and SGF says it", async () => {
    const start = { positionId: "AQAABAAAAAAAAA" };
    const opened = await api.open({
      options: { start },
      seats: [{ kind: "human" }, { kind: "human" }],
    });
    const path = `/v1/matches/${opened.match.id}/export?format=`;
    const mat = await api.get<ProblemJson & { reason: string }>(`${path}mat`);
    expect([mat.status, mat.body.code, mat.body.reason]).toEqual([
      422,
      "file-cannot-say",
      "position-not-sayable",
    ]);
    expect((await exported(opened.match, "sgf")).text).toContain("AW[a]");
  });

  it("is of a format that is one, .mat by default, and of a match that has begun", async () => {
    const opened = await api.open({ seats: [{ kind: "human" }, { kind: "open" }] });
    const path = `/v1/matches/${opened.match.id}/export`;
    const begun = await api.open({ seats: [{ kind: "human" }, { kind: "human" }] });
    const plain = await api.get(`/v1/matches/${begun.match.id}/export`);
    expect(plain.headers.get("Content-Type")).toContain("text/plain");
    expect(plain.text).toContain(" 0 point match");
    expect((await api.get(`${path}?format=xg`)).status).toBe(400);
    expect((await api.get<ProblemJson>(`${path}?format=mat`)).body.code).toBe("match-not-begun");
  });
});
