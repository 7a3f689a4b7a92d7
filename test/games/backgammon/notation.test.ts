import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CheckerMove, Dice, Play, Position } from "../../../src/games/backgammon/board.ts";
import {
  findResult,
  REFUSALS,
  type Refusal,
  readMoves,
  readPlay,
} from "../../../src/games/backgammon/notation.ts";
import { printPlay } from "../../../src/games/backgammon/play-text.ts";
import { legalPlays } from "../../../src/games/backgammon/plays.ts";
import { parsePositionId, printPositionId } from "../../../src/games/backgammon/position-id.ts";
import { START } from "../../../src/games/backgammon/start.ts";
import { parseXgid } from "../../../src/games/backgammon/xgid.ts";
import { positionOf } from "./support/positions.ts";
import { randomDice, randomPlacement, SEED, seeded, selfPlay } from "./support/random.ts";

const start: Position = { onRoll: START.standard, opponent: START.standard };

const read = (position: Position, dice: Dice, text: string) => {
  const answer = readPlay(position, dice, legalPlays(position, dice), text);
  return answer.ok ? answer.value.text : answer.error.facts;
};

const move = (from: number, to: number, hit = false): CheckerMove => ({
  from,
  to,
  die: Math.min(6, from - to),
  hit,
});

describe("the canonical text", () => {
  it.each([
    ["joins the steps of one checker", [move(24, 18), move(18, 15)], "24/15"],
    ["shows a point on the way where it hits", [move(7, 1, true), move(1, 0)], "7/1*/off"],
    ["marks a hit at the point hit", [move(13, 7, true), move(8, 7)], "13/7* 8/7"],
    ["writes equal moves once, with their number", [move(25, 21), move(25, 21)], "bar/21(2)"],
    ["joins before it counts", [move(8, 4), move(8, 4), move(4, 0), move(4, 0)], "8/off(2)"],
    ["begins with the highest point", [move(6, 5), move(8, 5)], "8/5 6/5"],
    ["of one point begins with the nearer landing", [move(24, 18), move(24, 22)], "24/22 24/18"],
    [
      "marks a hit once, at the first to come",
      [move(25, 21, true), move(25, 21)],
      "bar/21* bar/21",
    ],
    [
      "marks the one that stops where it hits, when another goes on",
      [move(13, 9, true), move(13, 9), move(9, 5)],
      "13/9* 13/5",
    ],
    [
      "takes a checker as far as it goes",
      [move(8, 4), move(8, 4), move(5, 1), move(4, 0)],
      "8/4 8/off 5/1",
    ],
    ["joins whatever the order of the moves", [move(7, 1), move(9, 7)], "9/1"],
  ] as const)("%s", (_name, moves, text) => {
    expect(printPlay(moves)).toBe(text);
  });
});

