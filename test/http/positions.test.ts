import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { knownStates } from "../games/backgammon/support/standings.ts";
import type { Client, PlayJson, ProblemJson } from "../support/client.ts";
import { clientOf } from "../support/client.ts";
import { testService } from "../support/service.ts";

let api: Client;
beforeAll(async () => {
  api = await clientOf((await testService({ chainLength: 64 })).app);
});

/** `points[i]` is the side's own point i; `points[0]` is not used. */
interface GoldenSide {
  readonly points: readonly number[];
  readonly bar: number;
  readonly off: number;
}

interface GoldenPlays {
  readonly id: string;
  readonly position: { readonly onRoll: GoldenSide; readonly opponent: GoldenSide };
  readonly gnubgPositionId: string;
  readonly dice: readonly [number, number];
  readonly resultingPositions: readonly string[];
}

const GOLDEN = new URL("../golden/backgammon/legal-plays.jsonl", import.meta.url);
const golden = readFileSync(GOLDEN, "utf8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as GoldenPlays);

const setup = ({ points, bar, off }: GoldenSide) => ({
  points: Object.fromEntries([...points.entries()].slice(1)),
  bar,
  off,
});

const resulting = async (
  position: unknown,
  dice: readonly number[],
): Promise<readonly string[]> => {
  const answered = await api.post<{ plays: PlayJson[] }>("/v1/positions/legal-plays", {
    position,
    dice,
  });
  expect(answered.status, answered.text).toBe(200);
  return answered.body.plays.map(({ resultingPositionId }) => resultingPositionId).sort();
};

describe("legal plays", () => {
  it("are GNU Backgammon's on all 1,760 golden positions, given as a board", async () => {
    expect(golden).toHaveLength(1_760);
    for (const { id, position, dice, resultingPositions } of golden) {
      const board = { onRoll: setup(position.onRoll), opponent: setup(position.opponent) };
      expect(await resulting({ board }, dice), id).toEqual([...resultingPositions].sort());
    }
  });

  it("are the same given as a Position ID, whichever die is named first", async () => {
    for (const { id, gnubgPositionId, dice, resultingPositions } of golden) {
      const found = await resulting({ positionId: gnubgPositionId }, [...dice].reverse());
      expect(found, id).toEqual([...resultingPositions].sort());
    }
  });

  it("are none, and no error, where the roll cannot be played", async () => {
    expect(await resulting({ positionId: "/38AAAAAAAD/fw" }, [1, 1])).toEqual([]);
  });

  it("are the same given as GNU IDs or as an XGID, whatever these say of dice", async () => {
    const start = await resulting({ positionId: "4HPwATDgc/ABMA" }, [3, 1]);
    expect(start).toHaveLength(16);
    const ids = { positionId: "4HPwATDgc/ABMA", matchId: "cAkHAAAAAAAA" };
    expect(await resulting(ids, [3, 1])).toEqual(start);
    const xgid = "-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:3";
    expect(await resulting({ xgid }, [3, 1])).toEqual(start);
  });

  it("are found for the three checkers of hypergammon", async () => {
    const body = {
      position: { positionId: "AACgAgAAKgAAAA" },
      dice: [2, 1],
      variant: "hypergammon",
    };
    const answered = await api.post<{ plays: PlayJson[] }>("/v1/positions/legal-plays", body);
    // By hand, where the three then stand: nothing is in the way, and eight ways lead to six places.
    expect(answered.body.plays.map(({ play }) => play).sort()).toEqual([
      "22/19", // 24 23 19
      "23/20", // 24 22 20
      "23/21 22/21", // 24 21 21
      "24/21", // 23 22 21
      "24/22 23/22", // 22 22 22
      "24/23 22/20", // 23 23 20
    ]);
  });

  it("are not those of a game that is over", async () => {
    const body = { position: { positionId: "AAAAAAAAAAAAAA" }, dice: [1, 2] };
    const refused = await api.post<ProblemJson>("/v1/positions/legal-plays", body);
    expect([refused.status, refused.body.code]).toEqual([422, "position-not-playable"]);
  });
});

interface Converted {
  readonly positionId: string;
  readonly matchId: string;
  readonly gnubgId: string;
  readonly xgid?: string;
  readonly board: unknown;
  readonly match: Readonly<Record<string, unknown>>;
}

const convert = (position: unknown, more: object = {}) =>
  api.post<Converted & ProblemJson>("/v1/positions/convert", { position, ...more });

const START = { "24": 2, "13": 5, "8": 3, "6": 5 };
const side = (points: object, bar = 0, off = 0) => ({ points, bar, off });

/** Positions whose IDs GNU Backgammon 1.07.001 printed. */
const IDS: readonly [string, ReturnType<typeof side>, ReturnType<typeof side>][] = [
  ["4HPwATDgc/ABMA", side(START), side(START)],
  ["4HPiQSDgc/ABMA", side(START), side({ "24": 1, "18": 1, "13": 4, "10": 1, "8": 3, "6": 5 })],
  ["4HPwATDgc+JBIA", side({ "24": 1, "18": 1, "13": 4, "10": 1, "8": 3, "6": 5 }), side(START)],
  ["sGfwATDgc/ABMA", side(START), side({ "24": 2, "13": 5, "8": 2, "6": 4, "5": 2 })],
  [
    "s23ABwDgc/AATA",
    side({ "23": 2, "13": 4, "8": 3, "6": 5 }, 1),
    side({ "13": 5, "6": 2, "5": 2, "4": 2, "3": 2, "1": 2 }),
  ],
  ["/38AAAAAAAD/fw", side({}, 15), side({ "1": 15 })],
  ["AQAABAAAAAAAAA", side({ "1": 1 }, 0, 14), side({ "1": 1 }, 0, 14)],
];

/** XGIDs with the GNU IDs that GNU Backgammon 1.07.001 makes of them. */
const SAME: readonly (readonly [string, string, string])[] = [
  ["-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:3", "4HPwATDgc/ABMA", "cAnzAAAAAAAE"],
  ["-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:7:10", "4HPwATDgc/ABMA", "UQngACAAGAAE"],
  ["-b----E-C---eE---c-e----B-:0:0:1:00:6:2:1:7:10", "4HPwATDgc/ABMA", "8AngACAAMAAE"],
  // B43, with the larger die first.
  ["-aa---EBB---dDa--c-e----B-:0:0:1:61:0:0:3:0:8", "4HPkASjg2+ABMA", "cAkHAAAAAAAA"],
  // B44.
  ["--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8", "u61jAAButwMGAA", "UQkFAAAAAAAE"],
  // B46.
  ["-b----E-C---eE---c-e----B-:10:1:1:00:0:0:0:0:10", "4HPwATDgc/ABMA", "WgkAAAAAAAAE"],
];

describe("a position", () => {
  it.each(IDS)(
    "%s is the board that GNU Backgammon means",
    async (positionId, onRoll, opponent) => {
      const read = await convert({ positionId });
      expect(read.body.board).toEqual({ onRoll, opponent });
      const written = await convert({ board: { onRoll, opponent } });
      expect(written.body.positionId).toBe(positionId);
    },
  );

  it.each([
    ["-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:3", "4HPwATDgc/ABMA"],
    ["XGID=-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:3", "4HPwATDgc/ABMA"],
    ["-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:7:10", "4HPwATDgc/ABMA"],
    ["-A-Bb-DBB---bBa---bcbbaA-A:0:0:-1:00:4:0:0:0:8", "GW+DAUi03ZABBg"],
    ["-b----E-C--AeD---bAdb---A-:0:0:1:52:0:0:3:0:10", "sGfwATDgc+RBIA"],
  ])("%s has the Position ID %s", async (xgid, positionId) => {
    expect((await convert({ xgid })).body.positionId).toBe(positionId);
  });

  it("in an XGID comes with what that says besides", async () => {
    const money = await convert({ xgid: "-b----E-C--AeD---bAdb---A-:0:0:1:52:0:0:3:0:10" });
    expect(money.body.match).toEqual({
      turn: { phase: "to-play", dice: [5, 2] },
      cube: { value: 1, owner: "centre" },
      score: [0, 0],
      matchLength: 0,
      crawford: false,
      jacoby: true,
      beavers: true,
      cubeLimit: 1_024,
    });
    const crawford = await convert({ xgid: "-b----E-C---eE---c-e----B-:0:0:1:00:6:2:1:7:10" });
    expect(crawford.body.match).toMatchObject({ crawford: true, score: [6, 2], matchLength: 7 });
  });

  it.each([
    [{ positionId: "" }, "position-not-readable"],
    [{ positionId: "4HPwATDgc_ABMA" }, "position-not-readable"],
    [{ positionId: "4HPwATDgc/ABMB" }, "position-not-readable"],
    [{ xgid: "" }, "position-not-readable"],
    [{ xgid: "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7" }, "position-not-readable"],
    [{ xgid: "-b----E-C---eE---c-e----B-:0:0:1:77:0:0:0:7:10" }, "position-not-readable"],
    [{ positionId: "4HPwATDgc/ABMA", matchId: "" }, "position-not-readable"],
    [{ positionId: "4HPwATDgc/ABMA", matchId: "cAngAAAAAAAI" }, "position-not-readable"],
    [{ positionId: "4HPwATDgc/ABMA", matchId: "MAwAABAAAAAE" }, "position-not-readable"],
    [{ positionId: "4HPwATDgc/ABMB", matchId: "cAngAAAAAAAE" }, "position-not-readable"],
    [{ xgid: "-b----E-C---eE---c-e----B-:1:-1:1:D:0:0:0:7:10" }, "position-not-readable"],
    [{ board: { onRoll: side({ "6": 15 }, 1), opponent: side(START) } }, "position-not-playable"],
    [{ board: { onRoll: side({ "1": 5 }), opponent: side({ "24": 5 }) } }, "position-not-playable"],
  ])("that cannot be read is refused with the reason in words: %o", async (position, code) => {
    const refused = await convert(position);
    expect([refused.status, refused.body.code]).toEqual([422, code]);
    expect(refused.body.detail).not.toMatch(/[a-z]-[a-z]+-/);
  });
});

describe("a position in every notation", () => {
  it.each(SAME)("%s is %s and %s", async (xgid, positionId, matchId) => {
    const read = await convert({ xgid });
    expect(read.body).toMatchObject({ positionId, matchId, gnubgId: `${positionId}:${matchId}` });
    expect(read.body.xgid?.replace("XGID=", "")).toBe(xgid);
    // Back from the GNU IDs, which say neither beavers nor the limit.
    const back = await convert({ positionId, matchId });
    const { beavers, cubeLimit, ...match } = read.body.match;
    expect(back.body.match).toEqual(match);
    expect(back.body.board).toEqual(read.body.board);
    expect([back.body.positionId, back.body.matchId]).toEqual([positionId, matchId]);
  });

  it("is the same for GNU Backgammon's 48 states in play, in and out", async () => {
    const playing = knownStates().filter(({ gameState }) => gameState === 1);
    expect(playing).toHaveLength(48);
    for (const { label, positionId, matchId, standing } of playing) {
      const { body } = await convert({ positionId, matchId });
      expect(body.gnubgId, label).toBe(`${positionId}:${matchId}`);
      const isResignation = standing.turn.phase === "resignation-offered";
      expect("xgid" in body, label).toBe(!isResignation);
      if (body.xgid === undefined) continue;
      const again = await convert({ xgid: body.xgid });
      const { beavers, cubeLimit, ...match } = again.body.match;
      expect([again.body.positionId, match], label).toEqual([positionId, body.match]);
    }
  });

  it("has GNU's player 0 on roll where the top player of an XGID is", async () => {
    const board = "-b----E-C---eE---c-e----B-";
    const [bottom, top] = [
      await convert({ xgid: `${board}:1:1:1:00:3:2:0:7:10` }),
      await convert({ xgid: `${board}:1:1:-1:00:3:2:0:7:10` }),
    ];
    expect(bottom.body.matchId).toBe("UQngACAAGAAE");
    // The same cube, match and score of players 0 and 1, but bits 6 and 11 name player 0.
    expect(top.body.matchId).toBe("EQHgACAAGAAE");
    expect(top.body.xgid).toBe(`XGID=${board}:1:-1:1:00:2:3:0:7:10`);
  });

  it("B53: keeps a double that is offered", async () => {
    const { body } = await convert({ xgid: "-b----E-C---eE---c-e----B-:0:0:1:D:6:2:0:7:10" });
    expect(body.match["turn"]).toEqual({ phase: "take-or-pass" });
    expect(body.matchId).not.toBe("cAngACAAMAAE");
    const { positionId, matchId } = body;
    expect((await convert({ positionId, matchId })).body.xgid).toBe(body.xgid);
  });

  it("alone is of a money session, the cube centred, the dice not rolled", async () => {
    const { body } = await convert({ positionId: "4HPwATDgc/ABMA" });
    expect(body).toMatchObject({
      matchId: "cAkAAAAAAAAE",
      xgid: "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
      match: { turn: { phase: "to-roll" }, matchLength: 0, jacoby: false, beavers: false },
    });
  });

  it("takes a cube and dice that it does not say", async () => {
    const cube = { value: 2, owner: "onRoll", matchLength: 7, score: [3, 2] };
    const board = { onRoll: side(START), opponent: side(START) };
    for (const position of [{ positionId: "4HPwATDgc/ABMA" }, { board }]) {
      expect((await convert(position, { cube })).body).toMatchObject({
        matchId: "UQngACAAGAAE",
        xgid: "XGID=-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:7:10",
      });
      const rolled = await convert(position, { cube: { jacoby: true }, dice: [1, 6] });
      expect(rolled.body.matchId).toBe("cAkHAAAAAAAA");
      expect(rolled.body.match["turn"]).toEqual({ phase: "to-play", dice: [1, 6] });
      const crawford = { matchLength: 7, score: [6, 2], crawford: true };
      expect((await convert(position, { cube: crawford })).body.matchId).toBe("8AngACAAMAAE");
    }
  });

  it.each([
    ["cube", { cube: {} }],
    ["dice", { dice: [6, 4] }],
  ])("refuses a %s beside an XGID or a Match ID", async (member, more) => {
    const xgid = "-b----E-C---eE---c-e----B-:0:0:1:64:0:0:0:7:3";
    const ids = { positionId: "4HPwATDgc/ABMA", matchId: "cAnzAAAAAAAE" };
    for (const [notation, position] of [["xgid", { xgid }] as const, ["matchId", ids] as const]) {
      const refused = await convert(position, more);
      expect(refused.status).toBe(422);
      expect(refused.body).toMatchObject({ code: "position-said-twice", notation, member });
    }
  });

  it.each([
    ["not-a-power-of-two", { value: 3 }],
    ["not-a-score-before-the-end", { matchLength: 5, score: [5, 0] }],
    ["not-a-crawford-score", { matchLength: 5, score: [3, 2], crawford: true }],
    ["not-a-crawford-score", { crawford: true }],
    ["no-cube-in-a-crawford-game", { matchLength: 5, score: [4, 0], crawford: true, value: 2 }],
    ["money-rules-in-a-match", { matchLength: 5, jacoby: true }],
    ["money-rules-in-a-match", { matchLength: 5, beavers: true }],
    ["not-a-possible-cube", { value: 1, owner: "onRoll" }],
    ["not-a-possible-cube", { owner: "opponent" }],
    ["not-a-possible-cube", { value: 2, matchLength: 7, score: [0, 0] }],
    ["score-without-length", { score: [4, 6] }],
  ])("refuses a cube as %s: %o", async (reason, cube) => {
    const refused = await convert({ positionId: "4HPwATDgc/ABMA" }, { cube });
    expect([refused.status, refused.body.code]).toEqual([422, "position-not-playable"]);
    expect(refused.body).toMatchObject({ reason });
    expect(refused.body.detail).not.toMatch(/[a-z]-[a-z]+-/);
  });

  it.each([
    ["B52: sixteen checkers", { xgid: "-b----E-C---eE---c-e----BA:0:0:1:62:0:0:0:7:10" }],
    ["B55: 13 characters", { positionId: "4HPwATDgc/ABM" }],
    ["B55: 15 characters", { positionId: "4HPwATDgc/ABMA=" }],
    ["B55: stray padding bits", { positionId: "4HPwATDgc/ABMB" }],
    ["B55: the URL alphabet", { positionId: "4HPwATDgc_ABMA" }],
    ["B55: seventeen checkers", { positionId: "//8BAAAAAAAAAA" }],
  ])("with %s is refused as a whole", async (_name, position) => {
    const refused = await convert(position);
    expect([refused.status, refused.body.code]).toEqual([422, "position-not-readable"]);
  });

  it.each([
    ["standard", 13, 14],
    ["hypergammon", 1, 2],
  ])("has off what is not on the board of %s, said or not", async (variant, own, other) => {
    const bare = { onRoll: { points: { "6": 1, "5": 1 } }, opponent: { points: {}, bar: 1 } };
    const whole = {
      onRoll: { ...side({ "6": 1, "5": 1 }), off: own },
      opponent: { ...side({}, 1), off: other },
    };
    const [unsaid, said] = [
      await convert({ board: bare }, { variant }),
      await convert({ board: whole }, { variant }),
    ];
    expect(unsaid.status, unsaid.text).toBe(200);
    expect(unsaid.body.board).toEqual(whole);
    expect(unsaid.body).toEqual(said.body);
    for (const [off, reason] of [
      [own - 1, "checkers-missing"],
      [0, "checkers-missing"],
      [own + 1, "too-many-checkers"],
    ] as const) {
      const board = { ...bare, onRoll: { ...bare.onRoll, off } };
      const refused = await convert({ board }, { variant });
      expect([refused.status, refused.body]).toMatchObject([422, { reason, side: "onRoll" }]);
    }
  });

  it("of hypergammon has three checkers a side", async () => {
    const variant = "hypergammon";
    const start = side({ "24": 1, "23": 1, "22": 1 });
    const read = await convert({ positionId: "AACgAgAAKgAAAA" }, { variant });
    expect(read.body.board).toEqual({ onRoll: start, opponent: start });
    const { xgid = "" } = read.body;
    expect((await convert({ xgid }, { variant })).body.board).toEqual(read.body.board);
    expect((await convert({ xgid })).body.board).toMatchObject({ onRoll: { off: 12 } });
    const board = { onRoll: side({ "6": 4 }), opponent: side({ "6": 3 }) };
    for (const position of [{ positionId: "4HPwATDgc/ABMA" }, { board }]) {
      const refused = await convert(position, { variant });
      expect([refused.status, refused.body]).toMatchObject([422, { reason: "too-many-checkers" }]);
    }
    expect((await convert({ board }, { variant: "chess" })).status).toBe(400);
  });
});
