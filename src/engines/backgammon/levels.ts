import { MULTIPLIERS, WIN_KINDS } from "../../games/backgammon/value.ts";
import type { View } from "../../games/backgammon/view.ts";
import type { Pick } from "../../kernel/game.ts";
import type { Json } from "../../kernel/json.ts";
import type { Seat } from "../../kernel/seat.ts";
import { seat as seatOf } from "../../kernel/seat.ts";
import type { Engine, EngineTask } from "../engine.ts";
import { withWin } from "./chances.ts";
import {
  acceptsResignation,
  answerToBeaver,
  answerToDouble,
  cubeWorths,
  doubles,
  resignation,
  takesRaccoon,
} from "./cube.ts";
import type { Outlook } from "./cubeful.ts";
import type { JudgedPlay, Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { outlookAfter, outlookBefore } from "./look-ahead.ts";
import { preferenceOf } from "./preference.ts";
import type { Situation } from "./situation.ts";
import { equityOf, situationOf, stakesOf } from "./situation.ts";

/** What makes a level of an evaluator. */
export interface Level {
  readonly build: string;
  readonly evaluator: CubeEvaluator;
  /** How far plays are looked ahead. */
  readonly plies: Plies;
  /** How far the cube is, and offers to resign. */
  readonly cubePlies: Plies;
  /** How carelessly it plays; absent: it takes what it holds for best. */
  readonly slips?: Slips | undefined;
  /** Whether it offers to resign what is lost beyond doubt. */
  readonly resigns: boolean;
}

/** The errors that a weak level makes, and no worse ones. In equity, as in `equityOf`. */
export interface Slips {
  /** A play that costs so much more than another is chosen e times less often. */
  readonly scale: number;
  /** No play is chosen that costs more. */
  readonly lossMax: number;
  /** How far it may be out in its chance of winning when the cube is to be decided about. */
  readonly winOff: number;
}

/** What makes a beginner: plays that cost something every third time or so, and no blunder that a player would laugh at. */
export const BEGINNERS_SLIPS: Slips = { scale: 0.06, lossMax: 0.16, winOff: 0.05 };

/** An engine that judges by the evaluator. Without slips it picks nothing at random. */
export const levelOf = (level: Level): Engine => ({
  build: level.build,
  choose: ({ view, commands, seat, pick }: EngineTask): Json => {
    const shown = view as unknown as View;
    const table = { level, view: shown, own: seatOf(seat), commands, pick };
    switch (shown.phase) {
      case "to-roll":
        return beforeRoll(table);
      case "take-or-pass":
        return { type: answer(table) };
      case "resignation-offered":
        return { type: accepts(table) ? "accept-resignation" : "refuse-resignation" };
      case "to-play":
        return playOf(table);
      default:
        return commands[0] ?? null;
    }
  },
});

/** A decision of the seat. */
interface Table {
  readonly level: Level;
  readonly view: View;
  readonly own: Seat;
  readonly commands: EngineTask["commands"];
  readonly pick: Pick;
}

const isOpen = ({ commands }: Table, type: string): boolean =>
  commands.some((command) => command["type"] === type);

// Before the roll.

const beforeRoll = (table: Table): Json => {
  const { level, view, own } = table;
  const situation = situationOf(view, own);
  const { cube } = stakesOf(situation);
  const glance = outlookBefore(level.evaluator, situation, 0);
  if (glance.chances.win < LOST) {
    const given = givenUp(table, outlookBefore(level.evaluator, situation, level.cubePlies));
    if (given !== undefined) return given;
  }
  if (!isOpen(table, "double") || isFarFromDouble(situation, glance)) return { type: "roll" };
  return { type: doubles(seen(table, situation), cube) ? "double" : "roll" };
};

/** Below this chance a closer look tells whether there is any. */
const LOST = 0.02;

/** Whether a double is so bad that a closer look is not worth its time. */
const isFarFromDouble = (situation: Situation, outlook: Outlook): boolean => {
  const stakes = stakesOf(situation);
  const { noDouble, doubleTake, doublePass } = cubeWorths(outlook, stakes.cube);
  const doubled = Math.min(doubleTake, doublePass);
  return equityOf(stakes, noDouble) - equityOf(stakes, doubled) > FAR;
};

const FAR = 0.4;

/** The game as the level sees it when the cube is to be decided about. */
const seen = ({ level, pick }: Table, situation: Situation): Outlook => {
  const { evaluator, cubePlies, slips } = level;
  const outlook = outlookBefore(evaluator, situation, cubePlies);
  if (slips === undefined) return outlook;
  const off = slips.winOff * (pick(STEPS) / HALF - 1);
  const win = Math.min(1, Math.max(0, outlook.chances.win + off));
  return { ...outlook, chances: withWin(outlook.chances, win), exact: undefined };
};

const HALF = 1_000;
const STEPS = 2 * HALF + 1;

/** The offer to resign, where the level makes one and it is worth just as much as playing on. */
const givenUp = ({ level, view, own, commands }: Table, outlook: Outlook): Json | undefined => {
  if (!level.resigns) return undefined;
  const multiple = resignation(outlook, stakesOf(situationOf(view, own)).cube);
  const value = WIN_KINDS.find((kind) => MULTIPLIERS[kind] === multiple);
  return commands.find(
    (command) => command["type"] === "offer-resignation" && command["value"] === value,
  );
};

// Answers. What they are about is judged as the seat on roll sees it.

const answer = (table: Table): string => {
  const { view, own } = table;
  const situation = situationOf(view, view.onRoll ?? own);
  const { cube } = stakesOf(situation);
  const outlook = seen(table, situation);
  switch (view.offer?.kind) {
    case "beaver":
      return answerToBeaver(outlook, cube, isOpen(table, "raccoon"));
    case "raccoon":
      return takesRaccoon(outlook, cube) ? "take" : "pass";
    default:
      return answerToDouble(outlook, cube, isOpen(table, "beaver"));
  }
};

const accepts = ({ level, view, own }: Table): boolean => {
  const { evaluator, cubePlies } = level;
  const situation = situationOf(view, view.onRoll ?? own);
  const outlook =
    view.dice === undefined
      ? outlookBefore(evaluator, situation, cubePlies)
      : outlookAfter(evaluator, situation, view.dice, cubePlies);
  return acceptsResignation(outlook, stakesOf(situation).cube, view.resignation?.points ?? 0);
};

// Plays.

const playOf = (table: Table): Json => {
  const { level, view, own, commands, pick } = table;
  const [only, another] = commands.filter(({ type }) => type === "play");
  if (view.dice === undefined || (only !== undefined && another === undefined)) return only ?? null;
  const situation = situationOf(view, own);
  const preference = preferenceOf(level.evaluator, situation);
  const judged = level.evaluator.plays(situation.position, view.dice, level.plies, preference);
  const chosen = level.slips === undefined ? judged[0] : slipped(judged, level.slips, pick);
  const text = chosen?.play.text;
  return commands.find((command) => command["play"] === text) ?? { type: "play", play: text ?? "" };
};

/** One of the plays that are good enough, the better ones more often. */
const slipped = (
  judged: readonly JudgedPlay[],
  { scale, lossMax }: Slips,
  pick: Pick,
): JudgedPlay | undefined => {
  const best = judged[0]?.worth ?? 0;
  const enough = judged.filter(({ worth }) => best - worth <= lossMax);
  const weights = enough.map(({ worth }) => Math.exp(Math.min(0, worth - best) / scale));
  const mark = (weights.reduce((sum, weight) => sum + weight, 0) * pick(GRAINS)) / GRAINS;
  let sum = 0;
  return enough.find((_, i) => {
    sum += weights[i] ?? 0;
    return mark < sum;
  });
};

const GRAINS = 2 ** 20;
