import { describe, expect, it } from "vitest";
import { parseMat } from "../../../../src/games/backgammon/files/mat.ts";
import { printMat } from "../../../../src/games/backgammon/files/mat-print.ts";
import type { FileAction, MatchFile } from "../../../../src/games/backgammon/files/record.ts";
import { START } from "../../../../src/games/backgammon/start.ts";
import { BLACK, WHITE } from "../../../../src/games/backgammon/state.ts";
import { fileOf, textOf } from "../support/golden-matches.ts";
import { megabyte, quickestMs } from "../support/hostile.ts";

/** A money session of one game, from its action lines. */
const game = (...lines: readonly string[]): string =>
  [
    "",
    " 0 point match",
    "",
    " Game 1",
    " p0 : 0                         p1 : 0",
    ...lines,
    "",
  ].join("\n");

const read = (...lines: readonly string[]) => {
  const [first] = fileOf(parseMat(game(...lines))).games;
  if (first === undefined) throw new Error("no game");
  return first;
};

/** Actions in short: `w 62: 24/18 13/11*`, `b double`. */
const short = (action: FileAction): string => {
  const who = action.seat === WHITE ? "w" : "b";
  if (action.type !== "play") return `${who} ${action.type}`;
  const moves = action.moves.map(({ from, to, hit }) => ` ${from}/${to}${hit ? "*" : ""}`);
  return `${who} ${action.dice.join("")}:${moves.join("")}`;
};
const actionsOf = (...lines: readonly string[]) => read(...lines).actions.map(short);
const refusalOf = (text: string) => {
  const result = parseMat(text);
  return result.ok ? "read" : result.error.facts;
};

/** What the fact sheet shows of a file that GNU Backgammon wrote. */
const SHEET = [
  "  1)                             62: 24/18 13/11 ",
  "  2) 64: 13/7* 24/20             66: ",
  "  3) 53: 8/3 6/3                 42: 25/21 13/11 ",
  "  4)  Doubles => 2                Drops",
  "      Wins 1 point",
];
const SHEET_ACTIONS = [
  "b 62: 24/18 13/11",
  "w 64: 13/7* 24/20",
  "b 66:",
  "w 53: 8/3 6/3",
  "b 42: 25/21 13/11",
  "w double",
  "b pass",
];

