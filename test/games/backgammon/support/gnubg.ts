import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const PLACES = ["gnubg", "/usr/games/gnubg", "/usr/local/bin/gnubg", "/opt/homebrew/bin/gnubg"];

const isThere = (program: string): boolean =>
  program.includes("/")
    ? existsSync(program)
    : spawnSync(program, ["--version"], { timeout: 20_000 }).status === 0;

/** The program, where it is there. */
export const GNUBG = PLACES.find(isThere);

export const hasGnubg: boolean = GNUBG !== undefined;

/** A title that says what is skipped where GNU Backgammon is not there. */
export const needsGnubg = (title: string): string =>
  hasGnubg ? title : `skipped: ${title} (needs gnubg)`;

const SETUP = [
  "set threads 1",
  "set player 0 human",
  "set player 1 human",
  "set automatic game off",
  "set automatic roll off",
  "set automatic move off",
  "set automatic bearoff off",
];

/** The GNU IDs that the program has after each of these commands, `set gnubgid …` or `set xgid …`. */
export const idsAfter = (
  commands: readonly string[],
): readonly { readonly positionId: string; readonly matchId: string }[] => {
  const told = commands.flatMap((command) => [
    command,
    '>print("\\nread", gnubg.positionid(), gnubg.matchid())',
  ]);
  const input = `${[...SETUP, ...told, "quit", "y"].join("\n")}\n`;
  const { stdout, error } = spawnSync(GNUBG ?? "", ["-t", "-q", "-r"], {
    input,
    encoding: "utf8",
    maxBuffer: 64 * 1_024 * 1_024,
    timeout: 120_000,
  });
  if (error !== undefined) throw error;
  return [...stdout.matchAll(/^read (\S+) (\S+)$/gm)].map(([, positionId = "", matchId = ""]) => ({
    positionId,
    matchId,
  }));
};
