import type { Chances } from "../../src/engines/backgammon/chances.ts";
import { reversed } from "../../src/engines/backgammon/chances.ts";
import type { Dice, Position, Side } from "../../src/games/backgammon/board.ts";
import { at, checkers, OFF, turned } from "../../src/games/backgammon/board.ts";
import { legalPlays } from "../../src/games/backgammon/plays.ts";
import { losersCheckers, winKind } from "../../src/games/backgammon/value.ts";
import { present } from "../../src/kernel/assert.ts";
import type { NetKind } from "./slow-inputs.ts";
import { slowInputs } from "./slow-inputs.ts";

/*
 * How docs/engine.md says that a position is judged and looked ahead, in doubles and without any short cut: the
 * oracle of the kernel. What the bear-off tables know is asked of the caller: they have tests of their own.
 */

/** One net, its numbers in the order of a file of weights. */
export interface SlowNet {
  readonly hidden: number;
  readonly numbers: ArrayLike<number>;
}

export type SlowNets = Readonly<Record<NetKind, SlowNet>>;

const INPUTS = 256;
const OUTPUTS = 5;
const HEADER_BYTES = 32;

/** How many numbers a net has. */
export const netLength = (hidden: number): number => (INPUTS + 1 + OUTPUTS) * hidden + OUTPUTS + 3;

/** The two nets in a file of weights. */
export const slowNets = (file: Uint8Array): SlowNets => {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const net = (hidden: number, at: number): SlowNet => ({
    hidden,
    numbers: Array.from({ length: netLength(hidden) }, (_, i) => view.getFloat32(at + 4 * i, true)),
  });
  const contact = net(view.getUint32(8, true), HEADER_BYTES);
  const race = net(view.getUint32(12, true), HEADER_BYTES + 4 * contact.numbers.length);
  return { contact, race };
};

/** The five outputs of a net as they leave it. */
export const slowForward = ({ hidden, numbers }: SlowNet, inputs: readonly number[]): Chances => {
  const number = (index: number): number => present(numbers[index], "a net has all its numbers");
  const given = [...inputs.entries()].filter(([, value]) => value !== 0);
  const units = Array.from({ length: hidden }, (_, unit) => {
    let total = number(INPUTS * hidden + unit);
    for (const [i, value] of given) total += value * number(i * hidden + unit);
    return squashed(total);
  });
  const second = (INPUTS + 1) * hidden;
  const output = (row: number): number => {
    let total = number(second + OUTPUTS * hidden + row);
    for (const [i, unit] of units.entries()) total += unit * number(second + row * hidden + i);
    return squashed(total);
  };
  return {
    win: output(0),
    winGammon: output(1),
    winBackgammon: output(2),
    loseGammon: output(3),
    loseBackgammon: output(4),
  };
};

const squashed = (total: number): number => 1 / (1 + Math.exp(-total));

/** By which of the four means a position is known. */
export const kindOf = ({ onRoll, opponent }: Position): "over" | "bear-off" | NetKind => {
  if (isDone(onRoll) || isDone(opponent)) return "over";
  if (isInTable(onRoll) && isInTable(opponent)) return "bear-off";
  return rearmost(onRoll) + rearmost(opponent) <= 25 ? "race" : "contact";
};

const isDone = (side: Side): boolean => checkers(side) === at(side, OFF);

const rearmost = (side: Side): number =>
  side.reduce((highest, n, place) => (n > 0 ? place : highest), 0);

const isInTable = (side: Side): boolean =>
  rearmost(side) <= 6 && (checkers(side) === 15 || at(side, OFF) > 0);

/** What bear-off tables say of the side on roll. */
export type Tables = (position: Position) => Chances;

/** The chances of the side on roll, before its roll, as the position stands. */
export const slowJudge = (position: Position, nets: SlowNets, tables: Tables): Chances => {
  const kind = kindOf(position);
  if (kind === "over") return settled(position);
  if (kind === "bear-off") return tables(position);
  return possible(position, slowForward(nets[kind], slowInputs(position, kind)));
};

