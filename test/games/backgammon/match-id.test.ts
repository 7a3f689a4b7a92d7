import { describe, expect, it } from "vitest";
import { parseMatchId, printMatchId } from "../../../src/games/backgammon/match-id.ts";
import type { MatchStanding, Player } from "../../../src/games/backgammon/standing.ts";
import { SEED, seeded } from "./support/random.ts";
import { knownStates, randomStanding, saidByMatchId } from "./support/standings.ts";

const RUNS = process.env["TEST_SCALE"] === "full" ? 10_000 : 1_000;

/** A money session as it begins, without the Jacoby rule. */
const MONEY: MatchStanding = {
  turn: { phase: "to-roll" },
  cube: { value: 1, owner: "centre" },
  score: [0, 0],
  matchLength: 0,
  crawford: false,
  jacoby: false,
};
const SEVEN: MatchStanding = { ...MONEY, matchLength: 7 };

const of = (text: string) => {
  const read = parseMatchId(text);
  return read.ok ? read.value : read.error.facts;
};

/** The number in the bits from..to of the ID, by another way than the code's: as one large integer. */
const bitsOf = (text: string, from: number, to: number): number => {
  const bytes = [...Buffer.from(text, "base64")];
  const key = bytes.reduceRight((whole, byte) => (whole << 8n) | BigInt(byte), 0n);
  return Number((key >> BigInt(from)) & ((1n << BigInt(to - from + 1)) - 1n));
};

/** A Match ID with other numbers in some of its bits. */
const withBits = (text: string, ...changes: readonly (readonly [number, number])[]): string => {
  const bytes = [...Buffer.from(text, "base64")];
  let key = bytes.reduceRight((whole, byte) => (whole << 8n) | BigInt(byte), 0n);
  for (const [bit, value] of changes) {
    const mask = 1n << BigInt(bit);
    key = value === 1 ? key | mask : key & ~mask;
  }
  const changed = bytes.map((_, index) => Number((key >> BigInt(8 * index)) & 0xffn));
  return Buffer.from(changed).toString("base64");
};

/** Printed by GNU Backgammon 1.07.001, but for the first, which is the example of its manual. */
const TABLE: readonly (readonly [string, string, Player, MatchStanding])[] = [
  [
    "7 points, the cube centred",
    "cAngAAAAAAAE",
    1,
    { ...SEVEN, cube: { value: 1, owner: "centre" } },
  ],
  ["player 1 has doubled", "cBHgAAAAAAAE", 1, { ...SEVEN, turn: { phase: "take-or-pass" } }],
  [
    "taken: the cube is player 0's",
    "QQngAAAAAAAE",
    1,
    { ...SEVEN, cube: { value: 2, owner: "opponent" } },
  ],
  [
    "the same with player 0 to roll",
    "AQHgAAAAAAAE",
    0,
    { ...SEVEN, cube: { value: 2, owner: "onRoll" } },
  ],
  [
    "2-3, the cube is player 1's",
    "UQngACAAGAAE",
    1,
    { ...SEVEN, cube: { value: 2, owner: "onRoll" }, score: [3, 2] },
  ],
  ["the Crawford game", "8AngACAAMAAE", 1, { ...SEVEN, score: [6, 2], crawford: true }],
  [
    "money with the Jacoby rule, 6-1 rolled",
    "cAkHAAAAAAAA",
    1,
    { ...MONEY, jacoby: true, turn: { phase: "to-play", dice: [6, 1] } },
  ],
  [
    "money without the Jacoby rule, 3-2 rolled",
    "cIkJAAAAAAAE",
    1,
    { ...MONEY, turn: { phase: "to-play", dice: [3, 2] } },
  ],
  [
    "money with the Jacoby rule, 3-1 rolled",
    "cIkFAAAAAAAA",
    1,
    { ...MONEY, jacoby: true, turn: { phase: "to-play", dice: [3, 1] } },
  ],
  [
    "a gammon offered by player 1",
    "QUFgAAAAAAAE",
    1,
    {
      ...MONEY,
      matchLength: 3,
      cube: { value: 2, owner: "opponent" },
      turn: { phase: "resignation-offered", value: "gammon", by: "onRoll" },
    },
  ],
  ["B46: a cube of 1024", "WgkAAAAAAAAE", 1, { ...MONEY, cube: { value: 1_024, owner: "onRoll" } }],
];

