import {
  BAR,
  checkers,
  type Dice,
  OFF,
  type Position,
  type Side,
} from "../../../../src/games/backgammon/board.ts";
import type {
  FileAction,
  FileEnding,
  FileGame,
  FileStart,
  MatchFile,
} from "../../../../src/games/backgammon/files/record.ts";
import { legalPlays } from "../../../../src/games/backgammon/plays.ts";
import { isOver } from "../../../../src/games/backgammon/position.ts";
import { START, VARIANTS, type Variant } from "../../../../src/games/backgammon/start.ts";
import {
  BLACK,
  type BySeat,
  ofSeat,
  opponentOf,
  WHITE,
} from "../../../../src/games/backgammon/state.ts";
import { losersCheckers, MULTIPLIERS, winKind } from "../../../../src/games/backgammon/value.ts";
import type { Seat } from "../../../../src/kernel/seat.ts";
import { type Random, randomDice } from "./random.ts";

/** What both formats can say; a set-up position only if `sgf`. */
export type Says = "both" | "sgf";

const NAMES = [
  "anna",
  "Boris B.",
  "李小明",
  'x "y" z',
  "a : 3",
  "c:d",
  "Ünï çödé",
  "back\\slash] [",
  "",
];

const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[random(values.length)] as Value;

const maybe = <Value extends object>(random: Random, value: Value): Value | object =>
  random(2) === 0 ? value : {};

/** A match of legal games between random players, with cube actions, resignations and an unfinished end. */
export const randomMatchFile = (random: Random, says: Says): MatchFile => {
  const variant = pick(random, VARIANTS);
  const length = pick(random, [0, 0, 3, 5, 25]);
  const score: [number, number] = [0, 0];
  const games: FileGame[] = [];
  const count = 1 + random(3);
  for (let index = 0; index < count; index++) {
    const game = randomGame(random, { variant, length, says, isLast: index === count - 1 });
    games.push({ score: [score[0], score[1]], ...game });
    if (game.end !== undefined)
      score[game.end.winner] = (score[game.end.winner] ?? 0) + game.end.points;
  }
  const isCrawford = random(2) === 0;
  return {
    players: [pick(random, NAMES), pick(random, NAMES)],
    length,
    variant,
    rules: {
      ...(length > 0 ? { crawford: isCrawford } : { jacoby: random(2) === 0 }),
      ...maybe(random, { beavers: random(2) === 0 }),
      ...(random(4) === 0
        ? { cube: false as const }
        : maybe(random, { cubeLimit: 2 ** (1 + random(10)) })),
      ...maybe(random, { automaticDoubles: random(4) }),
    },
    about: {
      ...maybe(random, { date: "2026-11-30" }),
      ...maybe(random, { event: 'Open [A] "final"' }),
      ...maybe(random, { round: "R: 2\\3" }),
      ...maybe(random, { place: "Wien" }),
    },
    // Where SGF has no Crawford rule there is no Crawford game.
    games:
      says === "sgf" && length > 0
        ? games.map((game) => ({ ...game, crawford: isCrawford && random(4) === 0 }))
        : games,
  };
};

interface Asked {
  readonly variant: Variant;
  readonly length: number;
  readonly says: Says;
  readonly isLast: boolean;
}

type Unscored = Pick<FileGame, "start" | "actions"> & FileEnding;

