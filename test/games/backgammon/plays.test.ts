import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  checkers,
  type Dice,
  type Position,
  type Side,
  side,
  turned,
} from "../../../src/games/backgammon/board.ts";
import { countPlays, legalPlays } from "../../../src/games/backgammon/plays.ts";
import { parsePositionId, printPositionId } from "../../../src/games/backgammon/position-id.ts";
import { START } from "../../../src/games/backgammon/start.ts";
import { positionOf } from "./support/positions.ts";
import {
  type Case,
  deepFrozen,
  randomDice,
  randomPlacement,
  SEED,
  seeded,
  selfPlay,
} from "./support/random.ts";
import { slowPlays } from "./support/slow-plays.ts";

const start = START.standard;
const texts = (position: Position, dice: Dice): readonly string[] =>
  legalPlays(position, dice).map(({ text }) => text);

interface Row {
  readonly name: string;
  readonly position: Position;
  readonly id: string;
  readonly dice: Dice;
  readonly plays: readonly string[];
}

/** Public faults of other programs; the right answers were verified against GNU Backgammon 1.07.001. */
const FAULTS: readonly Row[] = [
  {
    name: "B02: doubles are one turn of up to four moves, and end with the last checker",
    position: positionOf({ 2: 1, 1: 2 }, { 19: 2, 15: 1, 10: 1, 9: 2, 4: 1, 3: 6, 2: 2 }),
    id: "9gsWhAELAAAAAA",
    dice: [5, 5],
    plays: ["2/off 1/off(2)"],
  },
  {
    name: "B03: two orders of one result are one play",
    position: positionOf({ 6: 1, 4: 2, 3: 2, 2: 1, 1: 9 }, { 1: 7 }),
    id: "fwAAAP+1CQAAAA",
    dice: [6, 1],
    plays: ["6/off 4/3", "6/off 3/2", "6/off 2/1", "6/off 1/off", "6/off"],
  },
  {
    name: "B04: a 4 borne off exactly, once the 6 has come down",
    position: positionOf({ 6: 1, 4: 3, 3: 2, 2: 9 }, { 1: 8, 2: 2, 4: 2, 12: 1, 18: 1, 24: 1 }),
    id: "/2aAQCD+2wkAAA",
    dice: [4, 4],
    plays: ["6/2 4/off(3)"],
  },
  {
    name: "B06: doubles bring the last two home and then bear off or move down",
    position: positionOf(
      { 8: 2, 6: 3, 5: 2, 4: 3, 3: 3, 1: 2 },
      { 1: 2, 2: 2, 4: 2, 5: 1, 6: 2, 8: 1, 11: 1, 12: 1, 13: 1, 23: 2 },
    ),
    id: "mzVRARhztzMAAA",
    dice: [4, 4],
    plays: ["8/4(2) 5/1(2)", "8/4 8/off 5/1", "8/off(2)"],
  },
  {
    name: "B07: a die that can only be played second is played second",
    position: positionOf({ 24: 5, 3: 4, 2: 4, 1: 2 }, { 6: 4, 4: 3, 3: 4, 2: 3 }),
    id: "7p0HAIC9BwAAHw",
    dice: [6, 3],
    plays: ["24/15"],
  },
  {
    name: "B09: a 6 with nothing on the six point bears off from the highest",
    position: positionOf({ 5: 2, 4: 3, 3: 2, 2: 3, 1: 5 }, { 17: 5, 12: 10 }),
    id: "APgffADf7QYAAA",
    dice: [6, 2],
    plays: ["5/3 5/off", "5/off 4/2", "5/off 3/1", "5/off 2/off"],
  },
  {
    name: "B10: a checker that has entered goes on with the other die",
    position: positionOf({ 25: 1 }, { 1: 2 }),
    id: "AwAAAAAACAAAAA",
    dice: [6, 5],
    plays: ["bar/14"],
  },
  {
    name: "B11: a higher checker comes before a lower one that is borne off by a larger number",
    position: positionOf({ 4: 1, 3: 1, 2: 2 }, { 9: 1, 6: 3, 3: 3, 2: 6, 1: 2 }),
    id: "+x1HAABWAAAAAA",
    dice: [3, 3],
    plays: ["4/1 3/off 2/off(2)"],
  },
  {
    name: "B13: the last checker comes home and the bear-off begins in one roll",
    position: positionOf(
      { 10: 1, 6: 4, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1 },
      { 6: 4, 5: 3, 4: 2, 3: 2, 2: 2, 1: 1 },
    ),
    id: "bbsHAIC23UMAAA",
    dice: [5, 5],
    plays: ["10/5 6/1(3)", "10/off 6/1(2)", "10/off 6/1 5/off", "10/off 5/off(2)", "6/1(4)"],
  },
  {
    name: "B14: both dice are played in a short bear-off",
    position: positionOf({ 5: 1, 2: 1 }, { 1: 2 }),
    id: "AwAAEAEAAAAAAA",
    dice: [4, 2],
    plays: ["5/1 2/off", "5/off"],
  },
  {
    name: "B16: a 6 may not take the 4-point checker while one stands higher",
    position: positionOf({ 5: 1, 4: 1 }, { 1: 2 }),
    id: "AwAAQAEAAAAAAA",
    dice: [6, 4],
    plays: ["5/off 4/off", "5/1 4/off"],
  },
  {
    name: "B17: the larger die must be played when only one can be",
    position: positionOf({ 13: 1 }, { 23: 2 }),
    id: "AADAAIAAAAAAAA",
    dice: [6, 5],
    plays: ["13/7"],
  },
  {
    name: "B19: both dice must be played if one order allows it",
    position: positionOf({ 13: 1 }, { 18: 2 }),
    id: "AAAGAIAAAAAAAA",
    dice: [6, 5],
    plays: ["13/2"],
  },
  {
    name: "B20: nothing else moves while a checker stays on the bar",
    position: positionOf({ 25: 2, 13: 5, 8: 3, 6: 5 }, { 13: 4, 6: 3, 5: 2, 4: 2, 2: 2, 1: 2 }),
    id: "m+2ABwDgc/ABYA",
    dice: [4, 3],
    plays: ["bar/22"],
  },
  {
    name: "B22: against a closed board there is no play",
    position: positionOf(
      { 25: 1, 13: 6, 8: 3, 6: 5 },
      { 8: 3, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2 },
    ),
    id: "27Y5AADgc/ADQA",
    dice: [6, 5],
    plays: [],
  },
  {
    name: "B25: the last checker comes home with one die and is borne off with the other",
    position: positionOf({ 7: 1, 5: 2, 1: 2 }, { 22: 2 }),
    id: "AABgGCYAAAAAAA",
    dice: [5, 2],
    plays: ["7/off"],
  },
  {
    name: "B26: the game ends with the last checker, whatever dice are left",
    position: positionOf({ 1: 1 }, { 1: 5 }),
    id: "HwAAQAAAAAAAAA",
    dice: [6, 5],
    plays: ["1/off"],
  },
];

