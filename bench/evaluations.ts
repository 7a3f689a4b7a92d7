import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { cpus } from "node:os";
import { openKernel } from "../src/engines/backgammon/kernel.ts";
import { netEvaluator } from "../src/engines/backgammon/net-evaluator.ts";
import { preferenceOf } from "../src/engines/backgammon/preference.ts";
import { legalPlays } from "../src/games/backgammon/plays.ts";
import { assert, present } from "../src/kernel/assert.ts";
import { type Case, seeded, selfPlay } from "../test/games/backgammon/support/random.ts";

/*
 * What the engine costs: positions judged a second of CPU time, beside GNU Backgammon's own `calibrate` in the same
 * run, and CPU time a decision by plies.
 *
 *   npx tsx bench/evaluations.ts [decisions of each kind, 200]
 *
 * Before anything is timed the counts are compared: a look one roll ahead judges each legal play of the 21 rolls once.
 */

const SEED = 7;
const DECISIONS = Number(process.argv[2] ?? "200");
const ROUNDS = 5;
/** Debian keeps it off the path. */
const GNUBG = existsSync("/usr/games/gnubg") ? "/usr/games/gnubg" : "gnubg";
const FOLDER = new URL("../src/engines/backgammon/", import.meta.url);
const MONEY = { win: 2, winGammon: 1, winBackgammon: 1, loseGammon: -1, loseBackgammon: -1 };

const read = (name: string): Buffer => readFileSync(new URL(name, FOLDER));
const kernel = openKernel(read("kernel.wasm"), read("weights.bin"));
const games = selfPlay(seeded(SEED));
const cases: readonly Case[] = Array.from({ length: 40 * DECISIONS }, () => games.next().value)
  .filter(({ position, dice }) => legalPlays(position, dice).length > 1)
  .filter((_, i) => i % 20 === 0)
  .slice(0, DECISIONS);
assert(cases.length === DECISIONS, "there are enough decisions");

const ROLLS = [1, 2, 3, 4, 5, 6].flatMap((a) =>
  [1, 2, 3, 4, 5, 6].filter((b) => b <= a).map((b) => [a, b] as const),
);
for (const { position } of cases.slice(0, 20)) {
  const before = kernel.nodes();
  kernel.chances(position, 1, MONEY);
  const judged = kernel.nodes() - before;
  const plays = ROLLS.map((roll) => Math.max(1, legalPlays(position, roll).length));
  const isTable = judged === 1;
  assert(
    isTable || judged === plays.reduce((sum, one) => sum + one, 0),
    "each play is judged once",
  );
}

const cpuSeconds = (work: () => void): number => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
};

const median = (list: readonly number[]): number =>
  present([...list].sort((a, b) => a - b)[list.length >> 1], "there is one");

const rates: number[] = [];
const rivals: number[] = [];
for (let round = 0; round < ROUNDS; round++) {
  const before = kernel.nodes();
  const seconds = cpuSeconds(() => {
    for (const { position } of cases) kernel.chances(position, 1, MONEY);
  });
  rates.push((kernel.nodes() - before) / seconds);
  const said = spawnSync(GNUBG, ["-t", "-q", "-r"], {
    input: "set threads 1\ncalibrate 2\nquit\ny\n",
    encoding: "utf8",
  });
  const rival = /result: ([\d.]+)/.exec(said.stdout ?? "")?.[1];
  if (rival !== undefined) rivals.push(Number(rival));
}
console.log(`${cpus().length} cores, ${cpus()[0]?.model}, Node ${process.version}, seed ${SEED}`);
const [rate, rival] = [median(rates), rivals.length > 0 ? median(rivals) : undefined];
console.log(
  `positions judged, moves and inputs included: ${Math.round(rate)} / CPU s (${rates.map(Math.round).join(" ")})`,
);
if (rival !== undefined) {
  console.log(
    `gnubg's static evaluations: ${Math.round(rival)} / s (${rivals.map(Math.round).join(" ")}); ours / gnubg's ${(rate / rival).toFixed(1)}`,
  );
}

for (const plies of [0, 1, 2] as const) {
  const times: number[] = [];
  const nodes: number[] = [];
  for (const { position, dice } of cases) {
    const evaluator = netEvaluator(kernel, "bench");
    const cube = { value: 1, owner: "centre", limit: 64 } as const;
    const match = { length: 0, score: [0, 0], crawford: false } as const;
    const situation = { position, cube, match, jacoby: false, beavers: false };
    const before = kernel.nodes();
    times.push(
      1_000 *
        cpuSeconds(() => {
          evaluator.plays(position, dice, plies, preferenceOf(evaluator, situation));
        }),
    );
    nodes.push(kernel.nodes() - before);
  }
  const worst = [...times].sort((a, b) => b - a)[0] ?? 0;
  console.log(
    `${plies}-ply play: median ${median(times).toFixed(2)} ms CPU, worst ${worst.toFixed(1)} ms; ${Math.round(median(nodes))} positions, at most ${Math.max(...nodes)}`,
  );
}
