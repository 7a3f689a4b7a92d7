import { describe, expect, it } from "vitest";
import { hostedBackgammon } from "../../../src/games/backgammon/hosted.ts";
import { VARIANTS } from "../../../src/games/backgammon/start.ts";
import type { Json, JsonObject } from "../../../src/kernel/json.ts";

const { readOptions, readLoggedOptions, printOptions } = hostedBackgammon;

/** The options in full, as they are shown and logged. */
const full = (json: Json, variant = "standard"): JsonObject => {
  const read = readOptions(variant, json);
  if (!read.ok) throw new Error(JSON.stringify(read.error));
  return printOptions(read.value);
};

const TABLE = { cube: true, cubeLimit: 64, autoRoll: false, autoPlay: false, nextGame: "auto" };
const MONEY = { jacoby: false, beavers: false, raccoons: false, automaticDoubles: 0 };

describe("options", () => {
  it.each<readonly [string, JsonObject, JsonObject]>([
    ["none: a single game with a cube, without Jacoby", {}, { ...MONEY, ...TABLE }],
    ["a match", { length: 7 }, { length: 7, crawford: true, ...TABLE }],
    ["a match to 1, which has no cube", { length: 1 }, { length: 1, crawford: true, cube: false }],
    [
      "a money session, with Jacoby",
      { length: 0 },
      { length: 0, ...MONEY, jacoby: true, ...TABLE },
    ],
    [
      "a session without a cube, and so without Jacoby",
      { length: 0, cube: false },
      { length: 0, ...MONEY, cube: false },
    ],
    ["a limit", { cubeLimit: 8 }, { ...MONEY, ...TABLE, cubeLimit: 8 }],
  ])("of %s", (_name, given, expected) => {
    expect(full(given)).toMatchObject(expected);
    expect(full(full(given))).toEqual(full(given));
  });

  it.each<readonly [Json, string]>([
    [{ length: 7, jacoby: true }, "/jacoby"],
    [{ length: 7, beavers: true }, "/beavers"],
    [{ length: 7, beavers: true, raccoons: true }, "/raccoons"],
    [{ length: 7, automaticDoubles: 1 }, "/automaticDoubles"],
    [{ length: 0, crawford: true }, "/crawford"],
    [{ crawford: true }, "/crawford"],
    [{ length: 1, cube: true }, "/cube"],
    [{ raccoons: true }, "/raccoons"],
    [{ cubeLimit: 3 }, "/cubeLimit"],
    [{ cube: false, cubeLimit: 8 }, "/cubeLimit"],
    [{ length: -1 }, "/length"],
    [{ length: 1.5 }, "/length"],
    [{ length: 1e9 }, "/length"],
    [{ cubeLimit: 1 }, "/cubeLimit"],
    [{ nextGame: "never" }, "/nextGame"],
    [{ doublets: 5 }, "/doublets"],
  ])("%j are refused at %s", (given, pointer) => {
    const read = readOptions("standard", given);
    expect(!read.ok && read.error.map((issue) => issue.pointer)).toContain(pointer);
  });

  it("that change nothing are let pass: a form may send them all", () => {
    expect(
      full({ length: 5, jacoby: false, beavers: false, raccoons: false, automaticDoubles: 0 }),
    ).toEqual(full({ length: 5 }));
  });

  it.each(VARIANTS)("of %s are the same", (variant) => {
    expect(full({ length: 3 }, variant)).toEqual(full({ length: 3 }));
  });

  it("of a variant that is not known are refused: an old log is never read by other rules", () => {
    expect(readOptions("acey-deucey", {}).ok).toBe(false);
  });

  it("of a log of backgammon/1 are those of a single game without a cube", () => {
    const read = readLoggedOptions("backgammon/1", "nackgammon", {});
    expect(read.ok && printOptions(read.value)).toMatchObject({ cube: false, jacoby: false });
    expect(() => readLoggedOptions("backgammon/9", "standard", {})).toThrow("one of ours");
  });
});
