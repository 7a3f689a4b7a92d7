import { present } from "../../kernel/assert.ts";
import { type Facts, ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import { at, BAR, type Dice, mirrored, OFF, type Play, type Position, type Side } from "./board.ts";
import { type Hop, isHop, parsePlay, printPlace } from "./play-text.ts";
import { partialPlays } from "./plays.ts";
import { parsePositionId } from "./position-id.ts";

/*
 * What somebody wrote is read by where it leads. The hops, whatever their order, take the mover's
 * checkers to one arrangement; the legal plays that end there are meant. Two of them can differ only
 * in what the one moving checker hits on its way: then the text has to say which.
 */

/** Why a play is not accepted. Each is true whenever it is given; `not-this-roll` says least. */
export const REFUSALS = [
  /** Not the text of a play, or not a Position ID. */
  "unreadable",
  /** The roll has no legal play. */
  "no-play-possible",
  /** Two legal plays fit; they differ in what is hit on the way. */
  "ambiguous",
  /** It takes more checkers from `place` than are there or come there. */
  "no-checker-there",
  /** A checker moves while another stays on the bar. */
  "must-enter-first",
  /** A checker lands on `place`, which the opponent holds with two or more. */
  "point-closed",
  /** A checker is borne off while another stays outside the home board. */
  "not-all-home",
  /** It can be played, but the roll compels more dice. */
  "more-dice-must-be-played",
  /** It plays the smaller die; only one can be played, and the larger can. */
  "larger-die-must-be-played",
  /** No legal play of this roll leads there. */
  "not-this-roll",
] as const;
export type Refusal = (typeof REFUSALS)[number];

type Read = Result<Play, Rejection<"play-not-legal">>;

/**
 * The legal play that a text means, read generously: see `parsePlay` for what may be written.
 *
 * Accepted if exactly one legal play takes the mover's checkers where the text takes them. Of two, the
 * one whose canonical text it is; else the one that passes the points given and hits where the text
 * marks hits. Dice in the text's order need not be playable so: `4/off 5/1` is `5/1 4/off`.
 *
 * @param legal - `legalPlays(position, dice)`
 * @returns the play; or `play-not-legal` with a `reason` of `REFUSALS`, and where it helps the `place`
 *   (`bar`, `off` or a point of the mover) or the `plays` that fit
 */
export const readPlay = (
  position: Position,
  dice: Dice,
  legal: readonly Play[],
  text: string,
): Read => {
  const written = parsePlay(text);
  if (written === undefined) return refuse("unreadable");
  return meant({ position, dice, legal, ...written });
};

/**
 * The legal play that a list of moves means, by the rule of `readPlay`; a move may span several dice.
 *
 * @param moves - `from` 1..25, 25 the bar; `to` 0..24, 0 off; in any order
 */
export const readMoves = (
  position: Position,
  dice: Dice,
  legal: readonly Play[],
  moves: readonly { readonly from: number; readonly to: number }[],
): Read => {
  if (!moves.every(isHop)) return refuse("unreadable");
  const hops = moves.map(({ from, to }) => ({ from, to, hit: false }));
  const text = hops.map(({ from, to }) => `${printPlace(from)}/${printPlace(to)}`).join(" ");
  return meant({ position, dice, legal, hops, text });
};

/**
 * The legal play that leads to a position.
 *
 * @param positionId - the GNU Position ID after the play, with the opponent on roll
 */
export const findResult = (legal: readonly Play[], positionId: string): Read => {
  const wanted = parsePositionId(positionId);
  if (!wanted.ok) return refuse("unreadable");
  if (legal.length === 0) return refuse("no-play-possible");
  const { onRoll, opponent } = wanted.value;
  const play = legal.find(
    ({ after }) => isSameOnBoard(after.opponent, opponent) && isSameOnBoard(after.onRoll, onRoll),
  );
  return play === undefined ? refuse("not-this-roll") : ok(play);
};

interface Written {
  readonly position: Position;
  readonly dice: Dice;
  readonly legal: readonly Play[];
  readonly hops: readonly Hop[];
  readonly text: string;
}

const meant = (written: Written): Read => {
  const { position, legal, hops, text } = written;
  const target = netSide(position.onRoll, hops);
  const fitting = legal.filter(({ after }) => isSameSide(after.opponent, target));
  if (fitting.length === 0) return refuse(...whyNot(written, target));
  const closed = hops.find(({ to }) => to > OFF && at(position.opponent, mirrored(to)) >= 2);
  if (closed !== undefined) return refuse("point-closed", { place: printPlace(closed.to) });
  if (fitting.length === 1) return ok(present(fitting[0], "one fits"));
  const exact = fitting.find((play) => play.text === text);
  if (exact !== undefined) return ok(exact);
  const agreeing = fitting.filter((play) => agrees(play, hops));
  if (agreeing.length === 1) return ok(present(agreeing[0], "one agrees"));
  return refuse("ambiguous", { plays: fitting.map((play) => play.text) });
};

/** The mover's side when every hop is made; a count is negative where checkers are missing. */
const netSide = (side: Side, hops: readonly Hop[]): Side => {
  const counts = [...side];
  for (const { from, to } of hops) {
    counts[from] = at(counts, from) - 1;
    counts[to] = at(counts, to) + 1;
  }
  return counts;
};

const isSameSide = (one: Side, other: Side): boolean =>
  one.every((count, place) => count === other[place]);

/** Whether two sides have the same checkers on points and bar; an ID does not say how many are off. */
const isSameOnBoard = (one: Side, other: Side): boolean =>
  one.every((count, place) => place === OFF || count === other[place]);

/** Whether the play passes every point given, and hits where hits are marked if any is. */
const agrees = ({ moves }: Play, hops: readonly Hop[]): boolean => {
  const touched = new Set(moves.flatMap(({ from, to }) => [from, to]));
  if (!hops.every(({ from, to }) => touched.has(from) && touched.has(to))) return false;
  const marked = new Set(hops.filter(({ hit }) => hit).map(({ to }) => to));
  const hit = new Set(moves.filter((move) => move.hit).map(({ to }) => to));
  return marked.size === 0 || (marked.size === hit.size && [...marked].every((to) => hit.has(to)));
};

/** The first reason that holds, the plainest first. */
const whyNot = (
  { position, dice, legal, hops }: Written,
  target: Side,
): readonly [Refusal, Facts?] => {
  const most = legal[0];
  if (most === undefined) return ["no-play-possible"];
  const missing = target.findIndex((count) => count < 0);
  if (missing >= 0) return ["no-checker-there", { place: printPlace(missing) }];
  if (at(target, BAR) > 0 && hops.some(({ from }) => from !== BAR)) return ["must-enter-first"];
  const closed = hops.find(({ to }) => isClosed(position.opponent, to));
  if (closed !== undefined) return ["point-closed", { place: printPlace(closed.to) }];
  const isOutside = target.slice(7).some((count) => count > 0);
  if (isOutside && hops.some(({ to }) => to === OFF)) return ["not-all-home"];
  if (hops.length === 0) return ["more-dice-must-be-played"];
  const part = partialPlays(position, dice).find(({ after }) => isSameSide(after.opponent, target));
  if (part === undefined) return ["not-this-roll"];
  return [
    part.moves.length < most.moves.length
      ? "more-dice-must-be-played"
      : "larger-die-must-be-played",
  ];
};

const isClosed = (opponent: Side, to: number): boolean =>
  to > OFF && to < BAR && at(opponent, mirrored(to)) > 1;

const refuse = (reason: Refusal, facts: Facts = {}) =>
  reject("play-not-legal", { reason, ...facts });