describe("legal plays", () => {
  it.each(FAULTS)("$name", ({ position, id, dice, plays }) => {
    expect(printPositionId(position)).toBe(id);
    expect(texts(position, dice)).toEqual(plays);
  });

  it("B02: three dice are used", () => {
    const { position, dice } = FAULTS[0] as Row;
    expect(legalPlays(position, dice).map(({ moves }) => moves.length)).toEqual([3]);
  });

  it("B22: against a closed board no roll plays", () => {
    const closed = FAULTS.find(({ name }) => name.startsWith("B22"));
    for (let one = 1; one <= 6; one++)
      for (let other = 1; other <= 6; other++)
        expect(legalPlays(closed?.position as Position, [one, other])).toEqual([]);
  });

  it("B23: with two on the bar, doubles enter both and have two to play", () => {
    const position = {
      onRoll: positionOf({ 25: 2, 13: 5, 8: 3, 6: 5 }, {}).onRoll,
      opponent: start,
    };
    expect(printPositionId(position)).toBe("4HPwATDgc/ABYA");
    const plays = texts(position, [4, 4]);
    expect(plays).toHaveLength(7);
    expect(plays.every((text) => text.startsWith("bar/21(2)") || text.startsWith("bar/17"))).toBe(
      true,
    );
    expect(legalPlays(position, [4, 4]).every(({ after }) => after.opponent[25] === 0)).toBe(true);
  });

  it("are listed with the larger die first and then the higher point first", () => {
    const plays = texts({ onRoll: start, opponent: start }, [1, 3]);
    expect(plays).toHaveLength(16);
    expect(plays.slice(0, 4)).toEqual(["24/23 24/21", "24/20", "24/21 8/7", "24/21 6/5"]);
    expect(plays).toContain("8/5 6/5");
  });

  it("say each checker move, its die and its hit, in an order that can be played", () => {
    const position = positionOf({ 13: 1, 8: 1 }, { 18: 1, 20: 1 });
    expect(legalPlays(position, [6, 2]).find(({ text }) => text === "13/7*/5*")).toEqual({
      text: "13/7*/5*",
      moves: [
        { from: 13, to: 7, die: 6, hit: true },
        { from: 7, to: 5, die: 2, hit: true },
      ],
      after: positionOf({ 25: 2 }, { 8: 1, 5: 1 }),
    });
  });

  it("tell apart a checker that hits on its way and one that goes round", () => {
    const position = positionOf({ 13: 1 }, { 18: 1 });
    expect(texts(position, [6, 2])).toEqual(["13/7*/5", "13/5"]);
  });

  it("of hypergammon end when the three checkers are off", () => {
    const three = (onBoard: Readonly<Record<number, number>>, off: number): Side =>
      side({ ...onBoard, 0: off });
    const position = { onRoll: three({ 2: 1, 1: 1 }, 1), opponent: three({ 1: 3 }, 0) };
    const plays = legalPlays(position, [6, 6]);
    expect(plays.map(({ text }) => text)).toEqual(["2/off 1/off"]);
    expect(plays[0]?.after.opponent).toEqual(three({}, 3));
  });
});

