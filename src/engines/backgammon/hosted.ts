import type { Engine } from "../engine.ts";
import { randomEngine } from "../engine.ts";
import type { GameEngines, Level } from "../level.ts";
import { backgammonAdviser, PACES } from "./adviser.ts";
import type { Plies } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import { heuristicEngine } from "./heuristic.ts";
import type { Level as Judging } from "./levels.ts";
import { BEGINNERS_SLIPS, levelOf } from "./levels.ts";

/** What clients call the levels, weakest first. */
const LEVELS = [
  "random",
  "heuristic",
  "beginner",
  "intermediate",
  "expert",
  "grandmaster",
] as const;
type LevelName = (typeof LEVELS)[number];

/** Backgammon's engines as the registry holds them. */
export const backgammonEngines = (evaluator: CubeEvaluator): GameEngines => {
  const judging = (name: LevelName, how: Omit<Judging, "build" | "evaluator">): Engine =>
    levelOf({ build: `backgammon-${name}/1 ${evaluator.build}`, evaluator, ...how });
  const weak = { plies: 0, cubePlies: 0, slips: BEGINNERS_SLIPS, resigns: false } as const;
  const playing: Readonly<Record<LevelName, Pick<Level, "engine" | "pace">>> = {
    random: { engine: randomEngine, pace: "quick" },
    heuristic: { engine: heuristicEngine, pace: "quick" },
    beginner: { engine: judging("beginner", weak), pace: "quick" },
    intermediate: { engine: judging("intermediate", lookingAhead(0)), pace: PACES.intermediate },
    expert: { engine: judging("expert", lookingAhead(1)), pace: PACES.expert },
    grandmaster: { engine: judging("grandmaster", lookingAhead(2)), pace: PACES.grandmaster },
  };
  return {
    levels: new Map(LEVELS.map((name) => [name, { ...playing[name], ...NAMES[name] }])),
    adviser: backgammonAdviser(evaluator),
  };
};

const lookingAhead = (plies: Plies) => ({ plies, cubePlies: plies, resigns: true });

const NAMES: Readonly<Record<LevelName, Pick<Level, "title" | "about">>> = {
  random: {
    title: { en: "Random", zh: "随机" },
    about: {
      en: "Any legal command, each as likely as the others.",
      zh: "随机选择任意合法的走法。",
    },
  },
  heuristic: {
    title: { en: "Heuristic", zh: "经验规则" },
    about: {
      en: "Plays by simple rules of thumb, and looks at no roll ahead.",
      zh: "按简单的经验规则走棋，不向前推算。",
    },
  },
  beginner: {
    title: { en: "Beginner", zh: "入门" },
    about: {
      en: "Makes the mistakes of one who has just learned the game, but none that is silly.",
      zh: "像初学者一样会犯错，但不会走得离谱。",
    },
  },
  intermediate: {
    title: { en: "Intermediate", zh: "普通" },
    about: {
      en: "Judges each position as it stands, without a roll ahead. Replies at once.",
      zh: "只判断当前局面，不向前推算，立即应答。",
    },
  },
  expert: {
    title: { en: "Expert", zh: "高手" },
    about: {
      en: "Looks at every roll that the opponent may have next. Replies at once.",
      zh: "推算对方下一次的所有掷骰，几乎立即应答。",
    },
  },
  grandmaster: {
    title: { en: "Grandmaster", zh: "大师" },
    about: {
      en: "Looks two rolls ahead; the strongest there is here. Takes some tenths of a second.",
      zh: "向前推算两次掷骰，是这里最强的级别，应答需零点几秒。",
    },
  },
};
