/** What must be true of a match's log, whoever wrote it. */
import { spawnSync } from "node:child_process";
import { eventLine, isProtocolType } from "../../src/application/table.ts";
import type { HostedGame, HostedState } from "../../src/games/host.ts";
import { GAMES } from "../../src/games/registry.ts";
import { canonical, type Json, type JsonObject } from "../../src/kernel/json.ts";
import { SPECTATOR } from "../../src/kernel/seat.ts";

/** A committed deck as `GET /v1/audit/decks` shows it. */
export interface Deck {
  readonly deck: number;
  readonly size: number;
  readonly root: string;
}

type Check = (log: Buffer, decks: readonly Deck[]) => string;

const AUDIT = new URL("../audit/", import.meta.url);
const { check } = (await import(new URL("check-log.mjs", AUDIT).href)) as { readonly check: Check };

/** What the independent checker in JavaScript says; it throws where a log is wrong. */
export const checkByNode = (log: string, decks: readonly Deck[]): string =>
  check(Buffer.from(log), decks);

/** Whether there is a python3 that the checker in Python runs on. */
export const hasPython =
  spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 8))"]).status === 0;

const PYTHON_RUNNER = `
import json, sys
sys.path.insert(0, sys.argv[1])
from check_log import check
given = json.load(sys.stdin)
for log in given["logs"]:
    try: print(check(log.encode(), given["decks"]))
    except ValueError as wrong: print("REJECTED:", wrong)
`;

/** What the independent checker in Python says of each log: `OK: …` or `REJECTED: …`. */
export const saidByPython = (
  logs: readonly string[],
  decks: readonly Deck[],
): readonly string[] => {
  const { status, stdout, stderr } = spawnSync("python3", ["-c", PYTHON_RUNNER, AUDIT.pathname], {
    input: JSON.stringify({ logs, decks }),
    encoding: "utf8",
    maxBuffer: 64 * 1_024 * 1_024,
  });
  if (status !== 0) throw new Error(`python3 ended with ${status}: ${stderr}`);
  return stdout.trimEnd().split("\n");
};

export const linesOf = (log: string): readonly string[] => log.replace(/\n$/, "").split("\n");

/** A log, folded by the rules of its game. */
export interface Folded {
  readonly game: HostedGame;
  /** The state after each line. */
  readonly states: readonly HostedState[];
}

/** Folds a log by `src/games`, line by line. */
export const foldLog = (lines: readonly string[]): Folded => {
  const open = JSON.parse(lines[0] ?? "") as JsonObject;
  const game = GAMES.get(String(open["game"]));
  const options = game?.readLoggedOptions(
    String(open["rules"]),
    String(open["variant"]),
    open["options"] ?? {},
  );
  if (game === undefined || options === undefined || !options.ok) throw new Error("no such game");
  const states: HostedState[] = [];
  let state = game.init(options.value);
  for (const line of lines) {
    const body = eventLine(JSON.parse(line) as JsonObject);
    if (!isProtocolType(body.type)) state = game.evolve(state, game.join(body, undefined));
    states.push(state);
  }
  return { game, states };
};

/** A state of backgammon as the service shows it to anybody, as one text. */
export const shownAt = ({ game, states }: Folded, version: number): string => {
  const state = states[version];
  return state === undefined ? "" : canonical(game.view(state, SPECTATOR));
};

/** A JSON value as one text, to compare. */
export const textOf = (value: unknown): string => canonical(value as Json);
