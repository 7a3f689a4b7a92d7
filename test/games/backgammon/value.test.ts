import { describe, expect, it } from "vitest";
import { side } from "../../../src/games/backgammon/board.ts";
import { losersCheckers, MULTIPLIERS, winKind } from "../../../src/games/backgammon/value.ts";

describe("the value of a game", () => {
  it.each([
    [
      "B29: a single, with one off and one on the bar",
      { 0: 1, 25: 1, 6: 13 },
      "single",
      1,
      1,
      1,
      0,
    ],
    [
      "a single, with one off and the rest in the winner's home",
      { 0: 1, 24: 14 },
      "single",
      1,
      1,
      0,
      14,
    ],
    ["B32: a gammon, with none off", { 6: 5, 8: 3, 13: 7 }, "gammon", 2, 0, 0, 0],
    ["a gammon, with one just outside the winner's home", { 18: 1, 6: 14 }, "gammon", 2, 0, 0, 0],
    ["B32: a backgammon, with one on the bar", { 25: 1, 6: 14 }, "backgammon", 3, 0, 1, 0],
    [
      "B32: a backgammon, with one in the winner's home",
      { 19: 1, 6: 14 },
      "backgammon",
      3,
      0,
      0,
      1,
    ],
    [
      "a backgammon, with one on the winner's ace point",
      { 24: 1, 6: 14 },
      "backgammon",
      3,
      0,
      0,
      1,
    ],
    ["a gammon of hypergammon", { 6: 3 }, "gammon", 2, 0, 0, 0],
  ] as const)(
    "is %s",
    (_name, loser, kind, points, loserBorneOff, loserOnBar, loserInWinnersHome) => {
      const counted = losersCheckers(side(loser));
      expect(counted).toEqual({ loserBorneOff, loserOnBar, loserInWinnersHome });
      expect(winKind(counted)).toBe(kind);
      expect(MULTIPLIERS[winKind(counted)]).toBe(points);
    },
  );
});