const randomGame = (random: Random, asked: Asked): Unscored => {
  const start = random(3) === 0 ? randomStart(random, asked) : undefined;
  const sides: [Side, Side] = start === undefined ? usual(asked.variant) : [...start.sides];
  const actions: FileAction[] = [];
  let seat: Seat = start?.onRoll ?? pick(random, [WHITE, BLACK]);
  let cube = start?.cube.value ?? 1;
  let rolls = 2 + random(80);
  for (;;) {
    if (actions.length > 0 && cube < 64 && random(12) === 0) {
      const raises = randomRaises(random, seat);
      actions.push(...raises);
      const last = raises.at(-1);
      if (last?.type === "pass") {
        const points = cube * 2 ** (raises.length - 2);
        return withStart(start, asked, actions, {
          end: { winner: opponentOf(last.seat), points, reason: "passed" },
        });
      }
      cube *= 2 ** (raises.length - 1);
    }
    const dice = randomDice(random);
    const plays = legalPlays(positionOf(sides, seat), dice);
    if (rolls-- <= 0)
      return withStart(
        start,
        asked,
        actions,
        stopped(random, asked, seat, dice, cube, plays.length),
      );
    const play = plays[random(Math.max(1, plays.length))];
    const moves = (play?.moves ?? []).map(({ from, to, hit }) => ({ from, to, hit }));
    actions.push({ seat, type: "play", dice, moves });
    if (play !== undefined) {
      sides[seat] = play.after.opponent;
      sides[opponentOf(seat)] = play.after.onRoll;
      if (isOver(play.after)) {
        const points = cube * MULTIPLIERS[winKind(losersCheckers(play.after.onRoll))];
        return withStart(start, asked, actions, {
          end: { winner: seat, points, reason: "played" },
        });
      }
    }
    seat = opponentOf(seat);
  }
};

/** A double and what answers it, to the take or the pass. */
const randomRaises = (random: Random, doubler: Seat): readonly FileAction[] => {
  const actions: FileAction[] = [{ seat: doubler, type: "double" }];
  let answers = opponentOf(doubler);
  for (const type of ["beaver", "raccoon"] as const) {
    if (random(3) > 0) break;
    actions.push({ seat: answers, type });
    answers = opponentOf(answers);
  }
  actions.push({ seat: answers, type: random(3) === 0 ? "pass" : "take" });
  return actions;
};

/** The game stops before this roll is played: it is resigned, or the file ends. */
const stopped = (
  random: Random,
  { isLast }: Asked,
  seat: Seat,
  dice: Dice,
  cube: number,
  plays: number,
): FileEnding => {
  const roll = plays > 0 && random(2) === 0 ? { rolled: { seat, dice } } : {};
  if (isLast && random(2) === 0) return roll;
  const points = cube * (1 + random(3));
  return { end: { winner: pick(random, [WHITE, BLACK]), points, reason: "resigned" }, ...roll };
};

const usual = (variant: Variant): [Side, Side] => [START[variant], START[variant]];

const positionOf = (sides: BySeat<Side>, seat: Seat): Position => ({
  onRoll: ofSeat(sides, seat),
  opponent: ofSeat(sides, opponentOf(seat)),
});

/** A .mat can say the cube at the start only if it is doubled later. */
const withStart = (
  start: FileStart | undefined,
  { says }: Asked,
  actions: readonly FileAction[],
  ending: FileEnding,
): Unscored => {
  const isSaid = says === "sgf" || actions.some(({ type }) => type === "double");
  return { ...(start !== undefined && isSaid ? { start } : {}), actions, ...ending };
};

const randomStart = (random: Random, { variant, length, says }: Asked): FileStart | undefined => {
  if (says === "both")
    return length > 0 ? undefined : { sides: usual(variant), cube: { value: 2, owner: null } };
  const sides = usual(variant).map((side) => {
    const counts = [...side];
    // Some checkers are off, some on the bar: no point is shared, since none is added to.
    for (let place = 1; place < BAR; place++) {
      if ((counts[place] ?? 0) === 0 || random(3) > 0) continue;
      const to = pick(random, [OFF, BAR]);
      counts[to] = (counts[to] ?? 0) + (counts[place] ?? 0);
      counts[place] = 0;
    }
    return counts;
  });
  if (sides.some((side) => checkers(side) === side[OFF])) return undefined;
  const [white = START[variant], black = START[variant]] = sides;
  return {
    sides: [white, black],
    cube: { value: 2 ** random(4), owner: pick(random, [WHITE, BLACK, null]) },
    ...maybe(random, { onRoll: pick(random, [WHITE, BLACK]) }),
  };
};
