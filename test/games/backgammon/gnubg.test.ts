import { describe, expect, it } from "vitest";
import { parseMatchId, printMatchId } from "../../../src/games/backgammon/match-id.ts";
import { isOver } from "../../../src/games/backgammon/position.ts";
import { printPositionId } from "../../../src/games/backgammon/position-id.ts";
import type { MatchStanding, Standing } from "../../../src/games/backgammon/standing.ts";
import { printXgid } from "../../../src/games/backgammon/xgid.ts";
import { hasGnubg, idsAfter, needsGnubg } from "./support/gnubg.ts";
import { SEED, seeded } from "./support/random.ts";
import { randomStanding, saidByMatchId } from "./support/standings.ts";

const STATES = 200;
/** GNU Backgammon's own limits: of a match, of the cube, and of what it reads of a score in an XGID. */
const LENGTH_MAX = 64;
const CUBE_MAX = 4_096;
const SCORE_MAX = 9_999;

/**
 * States that GNU Backgammon takes: it refuses a longer match and a larger cube, cuts a larger score, and loses a double or a
 * resignation that is offered.
 */
function* states(seed: number): Generator<Standing, never> {
  const random = seeded(seed);
  for (;;) {
    const standing = randomStanding(random);
    const isPlain = standing.turn.phase === "to-roll" || standing.turn.phase === "to-play";
    const isTaken =
      standing.matchLength <= LENGTH_MAX &&
      standing.cube.value <= CUBE_MAX &&
      standing.score.every((points) => points <= SCORE_MAX);
    if (isPlain && isTaken && !isOver(standing.position)) yield standing;
  }
}

const drawn = (seed: number): readonly Standing[] => {
  const all = states(seed);
  return Array.from({ length: STATES }, () => all.next().value);
};

const read = (matchId: string): MatchStanding => {
  const match = parseMatchId(matchId);
  if (!match.ok) throw new Error(`${matchId} is refused`);
  return saidByMatchId(match.value);
};

describe.skipIf(!hasGnubg)(needsGnubg(`GNU Backgammon (SEED=${SEED})`), () => {
  it(`has the IDs of ${STATES} states of ours as we write them`, () => {
    const given = drawn(SEED + 10).map((standing, index) => ({
      positionId: printPositionId(standing.position),
      matchId: printMatchId(standing, index % 2 === 0 ? 0 : 1) ?? "",
    }));
    const commands = given.map((id) => `set gnubgid ${id.positionId}:${id.matchId}`);
    expect(idsAfter(commands)).toEqual(given);
  });

  it(`reads ${STATES} XGIDs of ours as the states that they are of`, () => {
    const given = drawn(SEED + 11);
    const found = idsAfter(given.map((standing) => `set xgid ${printXgid(standing)}`));
    expect(found).toHaveLength(STATES);
    for (const [index, standing] of given.entries()) {
      const xgid = printXgid(standing);
      const { positionId = "", matchId = "" } = found[index] ?? {};
      expect(positionId, xgid).toBe(printPositionId(standing.position));
      expect(read(matchId), xgid).toEqual(saidByMatchId(standing));
    }
  });
});
