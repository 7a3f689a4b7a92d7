import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { ENGINES } from "../../src/engines/registry.ts";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { GAMES } from "../../src/games/registry.ts";
import type { MatchPlan } from "./played-match.ts";
import { playedMatch } from "./played-match.ts";

const GOLDEN = new URL("../golden/", import.meta.url);

export const goldenUrl = (path: string): URL => new URL(path, GOLDEN);

export const golden = (path: string): string => readFileSync(goldenUrl(path), "utf8");

/**
 * One number for all behaviour: a hash of the logs of matches between all engines, in all games and
 * variants. A change of rules, engines, dice or log format changes it; one that says it does not, must not.
 */
export const signature = async (): Promise<string> => {
  const hash = createHash("sha256");
  let [matches, lines] = [0, 0];
  for (const game of GAMES.values()) {
    const levels = [...(ENGINES.get(game.card.id)?.keys() ?? [])];
    for (const variant of game.card.variants) {
      for (const one of levels) {
        for (const other of levels) {
          const seed = `signature ${matches}`;
          const plan = { game, variant, options: {}, seats: [one, other], seed, chainLength: 64 };
          const played = await playedMatch(plan);
          hash.update(`${played.lines.join("\n")}\n`);
          matches += 1;
          lines += played.lines.length;
        }
      }
    }
  }
  return `${matches} matches, ${lines} lines\n${hash.digest("hex")}\n`;
};

/** The logs that are kept of release 1 of backgammon: `test/tooling/write-golden.ts` has written them once. */
export const GOLDEN_LOGS: Readonly<Record<string, MatchPlan>> = {
  standard: plan("standard", ["human", "heuristic"], {}),
  nackgammon: plan("nackgammon", ["heuristic", "random"], { chainLength: 24 }),
  hypergammon: plan("hypergammon", ["human", "human"], {}),
  abandoned: plan("standard", ["heuristic", "human"], { abandonAfter: 15 }),
};

function plan(
  variant: string,
  seats: readonly string[],
  more: { readonly chainLength?: number; readonly abandonAfter?: number },
): MatchPlan {
  const seed = `golden ${variant} ${JSON.stringify(more)}`;
  return { game: hostedBackgammon, variant, options: {}, seats, seed, ...more };
}
