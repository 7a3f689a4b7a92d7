import { describe, expect, it } from "vitest";
import { turned } from "../../../src/games/backgammon/board.ts";
import { parseMatchId } from "../../../src/games/backgammon/match-id.ts";
import { printPositionId } from "../../../src/games/backgammon/position-id.ts";
import type { Standing } from "../../../src/games/backgammon/standing.ts";
import { START } from "../../../src/games/backgammon/start.ts";
import { parseXgid, printXgid } from "../../../src/games/backgammon/xgid.ts";
import { positionOf } from "./support/positions.ts";
import { SEED, seeded } from "./support/random.ts";
import { knownStates, randomStanding, saidByMatchId, saidByXgid } from "./support/standings.ts";

const RUNS = process.env["TEST_SCALE"] === "full" ? 10_000 : 1_000;

const BOARD = "-b----E-C---eE---c-e----B-";
const start = { onRoll: START.standard, opponent: START.standard };
const of = (text: string) => {
  const read = parseXgid(text);
  return read.ok ? read.value : read.error.facts;
};

describe("an XGID", () => {
  it("says the position, the roll, the cube, the score and the match", () => {
    expect(of(`XGID=${BOARD}:0:0:1:64:0:0:0:7:3`)).toEqual({
      position: start,
      turn: { phase: "to-play", dice: [6, 4] },
      cube: { value: 1, owner: "centre" },
      score: [0, 0],
      matchLength: 7,
      crawford: false,
      jacoby: false,
      beavers: false,
      cubeLimit: 8,
      player: 1,
    });
  });

  it("is read with or without its prefix", () => {
    const rest = `${BOARD}:0:0:1:64:0:0:0:7:3`;
    expect(of(rest)).toEqual(of(`XGID=${rest}`));
  });

  it.each([
    ["-b----E-C---eE---c-e----B-:1:1:1:00:3:2:0:7:10", "4HPwATDgc/ABMA"],
    ["-A-Bb-DBB---bBa---bcbbaA-A:0:0:-1:00:4:0:0:0:8", "GW+DAUi03ZABBg"],
    ["-b----E-C--AeD---bAdb---A-:0:0:1:52:0:0:3:0:10", "sGfwATDgc+RBIA"],
    ["-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8", "4HPkASjg2+ABMA"],
  ])("%s is the position that GNU Backgammon reads", (text, id) => {
    const read = parseXgid(text);
    expect(read.ok && printPositionId(read.value.position)).toBe(id);
  });

  it("B43: keeps every checker on its side, dice in the order written, money rules", () => {
    expect(of("XGID=-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8")).toMatchObject({
      position: positionOf(
        { 24: 2, 13: 4, 8: 2, 7: 2, 6: 5 },
        { 24: 1, 23: 1, 13: 4, 11: 1, 8: 3, 6: 5 },
      ),
      turn: { phase: "to-play", dice: [1, 6] },
      matchLength: 0,
      jacoby: true,
      beavers: true,
      cubeLimit: 256,
    });
  });

  // The ID that the list of faults has for it is the one that GNU Backgammon 1.07.001 reads, u61jAAButwMGAA: below.
  it("B44: gives the cube to its owner", () => {
    expect(of("XGID=--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8")).toMatchObject({
      position: positionOf(
        { 13: 2, 6: 3, 5: 2, 4: 3, 3: 2, 2: 3 },
        { 9: 2, 6: 3, 5: 1, 4: 2, 3: 2, 2: 3, 1: 2 },
      ),
      turn: { phase: "to-play", dice: [2, 1] },
      cube: { value: 2, owner: "onRoll" },
    });
    expect(of(`${BOARD}:1:-1:1:00:0:0:0:0:8`)).toMatchObject({ cube: { owner: "opponent" } });
    expect(of(`${BOARD}:1:-1:-1:00:0:0:0:0:8`)).toMatchObject({ cube: { owner: "onRoll" } });
  });

  it("B46: a large cube is a power of two", () => {
    expect(of(`${BOARD}:10:1:1:00:0:0:0:0:10`)).toMatchObject({
      cube: { value: 1024, owner: "onRoll" },
    });
  });

  it("B53: a double that is offered stays offered", () => {
    expect(of(`${BOARD}:0:0:1:D:6:2:0:7:10`)).toMatchObject({
      turn: { phase: "take-or-pass" },
      cube: { value: 1, owner: "centre" },
      score: [6, 2],
    });
  });

  it("the board is absolute: with turn -1 the top player is on roll", () => {
    const [bottom, top] = [of(`${BOARD}:0:0:1:00:4:1:0:5:10`), of(`${BOARD}:0:0:-1:00:4:1:0:5:10`)];
    expect([bottom, top]).toMatchObject([{ score: [4, 1] }, { score: [1, 4] }]);
    const barred = "-A-Bb-DBB---bBa---bcbbaA-A";
    const [up, down] = [1, -1].map((turn) => parseXgid(`${barred}:0:0:${turn}:00:0:0:0:0:8`));
    expect(up?.ok && down?.ok && turned(up.value.position)).toEqual(
      down?.ok && down.value.position,
    );
  });

  it("the Crawford flag is kept where exactly one player is one point away", () => {
    expect(of(`${BOARD}:0:0:1:00:6:2:1:7:10`)).toMatchObject({ crawford: true, jacoby: false });
    expect(of(`${BOARD}:0:0:1:00:6:2:0:7:10`)).toMatchObject({ crawford: false });
  });

  it.each([
    ["B52: sixteen checkers", "-b----E-C---eE---c-e----BA:0:0:1:62:0:0:0:7:10", "board"],
    ["twenty-five places", "-b----E-C---eE---c-e----B:0:0:1:62:0:0:0:7:10", "board"],
    ["a P for sixteen", "-P------------------------:0:0:1:62:0:0:0:7:10", "board"],
    [
      "the bottom's letter on the top's bar",
      "B-------------------------:0:0:1:62:0:0:0:7:10",
      "board",
    ],
    [
      "the top's letter on the bottom's bar",
      "-------------------------b:0:0:1:62:0:0:0:7:10",
      "board",
    ],
    ["nine fields", `${BOARD}:0:0:1:62:0:0:0:7`, "fields"],
    ["eleven fields", `${BOARD}:0:0:1:62:0:0:0:7:10:0`, "fields"],
    ["nothing", "", "fields"],
    ["a cube past 15 doublings", `${BOARD}:16:1:1:62:0:0:0:7:10`, "cube"],
    ["a cube of -1", `${BOARD}:-1:1:1:62:0:0:0:7:10`, "cube"],
    ["nobody's cube", `${BOARD}:1:2:1:62:0:0:0:7:10`, "cubeOwner"],
    ["nobody's turn", `${BOARD}:0:0:0:62:0:0:0:7:10`, "turn"],
    ["a seven", `${BOARD}:0:0:1:67:0:0:0:7:10`, "dice"],
    ["one die", `${BOARD}:0:0:1:60:0:0:0:7:10`, "dice"],
    ["a beaver", `${BOARD}:0:0:1:B:0:0:0:0:10`, "dice"],
    ["a raccoon", `${BOARD}:0:0:1:R:0:0:0:0:10`, "dice"],
    ["a score that has won", `${BOARD}:0:0:1:62:7:0:0:7:10`, "scoreBottom"],
    ["no score", `${BOARD}:0:0:1:62:0::0:7:10`, "scoreTop"],
    ["Jacoby and beavers in a match", `${BOARD}:0:0:1:62:0:0:3:7:10`, "rules"],
    ["B40: Crawford at 0-0", `${BOARD}:0:0:1:61:0:0:1:5:10`, "rules"],
    ["B41: Crawford at 2-2 to 3", `${BOARD}:0:0:1:00:2:2:1:3:10`, "rules"],
    ["a double with the opponent's cube", `${BOARD}:1:-1:1:D:0:0:0:7:10`, "dice"],
    ["a cube in the Crawford game", `${BOARD}:1:1:1:00:6:2:1:7:10`, "cube"],
    ["a double in the Crawford game", `${BOARD}:0:0:1:D:6:2:1:7:10`, "dice"],
    ["a match of no number", `${BOARD}:0:0:1:62:0:0:0:07:10`, "matchLength"],
    ["a limit of no number", `${BOARD}:0:0:1:62:0:0:0:7:x`, "cubeLimit"],
  ])("with %s is refused as a whole", (_name, text, field) => {
    expect(parseXgid(text)).toMatchObject({
      ok: false,
      error: { code: "position-not-readable", facts: { notation: "xgid", field } },
    });
  });

  it("says what 39 match states hold, and is written again", () => {
    const states = knownStates().filter(({ xgid }) => xgid !== undefined);
    expect(states).toHaveLength(45);
    for (const { label, player, standing, xgid = "" } of states) {
      const read = of(xgid);
      // A roll is read in the order written; the state says it as it fell.
      const said = saidByXgid(standing);
      expect({ ...read, turn: said.turn }, label).toEqual({ ...said, player });
      const again = printXgid(standing) ?? "";
      expect(of(again), label).toEqual({ ...said, player: 1 });
      // Where player 1 is on roll, another coder wrote the very same text, but for the order of dice.
      if (player === 1)
        expect(again.replace(ROLL, inOrder), label).toBe(xgid.replace(ROLL, inOrder));
    }
  });
});

