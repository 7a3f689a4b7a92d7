import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { countPlays, legalPlays } from "../src/games/backgammon/plays.ts";
import { assert } from "../src/kernel/assert.ts";
import { type Case, seeded, selfPlay } from "../test/games/backgammon/support/random.ts";
import { slowPlays } from "../test/games/backgammon/support/slow-plays.ts";

/*
 * Legal plays a second of CPU time, on positions of random self-play from the starts of all variants.
 *
 *   npx tsx bench/legal-plays.ts
 *
 * The counts are proved equal to those of the slow generator before anything is timed, and those of the
 * C program, where there is a compiler, to ours. All contenders take turns, round by round.
 */

const SEED = 11;
const CASES = 10_000;
/** The first of the cases, for the contenders that would take long over all of them. */
const FEW = 300;
const ROUNDS = 9;

const games = selfPlay(seeded(SEED));
const cases = Array.from({ length: CASES }, () => games.next().value);
const few = cases.slice(0, FEW);

interface Contender {
  readonly name: string;
  readonly over: readonly Case[];
  /** Passes over the cases in a round: enough that a round takes long against the clock's tick. */
  readonly passes: number;
  readonly count: (one: Case) => number;
}

const contenders: readonly Contender[] = [
  {
    name: "`countPlays`: every distinct result, packed",
    over: cases,
    passes: 20,
    count: ({ position, dice }) => countPlays(position, dice),
  },
  {
    name: "`legalPlays`: with text, moves and position",
    over: cases,
    passes: 1,
    count: ({ position, dice }) => legalPlays(position, dice).length,
  },
  {
    name: "slow oracle: all sequences, JSON keys",
    over: few,
    passes: 1,
    count: ({ position, dice }) => slowPlays(position, dice).length,
  },
];

const countAll = ({ over, count }: Contender): number =>
  over.reduce((sum, one) => sum + count(one), 0);

// Proof first.
for (const { position, dice } of few) {
  const slow = slowPlays(position, dice).length;
  assert(countPlays(position, dice) === slow, "countPlays counts what the oracle finds");
  assert(legalPlays(position, dice).length === slow, "legalPlays lists what the oracle finds");
}
const expected = new Map<readonly Case[], number>(
  [cases, few].map((over) => [
    over,
    over.reduce((n, one) => n + countPlays(one.position, one.dice), 0),
  ]),
);

/** Results a second of CPU time in one round. */
const timed = (contender: Contender): number => {
  let total = 0;
  const before = process.cpuUsage();
  for (let pass = 0; pass < contender.passes; pass++) total += countAll(contender);
  const { user, system } = process.cpuUsage(before);
  assert(
    total === contender.passes * (expected.get(contender.over) ?? 0),
    "every round counts alike",
  );
  return total / ((user + system) / 1e6);
};

const folder = mkdtempSync(join(tmpdir(), "legal-plays-"));
const program = join(folder, "legal-plays");
const source = new URL("legal-plays.c", import.meta.url).pathname;
const hasC = spawnSync("cc", ["-O3", "-march=native", "-o", program, source]).status === 0;
const input = Buffer.from(
  cases.flatMap(({ position, dice }) => [...position.onRoll, ...position.opponent, ...dice]),
);

const timedC = (): number => {
  const passes = 20;
  const lines = execFileSync(program, [String(passes)], { input })
    .toString()
    .trim()
    .split("\n");
  const rounds = lines.map((line) => line.split(" ").map(Number));
  assert(
    rounds.every(([count]) => count === expected.get(cases)),
    "the C program counts alike",
  );
  const nanoseconds = rounds.reduce((sum, [, time]) => sum + (time ?? 0), 0);
  return (passes * (expected.get(cases) ?? 0)) / (nanoseconds / 1e9);
};

const figures = new Map<string, number[]>();
const note = (name: string, figure: number) =>
  figures.set(name, [...(figures.get(name) ?? []), figure]);

for (const contender of contenders) timed(contender);
for (let round = 0; round < ROUNDS; round++) {
  for (const contender of contenders) note(contender.name, timed(contender));
  if (hasC) note("C, the same algorithm, `cc -O3 -march=native`", timedC());
}
rmSync(folder, { recursive: true });

const inMillions = (figure: number) => (figure / 1e6).toFixed(figure < 1e6 ? 3 : 2);
const distinct = expected.get(cases) ?? 0;
console.log(
  `${CASES} positions and rolls of self-play (seed ${SEED}), ${distinct} distinct results, ` +
    `${(distinct / CASES).toFixed(1)} a roll; ${ROUNDS} rounds in turn; Node ${process.version}, ${cpus()[0]?.model}\n`,
);
console.log("| Generator | Million results / s CPU, median | lowest … highest | of `countPlays` |");
console.log("|---|---|---|---|");
const medianOf = (list: readonly number[]) =>
  [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)] ?? 0;
const base = medianOf([...figures.values()][0] ?? []);
for (const [name, list] of figures) {
  const median = medianOf(list);
  const spread = `${inMillions(Math.min(...list))} … ${inMillions(Math.max(...list))}`;
  console.log(`| ${name} | ${inMillions(median)} | ${spread} | ${(median / base).toFixed(3)} |`);
}
if (!hasC) console.log("\nNo `cc`: the C row is left out.");