const settled = ({ onRoll, opponent }: Position): Chances => {
  const won = isDone(onRoll);
  const kind = winKind(losersCheckers(won ? opponent : onRoll));
  const gammon = kind === "single" ? 0 : 1;
  const backgammon = kind === "backgammon" ? 1 : 0;
  return {
    win: won ? 1 : 0,
    winGammon: won ? gammon : 0,
    winBackgammon: won ? backgammon : 0,
    loseGammon: won ? 0 : gammon,
    loseBackgammon: won ? 0 : backgammon,
  };
};

const possible = (position: Position, said: Chances): Chances => {
  const isRace = kindOf(position) === "race";
  const loses = (loser: Side, most: number, gammon: number, backgammon: number) => {
    const mayGammon = at(loser, OFF) === 0;
    const mayBackgammon = !isRace || losersCheckers(loser).loserInWinnersHome > 0;
    const gammons = mayGammon ? Math.min(most, gammon) : 0;
    return [gammons, mayBackgammon ? Math.min(gammons, backgammon) : 0] as const;
  };
  const { onRoll, opponent } = position;
  const [winGammon, winBackgammon] = loses(opponent, said.win, said.winGammon, said.winBackgammon);
  const [loseGammon, loseBackgammon] = loses(
    onRoll,
    1 - said.win,
    said.loseGammon,
    said.loseBackgammon,
  );
  return { win: said.win, winGammon, winBackgammon, loseGammon, loseBackgammon };
};

/** What the five chances are worth by so much for each. */
export const worthOf = (chances: Chances, slopes: Chances): number =>
  CHANCES.reduce((worth, name) => worth + chances[name] * slopes[name], 0);

/** The five in the kernel's order. */
export const CHANCES = [
  "win",
  "winGammon",
  "winBackgammon",
  "loseGammon",
  "loseBackgammon",
] as const satisfies readonly (keyof Chances)[];

/** Points of a money game without a cube. */
export const MONEY: Chances = {
  win: 2,
  winGammon: 1,
  winBackgammon: 1,
  loseGammon: -1,
  loseBackgammon: -1,
};

/** The chances of the side on roll, so many rolls looked ahead; each reply is the best as it stands. */
export const slowLookAhead = (
  position: Position,
  plies: number,
  judge: (position: Position) => Chances,
  slopes: Chances = MONEY,
): Chances => {
  const kind = kindOf(position);
  if (plies === 0 || kind === "over" || kind === "bear-off") return judge(position);
  const total = { win: 0, winGammon: 0, winBackgammon: 0, loseGammon: 0, loseBackgammon: 0 };
  for (const { dice, weight } of ROLLS) {
    const after = bestAfter(position, dice, judge, slopes);
    const own = reversed(slowLookAhead(after, plies - 1, judge, slopes));
    for (const name of CHANCES) total[name] += (weight / 36) * own[name];
  }
  return total;
};

/** The position after the best play, or after none; the other side is on roll. */
const bestAfter = (
  position: Position,
  dice: Dice,
  judge: (position: Position) => Chances,
  slopes: Chances,
): Position => {
  let best = turned(position);
  let most = Number.NEGATIVE_INFINITY;
  for (const { after } of legalPlays(position, dice)) {
    const worth = worthOf(reversed(judge(after)), slopes);
    if (worth <= most) continue;
    most = worth;
    best = after;
  }
  return best;
};

/** The 21 rolls, and how many of the 36 each stands for. */
const ROLLS: readonly { readonly dice: Dice; readonly weight: number }[] = [
  1, 2, 3, 4, 5, 6,
].flatMap((larger) =>
  [1, 2, 3, 4, 5, 6]
    .filter((smaller) => smaller <= larger)
    .map((smaller) => ({
      dice: [larger, smaller] as const,
      weight: smaller === larger ? 1 : 2,
    })),
);
