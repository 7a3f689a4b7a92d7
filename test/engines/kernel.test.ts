import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Chances } from "../../src/engines/backgammon/chances.ts";
import { reversed } from "../../src/engines/backgammon/chances.ts";
import type { Dice, Position, Side } from "../../src/games/backgammon/board.ts";
import { at, BAR, checkers, OFF, side, turned } from "../../src/games/backgammon/board.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { isOver } from "../../src/games/backgammon/position.ts";
import { parsePositionId, printPositionId } from "../../src/games/backgammon/position-id.ts";
import { START } from "../../src/games/backgammon/start.ts";
import { losersCheckers, WIN_KINDS, winKind } from "../../src/games/backgammon/value.ts";
import { present } from "../../src/kernel/assert.ts";
import { positionOf } from "../games/backgammon/support/positions.ts";
import type { Case, Random } from "../games/backgammon/support/random.ts";
import {
  randomDice,
  randomPlacement,
  SEED,
  seeded,
  selfPlay,
} from "../games/backgammon/support/random.ts";
import { compiled } from "../support/assembly.ts";
import { goldenLines } from "../support/golden.ts";
import type { RawKernel } from "../support/kernel-exports.ts";
import { randomWeights, rawKernel } from "../support/kernel-exports.ts";
import type { NetKind } from "../support/slow-inputs.ts";
import { slowInputs } from "../support/slow-inputs.ts";
import type { SlowNets } from "../support/slow-net.ts";
import {
  CHANCES,
  kindOf,
  MONEY,
  netLength,
  slowJudge,
  slowLookAhead,
  slowNets,
  worthOf,
} from "../support/slow-net.ts";

/** Nets of different sizes, and the kernel with each. */
const SIZES = [
  [32, 32],
  [128, 64],
  [256, 32],
] as const;

interface Opened {
  readonly kernel: RawKernel;
  readonly nets: SlowNets;
}

const opened = new Map<string, Opened>();

/** Each is opened once: its bear-off tables take a while. */
const kernelOf = (contactHidden: number, raceHidden: number, seed = SEED): Opened => {
  const key = `${contactHidden} ${raceHidden} ${seed}`;
  const known = opened.get(key);
  if (known !== undefined) return known;
  const weights = randomWeights(contactHidden, raceHidden, seed);
  const made = { kernel: rawKernel(weights), nets: slowNets(weights) };
  opened.set(key, made);
  return made;
};

const small = kernelOf(32, 32);

const named = ({ position, dice }: Case): string => `${printPositionId(position)} ${dice}`;

/** Of self-play in all variants and of thrown boards in turn, none over. */
function* cases(random: Random, count: number): Generator<Case> {
  const games = selfPlay(random);
  for (let given = 0; given < count; given++) {
    if (given % 2 === 0) yield games.next().value;
    else yield { position: onThrownBoard(random), dice: randomDice(random) };
  }
}

const onThrownBoard = (random: Random): Position => {
  const position = randomPlacement(random);
  return isOver(position) ? onThrownBoard(random) : position;
};

/** So many checkers on these places of a side of fifteen, the rest off. */
const strewn = (random: Random, count: number, places: readonly number[]): Side => {
  const counts = new Array<number>(26).fill(0);
  counts[OFF] = 15 - count;
  for (let left = count; left > 0; left--) {
    const place = places[random(places.length)] ?? OFF;
    counts[place] = at(counts, place) + 1;
  }
  return counts;
};

const range = (low: number, high: number): readonly number[] =>
  Array.from({ length: high - low + 1 }, (_, i) => low + i);

/** Shapes that games seldom have, each against fourteen checkers that leave the other points free. */
const SHAPES: Readonly<Record<string, (random: Random) => Position>> = {
  "many on the bar": (random) => {
    const own = strewn(random, 15, [...range(1, 18), 25, 25, 25, 25, 25, 25]);
    return { onRoll: own, opponent: strewn(random, 14, freeHome(own)) };
  },
  "a closed board": (random) => ({
    onRoll: strewn(random, 1 + random(15), [...range(1, 18), 25, 25]),
    opponent: side({ 1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 25: 1 }),
  }),
  "one open point": (random) => {
    const open = 1 + random(6);
    const home = Object.fromEntries(range(1, 6).map((point) => [point, point === open ? 0 : 3]));
    const own = strewn(random, 1 + random(15), [...range(1, 18), 25, 25, 25]);
    return { onRoll: own, opponent: side(home) };
  },
  "bearing off": (random) => ({
    onRoll: strewn(random, 1 + random(15), range(1, 6)),
    opponent: strewn(random, 1 + random(15), range(1, 18)),
  }),
  "bearing off against the bar": (random) => {
    const own = strewn(random, 1 + random(14), range(1, 7));
    const free = range(19, 24).filter((point) => at(own, 25 - point) === 0);
    return { onRoll: own, opponent: strewn(random, 1 + random(15), [...free, 25]) };
  },
};