describe("the text of a play is read generously", () => {
  it.each([
    "8/5 6/5",
    "6/5 8/5",
    "8/5,6/5",
    "8/5, 6/5",
    " 8/5;6/5 ",
    "8/5* 6/5*",
    "８/５ ６/５",
    "８／５　６／５",
    "8-5 6-5",
    "8 / 5 6 / 5",
    "8/5(1) 6/5",
  ])("the 3-1 %j makes the five point", (text) => {
    expect(read(start, [3, 1], text)).toBe("8/5 6/5");
    expect(read(start, [1, 3], text)).toBe("8/5 6/5");
  });

  it.each(["24/20", "24/21/20", "24/23/20", "24/21 21/20", "21/20 24/21", "24/23*/20"])(
    "one checker by both dice: %j",
    (text) => {
      expect(read(start, [3, 1], text)).toBe("24/20");
    },
  );

  it.each(["13/7(2) 8/2(2)", "13/7 13/7 8/2 8/2", "8/2（２） 13/7(2)", "13/7(2) 8/2 8/2"])(
    "equal moves may be counted or repeated: %j",
    (text) => {
      expect(read(start, [6, 6], text)).toBe("13/7(2) 8/2(2)");
    },
  );

  const onBar = positionOf({ 25: 2, 13: 5, 8: 3, 6: 5 }, { 13: 4, 6: 3, 5: 2, 4: 2, 2: 2, 1: 2 });
  it.each([
    "bar/22",
    "Bar/22",
    "BAR/22",
    "25/22",
    "bar/22 pass",
    "Bar/22 Pass",
    "bar/22 pass pass",
    "bar/22*",
    "ｂａｒ/２２＊",
    "bar/22 (no play)",
    "bar/22 fan",
  ])("B28: %j enters one checker", (text) => {
    expect(read(onBar, [4, 3], text)).toBe("bar/22");
  });

  const bearOff = positionOf({ 5: 1, 4: 1 }, { 1: 2 });
  it.each(["5/off 4/off", "5/0 4/0", "4/Off 5/OFF", "5/off,4/0"])("%j bears off", (text) => {
    expect(read(bearOff, [6, 4], text)).toBe("5/off 4/off");
  });
  it("dice in the text's order need not be playable so", () => {
    expect(read(bearOff, [6, 4], "4/off 5/1")).toBe("5/1 4/off");
  });

  const hitting = positionOf({ 13: 1, 8: 1 }, { 18: 1 });
  it.each(["13/7* 8/7", "13/7 8/7", "13/7 8/7*", "8/7* 13/7*", "13/7 * 8/7"])(
    "hits may be marked or not: %j",
    (text) => {
      expect(read(hitting, [6, 1], text)).toBe("13/7* 8/7");
    },
  );

  const entering = positionOf({ 25: 2, 13: 5 }, { 4: 1, 13: 5 });
  it.each(["bar/21* bar/21", "bar/21*(2) 13/9(2)", "bar/21(2) 13/9(2)"])(
    "two enter on a blot: %j",
    (text) => {
      const read44 = read(entering, [4, 4], text.includes("13/9") ? text : `${text} 13/9(2)`);
      expect(read44).toBe("bar/21* bar/21 13/9(2)");
    },
  );
});

describe("a checker that may hit on its way or go round", () => {
  const oneWay = positionOf({ 13: 1 }, { 18: 1 });
  const bothWays = positionOf({ 13: 1 }, { 18: 1, 14: 1 });

  it.each([
    ["13/5", "13/5"],
    ["13/7*/5", "13/7*/5"],
    ["13/7/5", "13/7*/5"],
    ["13/7 7/5", "13/7*/5"],
    ["13/11/5", "13/5"],
    ["13/5 pass", "13/5"],
  ])("%s is %s", (text, play) => {
    expect(read(oneWay, [6, 2], text)).toBe(play);
  });

  it("is ambiguous where both ways hit and the text names neither", () => {
    expect(read(bothWays, [6, 2], "13/5")).toEqual({
      reason: "ambiguous",
      plays: ["13/7*/5", "13/11*/5"],
    });
    expect(read(bothWays, [6, 2], "13/11/5")).toBe("13/11*/5");
  });
});