describe("a .mat", () => {
  it("has white on the left and black on the right; black may start", () => {
    expect(actionsOf(...SHEET)).toEqual(SHEET_ACTIONS);
    expect(read(...SHEET).end).toEqual({ winner: WHITE, points: 1, reason: "passed" });
  });

  it.each([
    ["CRLF", (text: string) => text.replaceAll("\n", "\r\n")],
    ["CR", (text: string) => text.replaceAll("\n", "\r")],
    ["a byte order mark", (text: string) => `\uFEFF${text}`],
    ["the end mark of DOS", (text: string) => `${text}\x1A`],
    ["bar and off", (text: string) => text.replaceAll("25/", "bar/")],
    ["Bar", (text: string) => text.replaceAll("25/", "Bar/")],
    ["no marks at hits", (text: string) => text.replaceAll("*", "")],
    ["Cannot Move", (text: string) => text.replace("66: ", "66: Cannot Move")],
    ["no play", (text: string) => text.replace("66: ", "66: (no play)")],
    ["wide columns", (text: string) => text.replaceAll(/ {8,}/g, (gap) => gap + " ".repeat(12))],
    ["spaces around colons", (text: string) => text.replaceAll(/(\d\d):/g, "$1 :")],
    ["no spaces around colons", (text: string) => text.replaceAll(" : ", ":")],
    ["tabs", (text: string) => text.replaceAll(/ {16}/g, "\t\t")],
    ["no space at the ends of lines", (text: string) => text.replaceAll(/ +\n/g, "\n")],
    ["comments", (text: string) => `; a comment\n${text.replace("  3)", "; another\n  3)")}`],
    ["no space before the cube", (text: string) => text.replaceAll(/ (Doubles|Drops)/g, "$1")],
    [
      "the match in the last line",
      (text: string) => text.replace("1 point\n", "1 point and the match\n"),
    ],
    ["capitals", (text: string) => text.replace("Doubles", "DOUBLES").replace("Drops", "drops")],
  ])("is read with %s", (_what, change) => {
    const text = change(game(...SHEET));
    const [first] = fileOf(parseMat(text)).games;
    expect(first?.actions.map(short)).toEqual(SHEET_ACTIONS);
    expect(first?.end).toEqual({ winner: WHITE, points: 1, reason: "passed" });
  });

  it.each([
    ["Wins 1 point", 1],
    ["Wins 2 points", 2],
    ["Wins 2 point", 2],
    ["Wins 1 points", 1],
  ])("B56: the end of a game is found in %s", (wins, points) => {
    const end = { winner: BLACK, points, reason: "resigned" };
    expect(read("  1) 31: 8/5 6/5", `                                  ${wins}`).end).toEqual(end);
  });

  it("B56: point is written in the singular for 1 only", () => {
    const file = (points: number): MatchFile => ({
      ...fileOf(parseMat(game())),
      games: [{ score: [0, 0], actions: [], end: { winner: WHITE, points, reason: "resigned" } }],
    });
    expect(textOf(printMat(file(1)))).toMatch(/Wins 1 point\n/);
    expect(textOf(printMat(file(2)))).toMatch(/Wins 2 points\n/);
  });

  it("B58: the low die may come first, and stays first", () => {
    const lines = ["  1) 15: 13/8 6/5                51: 13/8 6/5 "];
    expect(actionsOf(...lines)).toEqual(["w 15: 13/8 6/5", "b 51: 13/8 6/5"]);
    expect(textOf(printMat(fileOf(parseMat(game(...lines)))))).toContain("15: 13/8 6/5");
  });

  it("counts repeats and follows chains", () => {
    expect(actionsOf("  1) 11: 8/7(2) 6/5(2)            64: 24/18/14")).toEqual([
      "w 11: 8/7 8/7 6/5 6/5",
      "b 64: 24/18 18/14",
    ]);
  });

  it("has hits where the checker lands on a blot, marked or not", () => {
    expect(actionsOf("  1) 21: 13/11 6/5                41: 24/20 6/5")).toEqual([
      "w 21: 13/11 6/5",
      "b 41: 24/20* 6/5",
    ]);
  });

  it("takes moves in an order in which they cannot be played", () => {
    expect(actionsOf("  1) 64: 18/14 24/18")).toEqual(["w 64: 18/14 24/18"]);
  });

  it("names keep spaces; headers tell names with colons apart", () => {
    const line = " A. B. C : 0                    d-e f : 0";
    expect(fileOf(parseMat(game().replace(/ p0 : 0.*/, line))).players).toEqual([
      "A. B. C",
      "d-e f",
    ]);
    const odd = " a : 1 b : 0  c : 2 : 0";
    const headed = `; [Player 1 "a : 1 b"]\n; [Player 2 "c : 2"]\n${game().replace(/ p0 : 0.*/, odd)}`;
    expect(fileOf(parseMat(headed)).players).toEqual(["a : 1 b", "c : 2"]);
  });

  it("a beaver is taken by the doubler's roll; a raccoon has an empty cell for its take", () => {
    const beaver = [
      "  1) 43: 24/20 13/10              Doubles => 2",
      "  2)  Beavers => 4               65: 24/18 18/13 ",
    ];
    const answers = ["w 43: 24/20 13/10", "b double", "w beaver"];
    expect(actionsOf(...beaver)).toEqual([...answers, "b take", "b 65: 24/18 18/13"]);
    const raccoon = [
      "  1) 43: 24/20 13/10              Doubles => 2",
      "  2)  Beavers => 4                Beavers => 8",
      "  3)                             65: 24/18 18/13 ",
      "                                  Wins 16 points",
    ];
    expect(actionsOf(...raccoon)).toEqual([...answers, "b raccoon", "w take", "b 65: 24/18 18/13"]);
    const text = game(...raccoon, "").replace(/^\n/, "\n");
    expect(textOf(printMat(fileOf(parseMat(text))))).toBe(text);
  });

  it("a first double to 4 in a money session says that the cube was at 2", () => {
    const { start, actions } = read(
      "  1) 31: 8/5 6/5                  Doubles => 4",
      "  2)  Takes",
    );
    expect(start).toEqual({
      sides: [START.standard, START.standard],
      cube: { value: 2, owner: null },
    });
    expect(actions.map(short)).toEqual(["w 31: 8/5 6/5", "b double", "w take"]);
  });

  it("a game that stops with points that the board does not explain was resigned", () => {
    const end = { winner: BLACK, points: 3, reason: "resigned" };
    expect(read("  1) 31: 8/5 6/5                 Wins 3 points").end).toEqual(end);
    const noted = read("  1) 31: 8/5 6/5                42: Resigns", "      Wins 3 points");
    expect(noted.end).toEqual({ ...end, winner: WHITE });
    expect(noted.rolled).toEqual({ seat: BLACK, dice: [4, 2] });
  });

  it("a last roll without moves is one not played, if it could have been", () => {
    const { actions, end, rolled } = read("  1) 43:                         Wins 1 point");
    expect(actions).toEqual([]);
    expect(end).toEqual({ winner: BLACK, points: 1, reason: "resigned" });
    expect(rolled).toEqual({ seat: WHITE, dice: [4, 3] });
  });

  it("a game may be unfinished", () => {
    const { actions, end, rolled } = read("  1) 31: 8/5 6/5");
    expect([actions.length, end, rolled]).toEqual([1, undefined, undefined]);
  });

  it("an unlimited game is a money session", () => {
    for (const line of ["unlimited game", "money session", "Money Game"])
      expect(fileOf(parseMat(game().replace(" 0 point match", line))).length).toBe(0);
  });
});