describe("a Match ID", () => {
  it.each(TABLE)("of %s is known", (_name, id, player, standing) => {
    expect(printMatchId(standing, player)).toBe(id);
    expect(of(id)).toEqual({ ...standing, player });
  });

  it("of the manual's example is read: 9 points, 2-4, 5-2 rolled, the cube 2 and player 0's", () => {
    expect(of("QYkqASAAIAAA")).toEqual({
      turn: { phase: "to-play", dice: [5, 2] },
      cube: { value: 2, owner: "opponent" },
      score: [4, 2],
      matchLength: 9,
      crawford: false,
      jacoby: false,
      player: 1,
    });
  });

  it("B49: of a match is the same with bit 66 and without", () => {
    expect(of("cAngAAAAAAAA")).toEqual(of("cAngAAAAAAAE"));
    expect(of("cAkAAAAAAAAA")).toMatchObject({ matchLength: 0, jacoby: true });
    expect(of("cAkAAAAAAAAE")).toMatchObject({ matchLength: 0, jacoby: false });
  });

  it("B50: with dice is read though its state says that no game has begun, smaller die first", () => {
    const read = { ...MONEY, jacoby: true, turn: { phase: "to-play", dice: [1, 5] }, player: 1 };
    expect(of("cIgUAAAAAAAA")).toEqual(read);
  });

  it("is written with the larger die first, whichever fell first", () => {
    const rolled = (dice: readonly [number, number]): MatchStanding => ({
      ...MONEY,
      turn: { phase: "to-play", dice },
    });
    expect(printMatchId(rolled([2, 3]), 1)).toBe("cIkJAAAAAAAE");
    expect(printMatchId(rolled([3, 2]), 1)).toBe("cIkJAAAAAAAE");
  });

  it("B53: keeps a double that is offered", () => {
    const doubled: MatchStanding = { ...SEVEN, score: [6, 2], turn: { phase: "take-or-pass" } };
    const id = printMatchId(doubled, 1) ?? "";
    expect(id).not.toBe("cAngACAAMAAE");
    expect([bitsOf(id, 6, 6), bitsOf(id, 11, 12)]).toEqual([1, 0b10]);
    expect(of(id)).toEqual({ ...doubled, player: 1 });
  });

  it("says who offers to resign, on roll or not, and the roll that waits", () => {
    for (const player of [0, 1] as const) {
      for (const by of ["onRoll", "opponent"] as const) {
        const dice = [5, 4] as const;
        const turn = { phase: "resignation-offered", value: "backgammon", by, dice } as const;
        const id = printMatchId({ ...MONEY, turn }, player) ?? "";
        // The resigner is the opposite of bit 11.
        const resigner = by === "onRoll" ? player : 1 - player;
        expect([bitsOf(id, 11, 11), bitsOf(id, 13, 14)]).toEqual([1 - resigner, 3]);
        expect(of(id)).toEqual({ ...MONEY, turn, player });
      }
    }
  });

  it("holds the largest numbers", () => {
    const large: MatchStanding = {
      ...MONEY,
      cube: { value: 32_768, owner: "onRoll" },
      matchLength: 32_767,
      score: [32_766, 32_765],
    };
    expect(of(printMatchId(large, 0) ?? "")).toEqual({ ...large, player: 0 });
  });

  it.each<[string, MatchStanding]>([
    ["a cube of 65,536", { ...MONEY, cube: { value: 65_536, owner: "centre" } }],
    ["a cube of 3", { ...MONEY, cube: { value: 3, owner: "centre" } }],
    ["a score past 15 bits", { ...MONEY, score: [32_768, 0] }],
    ["a match past 15 bits", { ...MONEY, matchLength: 32_768 }],
    ["a score that has won", { ...SEVEN, score: [7, 0] }],
    ["a score above the length", { ...SEVEN, score: [0, 9] }],
    ["the Crawford game with nobody one away", { ...SEVEN, crawford: true }],
    ["the Crawford game with both one away", { ...SEVEN, crawford: true, score: [6, 6] }],
    [
      "a cube in the Crawford game",
      { ...SEVEN, crawford: true, score: [6, 0], cube: { value: 2, owner: "onRoll" } },
    ],
    ["the Jacoby rule in a match", { ...SEVEN, jacoby: true }],
  ])("cannot say %s", (_name, standing) => {
    expect(printMatchId(standing, 1)).toBeUndefined();
  });

  const ROLL = "cAngAAAAAAAE";
  const DOUBLED = "cBHgAAAAAAAE";
  it.each([
    ["11 characters", ROLL.slice(1), "not-12-base64-characters"],
    ["13 characters", `${ROLL}=`, "not-12-base64-characters"],
    ["the URL alphabet", "cAng_AAAAAAE", "not-12-base64-characters"],
    ["a line end", `${ROLL.slice(1)}\n`, "not-12-base64-characters"],
    ["nothing", "", "not-12-base64-characters"],
    ["an unused bit", withBits(ROLL, [67, 1]), "unused-bits-set"],
    ["its last bit", withBits(ROLL, [71, 1]), "unused-bits-set"],
    ["cube owner 2", withBits(ROLL, [4, 0]), "not-a-cube-owner"],
    ["state 0 and no dice", withBits(ROLL, [8, 0]), "game-not-begun"],
    ["state 2", withBits(ROLL, [8, 0], [9, 1]), "game-is-over"],
    ["state 3", withBits(ROLL, [9, 1]), "game-is-over"],
    ["state 4", withBits(ROLL, [8, 0], [10, 1]), "game-is-over"],
    ["state 5", withBits(ROLL, [10, 1]), "not-a-game-state"],
    ["a seven", withBits(ROLL, [15, 1], [16, 1], [17, 1], [18, 1]), "not-two-dice"],
    ["one die", withBits(ROLL, [15, 1]), "not-two-dice"],
    ["an answer to nothing", withBits(ROLL, [11, 0]), "nothing-to-answer"],
    ["a double that the doubler answers", withBits(DOUBLED, [11, 1]), "not-a-possible-double"],
    ["a double after the roll", withBits(DOUBLED, [15, 1], [18, 1]), "not-a-possible-double"],
    ["a double and a resignation", withBits(DOUBLED, [13, 1]), "not-a-possible-double"],
    [
      "a double with the opponent's cube",
      withBits(DOUBLED, [4, 0], [5, 0]),
      "not-a-possible-double",
    ],
    [
      "a double in the Crawford game",
      withBits("8AngACAAMAAE", [11, 0], [12, 1]),
      "not-a-possible-double",
    ],
    ["B40: the Crawford game at 0-0", withBits(ROLL, [7, 1]), "not-a-crawford-score"],
    ["B41: the Crawford game at 2-2 to 3", "8AlgACAAEAAE", "not-a-crawford-score"],
    ["a cube in the Crawford game", withBits("8AngACAAMAAE", [0, 1]), "no-cube-in-a-crawford-game"],
    ["the Crawford game for money", "8AkAAAAAAAAE", "not-a-crawford-score"],
    ["an end above the length", "QUNgAEAAAAAE", "game-is-over"],
    [
      "a score that has won",
      withBits(ROLL, [36, 1], [37, 1], [38, 1]),
      "not-a-score-before-the-end",
    ],
  ])("with %s is refused", (_name, text, reason) => {
    expect(parseMatchId(text)).toEqual({
      ok: false,
      error: { code: "position-not-readable", facts: { notation: "matchId", reason } },
    });
  });

  it("is what GNU Backgammon prints in 48 states in play, and says them", () => {
    const playing = knownStates().filter(({ gameState }) => gameState === 1);
    expect(playing).toHaveLength(48);
    for (const { label, player, standing, matchId } of playing) {
      expect(printMatchId(standing, player), label).toBe(matchId);
      expect(of(matchId), label).toEqual({ ...saidByMatchId(standing), player });
    }
  });

  it("of a game that is resigned or dropped is refused", () => {
    const ended = knownStates().filter(({ gameState }) => gameState !== 1);
    expect(ended.map(({ gameState }) => gameState).sort()).toEqual([3, 4]);
    for (const { matchId } of ended) expect(of(matchId)).toMatchObject({ reason: "game-is-over" });
  });
});

