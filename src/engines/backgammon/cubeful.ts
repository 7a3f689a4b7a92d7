import type { Chances } from "./chances.ts";

/*
 * What a game with a cube is worth before the roll: Janowski's model ("Take-Points in Money Games",
 * 1993), carried over from points to any worth, so that it serves match scores too.
 *
 * Say that the chances move in small steps and that the shares of gammons stay as they are. Then every
 * double comes exactly where the other side may as well take as pass, and the worth by the chance of
 * winning is a broken line through these points: the live cube. The dead cube is the straight line of a
 * game that is played out at this cube. The truth lies between, nearer to the live cube as long as the
 * game is long.
 *
 * The points of the line at one cube follow from the line at twice that cube, and so on up to a cube that
 * may not be turned, or that it is senseless to turn.
 *
 * With GNU Backgammon's 2-ply chances this decides 2,500 money positions of its own games and 2,500 at match scores,
 * most of them close, at a cost of 0.0013 and 0.0011 a double, 0.0000 and 0.0001 an answer, against its
 * 2-ply cubeful equities; with the rolls looked at, 0.0009 and 0.0007 a double.
 */

/** What it is worth to a seat to win (above 0) or lose (below 0) so many points. Never falls. */
export type Worth = (points: number) => number;

/** A side of a game as one seat sees it. */
export type Holder = "own" | "other";

/** A game whose next roll is due, as one seat sees it. */
export interface Outlook {
  /** The seat's chances. */
  readonly chances: Chances;
  /** Whose roll is due. */
  readonly onRoll: Holder;
  /** How much of the live cube there is in the game: 0 the cube is dead, 1 every double is efficient. */
  readonly liveness: number;
  readonly worth: Worth;
  /** The highest value of the cube. */
  readonly cubeLimit: number;
  /** Whether a gammon counts only once a double has been taken. */
  readonly jacoby: boolean;
  /**
   * What is known instead of estimated, for money: the equity per unit of the cube, by its owner, nobody
   * doubling before the roll.
   */
  readonly exact?: ((owner: CubeAt["owner"]) => number) | undefined;
  /** What the roll may lead to, if it was looked at. */
  readonly ahead?: Ahead | undefined;
}

/** The game after each roll, played at its best. */
export interface Ahead {
  /** The mean of the chances after the rolls. */
  readonly chances: Chances;
  /** `odds` sum to 1; each outlook is of the same seat, with the other side on roll. */
  readonly rolls: readonly { readonly odds: number; readonly outlook: Outlook }[];
}

/** The cube: who may turn it is its owner, or, in the middle, both. */
export interface CubeAt {
  readonly value: number;
  /** Null: in the middle. */
  readonly owner: Holder | null;
}

/**
 * What the game is worth to the seat with this cube, nobody doubling before the roll.
 *
 * Where the rolls were looked at, the model's worth is corrected by what it misses before a roll that
 * decides much: by how much the mean of its worths after the rolls differs from its worth of the mean.
 */
export const cubeful = (outlook: Outlook, cube: CubeAt): number => rolled(gameOf(outlook), cube);

/** The same where the side on roll may double first, and both do with the cube what is best. */
export const cubefulAtBest = (outlook: Outlook, cube: CubeAt): number => {
  const game = gameOf(outlook);
  const { onRoll, worth } = outlook;
  const now = rolled(game, cube);
  if (!mayGain(game, cube, onRoll)) return now;
  const { value } = cube;
  const taken = rolled(game, { value: 2 * value, owner: otherThan(onRoll) });
  return onRoll === "own"
    ? Math.max(now, Math.min(taken, worth(value)))
    : Math.min(now, Math.max(taken, worth(-value)));
};

/** What the game is worth played out at this cube, which nobody turns any more. */
export const cubeless = (outlook: Outlook, cube: CubeAt): number =>
  straight(ends(gameOf(outlook), cube), outlook.chances.win);

/**
 * Whether turning the cube can win the holder anything. Not where a single win at the present value
 * already is all that can be won: the cube is dead for it, and to turn it only raises what it may lose.
 */
export const canGain = (outlook: Outlook, cube: CubeAt, holder: Holder): boolean =>
  mayGain(gameOf(outlook), cube, holder);

/** Whether the cube is the holder's to turn, and not at its limit. */
export const mayTurn = (
  { cubeLimit }: Outlook,
  { value, owner }: CubeAt,
  holder: Holder,
): boolean => (owner === null || owner === holder) && 2 * value <= cubeLimit;

const otherThan = (holder: Holder): Holder => (holder === "own" ? "other" : "own");

/** An outlook with what has been worked out of it, by the logarithm of the cube that has been turned. */
interface Game {
  readonly outlook: Outlook;
  readonly ends: Ends[];
  readonly cashPoints: (number | null)[];
  readonly takePoints: (number | null)[];
}

const gameOf = (outlook: Outlook): Game => ({
  outlook,
  ends: [],
  cashPoints: [],
  takePoints: [],
});