describe("a .mat of eXtreme Gammon", () => {
  const XG = `; [Site "eXtreme Gammon"]
; [Match ID "238991235"]
; [Player 1 "Anna Lee"]
; [Player 2 "Bo: the : 2"]
; [Player 1 Elo "1600.00/0"]
; [EventDate "2009.12.16"]
; [EventTime "09.16"]
; [Variation "NackGammon"]
; [Unrated "Off"]
; [Crawford "On"]
; [Jacoby "Off"]
; [Beaver "Off"]
; [CubeLimit "1024"]
; [Event "Great tourney"]
; [Round "Round 2"]

7 point match

Game 1
 Anna Lee : 0                            Bo: the : 2 : 0
  1)                                     41: 24/23 13/9
  2) 52: 13/11 13/8                      63: 24/18 13/10
                                         Wins 1 point
`.replaceAll("\n", "\r\n");

  it("keeps what the headers say", () => {
    const { games, ...head } = fileOf(parseMat(XG));
    expect(head).toEqual({
      players: ["Anna Lee", "Bo: the : 2"],
      length: 7,
      variant: "nackgammon",
      rules: { crawford: true, jacoby: false, beavers: false, cubeLimit: 1024 },
      about: {
        date: "2009-12-16",
        event: "Great tourney",
        round: "Round 2",
        place: "eXtreme Gammon",
      },
    });
    expect(games[0]?.actions.map(short)).toEqual([
      "b 41: 24/23 13/9",
      "w 52: 13/11 13/8",
      "b 63: 24/18 13/10",
    ]);
    expect(games[0]?.end).toEqual({ winner: BLACK, points: 1, reason: "resigned" });
  });

  it.each([
    ["Backgammon", "standard"],
    ["HyperGammon", "hypergammon"],
    ["HyperGammon (3)", "hypergammon"],
  ])("the variation %s is %s", (named, variant) => {
    expect(fileOf(parseMat(`; [Variation "${named}"]\n${game()}`)).variant).toBe(variant);
  });

  it("a cube limit of 1 is no cube, and is written so", () => {
    const file = fileOf(parseMat(`; [CubeLimit "1"]\n${game()}`));
    expect(file.rules).toEqual({ cube: false });
    expect(textOf(printMat(file))).toContain('; [CubeLimit "1"]');
  });
});

