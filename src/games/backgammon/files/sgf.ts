import { present } from "../../../kernel/assert.ts";
import { ok, type Rejection, type Result, reject } from "../../../kernel/result.ts";
import type { Seat } from "../../../kernel/seat.ts";
import type { Dice } from "../board.ts";
import { isHop } from "../play-text.ts";
import { BLACK, type BySeat, WHITE } from "../state.ts";
import type { FileAbout, FileGame, FileRoll, MatchFile } from "./record.ts";
import { placeOf } from "./sgf-point.ts";
import { type SgfRules, sgfRules } from "./sgf-rules.ts";
import { isSetUp, type SetUp, setUp, startOf, usualSetUp } from "./sgf-set-up.ts";
import { parseSgfTrees, type SgfNode, type SgfProperty } from "./sgf-syntax.ts";
import {
  addAnswer,
  addPlay,
  addRaise,
  endingOf,
  type FileTable,
  fileTable,
  type SaidEnd,
  usualStart,
} from "./table.ts";

/*
 * SGF for backgammon, GM[6] (red-bean.com/sgf/backgammon.html), as GNU Backgammon 1.07 writes it: a game tree a
 * game. Points are letters, `a` White's 1-point … `x` White's 24-point for both colours, `y` the bar, `z` off.
 */

/**
 * Reads a collection: its game trees are the games of one match, in order. Of each the main line is read;
 * comments, analysis and whatever else is not known is passed over.
 *
 * A position, a cube and the side on roll may be set up before the first action, not later. `double` in answer to a
 * double is a beaver, and in answer to that a raccoon. A game that the result ends and board and cube do not was
 * resigned, with `R` in `RE` or without.
 *
 * @returns what the file says; or `file-not-readable` with the `line`, from 1, and the `reason`
 */
export const parseSgf = (text: string): Result<MatchFile, Rejection<"file-not-readable">> => {
  const trees = parseSgfTrees(text);
  if (!trees.ok) return trees;
  let file: (Omit<MatchFile, "games"> & { readonly games: FileGame[] }) | undefined;
  for (const nodes of trees.value) {
    const root = present(nodes[0], "a tree has a node");
    const line = root[0]?.line ?? 1;
    const head = headOf(root);
    if ("reason" in head) return refuse(head);
    const game = gameOf(nodes, head);
    if ("reason" in game) return refuse(game);
    const { players, length, rules, about } = head;
    file ??= { players, length, variant: rules.variant, rules: rules.rules, about, games: [] };
    if (!isOneMatch(file, head)) return refuse({ line, reason: "trees-of-different-matches" });
    file.games.push(game);
  }
  return ok(present(file, "a collection has a tree"));
};

interface Fault {
  readonly line: number;
  readonly reason: string;
}

const refuse = ({ line, reason }: Fault) => reject("file-not-readable", { line, reason });

/** What the root of a game tree says. */
interface Head {
  readonly players: BySeat<string>;
  readonly length: number;
  readonly score: BySeat<number>;
  readonly rules: SgfRules;
  readonly about: FileAbout;
  readonly said: SaidEnd;
}

const isOneMatch = (file: MatchFile, head: Head): boolean =>
  file.length === head.length &&
  file.variant === head.rules.variant &&
  JSON.stringify(file.rules) === JSON.stringify(head.rules.rules) &&
  head.players.every((name, seat) => name === "" || name === file.players[seat]);

const headOf = (root: SgfNode): Head | Fault => {
  const property = (name: string) => root.find((one) => one.name === name);
  const values = (name: string) => property(name)?.values ?? [];
  const text = (name: string) => (values(name)[0] ?? "").replace(/\r\n|\n\r|[\r\n\t\v\f]/g, " ");
  const fault = (name: string, reason: string): Fault => ({
    line: property(name)?.line ?? root[0]?.line ?? 1,
    reason,
  });

  if (text("GM").trim() !== "6") return fault("GM", "not-backgammon");
  const numbers = { length: 0, ws: 0, bs: 0 };
  for (const value of values("MI")) {
    const [, key, number] = /^\s*(length|ws|bs)\s*:\s*(\d{1,5})\s*$/.exec(value) ?? [];
    if (key === "length" || key === "ws" || key === "bs") numbers[key] = Number(number);
    else if (/^\s*(?:length|ws|bs)\b/.test(value)) return fault("MI", "match-not-understood");
  }
  const rules = sgfRules(numbers.length, text("RU"), values("QR"));
  if (rules === undefined) return fault(property("RU") ? "RU" : "QR", "rule-not-known");
  const said = resultOf(text("RE"));
  if (said === "not-understood") return fault("RE", "result-not-understood");
  return {
    players: [text("PW"), text("PB")],
    length: numbers.length,
    score: [numbers.ws, numbers.bs],
    rules,
    about: aboutOf(text),
    said,
  };
};

const aboutOf = (text: (name: string) => string): FileAbout => {
  const date = /^\d{4}-\d\d-\d\d$/.exec(text("DT"))?.[0];
  const [event, round, place] = [text("EV"), text("RO"), text("PC")];
  return {
    ...(date === undefined ? {} : { date }),
    ...(event === "" ? {} : { event }),
    ...(round === "" ? {} : { round }),
    ...(place === "" ? {} : { place }),
  };
};