const logOf = (cube: number): number => 31 - Math.clz32(cube);

const rolled = (game: Game, cube: CubeAt): number => {
  const { outlook } = game;
  const { exact, worth, jacoby } = outlook;
  if (exact !== undefined) return cube.value * exact(cube.owner);
  // Who would have more than a single by the Jacoby rule is passed when it doubles.
  const most = (jacoby && cube.owner === null ? 1 : 3) * cube.value;
  const seen = Math.min(worth(most), Math.max(worth(-most), lookedAhead(game, cube)));
  return putOff(game, cube, seen);
};

const lookedAhead = (game: Game, cube: CubeAt): number => {
  const { outlook } = game;
  const worth = modelled(game, cube);
  const { ahead } = outlook;
  if (ahead === undefined) return worth;
  let after = 0;
  for (const { odds, outlook: then } of ahead.rolls) after += odds * cubefulAtBest(then, cube);
  return worth + after - modelled(gameOf({ ...outlook, chances: ahead.chances }), cube);
};

/**
 * What the side on roll has that puts off a free double: no more than from one that is taken. Whatever it does
 * later, each end of the game is worth no less at twice the cube.
 */
const putOff = (game: Game, cube: CubeAt, worth: number): number => {
  const { onRoll } = game.outlook;
  if (!isFree(game, cube, onRoll)) return worth;
  const taken = rolled(game, { value: 2 * cube.value, owner: otherThan(onRoll) });
  return onRoll === "own" ? Math.min(worth, taken) : Math.max(worth, taken);
};

/**
 * Between the dead cube and the live one. A free double comes at the holder's next turn, wherever the rolls
 * before it have led: so the worth is a mean over where they may lead.
 */
const modelled = (game: Game, cube: CubeAt): number => {
  const { liveness, chances, onRoll } = game.outlook;
  const { win } = chances;
  const doubler = HOLDERS.find((holder) => isFree(game, cube, holder));
  if (doubler === undefined) return mixed(game, cube, win);
  const rolls = doubler === onRoll ? 2 : 1;
  const reach = Math.min(win, 1 - win, (1 - liveness) * SWING * Math.sqrt(rolls));
  let sum = 0;
  for (const step of STEPS) sum += mixed(game, cube, win + step * reach);
  return sum / STEPS.length;
};

const HOLDERS = ["own", "other"] as const;

/**
 * How far a roll takes the chance of winning where the cube is dead, all steps up to it alike; a live cube is one
 * of small steps. At the start of a game the two rolls come to what looking at both of them does.
 */
const SWING = 0.4;
const STEPS = [-0.875, -0.625, -0.375, -0.125, 0.125, 0.375, 0.625, 0.875];

/** At a chance to win. */
const mixed = (game: Game, cube: CubeAt, win: number): number => {
  const { liveness } = game.outlook;
  const unturned = dead(game, cube, win);
  return liveness === 0 ? unturned : unturned + liveness * (live(game, cube, win) - unturned);
};

/** What a win and what a loss is worth on the average, at a cube. */
interface Ends {
  readonly won: number;
  readonly lost: number;
}

const ends = (game: Game, { value, owner }: CubeAt): Ends => {
  const { worth, jacoby } = game.outlook;
  if (jacoby && owner === null) return { won: worth(value), lost: worth(-value) };
  const log = logOf(value);
  const made = game.ends[log] ?? endsAt(game.outlook, value);
  game.ends[log] = made;
  return made;
};

const endsAt = ({ chances, worth }: Outlook, value: number): Ends => {
  const { win, winGammon, winBackgammon, loseGammon, loseBackgammon } = chances;
  const gammons = share(winGammon, win);
  const backgammons = share(winBackgammon, win);
  const lostGammons = share(loseGammon, 1 - win);
  const lostBackgammons = share(loseBackgammon, 1 - win);
  return {
    won:
      (1 - gammons) * worth(value) +
      (gammons - backgammons) * worth(2 * value) +
      backgammons * worth(3 * value),
    lost:
      (1 - lostGammons) * worth(-value) +
      (lostGammons - lostBackgammons) * worth(-2 * value) +
      lostBackgammons * worth(-3 * value),
  };
};

const share = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(1, Math.max(0, part / whole));

const mayGain = (game: Game, cube: CubeAt, holder: Holder): boolean =>
  mayTurn(game.outlook, cube, holder) &&
  gains(ends(game, cube), ends(game, { value: 2 * cube.value, owner: otherThan(holder) }), holder);

/** Less than this is no gain. */
const NOTHING = 1e-9;

const gains = (now: Ends, turned: Ends, holder: Holder): boolean =>
  holder === "own" ? turned.won > now.won + NOTHING : turned.lost < now.lost - NOTHING;