describe("a .mat is refused, all of it, with the line", () => {
  const [ROLL, NEXT] = ["  1) 31: 8/5 6/5                 42: 8/4 6/4", "  2) 21: 13/11 6/5"];
  it.each([
    ["text that is no match", "hello", 1, "line-not-understood"],
    ["nothing", "", 1, "no-game"],
    ["a match without games", " 5 point match\n\n", 3, "no-game"],
    ["a game without a match", " Game 1\n", 1, "match-length-missing"],
    ["a second match", `${game()}\n 5 point match`, 7, "second-match"],
    ["a line of players that is none", game().replace("p0 : 0", "p0"), 5, "players-not-understood"],
    ["no line of players", " 0 point match\n Game 1\n", 3, "players-not-understood"],
    [
      "players that can be read in two ways",
      game().replace("p0 : 0", "a : 1   b : 0"),
      5,
      "players-ambiguous",
    ],
    ["other players in the next game", game(" Game 2", " p0 : 0    p2 : 0"), 7, "other-players"],
    [
      "a variation that we do not play",
      `; [Variation "LongGammon"]\n${game()}`,
      1,
      "variant-not-known",
    ],
    [
      "a rule that is neither on nor off",
      `; [Jacoby "maybe"]\n${game()}`,
      1,
      "header-not-understood",
    ],
    [
      "a cube limit that is no number",
      `; [CubeLimit "none"]\n${game()}`,
      1,
      "header-not-understood",
    ],
    ["a position that is set up", game("; Set Pos=0-2000"), 6, "line-not-understood"],
    ["a word that is not known", game(ROLL, "  2) 21: 13/11 Teleports"), 7, "line-not-understood"],
    ["an illegal play", game("  1) 31: Illegal play (9/1)"), 6, "line-not-understood"],
    ["unknown moves", game("  1) 31: ????"), 6, "line-not-understood"],
    ["a checker that moves back", game("  1) 31: 8/11 6/5"), 6, "line-not-understood"],
    ["a seven", game("  1) 71: 8/1 6/5"), 6, "line-not-understood"],
    ["a point 26", game("  1) 31: 26/23 6/5"), 6, "line-not-understood"],
    ["five moves", game("  1) 11: 8/7(3) 6/5(2)"), 6, "line-not-understood"],
    ["three columns", game(`${ROLL}   31: 8/5 6/5`), 6, "turn-order"],
    ["a checker that is not there", game(ROLL, "  2) 21: 20/18 6/5"), 7, "no-checker-there"],
    ["a turn out of order", game("  1) 31: 8/5 6/5", "  2) 42: 8/4 6/4"), 7, "turn-order"],
    ["a take of nothing", game(ROLL, "  2)  Takes"), 7, "no-double-to-answer"],
    [
      "a double that is not answered",
      game(ROLL, "  2)  Doubles => 2              31: 8/5 6/5"),
      7,
      "turn-order",
    ],
    ["a cube that jumps", game(ROLL, "  2)  Doubles => 3"), 7, "cube-value"],
    [
      "a cube at 2 in a match",
      game(ROLL, "  2)  Doubles => 4").replace(" 0 p", " 5 p"),
      7,
      "cube-value",
    ],
    ["a play after a pass", game(ROLL, "  2)  Doubles => 2    Drops", NEXT), 8, "game-over"],
    ["a play after the end", game("      Wins 1 point", NEXT), 7, "game-over"],
    ["no points", game("      Wins 0 points"), 6, "no-points"],
    [
      "the one who passed as the winner",
      game(ROLL, "  2)  Doubles => 2    Drops", `${" ".repeat(34)}Wins 1 point`),
      7,
      "winner-contradicts-game",
    ],
    ["a resignation without points", game("  1) 31: Resigns", ""), 6, "resigned-without-points"],
    ["a play outside a game", ` 0 point match\n${NEXT}`, 2, "not-in-a-game"],
    ["an endless line", game(`  1) ${"31: ".repeat(400)}`), 6, "line-not-understood"],
    ["too much", "x".repeat(1_048_577), 1, "too-long"],
  ])("%s", (_what, text, line, reason) => {
    expect(refusalOf(text)).toEqual({ line, reason });
  });
});

