import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Lane, Learnt, Plan, Stint } from "./lane.ts";
import { meansOf, merged, openLane } from "./lane.ts";
import { printWeights } from "./weights.ts";

/*
 * `npm run train -- --name first --games 1000000 --hidden 256`: learns from games against itself and nothing
 * else. The same options and code give the same weights, bit by bit, on any machine and any number of cores:
 * a round is so many games in each of the lanes, which start alike and are averaged at its end.
 *
 * With `--from other` it begins with what the run `other` has learnt.
 *
 * In training/runs/<name>: `weights.bin`, `checkpoint.bin` with which the same command goes on, `log.jsonl`.
 */

/** Games of a lane in a round. */
const ROUND_GAMES = 250;
const SAVE_EVERY_MS = 120_000;
/** The rate is held for so much of the run, then falls exponentially. */
const HELD = 0.2;

/** Of this file's bundle, which lies beside the compiled kernel. */
const openedLane = (plan: Plan): Lane =>
  openLane(plan, readFileSync(new URL("trainer.wasm", import.meta.url)));

const options = () => {
  const { values } = parseArgs({
    options: {
      name: { type: "string", default: "run" },
      from: { type: "string" },
      games: { type: "string", default: "1000000" },
      hidden: { type: "string", default: "256" },
      race: { type: "string", default: "64" },
      seed: { type: "string", default: "1" },
      lanes: { type: "string", default: "2" },
      rate: { type: "string", default: "0.0015" },
      "last-rate": { type: "string", default: "0.00005" },
      lambda: { type: "string", default: "0.7" },
      "last-lambda": { type: "string", default: "0" },
    },
  });
  return {
    name: values.name,
    ...(values.from === undefined ? {} : { from: values.from }),
    games: Number(values.games),
    lanes: Number(values.lanes),
    plan: {
      contactHidden: Number(values.hidden),
      raceHidden: Number(values.race),
      seed: Number(values.seed),
    },
    rate: [Number(values.rate), Number(values["last-rate"])] as const,
    lambda: [Number(values.lambda), Number(values["last-lambda"])] as const,
  };
};

type Options = ReturnType<typeof options>;

const stintAt = ({ games, rate, lambda }: Options, game: number): Stint => {
  const done = game / games;
  const fallen = Math.max(0, (done - HELD) / (1 - HELD));
  return {
    game,
    games: ROUND_GAMES,
    rate: rate[0] * (rate[1] / rate[0]) ** fallen,
    lambda: lambda[0] + (lambda[1] - lambda[0]) * done,
  };
};

/** What a thread is asked: to start from what was learnt, and play a stint. */
interface Order {
  readonly learnt: Learnt;
  readonly stint: Stint;
}

const work = (lane: Lane): void => {
  parentPort?.on("message", ({ learnt, stint }: Order) => {
    lane.take(learnt);
    const positions = lane.train(stint);
    parentPort?.postMessage({ learnt: lane.learnt(), positions });
  });
};

const main = async (): Promise<void> => {
  const asked = options();
  const folder = join("training", "runs", asked.name);
  mkdirSync(folder, { recursive: true });
  const checkpoint = join(folder, "checkpoint.bin");
  let learnt = openedLane(asked.plan).learnt();
  let game = 0;
  if (existsSync(checkpoint)) [learnt, game] = readCheckpoint(checkpoint, learnt);
  else if (asked.from !== undefined) {
    [learnt] = readCheckpoint(join("training", "runs", asked.from, "checkpoint.bin"), learnt);
  }
  const threads = Array.from(
    { length: asked.lanes },
    () => new Worker(new URL(import.meta.url), { workerData: asked.plan }),
  );
  const ask = (thread: Worker, order: Order) =>
    new Promise<{ readonly learnt: Learnt; readonly positions: number }>((resolve, reject) => {
      thread.removeAllListeners();
      thread.once("message", resolve);
      thread.once("error", reject);
      thread.postMessage(order);
    });
  const save = () => {
    const { seed, contactHidden, raceHidden } = asked.plan;
    write(
      join(folder, "weights.bin"),
      printWeights({ contactHidden, raceHidden, games: game, seed }, meansOf(learnt)),
    );
    write(checkpoint, printCheckpoint(learnt, game));
  };
  const note = (entry: object) => {
    const line = JSON.stringify({ at: new Date().toISOString(), game, ...entry });
    appendFileSync(join(folder, "log.jsonl"), `${line}\n`);
    console.log(line);
  };
  note({ started: { ...asked, commit: commit() } });
  let saved = performance.now();
  const begun = performance.now();
  const first = game;
  while (game < asked.games) {
    const stint = stintAt(asked, game);
    const orders = threads.map((thread, lane) =>
      ask(thread, { learnt, stint: { ...stint, game: game + lane * ROUND_GAMES } }),
    );
    learnt = merged((await Promise.all(orders)).map((answer) => answer.learnt));
    game += asked.lanes * ROUND_GAMES;
    if (performance.now() - saved < SAVE_EVERY_MS && game < asked.games) continue;
    save();
    saved = performance.now();
    const perSecond = Math.round((game - first) / ((saved - begun) / 1_000));
    note({
      perSecond,
      cpuMinutes: Number((process.cpuUsage().user / 6e7).toFixed(1)),
      steps: learnt.steps,
    });
  }
  await Promise.all(threads.map((thread) => thread.terminate()));
};

const commit = (): string =>
  execFileSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" }).trim();

const write = (path: string, bytes: Uint8Array): void => {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
};

/** The game and the two numbers of steps as f64, then what was learnt as f32. */
const printCheckpoint = ({ contact, race, steps }: Learnt, game: number): Uint8Array =>
  Buffer.concat([
    Buffer.from(new Float64Array([game, ...steps]).buffer),
    Buffer.from(contact.buffer, contact.byteOffset, contact.byteLength),
    Buffer.from(race.buffer, race.byteOffset, race.byteLength),
  ]);

const readCheckpoint = (path: string, like: Learnt): [Learnt, number] => {
  const bytes = new Uint8Array(readFileSync(path)).buffer;
  const [game = 0, contactSteps = 0, raceSteps = 0] = new Float64Array(bytes, 0, 3);
  const contact = new Float32Array(bytes, 24, like.contact.length);
  const race = new Float32Array(bytes, 24 + contact.byteLength, like.race.length);
  return [{ contact, race, steps: [contactSteps, raceSteps] }, game];
};

if (isMainThread) await main();
else work(openedLane(workerData as Plan));