/** Whether the holder can gain by turning the cube, and lose nothing by it that is not lost anyhow. */
const isFree = (game: Game, cube: CubeAt, holder: Holder): boolean =>
  mayGain(game, cube, holder) &&
  !risks(ends(game, cube), ends(game, { value: 2 * cube.value, owner: otherThan(holder) }), holder);

const risks = (now: Ends, turned: Ends, holder: Holder): boolean =>
  holder === "own" ? turned.lost < now.lost - NOTHING : turned.won > now.won + NOTHING;

/**
 * The dead cube's worth at the seat's chance to win: nobody turns it, but for who risks nothing by it, as the
 * side behind after the Crawford game: that side does so at its next turn.
 */
const dead = (game: Game, cube: CubeAt, win: number): number => {
  const { worth } = game.outlook;
  const { value } = cube;
  const unturned = straight(ends(game, cube), win);
  const doubler = HOLDERS.find((holder) => isFree(game, cube, holder));
  if (doubler === undefined) return unturned;
  const taken = straight(ends(game, { value: 2 * value, owner: otherThan(doubler) }), win);
  return doubler === "own"
    ? Math.max(unturned, Math.min(taken, worth(value)))
    : Math.min(unturned, Math.max(taken, worth(-value)));
};

/**
 * The live cube's worth at the seat's chance to win.
 *
 * The worth by chance is a line from `lost` to `won`. Who may gain by turning the cube bends it at the one
 * point where the answer to its double is as good a take as a pass, unless to play on for a gammon is better.
 */
const live = (game: Game, cube: CubeAt, win: number): number => {
  const { outlook } = game;
  const { value } = cube;
  const at = ends(game, cube);
  const mine = mayGain(game, cube, "own") ? cashPoint(game, value) : null;
  const theirs = mayGain(game, cube, "other") ? takePoint(game, value) : null;
  const cash = outlook.worth(value);
  const given = outlook.worth(-value);
  if (mine !== null && theirs !== null) {
    if (win <= theirs) return between(0, at.lost, theirs, given, win);
    if (win <= mine) return between(theirs, given, mine, cash, win);
    return between(mine, cash, 1, at.won, win);
  }
  const unbent = straight(at, win);
  if (mine !== null) return Math.max(unbent, bent(at, mine, cash, win));
  if (theirs !== null) return Math.min(unbent, bent(at, theirs, given, win));
  return unbent;
};

/** What a line from one end to a point and on to the other end says at the chance. */
const bent = ({ won, lost }: Ends, chance: number, worth: number, win: number): number =>
  win <= chance ? between(0, lost, chance, worth, win) : between(chance, worth, 1, won, win);

/** Where the other may as well pass the seat's double from `value`; null: nowhere. */
const cashPoint = (game: Game, value: number): number | null => {
  const log = logOf(value);
  let made = game.cashPoints[log];
  if (made === undefined) {
    made = madeCashPoint(game, value);
    game.cashPoints[log] = made;
  }
  return made;
};

const madeCashPoint = (game: Game, value: number): number | null => {
  const { worth } = game.outlook;
  const turned = { value: 2 * value, owner: "other" } as const;
  const then = ends(game, turned);
  const theirs = mayGain(game, turned, "other") ? takePoint(game, turned.value) : null;
  const given = worth(-turned.value);
  const cash = worth(value);
  return inside(
    theirs !== null && given < straight(then, theirs)
      ? chanceBetween(theirs, given, 1, then.won, cash)
      : chanceBetween(0, then.lost, 1, then.won, cash),
  );
};

/** Where the seat may as well pass the other's double from `value`; null: nowhere. */
const takePoint = (game: Game, value: number): number | null => {
  const log = logOf(value);
  let made = game.takePoints[log];
  if (made === undefined) {
    made = madeTakePoint(game, value);
    game.takePoints[log] = made;
  }
  return made;
};

const madeTakePoint = (game: Game, value: number): number | null => {
  const { worth } = game.outlook;
  const turned = { value: 2 * value, owner: "own" } as const;
  const then = ends(game, turned);
  const mine = mayGain(game, turned, "own") ? cashPoint(game, turned.value) : null;
  const cash = worth(turned.value);
  const given = worth(-value);
  return inside(
    mine !== null && cash > straight(then, mine)
      ? chanceBetween(0, then.lost, mine, cash, given)
      : chanceBetween(0, then.lost, 1, then.won, given),
  );
};

const inside = (chance: number): number | null => (chance > 0 && chance < 1 ? chance : null);

const straight = ({ won, lost }: Ends, chance: number): number => lost + (won - lost) * chance;

/** What the line from (x, y) to (toX, toY) says at the chance. */
const between = (x: number, y: number, toX: number, toY: number, chance: number): number =>
  toX <= x ? toY : y + ((toY - y) * (chance - x)) / (toX - x);

/** The chance at which the line from (x, y) to (toX, toY) is worth so much. */
const chanceBetween = (x: number, y: number, toX: number, toY: number, sought: number): number =>
  toY <= y ? x : x + ((toX - x) * (sought - y)) / (toY - y);
