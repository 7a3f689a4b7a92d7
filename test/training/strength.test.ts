import { describe, expect, it } from "vitest";
import { evaluatorPlayer } from "../../training/evaluate/evaluator-player.ts";
import type { Choice, Decision } from "../../training/evaluate/strength.ts";
import { choicesOf, differencesOf, lossesOf, rowsOf } from "../../training/evaluate/strength.ts";
import { golden, goldenLines } from "../support/golden.ts";
import { staticEvaluator } from "./support/static-evaluator.ts";

const DECISIONS = goldenLines<Decision>("backgammon/strength.jsonl");
const PLAYERS = ["g0", "g1", "linear", "random"] as const;

/** What the scorer that belongs to the set says; its figures have five digits, of blunders four. */
interface Scored {
  readonly rows: Readonly<
    Record<
      string,
      {
        readonly n: number;
        readonly meanLoss: number;
        readonly standardError: number;
        readonly blunderRate: number;
      }
    >
  >;
}

const SCORES = JSON.parse(golden("backgammon/strength/scores.json")) as Record<string, Scored>;

const lossesOfPlayer = (player: string) =>
  lossesOf(DECISIONS, goldenLines<Choice>(`backgammon/strength/${player}.jsonl`));

describe("what choices cost", () => {
  it.each(PLAYERS)("is for %s what the scorer of the set says, class by class", (player) => {
    const rows = rowsOf(lossesOfPlayer(player));
    const scored = SCORES[player]?.rows ?? {};
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(scored));
    for (const { name, count, mean, standardError, blunders } of rows) {
      const said = scored[name];
      expect(count, name).toBe(said?.n);
      expect(Math.abs(mean - (said?.meanLoss ?? 9)), name).toBeLessThan(0.6e-5);
      // It divides the squares by n, we by n - 1.
      const byCount = standardError * Math.sqrt((count - 1) / count);
      expect(Math.abs(byCount - (said?.standardError ?? 9)), name).toBeLessThan(0.6e-5);
      expect(Math.abs(blunders - (said?.blunderRate ?? 9)), name).toBeLessThan(0.6e-4);
    }
  });

  it("differs between two players by their means, with the smaller error that the set's page states", () => {
    const [checker] = differencesOf(lossesOfPlayer("g0"), lossesOfPlayer("g1")).filter(
      ({ name }) => name === "checker",
    );
    const meanOf = (player: string) => SCORES[player]?.rows["checker"]?.meanLoss ?? 9;
    expect(checker?.count).toBe(750);
    expect(Math.abs((checker?.mean ?? 9) - (meanOf("g0") - meanOf("g1")))).toBeLessThan(1.1e-5);
    // "The paired difference 0-ply minus 1-ply is 0.0022 ± 0.0005."
    expect(checker?.standardError).toBeCloseTo(0.0005, 4);
  });

  it("is that of the worst play where the position is none that the roll leads to", () => {
    const decision: Decision = {
      id: "a",
      kind: "checker",
      class: "race",
      positionId: "4HPwATDgc/ABMA",
      cube: { value: 1, owner: "centre" },
      dice: [3, 1],
      plays: { best: 0.5, other: 0.25 },
      worse: { worst: -0.5 },
    };
    const [loss] = lossesOf([decision], [{ id: "a", resultingPosition: "elsewhere" }]);
    expect(loss).toEqual({ id: "a", kind: "checker", class: "race", loss: 1 });
  });
});

it("a player's choices are all of the set's options", { timeout: 60_000 }, async () => {
  const choices = await choicesOf(evaluatorPlayer(staticEvaluator, 0), DECISIONS);
  const listed = DECISIONS.flatMap((decision, index) => {
    if (decision.kind !== "checker") return [];
    const options = { ...decision.plays, ...decision.worse };
    return [(choices[index]?.resultingPosition ?? "") in options];
  });
  expect(listed).toHaveLength(750);
  expect(listed).not.toContain(false);
  const rows = rowsOf(lossesOf(DECISIONS, choices));
  expect(rows.find(({ name }) => name === "cubeAction")?.count).toBe(150);
});
