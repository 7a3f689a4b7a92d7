import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
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

  it("are not those of a game that is over", async () => {
    const body = { position: { positionId: "AAAAAAAAAAAAAA" }, dice: [1, 2] };
    const refused = await api.post<ProblemJson>("/v1/positions/legal-plays", body);
    expect([refused.status, refused.body.code]).toEqual([422, "position-not-playable"]);
  });
});

interface Converted {
  readonly positionId: string;
  readonly board: unknown;
  readonly match?: Readonly<Record<string, unknown>>;
}

const convert = (position: unknown) =>
  api.post<Converted & ProblemJson>("/v1/positions/convert", { position });

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
    [{ board: { onRoll: side({ "6": 15 }, 1), opponent: side(START) } }, "position-not-playable"],
    [{ board: { onRoll: side({ "1": 5 }), opponent: side({ "24": 5 }) } }, "position-not-playable"],
  ])("that cannot be read is refused with the reason in words: %o", async (position, code) => {
    const refused = await convert(position);
    expect([refused.status, refused.body.code]).toEqual([422, code]);
    expect(refused.body.detail).not.toMatch(/[a-z]-[a-z]+-/);
  });
});
