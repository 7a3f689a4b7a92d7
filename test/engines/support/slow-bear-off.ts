import type { Side } from "../../../src/games/backgammon/board.ts";
import { at, OFF } from "../../../src/games/backgammon/board.ts";
import { legalPlays } from "../../../src/games/backgammon/plays.ts";
import { fifteen } from "../../games/backgammon/support/positions.ts";

/*
 * Bear-offs by trying every legal play of the rules' own generator: slow, and with nothing of the kernel.
 */

/** A roll as the side may play it: how many of 36 it is, and what the side can be after it. */
interface Turn {
  readonly weight: number;
  readonly after: readonly Side[];
}

/** At home and in nobody's way. */
const IDLE = fifteen({ 6: 15 });

const remembered = <Value>(make: (...sides: readonly Side[]) => Value) => {
  const known = new Map<string, Value>();
  return (...sides: readonly Side[]): Value => {
    const key = sides.map((side) => side.join()).join(" ");
    const value = known.get(key) ?? make(...sides);
    known.set(key, value);
    return value;
  };
};

const turns = remembered((side: Side = IDLE): readonly Turn[] => {
  const list: Turn[] = [];
  for (let one = 1; one <= 6; one++) {
    for (let other = 1; other <= one; other++) {
      const plays = legalPlays({ onRoll: side, opponent: IDLE }, [one, other]);
      list.push({ weight: one === other ? 1 : 2, after: plays.map((play) => play.after.opponent) });
    }
  }
  return list;
});

export const isAllOff = (side: Side): boolean => at(side, OFF) === 15;
export const isOneOff = (side: Side): boolean => at(side, OFF) > 0;

/** The chances to need exactly so many rolls, played to need the fewest on the average, and that average. */
export interface Needed {
  readonly rolls: readonly number[];
  readonly mean: number;
}

/** The rolls that a side needs until it is as wanted. */
export const slowRolls = (isDone: (side: Side) => boolean): ((side: Side) => Needed) => {
  const needed = remembered((side: Side = IDLE): Needed => {
    if (isDone(side)) return { rolls: [1], mean: 0 };
    const rolls: number[] = [0];
    for (const { weight, after } of turns(side)) {
      const done = after.find(isDone);
      const all = done === undefined ? after.map((each) => needed(each)) : [needed(done)];
      const best = all.reduce((least, each) => (each.mean < least.mean ? each : least));
      best.rolls.forEach((chance, count) => {
        rolls[count + 1] = (rolls[count + 1] ?? 0) + (chance * weight) / 36;
      });
    }
    return { rolls, mean: rolls.reduce((sum, chance, count) => sum + chance * count, 0) };
  });
  return (side) => needed(side);
};

/** The average over the rolls of the best that `worth` makes of a play; 1 where one makes the side as wanted. */
const averageBest = (
  side: Side,
  isDone: (after: Side) => boolean,
  worth: (after: Side) => number,
): number => {
  let sum = 0;
  for (const { weight, after } of turns(side)) {
    sum += weight * (after.some(isDone) ? 1 : Math.max(...after.map(worth)));
  }
  return sum / 36;
};

/** The chance that the side on roll bears off first, both playing to. */
export const slowWin = remembered((onRoll: Side = IDLE, other: Side = IDLE): number =>
  averageBest(onRoll, isAllOff, (after) => 1 - slowWin(other, after)),
);

/** The chance that the winner, on roll, bears off before the loser's first checker, both playing for that. */
export const slowGammon = remembered((winner: Side = IDLE, loser: Side = IDLE): number =>
  averageBest(winner, isAllOff, (after) => 1 - slowSaving(loser, after)),
);

/** The chance that the loser, on roll, has a checker off before the winner's last. */
export const slowSaving = remembered((loser: Side = IDLE, winner: Side = IDLE): number =>
  averageBest(loser, isOneOff, (after) => 1 - slowGammon(winner, after)),
);
