import type { AdviceLevel } from "../../games/backgammon/advice.ts";
import type { Event } from "../../games/backgammon/event.ts";
import type { Options } from "../../games/backgammon/options.ts";
import { present } from "../../kernel/assert.ts";
import type { Json } from "../../kernel/json.ts";
import type { Adviser, AnalysisTask, Pace } from "../level.ts";
import { analyse } from "./analysis.ts";
import type { Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { hints } from "./hint.ts";

/** How far each level looks ahead. */
export const PLIES = {
  intermediate: 0,
  expert: 1,
  grandmaster: 2,
} as const satisfies Record<AdviceLevel, Plies>;

/** A static judgement takes less than a message to a worker thread does. */
export const PACES = {
  intermediate: "quick",
  expert: "deep",
  grandmaster: "deep",
} as const satisfies Record<AdviceLevel, Pace>;

/** Backgammon's adviser as the registry holds it. */
export const backgammonAdviser = (evaluator: CubeEvaluator): Adviser => ({
  build: evaluator.build,
  paces: new Map(Object.entries(PACES)),
  hints: (task, level) => hints(evaluator, task, pliesOf(level)),
  analysis: (task, level) => analysis(evaluator, task, pliesOf(level)),
});

const pliesOf = (level: string): Plies =>
  present(new Map<string, Plies>(Object.entries(PLIES)).get(level), "the adviser has the level");

const analysis = (
  evaluator: CubeEvaluator,
  { options, events }: AnalysisTask,
  plies: Plies,
): Json => {
  const played = {
    options: options as unknown as Options,
    events: events.map(({ event }) => event as unknown as Event),
  };
  const { decisions, rolls, ...rest } = analyse(evaluator, played, plies);
  const logged = <Placed extends { readonly event: number }>({ event, ...placed }: Placed) => ({
    seq: present(events[event], "what is judged has happened").seq,
    ...placed,
  });
  const analysed = { ...rest, decisions: decisions.map(logged), rolls: rolls.map(logged) };
  return analysed as unknown as Json;
};