/** The dice of an XGID, larger first. */
const ROLL = /(?<=^(?:[^:]*:){4})[1-6]{2}(?=:)/;
const inOrder = (roll: string): string => [...roll].sort().reverse().join("");

describe("an XGID is written", () => {
  it.each([
    [`${BOARD}:0:0:1:64:0:0:0:7:3`, "4HPwATDgc/ABMA", "cAnzAAAAAAAE"],
    [`${BOARD}:1:1:1:00:3:2:0:7:10`, "4HPwATDgc/ABMA", "UQngACAAGAAE"],
    [`${BOARD}:0:0:1:00:6:2:1:7:10`, "4HPwATDgc/ABMA", "8AngACAAMAAE"],
    ["-A-Bb-DBB---bBa---bcbbaA-A:0:0:-1:00:4:0:0:0:8", "GW+DAUi03ZABBg", "cAkAAEAAAAAE"],
    ["-aa---EBB---dDa--c-e----B-:0:0:1:16:0:0:3:0:8", "4HPkASjg2+ABMA", "cAkHAAAAAAAA"],
    ["--CBCBC------B--b--cabbcb-:1:1:1:21:0:0:0:0:8", "u61jAAButwMGAA", "UQkFAAAAAAAE"],
    [`${BOARD}:10:1:1:00:0:0:0:0:10`, "4HPwATDgc/ABMA", "WgkAAAAAAAAE"],
  ])("%s is what GNU Backgammon reads as %s:%s", (xgid, positionId, matchId) => {
    const read = parseXgid(xgid);
    const match = parseMatchId(matchId);
    if (!(read.ok && match.ok)) throw new Error(`${xgid} or ${matchId} is refused`);
    expect(printPositionId(read.value.position)).toBe(positionId);
    // It makes the side on roll its player 1, whichever side of the XGID that is.
    const { player, ...standing } = match.value;
    expect(player).toBe(1);
    expect(saidByMatchId(read.value)).toEqual(standing);
  });

  it("with the side on roll at the bottom, so that all readings agree", () => {
    const turnedRound = {
      "-A-Bb-DBB---bBa---bcbbaA-A:0:0:-1:00:4:0:0:0:8":
        "XGID=a-aABBCB---AbB---bbd-Bb-a-:0:0:1:00:0:4:0:0:8",
      [`${BOARD}:1:-1:-1:31:2:5:0:7:6`]: `XGID=${BOARD}:1:1:1:31:5:2:0:7:6`,
      [`${BOARD}:1:1:-1:00:2:5:0:7:6`]: `XGID=${BOARD}:1:-1:1:00:5:2:0:7:6`,
    };
    for (const [text, bottom] of Object.entries(turnedRound)) {
      const read = parseXgid(text);
      expect(read.ok && printXgid(read.value)).toBe(bottom);
    }
  });

  it.each([
    `XGID=${BOARD}:0:0:1:64:0:0:0:7:3`,
    `XGID=${BOARD}:0:0:1:D:6:2:0:7:10`,
    `XGID=${BOARD}:1:-1:1:00:3:2:0:7:10`,
    `XGID=${BOARD}:0:0:1:00:6:2:1:7:10`,
    "XGID=mb---------------------B-M:15:1:1:00:32767:0:2:0:15",
  ])("%s is written as it was read", (text) => {
    const read = parseXgid(text);
    expect(read.ok && printXgid(read.value)).toBe(text);
  });

  const said: Standing = {
    position: start,
    turn: { phase: "to-roll" },
    cube: { value: 1, owner: "centre" },
    score: [0, 0],
    matchLength: 7,
    crawford: false,
    jacoby: false,
  };

  it("without beavers and with the limit 1024 where these are not said", () => {
    expect(printXgid(said)).toBe(`XGID=${BOARD}:0:0:1:00:0:0:0:7:10`);
    expect(printXgid({ ...said, cubeLimit: 64 })).toBe(`XGID=${BOARD}:0:0:1:00:0:0:0:7:6`);
  });

  it.each<[string, Partial<Standing>]>([
    ["a resignation", { turn: { phase: "resignation-offered", value: "single", by: "onRoll" } }],
    ["a cube past 15 doublings", { cube: { value: 65_536, owner: "centre" } }],
    ["a limit past 15 doublings", { cubeLimit: 65_536 }],
    ["a score that has won", { score: [7, 0] }],
    ["Crawford at 0-0", { crawford: true }],
    ["beavers in a match", { beavers: true }],
    [
      "a double with the opponent's cube",
      { turn: { phase: "take-or-pass" }, cube: { value: 2, owner: "opponent" } },
    ],
  ])("but not for %s", (_name, change) => {
    expect(printXgid({ ...said, ...change })).toBeUndefined();
  });
});

