import { describe, expect, it } from "vitest";
import { side } from "../../../../src/games/backgammon/board.ts";
import type { FileGame, MatchFile } from "../../../../src/games/backgammon/files/record.ts";
import { parseSgf } from "../../../../src/games/backgammon/files/sgf.ts";
import { printSgf } from "../../../../src/games/backgammon/files/sgf-print.ts";
import { START } from "../../../../src/games/backgammon/start.ts";
import { BLACK, WHITE } from "../../../../src/games/backgammon/state.ts";
import { fileOf, textOf } from "../support/golden-matches.ts";
import { megabyte, quickestMs } from "../support/hostile.ts";

const tree = (root: string, ...nodes: readonly string[]): string =>
  `(;GM[6]${root}${nodes.map((node) => `\n;${node}`).join("")})`;

const read = (root: string, ...nodes: readonly string[]): FileGame => {
  const [first] = fileOf(parseSgf(tree(root, ...nodes))).games;
  if (first === undefined) throw new Error("no game");
  return first;
};
const refusalOf = (text: string) => {
  const result = parseSgf(text);
  return result.ok ? "read" : result.error.facts;
};

describe("an SGF", () => {
  it("counts points as White does, for both colours", () => {
    const { actions } = read("", "B[62agln]", "W[64mgxt]", "B[66]", "W[53hcfc]", "B[42ydln]");
    const moves = actions.map((action) =>
      action.type === "play" ? action.moves.map(({ from, to, hit }) => [from, to, hit]) : action,
    );
    expect(moves).toEqual([
      [
        [24, 18, false],
        [13, 11, false],
      ],
      [
        [13, 7, true],
        [24, 20, false],
      ],
      [],
      [
        [8, 3, false],
        [6, 3, false],
      ],
      [
        [25, 21, false],
        [13, 11, false],
      ],
    ]);
  });

  it("takes hits from the position, and off as z", () => {
    const start = "AE[a:y]AW[a][b]AB[x]";
    expect(read(start, "W[21bzaz]").actions).toEqual([
      {
        seat: WHITE,
        type: "play",
        dice: [2, 1],
        moves: [
          { from: 2, to: 0, hit: false },
          { from: 1, to: 0, hit: false },
        ],
      },
    ]);
  });

  it("says a double, its answers, and by double again a beaver and a raccoon", () => {
    const types = (...nodes: readonly string[]) => read("", "W[31hefe]", ...nodes).actions.slice(1);
    expect(types("B[double]", "W[drop]").map(({ type }) => type)).toEqual(["double", "pass"]);
    expect(types("B[double]", "W[double]", "B[double]", "W[take]")).toEqual([
      { seat: BLACK, type: "double" },
      { seat: WHITE, type: "beaver" },
      { seat: BLACK, type: "raccoon" },
      { seat: WHITE, type: "take" },
    ]);
  });

  it("has length, score, names and place in the root", () => {
    const root =
      "MI[length:7][game:2][ws:2][bs:6]PW[a]PB[b]DT[2026-11-30]EV[e]RO[r]PC[p]RU[Crawford:CrawfordGame]";
    expect(fileOf(parseSgf(tree(root)))).toEqual({
      players: ["a", "b"],
      length: 7,
      variant: "standard",
      rules: { crawford: true },
      about: { date: "2026-11-30", event: "e", round: "r", place: "p" },
      games: [{ score: [2, 6], crawford: true, actions: [] }],
    });
  });

  it.each([
    ["", 0, { jacoby: false }],
    ["RU[Jacoby]", 0, { jacoby: true }],
    ["RU[NoCube:Crawford]", 3, { cube: false, crawford: true }],
    ["RU[Nackgammon]", 3, { crawford: false }],
    [
      "QR[beavers:on][cubeLimit:8][automaticDoubles:1]",
      0,
      { jacoby: false, beavers: true, cubeLimit: 8, automaticDoubles: 1 },
    ],
  ])("has the rules of %j at length %i", (root, length, rules) => {
    expect(fileOf(parseSgf(tree(`MI[length:${length}]${root}`))).rules).toEqual(rules);
  });

  it.each([
    ["RU[Crawford:Nackgammon]", "nackgammon"],
    ["RU[Hypergammon3]", "hypergammon"],
    ["RU[Crawford]", "standard"],
  ])("has the variant of %s", (root, variant) => {
    expect(fileOf(parseSgf(tree(`MI[length:3]${root}`))).variant).toBe(variant);
  });

  it.each([
    ["W+4R", { winner: WHITE, points: 4, reason: "resigned" }],
    ["B+2", { winner: BLACK, points: 2, reason: "resigned" }],
    ["Void", undefined],
    ["?", undefined],
    ["", undefined],
  ])("the result %s of a game that stops is a resignation or nothing", (result, end) => {
    expect(read(`RE[${result}]`, "W[31hefe]").end).toEqual(end);
  });

  it("a pass and the last checker explain a result", () => {
    expect(read("RE[B+1]", "B[double]", "W[drop]").end?.reason).toBe("passed");
    expect(read("AE[a:y]AW[a]AB[x]RE[W+1]", "W[21az]").end?.reason).toBe("played");
  });

  it("sets up a position, a cube and who is on roll", () => {
    const setUp = "PL[B]AE[a:y]AW[f][f][c:d][y]AB[x][q][z]CV[4]CO[b]";
    expect(read("", setUp)).toEqual({
      score: [0, 0],
      actions: [],
      start: {
        sides: [side({ 25: 1, 6: 2, 4: 1, 3: 1, 0: 10 }), side({ 8: 1, 1: 1, 0: 13 })],
        cube: { value: 4, owner: BLACK },
        onRoll: BLACK,
      },
    });
  });

  it("sets up the cube of automatic doubles", () => {
    const start = { sides: [START.standard, START.standard], cube: { value: 4, owner: null } };
    expect(read("CV[4]", "B[61lrqr]").start).toEqual(start);
  });

  it("a roll that is set and not played stays a roll", () => {
    const { actions, rolled } = read("", "W[31hefe]", "PL[B]DI[65]");
    expect(actions).toHaveLength(1);
    expect(rolled).toEqual({ seat: BLACK, dice: [6, 5] });
    expect(read("", "PL[W]DI[42]", "W[43xtmj]").rolled).toBeUndefined();
  });

  it("main line only: the first branch of each node", () => {
    const line = "(;GM[6];W[31hefe](;B[42aeac];W[11](;B[21](;W[61mghg]))(;B[12]))(;B[66];W[21]))";
    expect(
      fileOf(parseSgf(line)).games[0]?.actions.map((action) => "dice" in action && action.dice),
    ).toEqual([
      [3, 1],
      [4, 2],
      [1, 1],
      [2, 1],
      [6, 1],
    ]);
  });

  it("passes over what it does not know, in any order, over any lines", () => {
    const text = `\uFEFF\r\n( ; C[a comment; with (all\\] of it)]\r\n GM [6]\r\n GS[M:1 2][C:3]XX[]PlayerW[x]
      ;W[31hefe]C[good]A[1][2]\n\n;C[only a comment]\n; B [42lnln] ) `;
    expect(fileOf(parseSgf(text)).games[0]?.actions).toHaveLength(2);
  });

  it("names keep what is escaped, in any script", () => {
    const names = fileOf(parseSgf(tree("PW[a\\]b\\\\c\\:d]PB[李\\\n小\n明]"))).players;
    expect(names).toEqual(["a]b\\c:d", "李小 明"]);
  });

  it("trees are the games of one match, in the order of the file", () => {
    const text = `${tree("MI[length:3][game:1][ws:1][bs:0]PW[a]")}\n${tree("MI[length:3][game:0]PW[a]")}`;
    expect(fileOf(parseSgf(text)).games.map(({ score }) => score)).toEqual([
      [1, 0],
      [0, 0],
    ]);
  });
});