describe("the golden positions", () => {
  const vectors = lines("legal-plays.jsonl") as readonly {
    readonly id: string;
    readonly gnubgPositionId: string;
    readonly dice: Dice;
    readonly diceUsed: number;
    readonly resultingPositions: readonly string[];
    readonly count: number;
  }[];

  it("have the plays that GNU Backgammon lists, all 1,760 of them", () => {
    expect(vectors).toHaveLength(1760);
    for (const vector of vectors) {
      const read = parsePositionId(vector.gnubgPositionId);
      if (!read.ok) throw new Error(`${vector.id} is not readable`);
      const plays = legalPlays(read.value, vector.dice);
      expect(plays.map(({ after }) => printPositionId(after)).sort(), vector.id).toEqual(
        vector.resultingPositions,
      );
      expect(countPlays(read.value, vector.dice), vector.id).toBe(vector.count);
      for (const { moves } of plays) expect(moves.length, vector.id).toBe(vector.diceUsed);
    }
  });
});

/**
 * Laws over many positions: self-play of random plays from the starts of all variants, and checkers
 * thrown on the board. The oracle sees 5,000, the other laws 1,000; with `TEST_SCALE=full` 150,000 and
 * 30,000. `SEED` takes other ones.
 */
const FULL = process.env["TEST_SCALE"] === "full";
const CASES = FULL ? 100_000 : 3_333;

describe(`in self-play and on thrown boards (SEED=${SEED})`, () => {
  const cases = function* (of = CASES / 5): Generator<Case> {
    const random = seeded(SEED);
    const games = selfPlay(random);
    for (let index = 0; index < of; index++) {
      yield games.next().value;
      if (index % 2 === 0) yield { position: randomPlacement(random), dice: randomDice(random) };
    }
  };
  const named = ({ position, dice }: Case) => `${printPositionId(position)} ${dice} SEED=${SEED}`;

  it(
    "the fast generator finds what trying everything finds, with as many dice",
    () => {
      for (const one of cases(CASES)) {
        const plays = legalPlays(one.position, one.dice);
        const slow = slowPlays(one.position, one.dice);
        const ids = (list: readonly { readonly after: Position }[]) =>
          list.map(({ after }) => JSON.stringify(after)).sort();
        if (JSON.stringify(ids(plays)) !== JSON.stringify(ids(slow)))
          expect(ids(plays), named(one)).toEqual(ids(slow));
        if (plays.some(({ moves }, index) => moves.length !== slow[index]?.diceUsed))
          expect.unreachable(`dice used at ${named(one)}`);
      }
    },
    FULL ? 1_800_000 : 30_000,
  );

  it(
    "the order of the dice carries no meaning, and nothing given is changed",
    () => {
      for (const one of cases()) {
        const { position, dice } = deepFrozen(structuredClone(one));
        const plays = JSON.stringify(legalPlays(position, dice));
        const swapped = JSON.stringify(legalPlays(position, [dice[1], dice[0]]));
        if (plays !== swapped) expect(swapped, named(one)).toBe(plays);
        if (JSON.stringify(position) !== JSON.stringify(one.position))
          expect.unreachable(`changed ${named(one)}`);
      }
    },
    FULL ? 600_000 : 30_000,
  );

  it(
    "a play's moves lead where it says, one checker by one die, and no checker is lost",
    () => {
      for (const one of cases()) {
        const { position, dice } = one;
        for (const { moves, after } of legalPlays(position, dice)) {
          const mover = [...position.onRoll];
          const other = [...position.opponent];
          const left = dice[0] === dice[1] ? [...dice, ...dice] : [...dice];
          for (const { from, to, die, hit } of moves) {
            left.splice(left.indexOf(die), 1);
            const isStep = to === Math.max(0, from - die) && (mover[from] ?? 0) > 0;
            const isHit = to > 0 && other[25 - to] === 1;
            if (!isStep || isHit !== hit) expect.unreachable(`a move at ${named(one)}`);
            mover[from] = (mover[from] ?? 0) - 1;
            mover[to] = (mover[to] ?? 0) + 1;
            if (!hit) continue;
            other[25 - to] = 0;
            other[25] = (other[25] ?? 0) + 1;
          }
          const dicePlayed = (dice[0] === dice[1] ? 4 : 2) - left.length;
          if (dicePlayed !== moves.length) expect.unreachable(`dice at ${named(one)}`);
          if (JSON.stringify(after) !== JSON.stringify(turned({ onRoll: mover, opponent: other })))
            expect.unreachable(`the result at ${named(one)}`);
          if (
            checkers(after.onRoll) !== checkers(position.opponent) ||
            checkers(after.opponent) !== checkers(position.onRoll)
          )
            expect.unreachable(`a checker at ${named(one)}`);
        }
      }
    },
    FULL ? 600_000 : 30_000,
  );

  it(
    "every result has a text of its own",
    () => {
      for (const one of cases()) {
        const plays = texts(one.position, one.dice);
        if (new Set(plays).size !== plays.length) expect.unreachable(`${named(one)}: ${plays}`);
      }
    },
    FULL ? 600_000 : 30_000,
  );
});

function lines(name: string): readonly unknown[] {
  const path = new URL(`../../golden/backgammon/${name}`, import.meta.url);
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}
