import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Position } from "../../src/games/backgammon/board.ts";
import { side } from "../../src/games/backgammon/board.ts";
import { evaluatorPlayer } from "../../training/evaluate/evaluator-player.ts";
import { openGnubg } from "../../training/evaluate/gnubg.ts";
import type { OpenPlayer } from "../../training/evaluate/player.ts";
import { moneySituation } from "../../training/evaluate/player.ts";
import { playPair } from "../../training/evaluate/series.ts";
import type { Choice, Decision } from "../../training/evaluate/strength.ts";
import { choicesOf, lossesOf } from "../../training/evaluate/strength.ts";
import { hasGnubg, needsGnubg } from "../games/backgammon/support/gnubg.ts";
import { SEED } from "../games/backgammon/support/random.ts";
import { goldenLines } from "../support/golden.ts";
import { staticEvaluator } from "./support/static-evaluator.ts";

const DECISIONS = goldenLines<Decision>("backgammon/strength.jsonl");

const START = side({ 24: 2, 13: 5, 8: 3, 6: 5 });
/** A race in which the side on roll is well ahead; gammons are out of the question. */
const RACE: Position = {
  onRoll: side({ 6: 5, 5: 4, 4: 3, 0: 3 }),
  opponent: side({ 6: 5, 5: 5, 4: 4, 3: 1 }),
};

const inMatch = (
  position: Position,
  match: Situation["match"],
  cube: Partial<Situation["cube"]> = {},
): Situation => ({
  ...moneySituation(position),
  cube: { value: 1, owner: "centre", limit: 64, ...cube },
  match,
});

describe.skipIf(!hasGnubg)(needsGnubg("GNU Backgammon as a player"), () => {
  let gnubg: OpenPlayer;
  beforeAll(async () => {
    gnubg = await openGnubg({ plies: 0, isCubeful: true });
  });
  afterAll(() => gnubg.close());

  it("loses in every decision of the set what its 0-ply choices lose", async () => {
    const losses = lossesOf(DECISIONS, await choicesOf(gnubg, DECISIONS));
    const listed = goldenLines<Choice>("backgammon/strength/g0.jsonl");
    expect(losses).toEqual(lossesOf(DECISIONS, listed));
    expect(losses).toHaveLength(1_050);
  });

  it("doubles at once after the Crawford game where it is behind, and not where it leads", async () => {
    const start = { onRoll: START, opponent: START };
    const match = { length: 5, crawford: false };
    expect(await gnubg.doubles(inMatch(start, { ...match, score: [1, 4] }))).toBe(true);
    expect(await gnubg.doubles(inMatch(start, { ...match, score: [4, 1] }))).toBe(false);
  });

  it("takes anything where a pass loses the match, and passes at the same place with the score turned", async () => {
    const match = { length: 5, crawford: false };
    const owned = { value: 2, owner: "onRoll" } as const;
    const isLost = inMatch(RACE, { ...match, score: [3, 0] }, owned);
    expect(await gnubg.takes(isLost)).toBe(true);
    expect(await gnubg.takes(inMatch(RACE, { ...match, score: [0, 3] }, owned))).toBe(false);
    expect(await gnubg.takes(moneySituation(RACE))).toBe(false);
  });

  it("does not redouble where the cube it has wins the match", async () => {
    const owned = { value: 2, owner: "onRoll" } as const;
    const match = { length: 5, score: [3, 3], crawford: false } as const;
    expect(await gnubg.doubles(inMatch(RACE, match))).toBe(true);
    expect(await gnubg.doubles(inMatch(RACE, match, owned))).toBe(false);
  });

  it(`ends two matches by legal answers alone (SEED=${SEED})`, { timeout: 60_000 }, async () => {
    const player = evaluatorPlayer(staticEvaluator, 0);
    const pair = await playPair({ contest: 3, players: [gnubg, player], seed: SEED }, 0);
    expect(pair.points.map(Math.abs)).toEqual([1, 1]);
    expect(pair.rolls).toBeGreaterThan(10);
  });

  it("plays without a cube at another level beside the first", async () => {
    const other = await openGnubg({ plies: 1, isCubeful: false });
    try {
      expect(other.name).toBe("gnubg 1-ply cubeless");
      const play = await other.play(moneySituation({ onRoll: START, opponent: START }), [3, 1]);
      expect(play.text).toBe("8/5 6/5");
    } finally {
      other.close();
    }
  });
});
