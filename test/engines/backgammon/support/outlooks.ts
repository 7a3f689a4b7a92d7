import { chances, liveness, reversed } from "../../../../src/engines/backgammon/chances.ts";
import type { Outlook, Worth } from "../../../../src/engines/backgammon/cubeful.ts";
import type { Side } from "../../../../src/games/backgammon/board.ts";
import { golden } from "../../../support/golden.ts";

/** The lines of a golden file of backgammon. */
export const goldenLines = <Line>(name: string): readonly Line[] =>
  golden(`backgammon/${name}`)
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

const POINTS: Worth = (points) => points;

/** A game for money as the seat on roll sees it. */
export const forMoney = (own: Side, other: Side): Outlook => ({
  ...outlookOf(0.5),
  chances: chances(own, other),
  liveness: liveness(own, other),
});

/** A game as a seat with this chance to win sees it: no gammons, for money, a cube as in most games. */
export const outlookOf = (win: number, more: Partial<Outlook> = {}): Outlook => ({
  chances: { win, winGammon: 0, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 },
  liveness: 0.68,
  worth: POINTS,
  cubeLimit: 64,
  jacoby: false,
  ...more,
});

/** The same game as the other seat sees it; what one wins the other loses. */
export const acrossTheTable = (outlook: Outlook): Outlook => ({
  ...outlook,
  chances: reversed(outlook.chances),
  worth: (points) => -outlook.worth(-points),
});
