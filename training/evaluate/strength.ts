import type { Situation } from "../../src/engines/backgammon/situation.ts";
import type { Dice } from "../../src/games/backgammon/board.ts";
import { parsePositionId, printPositionId } from "../../src/games/backgammon/position-id.ts";
import type { CubeOwner } from "../../src/games/backgammon/standing.ts";
import { assert, present } from "../../src/kernel/assert.ts";
import type { Player } from "./player.ts";
import { MONEY_CUBE_LIMIT } from "./player.ts";
import type { Summary } from "./statistics.ts";
import { summaryOf } from "./statistics.ts";

/*
 * What choices cost, by the equities that GNU Backgammon's 2-ply analysis gives each option of 900 decisions
 * (`test/golden/backgammon/strength.jsonl`). Money play without Jacoby; a loss is in points, per unit of the cube.
 */

/** Equity by GNU Position ID after the play, the opponent on roll. */
type Labels = Readonly<Record<string, number>>;

interface Asked {
  readonly id: string;
  readonly positionId: string;
  readonly cube: { readonly value: number; readonly owner: CubeOwner };
}

interface CheckerDecision extends Asked {
  readonly kind: "checker";
  readonly class: "contact" | "bar" | "race" | "bearoff";
  readonly dice: Dice;
  readonly plays: Labels;
  /** Plays far behind, which have a 0-ply equity only. */
  readonly worse?: Labels;
}

interface CubeDecision extends Asked {
  readonly kind: "cube";
  readonly sample: "any" | "close";
  readonly equities: {
    readonly noDouble: number;
    readonly doubleTake: number;
    readonly doublePass: number;
  };
}

export type Decision = CheckerDecision | CubeDecision;

/** What was chosen in a decision, as the scorer of the set reads it. */
export interface Choice {
  readonly id: string;
  /** After a play, the opponent on roll. */
  readonly resultingPosition?: string;
  readonly action?: "double" | "noDouble";
  /** What the other side answers if it is doubled now. */
  readonly response?: "take" | "pass";
}

/** What one choice cost. */
export interface Loss {
  readonly id: string;
  readonly kind: "checker" | "cubeAction" | "cubeResponse";
  /** The class of a play's position, or the sample of a cube decision. */
  readonly class: string;
  /** Points, 0 or more. */
  readonly loss: number;
}

/** A mean loss and what belongs to it, of all decisions of a kind or of one class of them. */
export interface Row extends Summary {
  readonly name: string;
  /** The share of choices that lose more than `BLUNDER`, 0..1. */
  readonly blunders: number;
}

const BLUNDER = 0.08;

/** Reads JSON lines. */
export const readLines = <Line>(text: string): readonly Line[] =>
  text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as Line);

/** What the player chooses in each decision, in their order. */
export const choicesOf = async (
  player: Player,
  decisions: readonly Decision[],
): Promise<readonly Choice[]> => {
  const choices: Choice[] = [];
  for (const decision of decisions) {
    const situation = situationOf(decision);
    if (decision.kind === "checker") {
      const { after } = await player.play(situation, decision.dice);
      choices.push({ id: decision.id, resultingPosition: printPositionId(after) });
    } else {
      const action = (await player.doubles(situation)) ? "double" : "noDouble";
      const response = (await player.takes(situation)) ? "take" : "pass";
      choices.push({ id: decision.id, action, response });
    }
  }
  return choices;
};

const situationOf = ({ positionId, cube }: Decision): Situation => {
  const read = parsePositionId(positionId);
  assert(read.ok, "the set's positions are readable");
  return {
    position: read.value,
    cube: { ...cube, limit: MONEY_CUBE_LIMIT },
    match: { length: 0, score: [0, 0], crawford: false },
    jacoby: false,
    beavers: false,
  };
};

/**
 * What the choices cost: one loss for a play, two for a cube decision. What was not chosen is left out. A play that
 * is no legal one costs what the worst does.
 */
export const lossesOf = (
  decisions: readonly Decision[],
  choices: readonly Choice[],
): readonly Loss[] => {
  const chosen = new Map(choices.map((choice) => [choice.id, choice]));
  return decisions.flatMap((decision) => {
    const choice = chosen.get(decision.id) ?? { id: decision.id };
    return decision.kind === "checker" ? playLoss(decision, choice) : cubeLosses(decision, choice);
  });
};

const playLoss = (
  { id, class: where, plays, worse = {} }: CheckerDecision,
  { resultingPosition }: Choice,
): readonly Loss[] => {
  if (resultingPosition === undefined) return [];
  const equity =
    plays[resultingPosition] ??
    worse[resultingPosition] ??
    Math.min(...Object.values(plays), ...Object.values(worse));
  const loss = Math.max(0, Math.max(...Object.values(plays)) - equity);
  return [{ id, kind: "checker", class: where, loss }];
};

const cubeLosses = (
  { id, sample, equities }: CubeDecision,
  { action, response }: Choice,
): readonly Loss[] => {
  const { noDouble, doubleTake, doublePass } = equities;
  const doubled = Math.min(doubleTake, doublePass);
  const losses: Loss[] = [];
  if (action !== undefined) {
    const loss = Math.max(noDouble, doubled) - (action === "double" ? doubled : noDouble);
    losses.push({ id, kind: "cubeAction", class: sample, loss });
  }
  if (response !== undefined) {
    const loss = (response === "take" ? doubleTake : doublePass) - doubled;
    losses.push({ id, kind: "cubeResponse", class: sample, loss });
  }
  return losses;
};

/** Rows `checker`, `checker/contact` …, by name. */
export const rowsOf = (losses: readonly Loss[]): readonly Row[] =>
  grouped(losses, namesOf).map(([name, group]) => ({
    name,
    ...summaryOf(group.map(({ loss }) => loss)),
    blunders: group.filter(({ loss }) => loss > BLUNDER).length / group.length,
  }));

/**
 * How much more the first lost than the second, over the decisions that both have made: a paired comparison, which
 * sees smaller differences than two means do.
 */
export const differencesOf = (
  first: readonly Loss[],
  second: readonly Loss[],
): readonly (Summary & { readonly name: string })[] => {
  const keyOf = ({ id, kind }: Loss) => `${kind} ${id}`;
  const others = new Map(second.map((loss) => [keyOf(loss), loss.loss]));
  const both = first.flatMap((loss) => {
    const other = others.get(keyOf(loss));
    return other === undefined ? [] : [{ ...loss, loss: loss.loss - other }];
  });
  return grouped(both, namesOf).map(([name, group]) => ({
    name,
    ...summaryOf(group.map(({ loss }) => loss)),
  }));
};

const namesOf = (loss: Loss): readonly string[] => [loss.kind, `${loss.kind}/${loss.class}`];

/** The items by each of their names, the names in order. */
const grouped = <Item>(
  items: readonly Item[],
  namesOfOne: (item: Item) => readonly string[],
): readonly (readonly [string, readonly Item[]])[] => {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    for (const name of namesOfOne(item)) {
      if (!groups.has(name)) groups.set(name, []);
      present(groups.get(name), "the group was made").push(item);
    }
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
};

/** Rows as a table of text. */
export const printRows = (rows: readonly Row[]): string =>
  rows
    .map(({ name, count, mean, standardError, blunders }) =>
      [
        name.padEnd(20),
        String(count).padStart(5),
        mean.toFixed(5).padStart(10),
        `± ${standardError.toFixed(5)}`,
        `${(100 * blunders).toFixed(1)} % blunders`.padStart(17),
      ].join(" "),
    )
    .join("\n");