describe("a .mat cannot say", () => {
  const plain = fileOf(parseMat(game()));
  const refused = (file: MatchFile) => {
    const printed = printMat(file);
    return printed.ok ? "printed" : printed.error;
  };
  const start = {
    sides: [START.nackgammon, START.nackgammon],
    cube: { value: 1, owner: null },
  } as const;
  const usual = [START.standard, START.standard] as const;

  it.each([
    [
      "a position that is set up",
      [{ score: [0, 0], actions: [], start }],
      { reason: "position-not-sayable", game: 1 },
    ],
    [
      "a cube that nobody doubles",
      [{ score: [0, 0], actions: [], start: { sides: usual, cube: { value: 2, owner: null } } }],
      { reason: "cube-not-sayable", game: 1 },
    ],
    [
      "whose cube it was",
      [
        {
          score: [0, 0],
          actions: [{ seat: WHITE, type: "double" }],
          start: { sides: usual, cube: { value: 2, owner: WHITE } },
        },
      ],
      { reason: "cube-not-sayable", game: 1 },
    ],
  ] as const)("%s", (_what, games, facts) => {
    expect(refused({ ...plain, games })).toEqual({ code: "file-cannot-say", facts });
  });

  it.each(["two\nlines", " before", "after "])("the name %j", (name) => {
    const facts = { reason: "player-not-sayable" };
    expect(refused({ ...plain, players: [name, "b"] })).toEqual({ code: "file-cannot-say", facts });
  });

  it("an event of two lines", () => {
    const facts = { reason: "about-not-sayable" };
    expect(refused({ ...plain, about: { event: "a\nb" } })).toEqual({
      code: "file-cannot-say",
      facts,
    });
  });
});

describe("a hostile .mat", () => {
  it.each([
    ["spaces", " "],
    ["colons", " : 0"],
    ["line ends", "\n"],
    ["rolls", "31: "],
    ["moves", "8/5 "],
    ["headers", '; [Event "x"]\n'],
    ["games", " Game 1\n a : 0    b : 0\n"],
    ["parentheses", "("],
    ["brackets in a header", '; ["'],
  ])("of a megabyte of %s is read or refused within a second", (_what, part) => {
    for (const before of [
      "",
      " 0 point match\n",
      game("  1) 31: "),
      " 0 point match\n Game 1\n a",
      "; [",
      "; [a",
      '; [a "',
    ]) {
      const text = `${megabyte(before, part)}x`;
      expect(
        quickestMs(() => parseMat(text)),
        before,
      ).toBeLessThan(1000);
    }
  });

  it("of more games than a match has is refused", () => {
    const games = (count: number) =>
      ` 0 point match\n${" Game 1\n a : 0    b : 0\n".repeat(count)}`;
    expect(fileOf(parseMat(games(1000))).games).toHaveLength(1000);
    expect(refusalOf(games(1001))).toEqual({ line: 2002, reason: "too-many-games" });
  });
});
