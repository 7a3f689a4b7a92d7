import { ok, type Rejection, type Result, reject } from "../../../kernel/result.ts";
import { FILE_GAMES_MAX, FILE_LENGTH_MAX } from "./table.ts";

/*
 * The syntax of SGF, FF[4] (red-bean.com/sgf/sgf4.html, "Basic (EBNF) definition"): game trees in parentheses,
 * nodes after semicolons, properties of upper-case letters with values in brackets.
 *
 * One pass with one index and a depth, so a megabyte of parentheses costs no stack. docs/decisions/0004 says
 * why this is ours.
 */

/** A property of a node. Values have their escapes and soft line breaks taken out. */
export interface SgfProperty {
  readonly name: string;
  readonly values: readonly string[];
  /** Where its name stands, from 1. */
  readonly line: number;
}

/** The properties of a node, in the order of the text. */
export type SgfNode = readonly SgfProperty[];

/**
 * The main lines of the game trees of a collection: each node's first child, variations left out.
 *
 * Lower-case letters in names are passed over, as FF[3] allows them.
 *
 * @returns one list of nodes a game tree, neither empty; or `file-not-readable` with the `line`, from 1
 */
export const parseSgfTrees = (
  text: string,
): Result<readonly (readonly SgfNode[])[], Rejection<"file-not-readable">> => {
  if (text.length > FILE_LENGTH_MAX) return refuse(1, "too-long");
  const reader: Reader = { text, index: text.startsWith("\uFEFF") ? 1 : 0, line: 1 };
  const trees: SgfNode[][] = [];
  let depth = 0;
  /** What stood last, parentheses and semicolons only; a tree needs a node before its first branch. */
  let last: "(" | ")" | ";" = ")";
  let isMain = true;
  for (;;) {
    skipSpace(reader);
    const character = text[reader.index];
    if (character === undefined) break;
    if (character === "(") {
      if (last === "(") return refuse(reader.line, "node-missing");
      if (depth === 0) {
        if (trees.length === FILE_GAMES_MAX) return refuse(reader.line, "too-many-games");
        trees.push([]);
        isMain = true;
      }
      depth++;
      last = "(";
      reader.index++;
    } else if (character === ")") {
      if (depth === 0 || last === "(") return refuse(reader.line, "parenthesis");
      // The first branch that ends is the end of the main line.
      isMain = false;
      depth--;
      last = ")";
      reader.index++;
    } else if (character === ";") {
      if (depth === 0 || last === ")") return refuse(reader.line, "node-outside-tree");
      last = ";";
      reader.index++;
      if (isMain) trees.at(-1)?.push([]);
    } else {
      if (last !== ";") return refuse(reader.line, "not-sgf");
      const property = readProperty(reader, isMain);
      if (property === undefined) return refuse(reader.line, "not-sgf");
      if (isMain) (trees.at(-1)?.at(-1) as SgfProperty[] | undefined)?.push(property);
    }
  }
  if (depth > 0) return refuse(reader.line, "parenthesis");
  return trees.length === 0 ? refuse(reader.line, "no-game") : ok(trees);
};

const refuse = (line: number, reason: string) => reject("file-not-readable", { line, reason });

interface Reader {
  readonly text: string;
  index: number;
  line: number;
}

const skipSpace = (reader: Reader): void => {
  for (; reader.index < reader.text.length; reader.index++) {
    const code = reader.text.charCodeAt(reader.index);
    if (code > 32) return;
    if (isLineEnd(reader, code)) reader.line++;
  }
};

/** Whether a line ends here: at a line feed, or at a carriage return without one. */
const isLineEnd = ({ text, index }: Reader, code: number): boolean =>
  code === 10 || (code === 13 && text.charCodeAt(index + 1) !== 10);

const readProperty = (reader: Reader, isKept: boolean): SgfProperty | undefined => {
  const { line } = reader;
  const start = reader.index;
  while (isLetter(reader.text.charCodeAt(reader.index))) reader.index++;
  const name = reader.text.slice(start, reader.index).replace(/[a-z]/g, "");
  if (name === "") return undefined;
  const values: string[] = [];
  for (;;) {
    skipSpace(reader);
    if (reader.text[reader.index] !== "[") break;
    const value = readValue(reader, isKept);
    if (value === undefined) return undefined;
    values.push(value);
  }
  return values.length === 0 ? undefined : { name, values, line };
};

const isLetter = (code: number): boolean =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122);

/** A line break after a backslash: not part of the text. */
const SOFT_BREAK = /\r\n|\n\r|[\r\n]/y;

/** A value from its `[` to behind its `]`; nothing if it does not end. */
const readValue = (reader: Reader, isKept: boolean): string | undefined => {
  const { text } = reader;
  let value = "";
  reader.index++;
  let start = reader.index;
  for (; reader.index < text.length; reader.index++) {
    const code = text.charCodeAt(reader.index);
    if (isLineEnd(reader, code)) reader.line++;
    if (text[reader.index] === "]") {
      if (isKept) value += text.slice(start, reader.index);
      reader.index++;
      return value;
    }
    if (text[reader.index] !== "\\") continue;
    if (isKept) value += text.slice(start, reader.index);
    reader.index++;
    SOFT_BREAK.lastIndex = reader.index;
    const broken = SOFT_BREAK.exec(text)?.[0].length ?? 0;
    start = reader.index + broken;
    if (broken > 0) {
      reader.line++;
      reader.index += broken - 1;
    }
  }
  return undefined;
};

/** A text as it stands in a value; colons need their escape in composed values only. */
export const escapeSgf = (text: string): string => text.replace(/[\\\]]/g, "\\$&");
