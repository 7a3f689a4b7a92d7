import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { cubefulWorth, cubelessWorth } from "./luck.ts";
import { evaluatorNamed, openPlayer, PLAYERS } from "./players.ts";
import type { Contest, Pair, Series } from "./series.ts";
import { isOf, playPair, standingOf } from "./series.ts";
import type { Summary } from "./statistics.ts";
import { printSummary } from "./statistics.ts";
import type { Choice, Decision } from "./strength.ts";
import { choicesOf, differencesOf, lossesOf, printRows, readLines, rowsOf } from "./strength.ts";

const HELP = `npm run evaluate -- COMMAND …

strength --player NAME [--set FILE] [--choices FILE]
  what its choices cost on the labelled set; --choices keeps them, a line each
score FILE [OTHER] [--set FILE]
  what kept choices cost; with two, also the first less the second, decision by decision
games --players A,B [--contest cubeless|cubeful|POINTS] [--luck EVALUATOR|none]
      [--seed N] [--from N] [--pairs N] [--every N] [--out FILE]
  pairs of games with the same dice and exchanged seats. --out adds a line a pair, and what is there is not
  played again: ranges of pairs may be played in several sessions and files
sum FILE …
  what the kept pairs say together

${PLAYERS}`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    player: { type: "string", default: "" },
    players: { type: "string", default: "" },
    set: {
      type: "string",
      default: new URL("../../test/golden/backgammon/strength.jsonl", import.meta.url).pathname,
    },
    choices: { type: "string" },
    contest: { type: "string", default: "cubeless" },
    luck: { type: "string", default: "net" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
    pairs: { type: "string", default: "500" },
    every: { type: "string", default: "50" },
    out: { type: "string" },
  },
});

const read = <Line>(path: string): readonly Line[] => readLines<Line>(readFileSync(path, "utf8"));

const strength = async (): Promise<void> => {
  const decisions = read<Decision>(values.set);
  const player = await openPlayer(values.player, true);
  try {
    const choices = await choicesOf(player, decisions);
    if (values.choices !== undefined) {
      writeFileSync(values.choices, choices.map((one) => `${JSON.stringify(one)}\n`).join(""));
    }
    console.log(`${player.name}\n${printRows(rowsOf(lossesOf(decisions, choices)))}`);
  } finally {
    player.close();
  }
};

const score = (paths: readonly string[]): void => {
  const decisions = read<Decision>(values.set);
  const [first = [], second] = paths.map((path) => lossesOf(decisions, read<Choice>(path)));
  console.log(printRows(rowsOf(first)));
  if (second === undefined) return;
  console.log(`\n${printRows(rowsOf(second))}\n\nfirst less second`);
  for (const { name, ...summary } of differencesOf(first, second)) {
    console.log(`${name.padEnd(20)} ${printSummary(summary, 5)}`);
  }
};

const contestOf = (text: string): Contest => {
  if (text === "cubeless" || text === "cubeful") return text;
  const length = Number(text);
  if (!Number.isInteger(length) || length < 1) throw new RangeError(`no contest ${text}`);
  return length;
};

const games = async (): Promise<void> => {
  const contest = contestOf(values.contest);
  const isCubeful = contest !== "cubeless";
  const [one = "", other = ""] = values.players.split(",");
  const players = [await openPlayer(one, isCubeful), await openPlayer(other, isCubeful)] as const;
  const worth = isCubeful ? cubefulWorth : cubelessWorth;
  const series: Series = {
    contest,
    players,
    seed: Number(values.seed),
    ...(values.luck === "none"
      ? {}
      : { luck: { name: values.luck, worth: worth(evaluatorNamed(values.luck)) } }),
  };
  try {
    await playSeries(series);
  } finally {
    for (const player of players) player.close();
  }
};

const playSeries = async (series: Series): Promise<void> => {
  const { out } = values;
  const kept = out !== undefined && existsSync(out) ? read<Pair>(out) : [];
  if (!kept.every((pair) => isOf(series, pair)))
    throw new RangeError(`${out} is of another series`);
  const done = [...kept];
  const from = Number(values.from);
  console.log(`${series.players.map(({ name }) => name).join(" against ")}, seed ${series.seed}`);
  for (let number = from; number < from + Number(values.pairs); number++) {
    if (kept.some(({ pair }) => pair === number)) continue;
    const pair = await playPair(series, number);
    done.push(pair);
    if (out !== undefined) appendFileSync(out, `${JSON.stringify(pair)}\n`);
    if (done.length % Number(values.every) === 0) report(done);
  }
  if (done.length % Number(values.every) !== 0) report(done);
};

const report = (pairs: readonly Pair[]): void => {
  const { plain, adjusted } = standingOf(pairs);
  const isMatch = pairs.every(({ contest }) => typeof contest === "number");
  const print = (of: Summary): string => (isMatch ? printShare(of) : `${printSummary(of)} a game`);
  const counted = pairs.some(({ luckBy }) => luckBy !== null);
  console.log(
    `${2 * pairs.length} ${isMatch ? "matches" : "games"}: ${print(plain)}` +
      (counted ? `, less luck ${print(adjusted)}` : ""),
  );
};

/** The share of matches won, where a match is 1 or -1. */
const printShare = ({ mean, standardError }: Summary): string =>
  `${(50 + 50 * mean).toFixed(2)} % ± ${(50 * standardError).toFixed(2)} % won`;

const sum = (paths: readonly string[]): void => {
  const series = new Map<string, Map<string, Pair>>();
  for (const pair of paths.flatMap((path) => read<Pair>(path))) {
    const name = `${pair.contest}: ${pair.players.join(" against ")}, luck by ${pair.luckBy}`;
    const pairs = series.get(name) ?? new Map<string, Pair>();
    series.set(name, pairs.set(`${pair.seed} ${pair.pair}`, pair));
  }
  for (const [name, pairs] of series) {
    console.log(name);
    report([...pairs.values()]);
  }
};

// What was started ends with this process, and that only where it exits by itself.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const [command, ...rest] = positionals;
switch (command) {
  case "strength":
    await strength();
    break;
  case "score":
    score(rest);
    break;
  case "games":
    await games();
    break;
  case "sum":
    sum(rest);
    break;
  default:
    console.log(HELP);
}