describe("a play that is refused says why, and truly", () => {
  const closed = positionOf(
    { 25: 1, 13: 6, 8: 3, 6: 5 },
    { 8: 3, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2 },
  );
  const onBar = positionOf({ 25: 1, 13: 5, 8: 3, 6: 6 }, { 24: 2, 13: 5, 8: 3, 6: 5 });
  const rows: readonly (readonly [Refusal, Position, Dice, string, string?])[] = [
    ["unreadable", start, [3, 1], "my best move"],
    ["unreadable", start, [3, 1], ""],
    ["unreadable", start, [3, 1], "8/5 6"],
    ["unreadable", start, [3, 1], "26/23"],
    ["unreadable", start, [3, 1], "8/bar"],
    ["unreadable", start, [3, 1], "0/0"],
    ["unreadable", start, [3, 1], "8/off/5"],
    ["unreadable", start, [3, 1], "8/5(0) 6/5"],
    ["unreadable", start, [3, 1], "13/118/5"],
    ["unreadable", start, [3, 1], "8/5 ".repeat(51)],
    ["no-play-possible", closed, [6, 5], "bar/20"],
    ["no-play-possible", closed, [6, 5], "pass"],
    ["ambiguous", positionOf({ 13: 1 }, { 18: 1, 14: 1 }), [6, 2], "13/5"],
    ["no-checker-there", start, [3, 1], "10/7 6/5", "10"],
    ["no-checker-there", start, [3, 1], "bar/22 6/5", "bar"],
    ["no-checker-there", start, [6, 6], "24/18(3) 13/7", "24"],
    ["must-enter-first", onBar, [3, 1], "8/5 6/5"],
    ["point-closed", start, [5, 1], "24/19 6/5", "19"],
    ["not-all-home", start, [6, 1], "6/off 8/7"],
    ["more-dice-must-be-played", positionOf({ 13: 1 }, { 18: 2 }), [6, 5], "13/8"],
    ["more-dice-must-be-played", start, [3, 1], "8/5"],
    ["more-dice-must-be-played", start, [3, 1], "8/5 pass"],
    ["more-dice-must-be-played", start, [3, 1], "pass"],
    ["more-dice-must-be-played", start, [6, 6], "13/7(3)"],
    ["larger-die-must-be-played", positionOf({ 13: 1 }, { 23: 2 }), [6, 5], "13/8"],
    ["not-this-roll", start, [3, 1], "13/8 6/5"],
    ["not-this-roll", start, [3, 1], "8/5 6/5 6/5"],
    ["unreadable", start, [3, 1], "6/8 6/5"],
    ["more-dice-must-be-played", positionOf({ 5: 1, 4: 1 }, { 1: 2 }), [6, 4], "4/off"],
    ["not-this-roll", positionOf({ 5: 1, 4: 1 }, { 1: 2 }), [6, 3], "4/off"],
  ];

  const named = rows.map(([reason, position, dice, text, place]) => ({
    text: text.slice(0, 20),
    reason,
    facts: read(position, dice, text),
    said: place === undefined ? { reason } : { reason, place },
  }));
  it.each(named)("$text: $reason", ({ facts, said }) => {
    expect(facts).toMatchObject(said);
  });

  it("has a row for every reason", () => {
    expect(new Set(rows.map(([reason]) => reason))).toEqual(new Set(REFUSALS));
  });
});