describe("an SGF is refused, all of it, with the line", () => {
  it.each([
    ["nothing", "", 1, "no-game"],
    ["text", "hello", 1, "not-sgf"],
    ["a game of Go", "(;GM[1];B[aa])", 1, "not-backgammon"],
    ["a game that it does not name", "(;\nFF[4])", 2, "not-backgammon"],
    ["a tree without a node", "()", 1, "parenthesis"],
    ["a tree within a tree without a node", "((;GM[6]))", 1, "node-missing"],
    ["a property without a node", "(GM[6])", 1, "not-sgf"],
    ["a property without a value", "(;GM[6]\n;W)", 2, "not-sgf"],
    ["a value that does not end", "(;GM[6]\n;C[x\n", 3, "not-sgf"],
    ["a tree that does not end", "(;GM[6]\n", 2, "parenthesis"],
    ["a parenthesis too many", "(;GM[6])\n)", 2, "parenthesis"],
    ["a node behind a branch", "(;GM[6](;W[31])\n;B[42])", 2, "node-outside-tree"],
    ["a rule that we do not know", tree("RU[Crawford:Acey]"), 1, "rule-not-known"],
    ["a variant that we do not play", tree("RU[Hypergammon1]"), 1, "rule-not-known"],
    ["a rule of QR that is none", tree("QR[__proto__:on]"), 1, "rule-not-known"],
    ["a length that is no number", tree("MI[length:x]"), 1, "match-not-understood"],
    ["a result without points", tree("RE[W+]"), 1, "result-not-understood"],
    ["two matches", `${tree("PW[a]")}\n${tree("PW[b]")}`, 2, "trees-of-different-matches"],
    [
      "two lengths",
      `${tree("MI[length:3]")}\n${tree("MI[length:5]")}`,
      2,
      "trees-of-different-matches",
    ],
    ["a move that is none", tree("", "W[31he]", "B[42hh]"), 3, "action-not-understood"],
    ["a move that goes back", tree("", "W[31eh]"), 2, "action-not-understood"],
    ["five moves", tree("", "W[11hghghgfefe]"), 2, "action-not-understood"],
    ["dice that are none", tree("", "W[70]"), 2, "action-not-understood"],
    ["a checker that is not there", tree("", "W[31jg]"), 2, "no-checker-there"],
    ["a turn out of order", tree("", "W[31hefe]", "W[31hefe]"), 3, "turn-order"],
    ["a take of nothing", tree("", "W[take]"), 2, "no-double-to-answer"],
    ["two actions in a node", tree("", "W[31hefe]B[42lnln]"), 2, "two-actions-in-a-node"],
    ["an action with two values", tree("", "W[31][42]"), 2, "not-one-action"],
    ["a play after a pass", tree("", "W[double]", "B[drop]", "W[31hefe]"), 4, "game-over"],
    [
      "the one who passed as the winner",
      tree("RE[B+1]", "W[double]", "B[drop]"),
      3,
      "winner-contradicts-game",
    ],
    ["a position set up in the game", tree("", "W[31hefe]", "AE[a]"), 3, "set-up-after-action"],
    ["sixteen checkers", tree("", "AW[f]"), 2, "too-many-checkers"],
    ["a point of both", tree("", "AE[a:y]AW[f]AB[f]"), 2, "point-held-by-both"],
    ["a point that is none", tree("", "AW[aa]"), 2, "point-not-known"],
    ["a cube of 3", tree("", "CV[3]"), 2, "cube-value"],
    ["the cube of nobody", tree("", "CO[constructor]"), 2, "cube-owner"],
    ["a player that is none", tree("", "PL[X]"), 2, "player-not-known"],
    ["dice set that are none", tree("", "DI[7]"), 2, "dice-not-understood"],
    ["too much", "(".repeat(1_048_577), 1, "too-long"],
  ])("%s", (_what, text, line, reason) => {
    expect(refusalOf(text)).toEqual({ line, reason });
  });
});

