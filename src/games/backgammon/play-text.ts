import { present } from "../../kernel/assert.ts";
import { BAR, type CheckerMove, OFF } from "./board.ts";

/** The longest text of a play that is read, in UTF-16 code units. The longest canonical one has 31. */
const PLAY_TEXT_MAX = 200;

/** One checker from a place to another by one die or more, as somebody wrote it. */
export interface Hop {
  /** 1..25, 25 the bar. */
  readonly from: number;
  /** 0..24, 0 off. */
  readonly to: number;
  /** Whether a hit is marked where it lands. */
  readonly hit: boolean;
}

/** A play as it was written: its hops, and the same text in the spelling of `printPlay`. */
export interface WrittenPlay {
  readonly hops: readonly Hop[];
  readonly text: string;
}

/**
 * The canonical text of a play: `13/7* 8/7`, `24/15`, `bar/21(2)`, `7/1*\/off`.
 *
 * The steps of one checker are joined, and points on the way are written only where it hits. A checker
 * goes as far as it can be taken. Checkers are in order of the point they leave, highest first, then of
 * the place they reach, highest first. Equal ones are written once with their number. A point that is
 * hit is marked at the first checker of the text that comes there, and only there: two checkers that
 * enter on one blot are `bar/21* bar/21`, since the second hits nothing.
 *
 * (The form of GNU Backgammon 1.07, but for the last rule.)
 *
 * @param moves - as in `Play`; the text does not depend on their order
 */
export const printPlay = (moves: readonly CheckerMove[]): string => {
  let unmarked = 0;
  for (const { to, hit } of moves) if (hit) unmarked |= 1 << to;
  let text = "";
  let last = "";
  let equal = 1;
  for (const path of pathsOf(moves)) {
    let written = printPlace(path[0] as number);
    for (let index = 1; index < path.length; index++) {
      const place = path[index] as number;
      const isHit = (unmarked & (1 << place)) !== 0;
      if (isHit) unmarked ^= 1 << place;
      if (isHit) written += `/${printPlace(place)}*`;
      else if (index === path.length - 1) written += `/${printPlace(place)}`;
    }
    if (written === last) {
      equal++;
      continue;
    }
    text += counted(equal);
    text += text === "" ? written : ` ${written}`;
    last = written;
    equal = 1;
  }
  return text + counted(equal);
};

const counted = (equal: number): string => (equal > 1 ? `(${equal})` : "");

/** A place as it is written: `bar`, `off` or the point. */
export const printPlace = (place: number): string =>
  place === BAR ? "bar" : place === OFF ? "off" : `${place}`;

/** The places that each checker touches: in order of the first, then of the last, highest first. */
const pathsOf = (moves: readonly CheckerMove[]): readonly (readonly number[])[] => {
  const steps = [...moves];
  if (steps.length > 1) steps.sort((a, b) => b.from - a.from || b.to - a.to);
  const paths: number[][] = [];
  let joined = 0;
  for (let index = 0; index < steps.length; index++) {
    if ((joined & (1 << index)) !== 0) continue;
    const { from, to } = steps[index] as CheckerMove;
    const path = [from, to];
    let end = to;
    // What a checker goes on from is lower, so it comes later.
    for (let next = index + 1; next < steps.length; next++) {
      const step = steps[next] as CheckerMove;
      if (step.from !== end || (joined & (1 << next)) !== 0) continue;
      joined |= 1 << next;
      end = step.to;
      path.push(end);
    }
    paths.push(path);
  }
  if (paths.length > 1)
    paths.sort((a, b) => (b[0] ?? 0) - (a[0] ?? 0) || (b.at(-1) ?? 0) - (a.at(-1) ?? 0));
  return paths;
};

/**
 * What somebody wrote, hop by hop; nothing about whether it can be played.
 *
 * Accepted: checkers in any order, separated by spaces, commas or semicolons; chains (`13/7*\/5`) or
 * single steps; `bar` or `25`, `off` or `0`, in any case; `-` for `/`; hits marked or not; `(2)` or
 * repeats; full-width digits and signs; words for dice that were not used (`pass`, `fan`, `no play`).
 *
 * @returns the hops, none where only such words are there; `undefined` if it is not the text of a play
 */
export const parsePlay = (text: string): WrittenPlay | undefined => {
  if (text.length > PLAY_TEXT_MAX) return undefined;
  const line = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\u2010-\u2015\u2212-]/g, "/")
    .replace(/[\s,;、]+/g, " ")
    .replace(/ ?\/ ?/g, "/")
    .replace(/ (?=[*(]\d?)/g, "")
    .replace(/\(?(?:pass|fan|dance|no (?:play|move)|cannot move)\)?/g, " ")
    .trim();
  const hops: Hop[] = [];
  const words: string[] = [];
  for (let rest = line; rest !== ""; ) {
    const [whole, chain, count] = CHECKER.exec(rest) ?? [];
    if (whole === undefined || chain === undefined) return undefined;
    rest = rest.slice(whole.length).trimStart();
    const places = chain.split("/").map(readPlace);
    const steps = places.slice(1).map((to, index) => ({
      from: present(places[index], "a hop starts somewhere").place,
      to: to.place,
      hit: to.hit,
    }));
    if (!steps.every(isHop)) return undefined;
    for (let left = Number(count ?? 1); left > 0; left--) hops.push(...steps);
    const printed = places.map(({ place, hit }) => `${printPlace(place)}${hit ? "*" : ""}`);
    words.push(`${printed.join("/")}${count === undefined || count === "1" ? "" : `(${count})`}`);
  }
  return line === "" && text.trim() === "" ? undefined : { hops, text: words.join(" ") };
};

/** Whether a checker can go so at all: forward, from a point or the bar to a point or off. */
export const isHop = ({ from, to }: Pick<Hop, "from" | "to">): boolean =>
  Number.isInteger(from) &&
  from > OFF &&
  from <= BAR &&
  Number.isInteger(to) &&
  to >= OFF &&
  to < from;

/** One checker's chain, and how many go so. */
const CHECKER = /^((?:bar|\d{1,2})(?:\/(?:bar|off|\d{1,2})\*?)+)(?:\(([1-9])\))?(?!\d)/;

const readPlace = (word: string): { readonly place: number; readonly hit: boolean } => {
  const name = word.replace("*", "");
  const place = name === "bar" ? BAR : name === "off" ? OFF : Number(name);
  return { place, hit: word.endsWith("*") };
};
