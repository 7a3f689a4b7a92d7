import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { hostedBackgammon } from "../../src/games/backgammon/hosted.ts";
import { GAMES } from "../../src/games/registry.ts";
import { present } from "../../src/kernel/assert.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { ENGINES } from "./engines.ts";
import type { MatchPlan } from "./played-match.ts";
import { playedMatch } from "./played-match.ts";

/** A match to 3 that another program left in its second game. */
const UNFINISHED = ` 3 point match

 Game 1
 anna : 0                       boris : 0
  1) 31: 8/5 6/5                 64: 24/14
  2)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 anna : 1                       boris : 0
  1)                             62: 24/18 13/11
  2) 51: 13/8 6/5                  Doubles => 2
  3)  Takes
`;

const GOLDEN = new URL("../golden/", import.meta.url);

export const goldenUrl = (path: string): URL => new URL(path, GOLDEN);

export const golden = (path: string): string => readFileSync(goldenUrl(path), "utf8");

/** The lines of a golden file of JSON lines. */
export const goldenLines = <Line>(path: string): readonly Line[] =>
  golden(path)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/**
 * One number for all behaviour: a hash of the logs of matches of every engine with the next, in all games and
 * variants. A change of rules, engines, dice or log format changes it; one that says it does not, must not.
 */
export const signature = async (): Promise<string> => {
  const hash = createHash("sha256");
  let [matches, lines] = [0, 0];
  for (const game of GAMES.values()) {
    const levels = [...(ENGINES.games.get(game.card.id)?.levels.keys() ?? [])];
    for (const variant of game.card.variants) {
      for (const [place, one] of levels.entries()) {
        const other = present(
          levels[(place + 1) % levels.length],
          "after the last comes the first",
        );
        const seed = `signature ${matches}`;
        const plan = { game, variant, options: {}, seats: [one, other], seed, chainLength: 64 };
        const played = await playedMatch(plan);
        hash.update(`${played.lines.join("\n")}\n`);
        matches += 1;
        lines += played.lines.length;
      }
    }
  }
  return `${matches} matches, ${lines} lines\n${hash.digest("hex")}\n`;
};

/**
 * The logs that are kept of the ruleset `backgammon/2`: `test/tooling/write-golden.ts` has written them once. Those of
 * `backgammon/1` were written by the release that played by it.
 */
export const GOLDEN_LOGS: Readonly<Record<string, MatchPlan>> = {
  "backgammon-2/match": plan("standard", ["human", "heuristic"], { length: 3 }),
  "backgammon-2/money": plan(
    "standard",
    ["human", "human"],
    { length: 0, beavers: true, raccoons: true, automaticDoubles: 3 },
    { abandonAfter: 150 },
  ),
  "backgammon-2/by-itself": plan("hypergammon", ["human", "heuristic"], {
    length: 4,
    autoRoll: true,
    autoPlay: true,
    nextGame: "ask",
  }),
  "backgammon-2/clock": plan("nackgammon", ["human", "random"], {
    length: 2,
    clock: { kind: "fischer", initialSeconds: 900, incrementSeconds: 2 },
  }),
  "backgammon-2/start": plan("standard", ["heuristic", "human"], {
    start: { xgid: "-a-B--E-B-a-dDB--b-bcb----:1:1:1:00:4:3:0:5:10" },
  }),
  "backgammon-2/imported": {
    ...plan("standard", ["human", "heuristic"], {}, { chainLength: 24 }),
    file: { format: "mat", text: UNFINISHED },
  },
};

function plan(
  variant: string,
  seats: readonly string[],
  options: JsonObject,
  more: { readonly chainLength?: number; readonly abandonAfter?: number } = {},
): MatchPlan {
  const seed = `golden ${variant} ${JSON.stringify({ ...options, ...more })}`;
  return { game: hostedBackgammon, variant, options, seats, seed, ...more };
}