const freeHome = (own: Side): readonly number[] => {
  const free = range(1, 24).filter((point) => at(own, 25 - point) === 0);
  return free.length > 0 ? free : [25];
};

const texts = (positions: readonly Position[]): readonly string[] =>
  positions.map((position) => JSON.stringify(position)).sort();

/** What a roll leads to by the rules: where nothing is legal, to the same position with the other on roll. */
const results = ({ position, dice }: Case): readonly Position[] => {
  const plays = legalPlays(position, dice);
  return plays.length === 0 ? [turned(position)] : plays.map(({ after }) => after);
};

const expectResults = (one: Case): void => {
  const found = texts(small.kernel.generate(one.position, one.dice));
  const right = texts(results(one));
  if (found.join() !== right.join()) expect(found, named(one)).toEqual(right);
};

describe(`the kernel's results of a roll (SEED=${SEED})`, () => {
  it("are those of all 1,760 golden positions, none twice", () => {
    const vectors = goldenLines<{
      readonly gnubgPositionId: string;
      readonly dice: Dice;
      readonly resultingPositions: readonly string[];
    }>("backgammon/legal-plays.jsonl");
    expect(vectors).toHaveLength(1760);
    for (const { gnubgPositionId, dice, resultingPositions } of vectors) {
      const read = parsePositionId(gnubgPositionId);
      if (!read.ok) throw new Error(`${gnubgPositionId} is not readable`);
      const found = small.kernel.generate(read.value, dice);
      const right =
        resultingPositions.length === 0
          ? [printPositionId(turned(read.value))]
          : resultingPositions;
      expect(found.map(printPositionId).sort(), gnubgPositionId).toEqual(right);
    }
  });

  it("are those of the rules in self-play and on thrown boards, none twice", () => {
    for (const one of cases(seeded(SEED), 4_000)) expectResults(one);
  });

  it.each(Object.entries(SHAPES))("are those of the rules: %s", (_, shape) => {
    const random = seeded(SEED);
    for (let i = 0; i < 300; i++) {
      const position = shape(random);
      if (!isOver(position)) expectResults({ position, dice: randomDice(random) });
    }
  });
});

/** A position that a net judges, and the net's kind. */
interface Judged {
  readonly position: Position;
  readonly kind: NetKind;
}

/** So many positions of each sort that games bring, from self-play and thrown boards. */
const SORTS: Readonly<Record<string, (one: Judged) => boolean>> = {
  contact: ({ kind }) => kind === "contact",
  race: ({ kind }) => kind === "race",
  "one on the bar": ({ position }) => at(position.onRoll, BAR) === 1,
  "more on the bar": ({ position }) => at(position.onRoll, BAR) > 1,
  "all home, in contact": ({ kind, position }) => kind === "contact" && isHome(position.onRoll),
  "a race, nothing off": ({ kind, position }) => kind === "race" && at(position.onRoll, OFF) === 0,
  hypergammon: ({ position }) => checkers(position.onRoll) === 3,
};

const isHome = (own: Side): boolean => own.every((count, place) => count === 0 || place <= 6);

const judgedOf = (position: Position): Judged | undefined => {
  const kind = kindOf(position);
  return kind === "contact" || kind === "race" ? { position, kind } : undefined;
};

const sorted = (each: number): readonly Judged[] => {
  const random = seeded(SEED);
  const left = new Map(Object.keys(SORTS).map((sort) => [sort, each]));
  const found: Judged[] = [];
  for (const { position } of cases(random, 1_000_000)) {
    const one = judgedOf(position);
    if (one === undefined) continue;
    const sort = Object.keys(SORTS).find(
      (name) => (left.get(name) ?? 0) > 0 && SORTS[name]?.(one) === true,
    );
    if (sort !== undefined) {
      found.push(one);
      left.set(sort, (left.get(sort) ?? 0) - 1);
    }
    if ([...left.values()].every((wanted) => wanted === 0)) return found;
  }
  throw new Error("too few positions of a sort");
};