describe("an SGF cannot say", () => {
  const plain = fileOf(parseSgf(tree("PW[a]PB[b]")));
  const refused = (file: MatchFile) => {
    const printed = printSgf(file);
    return printed.ok ? "printed" : printed.error;
  };

  it("a name or an event of two lines", () => {
    expect(refused({ ...plain, players: ["a\nb", "c"] })).toEqual({
      code: "file-cannot-say",
      facts: { reason: "player-not-sayable" },
    });
    expect(refused({ ...plain, about: { event: "a\rb" } })).toEqual({
      code: "file-cannot-say",
      facts: { reason: "about-not-sayable" },
    });
  });

  it("a side with fewer checkers than the variant has", () => {
    const start = {
      sides: [side({ 6: 3 }), side({ 6: 15 })],
      cube: { value: 1, owner: null },
    } as const;
    const games = [{ score: [0, 0], start, actions: [] }] as const;
    expect(refused({ ...plain, games })).toEqual({
      code: "file-cannot-say",
      facts: { reason: "position-not-sayable", game: 1 },
    });
  });

  it("but it says everything else of a file, the Crawford game too", () => {
    const scores = [
      [0, 0],
      [2, 0],
      [2, 1],
    ] as const;
    const games = scores.map((score) => ({ score, actions: [] }));
    const text = textOf(printSgf({ ...plain, length: 3, games }));
    expect(fileOf(parseSgf(text)).games.map(({ crawford }) => crawford)).toEqual([
      false,
      true,
      false,
    ]);
  });
});

describe("a hostile SGF", () => {
  it.each([
    ["trees", "(;"],
    ["branches", "(;GM[6]"],
    ["closing", ")"],
    ["nodes", ";"],
    ["moves", ";W[31hefe]"],
    ["values", "[a]"],
    ["escapes", "\\\\"],
    ["soft line breaks", "\\\n"],
    ["names", "A"],
    ["spaces", " "],
    ["games", "(;GM[6])"],
    ["points", "[a:y]"],
  ])("of a megabyte of %s is read or refused within a second", (_what, part) => {
    const values = ["PW[", "RU[Crawford:", "RE[", "RE[W+", "MI[length:", "AW[", "DT[", "W["];
    for (const before of ["", "(;GM[6]", "(;GM[6];AE", ...values.map((one) => `(;GM[6]${one}`)]) {
      const text = `${megabyte(before, part)}x])`;
      expect(
        quickestMs(() => parseSgf(text)),
        before,
      ).toBeLessThan(1000);
    }
  });

  it("of 100,000 balanced branches is read", () => {
    const text = `(;GM[6]${"(;C[x]".repeat(100_000)}${")".repeat(100_001)}`;
    expect(fileOf(parseSgf(text)).games).toHaveLength(1);
  });

  it("of more games than a match has is refused", () => {
    expect(fileOf(parseSgf("(;GM[6])".repeat(1000))).games).toHaveLength(1000);
    expect(refusalOf("(;GM[6])".repeat(1001))).toEqual({ line: 1, reason: "too-many-games" });
  });
});