describe("any text", () => {
  it("is read or refused, never more", () => {
    const part = fc.constantFrom(
      "13",
      "/",
      "bar",
      "off",
      "*",
      "(2)",
      " ",
      "8/5",
      "6/5",
      "-",
      "pass",
      "٣",
      "０",
    );
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(part).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(text, (written) => {
        const answer = readPlay(start, [3, 1], legalPlays(start, [3, 1]), written);
        expect(answer.ok || REFUSALS.includes(answer.error.facts["reason"] as Refusal)).toBe(true);
        expect(parsePositionId(written).ok || parseXgid(written).ok).toBe(false);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("moves and results", () => {
  const plays = legalPlays(start, [3, 1]);
  const textOf = (answer: ReturnType<typeof findResult>) =>
    answer.ok ? answer.value.text : answer.error.facts["reason"];

  it("is refused where a checker goes backward, though it comes out right", () => {
    const texts = ["8/5 6/5 24/1 1/24", "8/5 6/5 24/24", "8/5 6/5 5/6 6/5", "8/5(2) 5/8 6/5"];
    for (const text of texts) {
      expect(read(start, [3, 1], text)).toMatchObject({ reason: "unreadable" });
    }
    const moves = [
      { from: 8, to: 4 },
      { from: 6, to: 4 },
      { from: 24, to: 1 },
      { from: 1, to: 24 },
    ];
    const answer = readMoves(start, [4, 2], legalPlays(start, [4, 2]), moves);
    expect(answer).toMatchObject({ ok: false, error: { facts: { reason: "unreadable" } } });
  });

  it("is refused where it names a closed point on the way, in any position", () => {
    const random = seeded(SEED);
    let named = 0;
    for (let tries = 0; named < 50; tries++) {
      expect(tries).toBeLessThan(20_000);
      const position = randomPlacement(random);
      const dice = randomDice(random);
      for (const { text, moves } of legalPlays(position, dice)) {
        const [first, last] = [moves[0], moves.at(-1)];
        const isChain = moves.length === 2 && first !== undefined && last?.from === first.to;
        if (!isChain || first === undefined || last === undefined) continue;
        const other = first.from - last.die;
        if (other <= 0 || (position.opponent[25 - other] ?? 0) < 2) continue;
        const from = first.from === 25 ? "bar" : String(first.from);
        const through = `${from}/${other}/${last.to === 0 ? "off" : last.to}`;
        expect(read(position, dice, through), `${text} as ${through}`).toMatchObject({
          reason: "point-closed",
        });
        named += 1;
      }
    }
  });

  it("a list of moves is read by the same rule, in any order, of one die or several", () => {
    const moves = (...pairs: readonly (readonly [number, number])[]) =>
      textOf(
        readMoves(
          start,
          [3, 1],
          plays,
          pairs.map(([from, to]) => ({ from, to })),
        ),
      );
    expect(moves([6, 5], [8, 5])).toBe("8/5 6/5");
    expect(moves([24, 20])).toBe("24/20");
    expect(moves([24, 23], [23, 20])).toBe("24/20");
    expect(moves([8, 5])).toBe("more-dice-must-be-played");
    expect(moves([26, 5])).toBe("unreadable");
    expect(moves([8.5, 5])).toBe("unreadable");
    expect(moves()).toBe("more-dice-must-be-played");
  });

  it("a list of moves shows which way a checker goes", () => {
    const position = positionOf({ 13: 1 }, { 18: 1, 14: 1 });
    const legal = legalPlays(position, [6, 2]);
    const via = (point: number) =>
      textOf(
        readMoves(position, [6, 2], legal, [
          { from: 13, to: point },
          { from: point, to: 5 },
        ]),
      );
    expect([via(7), via(11)]).toEqual(["13/7*/5", "13/11*/5"]);
    expect(textOf(readMoves(position, [6, 2], legal, [{ from: 13, to: 5 }]))).toBe("ambiguous");
  });

  it("a play is found by the Position ID that it leads to", () => {
    expect(textOf(findResult(plays, "4HPwATDgc/ABMA"))).toBe("not-this-roll");
    expect(textOf(findResult(plays, "4HPwATDgc/ABM"))).toBe("unreadable");
    expect(textOf(findResult([], "4HPwATDgc/ABMA"))).toBe("no-play-possible");
    for (const play of plays)
      expect(textOf(findResult(plays, printPositionId(play.after)))).toBe(play.text);
  });
});

describe(`every legal play (SEED=${SEED})`, () => {
  const FULL = process.env["TEST_SCALE"] === "full";
  const CASES = FULL ? 10_000 : 200;

  it(
    "is read back from its text, its moves, its single steps and its result",
    () => {
      const random = seeded(SEED + 1);
      const games = selfPlay(random);
      for (let index = 0; index < CASES; index++) {
        const thrown = { position: randomPlacement(random), dice: randomDice(random) };
        for (const { position, dice } of [games.next().value, thrown]) {
          const legal = legalPlays(position, dice);
          for (const play of legal) {
            const steps = play.moves.map(({ from, to, hit }) => `${from}/${to}${hit ? "*" : ""}`);
            const answers = [
              readPlay(position, dice, legal, play.text),
              readPlay(position, dice, legal, steps.reverse().join(",")),
              readMoves(position, dice, legal, play.moves),
              findResult(legal, printPositionId(play.after)),
            ];
            const isSame = answers.every((answer) => answer.ok && answer.value === play);
            if (!isSame) expect(answers, play.text).toEqual(Array<Play>(4).fill(play));
          }
        }
      }
    },
    FULL ? 1_800_000 : 30_000,
  );
});