const POSITIONS = sorted(100);

/** The largest difference between two lists of numbers. */
const difference = (one: readonly number[], other: readonly number[]): number => {
  expect(one).toHaveLength(other.length);
  return Math.max(...one.map((value, i) => Math.abs(value - (other[i] ?? Number.NaN))));
};

const numbers = (chances: Chances): readonly number[] => CHANCES.map((name) => chances[name]);

describe(`what the kernel makes of a position (SEED=${SEED})`, () => {
  it("begins with the inputs that docs/engine.md names", () => {
    expect(POSITIONS.length).toBeGreaterThanOrEqual(500);
    for (const { position, kind } of POSITIONS) {
      const inputs = small.kernel.inputs(position, kind);
      const slow = slowInputs(position, kind);
      for (const [i, value] of slow.entries()) {
        const isSame = Math.abs(value - (inputs[i] ?? Number.NaN)) < 1e-5;
        if (!isSame) expect(inputs[i], `${kind} ${i} of ${printPositionId(position)}`).toBe(value);
      }
    }
  });

  it("has the same inputs for both sides, exchanged", () => {
    const exchanged = (inputs: readonly number[]): readonly number[] => [
      ...inputs.slice(100, 200),
      ...inputs.slice(0, 100),
      ...inputs.slice(228),
      ...inputs.slice(200, 228),
    ];
    for (const { position, kind } of POSITIONS) {
      const inputs = small.kernel.inputs(position, kind);
      const others = exchanged(small.kernel.inputs(turned(position), kind));
      if (difference(others, inputs) !== 0) expect(others, printPositionId(position)).toBe(inputs);
    }
  });

  it.each(SIZES)("is what the slow nets say, with %i and %i hidden units", (contact, race) => {
    const { kernel, nets } = kernelOf(contact, race);
    expect(kernel.sizeOf(contact)).toBe(4 * netLength(contact));
    for (const { position } of POSITIONS) {
      const slow = numbers(slowJudge(position, nets, kernel.judgeOne));
      const off = difference(numbers(kernel.judgeOne(position)), slow);
      if (!(off < 1e-4)) expect.unreachable(`${off} off at ${printPositionId(position)}`);
    }
  });

  it("is what the rules say once the game is over", () => {
    const { kernel, nets } = small;
    const kinds = new Set<string>();
    for (const { onRoll } of POSITIONS.map(({ position }) => position)) {
      const lost = { onRoll, opponent: side({ [OFF]: checkers(onRoll) }) };
      const slow = slowJudge(lost, nets, kernel.judgeOne);
      const place = JSON.stringify(onRoll);
      expect(difference(numbers(kernel.judgeOne(lost)), numbers(slow)), place).toBe(0);
      const [won = slow] = kernel.judgeAll([lost]);
      expect(difference(numbers(won), numbers(reversed(slow))), place).toBe(0);
      kinds.add(winKind(losersCheckers(onRoll)));
    }
    expect([...kinds].sort()).toEqual([...WIN_KINDS].sort());
  });

  it.each(SIZES)(
    "is the same in a batch as alone, with %i and %i hidden units",
    (contact, race) => {
      const { kernel } = kernelOf(contact, race);
      const batches = [...cases(seeded(SEED), 60)].map(results);
      // A batch whose positions have nothing in common: the batch must not lean on their likeness.
      for (const batch of [...batches, batches.flatMap((batch) => batch.slice(0, 1))]) {
        const together = kernel.judgeAll(batch);
        for (const [i, after] of batch.entries()) {
          const alone = numbers(reversed(kernel.judgeOne(after)));
          const off = difference(numbers(present(together[i], "one for each")), alone);
          if (!(off < 1e-5)) expect.unreachable(`${off} off at ${printPositionId(after)}`);
        }
      }
    },
  );

  it("can be: no chance is beyond its bounds, and none is left for what the rules exclude", () => {
    for (const seed of [0, 1]) {
      const { kernel } = kernelOf(32, 32, SEED + seed);
      for (const { position } of cases(seeded(SEED + seed), 1_000)) {
        const chances = kernel.judgeOne(position);
        const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = chances;
        const inOrder = [0, winBackgammon, winGammon, win, 1];
        const lossInOrder = [0, loseBackgammon, loseGammon, 1 - win + 1e-7];
        const isRising = (list: readonly number[]): boolean =>
          list.every((value, i) => i === 0 || value >= (list[i - 1] ?? 0));
        const isPossible =
          isRising(inOrder) &&
          isRising(lossInOrder) &&
          (at(position.opponent, OFF) === 0 || winGammon === 0) &&
          (at(position.onRoll, OFF) === 0 || loseGammon === 0);
        if (!isPossible) expect(chances, printPositionId(position)).toBe("possible");
      }
    }
  });
});