describe(`Match IDs at random (SEED=${SEED}, ${RUNS} times)`, () => {
  it("are read back as what they were printed from", () => {
    const random = seeded(SEED + 3);
    for (let index = 0; index < RUNS; index++) {
      const standing = randomStanding(random);
      const player = random(2) === 0 ? 0 : 1;
      const id = printMatchId(standing, player) ?? "";
      expect(of(id), id).toEqual({ ...saidByMatchId(standing), player });
    }
  });

  it("with bits changed are refused, or say what is written the same but for dice and bit 66", () => {
    const random = seeded(SEED + 4);
    let read = 0;
    for (let index = 0; index < RUNS; index++) {
      const printed = printMatchId(randomStanding(random), random(2) === 0 ? 0 : 1) ?? "";
      const changes = Array.from({ length: 1 + random(3) }, () => [random(72), random(2)] as const);
      const text = withBits(printed, ...changes);
      const changed = parseMatchId(text);
      if (!changed.ok) continue;
      read += 1;
      const { player, ...standing } = changed.value;
      const again = printMatchId(standing, player) ?? "";
      expect(of(again), text).toEqual({ ...saidByMatchId(standing), player });
      const inOrder = bitsOf(text, 15, 17) >= bitsOf(text, 18, 20);
      const isMoney = bitsOf(text, 21, 35) === 0;
      const isNew = isMoney || bitsOf(text, 66, 66) === 1;
      if (inOrder && isNew && bitsOf(text, 8, 10) === 1) expect(again).toBe(text);
    }
    expect(read).toBeGreaterThan(RUNS / 10);
  });

  it("of other characters never throw", () => {
    const random = seeded(SEED + 5);
    const characters = "ABCwxyz019+/=-_ \n\u0000é";
    for (let index = 0; index < RUNS; index++) {
      const length = random(4) === 0 ? random(20) : 12;
      const text = Array.from({ length }, () => characters.charAt(random(characters.length)));
      expect(typeof parseMatchId(text.join("")).ok).toBe("boolean");
    }
  });
});