/** `W+4`, `W+4R`; nothing where the game has no result. */
const resultOf = (text: string): SaidEnd | "not-understood" => {
  const said = text.trim();
  if (/^(?:|0|\?|void|draw)$/i.test(said)) return undefined;
  const [, colour, points] = /^([bw])\+(\d{1,5})r?$/i.exec(said) ?? [];
  if (colour === undefined || Number(points) === 0) return "not-understood";
  return { winner: colour.toLowerCase() === "w" ? WHITE : BLACK, points: Number(points) };
};

/** A game while its nodes are read. The table is there from the first action on. */
interface Reading {
  readonly head: Head;
  readonly setUp: SetUp;
  table?: FileTable;
  /** Whose turn it is, where the file has said so since the last action. */
  turn?: Seat;
  rolled?: FileRoll;
}

const gameOf = (nodes: readonly SgfNode[], head: Head): FileGame | Fault => {
  const { variant } = head.rules;
  const reading: Reading = { head, setUp: usualSetUp(variant) };
  let line = 1;
  for (const node of nodes) {
    line = node[0]?.line ?? line;
    const actions = node.filter(isAction);
    if (actions.length > 1) return { line, reason: "two-actions-in-a-node" };
    const others = node.filter((property) => !isAction(property) && property.name !== "DI");
    const dice = node.filter(({ name }) => name === "DI");
    for (const property of [...others, ...dice, ...actions]) {
      const reason = readProperty(reading, property);
      if (reason !== undefined) return { line: property.line, reason };
    }
  }
  const table = tableOf(reading);
  if (typeof table === "string") return { line, reason: table };
  const ending = endingOf(table, head.said, reading.rolled);
  if (typeof ending === "string") return { line, reason: ending };
  // GNU Backgammon writes a wrong `PL` when it saves a position that it has loaded: the first action is right.
  if (reading.setUp.onRoll !== undefined && table.actions[0] !== undefined)
    reading.setUp.onRoll = table.actions[0].seat;
  const start = startOf(reading.setUp, variant);
  return {
    score: head.score,
    ...(head.length > 0 ? { crawford: head.rules.isCrawfordGame } : {}),
    ...(start === undefined || typeof start === "string" ? {} : { start }),
    actions: table.actions,
    ...ending,
  };
};

/** The table of the game, from its start if nothing was done yet; or why it cannot start so. */
const tableOf = (reading: Reading): FileTable | string => {
  if (reading.table !== undefined) return reading.table;
  const { variant } = reading.head.rules;
  const start = startOf(reading.setUp, variant) ?? usualStart(variant);
  if (typeof start === "string") return start;
  reading.table = fileTable(start);
  return reading.table;
};

const isAction = ({ name }: SgfProperty): boolean => name === "W" || name === "B";

const readProperty = (reading: Reading, property: SgfProperty): string | undefined => {
  const { name, values } = property;
  const value = (values[0] ?? "").trim();
  if (isSetUp(property))
    return reading.table === undefined ? setUp(reading.setUp, property) : "set-up-after-action";
  if (name === "PL") {
    if (!/^[wb]$/i.test(value)) return "player-not-known";
    const turn = value.toUpperCase() === "W" ? WHITE : BLACK;
    reading.turn = turn;
    if (reading.table === undefined) reading.setUp.onRoll = turn;
    return undefined;
  }
  if (name === "DI") {
    const dice = diceOf(value);
    if (dice === undefined) return "dice-not-understood";
    const { stage } = reading.table ?? {};
    const seat = reading.turn ?? (stage?.kind === "turn" ? stage.seat : undefined);
    if (seat !== undefined) reading.rolled = { seat, dice };
    return undefined;
  }
  if (!isAction(property)) return undefined;
  const table = tableOf(reading);
  if (typeof table === "string") return table;
  delete reading.turn;
  delete reading.rolled;
  return values.length === 1 ? act(table, name === "W" ? WHITE : BLACK, value) : "not-one-action";
};

/** What a `W` or `B` says; a reason if it cannot be done. */
const act = (table: FileTable, seat: Seat, text: string): string | undefined => {
  switch (text.toLowerCase()) {
    case "double":
    case "redouble":
    case "beaver":
    case "raccoon":
      return addRaise(table, seat);
    case "take":
      return addAnswer(table, seat, "take");
    case "drop":
    case "pass":
      return addAnswer(table, seat, "pass");
    default: {
      const dice = diceOf(text.slice(0, 2));
      const letters = text.slice(2);
      if (dice === undefined || !/^(?:[a-z]{2}){0,4}$/.test(letters))
        return "action-not-understood";
      const hops = [...letters.matchAll(/(.)(.)/g)].map(([, from = "", to = ""]) => ({
        from: placeOf(from, seat),
        to: placeOf(to, seat),
        hit: false,
      }));
      return hops.every(isHop) ? addPlay(table, seat, dice, hops) : "action-not-understood";
    }
  }
};

const diceOf = (text: string): Dice | undefined =>
  /^[1-6]{2}$/.test(text) ? [Number(text[0]), Number(text[1])] : undefined;