/** Two checkers each, soon past each other: few plays, so that two plies are soon looked ahead. */
const ENDS: readonly Position[] = [
  positionOf({ 6: 1, 20: 1 }, { 4: 1, 3: 1 }),
  positionOf({ 25: 1, 5: 1 }, { 9: 1, 2: 2 }),
  positionOf({ 8: 1, 3: 1 }, { 25: 1, 1: 1 }),
];

describe(`a look ahead (SEED=${SEED})`, () => {
  /** Slow, but no position twice. */
  const judgeOf = ({ kernel, nets }: Opened) => {
    const known = new Map<string, Chances>();
    return (position: Position): Chances => {
      const key = JSON.stringify(position);
      const chances = known.get(key) ?? slowJudge(position, nets, kernel.judgeOne);
      known.set(key, chances);
      return chances;
    };
  };

  const expectSame = (position: Position, plies: number, slopes: Chances): void => {
    const slow = slowLookAhead(position, plies, judgeOf(small), slopes);
    const fast = small.kernel.lookAhead(position, plies, slopes);
    const off = difference(numbers(fast), numbers(slow));
    const place = `${plies} plies at ${printPositionId(position)}`;
    expect(off, place).toBeLessThan(1e-4);
    expect(Math.abs(worthOf(fast, slopes) - worthOf(slow, slopes)), place).toBeLessThan(1e-4);
  };

  it("of no ply is the position as it stands", () => {
    for (const { position } of POSITIONS.slice(0, 100))
      expect(small.kernel.lookAhead(position, 0)).toEqual(small.kernel.judgeOne(position));
  });

  it("of one ply is the average over the 21 rolls of the best reply", () => {
    for (let i = 0; i < POSITIONS.length; i += 70)
      expectSame(present(POSITIONS[i], "in the list").position, 1, MONEY);
  });

  it("compares replies by the slopes that are given", () => {
    const onlyWins = { ...MONEY, winGammon: 0, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 };
    const onlyGammons = { ...MONEY, win: 0, winBackgammon: 0, loseBackgammon: 0 };
    const position = { onRoll: START.nackgammon, opponent: START.standard };
    for (const slopes of [onlyWins, onlyGammons]) expectSame(position, 1, slopes);
    const { kernel } = small;
    expect(kernel.lookAhead(position, 1, onlyWins)).not.toEqual(
      kernel.lookAhead(position, 1, onlyGammons),
    );
  });

  it.each(ENDS.map((position) => [printPositionId(position), position] as const))(
    "of two plies is the average over two rolls, each reply the best as it stands: %s",
    (_, position) => expectSame(position, 2, MONEY),
  );
});

describe("kernel.wasm", () => {
  it("is what `npm run kernel` makes", { timeout: 180_000 }, async () => {
    const folder = "src/engines/backgammon/kernel";
    const made = await compiled(`${folder}/asconfig.json`);
    expect(Buffer.from(made).equals(readFileSync("src/engines/backgammon/kernel.wasm"))).toBe(true);
  });

  it("says the same, bit by bit, in any instance and after anything else", () => {
    const weights = randomWeights(128, 32, SEED);
    const asked = [...cases(seeded(SEED), 30)];
    const said = (kernel: RawKernel) =>
      asked.map((one) => [
        kernel.judgeOne(one.position),
        kernel.judgeAll(kernel.generate(one.position, one.dice)),
        kernel.lookAhead(one.position, 1),
      ]);
    const busy = rawKernel(weights);
    for (const { position } of POSITIONS) busy.lookAhead(position, 0);
    const first = said(busy);
    expect(said(rawKernel(weights))).toEqual(first);
    expect(said(busy)).toEqual(first);
  });
});
