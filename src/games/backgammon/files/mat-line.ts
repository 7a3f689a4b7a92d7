import type { Dice } from "../board.ts";
import { type Hop, parsePlay } from "../play-text.ts";

/** One thing said in a line of a game. `column` is where it begins, from 0, tabs expanded. */
export type MatEntry = { readonly column: number } & (
  | { readonly kind: "play"; readonly dice: Dice; readonly hops: readonly Hop[] }
  /** `value`: the cube after it, where it is written. */
  | { readonly kind: "raise"; readonly value?: number }
  | { readonly kind: "take" | "pass" }
  | { readonly kind: "resign"; readonly dice?: Dice }
  | { readonly kind: "win"; readonly points: number }
);

/** A line of a .mat by itself. The line of the two players cannot be told by itself: it is `other`. */
export type MatLine =
  | { readonly kind: "blank" }
  | { readonly kind: "header"; readonly key: string; readonly value: string }
  | { readonly kind: "length"; readonly points: number }
  | { readonly kind: "game" }
  | { readonly kind: "entries"; readonly entries: readonly MatEntry[] }
  | { readonly kind: "other" };

/** The longest line that is read; comments may be longer. */
const LINE_MAX = 1000;

/**
 * What a line of a .mat says. Comments count as blank, except eXtreme Gammon's `; Set Pos=`, which sets a
 * position up in a way that is documented nowhere.
 */
export const matLine = (text: string): MatLine => {
  const line = text.trim();
  if (/^;\s*set\s*pos/i.test(line)) return { kind: "other" };
  if (line.startsWith(";")) return headerOf(line);
  if (line === "") return { kind: "blank" };
  if (line.length > LINE_MAX) return { kind: "other" };
  if (/^(?:unlimited|money)\s+(?:game|match|session)$/i.test(line))
    return { kind: "length", points: 0 };
  const length = /^(\d{1,5})[\s-]*points?\s+match\b/i.exec(line)?.[1];
  if (length !== undefined) return { kind: "length", points: Number(length) };
  if (/^game\s+\d{1,5}$/i.test(line)) return { kind: "game" };
  const entries = entriesOf(expanded(text));
  return entries === undefined ? { kind: "other" } : { kind: "entries", entries };
};

/** A header, `; [Key "Value"]`; anything else is a comment. Taken apart by hand: it is linear however long the line. */
const headerOf = (line: string): MatLine => {
  const bracketed = line.slice(1).trim();
  if (!bracketed.startsWith("[") || !bracketed.endsWith("]")) return { kind: "blank" };
  const inner = bracketed.slice(1, -1).trim();
  const opening = inner.indexOf('"');
  if (opening < 0 || opening === inner.length - 1 || !inner.endsWith('"')) return { kind: "blank" };
  const key = inner.slice(0, opening);
  const isKey = key !== key.trimEnd() && /^[\w ]+$/.test(key.trim());
  const value = inner.slice(opening + 1, -1);
  return isKey ? { kind: "header", key: key.trim().toLowerCase(), value } : { kind: "blank" };
};

/** The line with its tabs as spaces, eight columns a tab. */
const expanded = (text: string): string => {
  let line = "";
  for (const part of text.split(/(\t)/))
    line += part === "\t" ? " ".repeat(8 - (line.length % 8)) : part;
  return line;
};

const NUMBER = /\s*\d+\s*\)/y;
const DICE = /\s*([1-6])([1-6])\s*:/y;
/** Moves, or words that say that there are none. A number before a colon is the next roll. */
const MOVES =
  /(?:\s*(?:(?:bar|\d{1,2})(?:\s*[/-]\s*(?:bar|off|\d{1,2})\*?)+(?:\s*\([1-4]\))?(?![\d/])|cannot\s+move|\(?no\s+(?:play|move)\)?|dances?\b|fans?\b))*/iy;
const RESIGN = /\s*resign\w*(?:\s+(?:a\s+)?(?:single|gammon|backgammon)(?:\s+game)?)?/iy;
const RAISE = /\s*(?:re)?(?:doubles?|beavers?|raccoons?)(?:\s*(?:=>|to)\s*(\d{1,6}))?/iy;
const ANSWER = /\s*(?:(takes?|accepts?)|drops?|pass(?:es)?|rejects?)\b/iy;
const WIN = /\s*wins?\s+(\d{1,5})(?:\s*points?)?(?:\s+and\s+the\s+match)?\.?/iy;

/** The entries of a line; nothing if any of it is not understood. */
const entriesOf = (line: string): readonly MatEntry[] | undefined => {
  const entries: MatEntry[] = [];
  let index = 0;
  const next = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = index;
    const found = pattern.exec(line);
    if (found === null) return undefined;
    index = pattern.lastIndex;
    return found;
  };
  const isNumbered = next(NUMBER) !== undefined;
  while (line.slice(index).trim() !== "") {
    const column = line.length - line.slice(index).trimStart().length;
    const entry = entryAt(next);
    if (entry === undefined || entries.length === 3) return undefined;
    entries.push({ column, ...entry });
  }
  return isNumbered || entries.length > 0 ? entries : undefined;
};

type Entry = MatEntry extends infer One
  ? One extends MatEntry
    ? Omit<One, "column">
    : never
  : never;

const entryAt = (next: (pattern: RegExp) => RegExpExecArray | undefined): Entry | undefined => {
  const roll = next(DICE);
  if (roll !== undefined) {
    const dice: Dice = [Number(roll[1]), Number(roll[2])];
    const written = next(MOVES)?.[0].trim() ?? "";
    if (written === "" && next(RESIGN) !== undefined) return { kind: "resign", dice };
    const hops = written === "" ? [] : parsePlay(written.replace(/dances|fans/gi, "fan"))?.hops;
    return hops === undefined || hops.length > 4 ? undefined : { kind: "play", dice, hops };
  }
  const raise = next(RAISE);
  if (raise !== undefined)
    return raise[1] === undefined ? { kind: "raise" } : { kind: "raise", value: Number(raise[1]) };
  const answer = next(ANSWER);
  if (answer !== undefined) return { kind: answer[1] === undefined ? "pass" : "take" };
  const win = next(WIN);
  if (win !== undefined) return { kind: "win", points: Number(win[1]) };
  return next(RESIGN) === undefined ? undefined : { kind: "resign" };
};
