import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { turned } from "../../../src/games/backgammon/board.ts";
import { printPositionId } from "../../../src/games/backgammon/position-id.ts";
import { START } from "../../../src/games/backgammon/start.ts";
import { parseXgid } from "../../../src/games/backgammon/xgid.ts";
import { positionOf } from "./support/positions.ts";

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
    ["a match of no number", `${BOARD}:0:0:1:62:0:0:0:07:10`, "matchLength"],
    ["a limit of no number", `${BOARD}:0:0:1:62:0:0:0:7:x`, "cubeLimit"],
  ])("with %s is refused as a whole", (_name, text, field) => {
    expect(parseXgid(text)).toMatchObject({
      ok: false,
      error: { code: "position-not-readable", facts: { notation: "xgid", field } },
    });
  });

  it("says what 39 match states hold", () => {
    const path = new URL("../../golden/backgammon/ids.jsonl", import.meta.url);
    const states = readFileSync(path, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
      .filter(({ xgid }) => xgid !== undefined);
    expect(states.length).toBeGreaterThan(35);
    for (const { label, state, gnubgPositionId, xgid } of states) {
      const read = parseXgid(xgid);
      if (!read.ok) throw new Error(`${label}: ${xgid}`);
      const { position, turn, cube, score, matchLength, crawford, jacoby, beavers } = read.value;
      expect(printPositionId(position), label).toBe(gnubgPositionId);
      const owner = state.cubeOwner;
      expect({ cube, score, matchLength, crawford, jacoby, beavers }, label).toEqual({
        cube: {
          value: state.cubeValue,
          owner: owner === -1 ? "centre" : owner === state.move ? "onRoll" : "opponent",
        },
        score: state.move === 0 ? state.score : [...state.score].reverse(),
        matchLength: state.matchLength,
        crawford: state.crawford === 1,
        jacoby: state.jacoby === 1,
        beavers: state.beavers === 1,
      });
      const isRolled = state.dice[0] !== 0;
      expect(turn.phase, label).toBe(
        state.doubled === 1 ? "take-or-pass" : isRolled ? "to-play" : "to-roll",
      );
      if (turn.phase === "to-play") expect(turn.dice, label).toEqual(state.dice);
    }
  });
});
