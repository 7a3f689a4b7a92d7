import type { Position } from "../../games/backgammon/board.ts";
import { at, OFF } from "../../games/backgammon/board.ts";
import { legalPlays } from "../../games/backgammon/plays.ts";
import type { Chances } from "./chances.ts";
import { reversed } from "./chances.ts";
import type { JudgedPlay, Plies, Preference } from "./evaluator.ts";
import type { CubeEvaluator } from "./exact-cube.ts";
import type { Kernel } from "./kernel.ts";

/*
 * Which plays are looked ahead, and how far: all are judged as they stand; the best few a roll further, and of
 * those the best few two rolls. What is clearly worse keeps the chances it has.
 */

/** How many plays go a ply further, and how much they may be behind the best, in points of a money game. */
interface Filter {
  readonly most: number;
  readonly within: number;
}

const FILTERS: Readonly<Record<1 | 2, Filter>> = {
  1: { most: 16, within: 0.3 },
  2: { most: 8, within: 0.16 },
};

/**
 * Positions that one decision may cost; the play at hand is judged to the end. Few need a fifth of it: some
 * 50,000 at two plies. It bounds the longest doubles. What is kept costs as much as when it was found, so that an
 * answer does not depend on what was asked before.
 */
const NODES_MAX = 250_000;

/** Chances that are kept: the reply to a play begins with what the play was judged by. */
const KEPT_MAX = 2_000;

/** Play by the money game without a cube. */
const MONEY: Chances = {
  win: 2,
  winGammon: 1,
  winBackgammon: 1,
  loseGammon: -1,
  loseBackgammon: -1,
};

/** Chances, and the positions that were judged to find them. */
interface Found {
  readonly chances: Chances;
  readonly nodes: number;
}

/** Judges by the kernel's nets and tables. */
export const netEvaluator = (kernel: Kernel, build: string): CubeEvaluator => {
  const kept = new Map<string, Found>();

  const find = (position: Position, plies: Plies, slopes: Chances): Found => {
    const key = keyOf(position, plies, slopes);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const before = kernel.nodes();
    const chances = kernel.chances(position, plies, slopes);
    const found = { chances, nodes: kernel.nodes() - before };
    if (kept.size >= KEPT_MAX)
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    kept.set(key, found);
    return found;
  };

  return {
    build,
    exact: (position) => (isSaved(position) ? kernel.bearOff.exact(position) : undefined),
    chances: (position, plies) => find(position, plies, MONEY).chances,
    plays: (position, dice, plies, preference) => {
      const legal = legalPlays(position, dice);
      const judged = kernel
        .chancesAfter(legal.map(({ after }) => after))
        .flatMap((own, i) => {
          const play = legal[i];
          return play === undefined ? [] : [judgedPlay(play, own, 0, preference)];
        })
        .sort(byWorth);
      let nodes = 0;
      const further = (ranked: readonly JudgedPlay[], to: 1 | 2): readonly JudgedPlay[] => {
        const [best] = ranked;
        if (best === undefined || to > plies || ranked.length === 1) return ranked;
        const { most, within } = FILTERS[to];
        const scale = preference.slopes.win / MONEY.win;
        const near = ranked.filter(
          ({ worth, plies: seen }, i) =>
            i < most && seen === to - 1 && best.worth - worth <= within * scale,
        );
        const seen = near.map((one) => {
          if (nodes > NODES_MAX) return one;
          const found = find(one.play.after, to, preference.slopes);
          nodes += found.nodes;
          return judgedPlay(one.play, reversed(found.chances), to, preference);
        });
        const next = [...seen].sort(byDepth);
        const rest = ranked.filter((one) => !near.includes(one));
        return to === 1 ? further([...next, ...rest], 2) : [...next, ...rest];
      };
      return further(judged, 1);
    },
  };
};

/** Whether nobody can lose a gammon any more: the exact equities know none. */
const isSaved = ({ onRoll, opponent }: Position): boolean =>
  at(onRoll, OFF) > 0 && at(opponent, OFF) > 0;

const judgedPlay = (
  play: JudgedPlay["play"],
  chances: Chances,
  plies: Plies,
  { worth }: Preference,
): JudgedPlay => ({ play, chances, worth: worth(chances, play.after), plies });

const byWorth = (a: JudgedPlay, b: JudgedPlay): number => b.worth - a.worth;

const byDepth = (a: JudgedPlay, b: JudgedPlay): number => b.plies - a.plies || b.worth - a.worth;

const keyOf = ({ onRoll, opponent }: Position, plies: Plies, slopes: Chances): string =>
  `${plies} ${Object.values(slopes).join(" ")} ${onRoll.join(",")} ${opponent.join(",")}`;