describe(`XGIDs at random (SEED=${SEED}, ${RUNS} times)`, () => {
  it("are read back as what they were printed from", () => {
    const random = seeded(SEED + 6);
    for (let index = 0; index < RUNS; index++) {
      const standing = randomStanding(random);
      const xgid = printXgid(standing);
      if (standing.turn.phase === "resignation-offered") expect(xgid).toBeUndefined();
      else expect(of(xgid ?? ""), xgid).toEqual({ ...saidByXgid(standing), player: 1 });
    }
  });

  it("with characters changed are refused, or are written as they were read", () => {
    const random = seeded(SEED + 7);
    const characters = "-ABCOabco0123456789D:=X";
    let written = 0;
    for (let index = 0; index < RUNS; index++) {
      const printed = printXgid(randomStanding(random));
      if (printed === undefined) continue;
      const at = "XGID=".length + random(printed.length - "XGID=".length);
      const put = characters.charAt(random(characters.length));
      const text = printed.slice(0, at) + put + printed.slice(at + random(2));
      const read = parseXgid(text);
      if (!read.ok) continue;
      const again = printXgid(read.value);
      if (read.value.player === 1) expect(again).toBe(text.replace(ROLL, inOrder));
      written += 1;
    }
    expect(written).toBeGreaterThan(RUNS / 20);
  });

  it("of any characters never throw", () => {
    const random = seeded(SEED + 8);
    for (let index = 0; index < RUNS; index++) {
      const length = random(80);
      const text = Array.from({ length }, () => ":-aAbB01D=XGID\n\u0000é"[random(20)] ?? "");
      expect(typeof parseXgid(text.join("")).ok).toBe("boolean");
    }
  });
});
