import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import { checkers, type Dice, type Position, type Side } from "./board.ts";
import { CHECKERS_MAX } from "./position.ts";

/** What an XGID says, from the side of the player on roll. */
export interface Xgid {
  readonly position: Position;
  /** What the player on roll has done: nothing yet, offered a double, or rolled. */
  readonly turn:
    | { readonly phase: "to-roll" }
    | { readonly phase: "take-or-pass" }
    | { readonly phase: "to-play"; readonly dice: Dice };
  /** The cube as it stands: before the double while one is pending. `value` 1..32768. */
  readonly cube: { readonly value: number; readonly owner: "centre" | "onRoll" | "opponent" };
  /** Points of the player on roll and of the opponent. */
  readonly score: readonly [number, number];
  /** Points to win; 0 is a money session. */
  readonly matchLength: number;
  /** Whether this is the Crawford game. */
  readonly crawford: boolean;
  /** Options of money sessions; false in a match. */
  readonly jacoby: boolean;
  readonly beavers: boolean;
  /** The largest cube, 1..32768: information, since programs fill it in by habit. */
  readonly cubeLimit: number;
}

const FIELDS = [
  "board",
  "cube",
  "cubeOwner",
  "turn",
  "dice",
  "scoreBottom",
  "scoreTop",
  "rules",
  "matchLength",
  "cubeLimit",
] as const;
type Field = (typeof FIELDS)[number];

/** The largest match length and score: what 15 bits hold, as in GNU's Match ID. */
const POINTS_MAX = 32_767;
/** The largest power of two on the cube: what 4 bits hold, as in GNU's Match ID. */
const CUBE_LOG_MAX = 15;

/**
 * Reads an XGID: ten fields between colons, `XGID=` before them or not. All or nothing.
 *
 * The board is absolute, as GNU Backgammon reads it: capitals are the bottom player, who numbers the
 * points, whoever is on roll. With turn -1 the top player is on roll. `D` keeps the double pending; its
 * turn is the doubler's. `B` and `R` (beaver, raccoon) are refused, as programs disagree about them.
 * The Crawford flag is refused unless exactly one player is one point away.
 *
 * @param checkersPerSide - how many a side has in all, 1..15: what is not on points or bar is off; 3 in
 *   hypergammon
 * @returns what it says; or `position-not-readable` with the `field` and the `reason`
 */
export const parseXgid = (
  text: string,
  checkersPerSide: number = CHECKERS_MAX,
): Result<Xgid, Rejection<"position-not-readable">> => {
  const fields = text
    .trim()
    .replace(/^XGID=/, "")
    .split(":");
  if (fields.length !== FIELDS.length) return unreadable("fields", "not-ten-fields");
  const field = (name: Field): string => fields[FIELDS.indexOf(name)] ?? "";
  const whole = (name: Field, max: number): number => wholeOf(field(name), max);

  const board = field("board");
  if (!/^[-a-o][-A-Oa-o]{24}[-A-O]$/.test(board)) return unreadable("board", "not-a-board");
  const bottom = sideOf(countsOf(board, /[A-O]/), checkersPerSide);
  const top = sideOf(countsOf(board, /[a-o]/).reverse(), checkersPerSide);
  if (bottom === undefined || top === undefined) return unreadable("board", "too-many-checkers");

  const cubeLog = whole("cube", CUBE_LOG_MAX);
  if (cubeLog < 0) return unreadable("cube", "not-a-power-of-two");
  const owner = field("cubeOwner");
  if (!isSign(owner) && owner !== "0") return unreadable("cubeOwner", "not-1-0-or-minus-1");
  const onRoll = field("turn");
  if (!isSign(onRoll)) return unreadable("turn", "not-1-or-minus-1");
  const turn = turnOf(field("dice"));
  if (turn === undefined) return unreadable("dice", "not-00-D-or-two-dice");

  const matchLength = whole("matchLength", POINTS_MAX);
  if (matchLength < 0) return unreadable("matchLength", "not-a-match-length");
  const scoreMax = matchLength === 0 ? POINTS_MAX : matchLength - 1;
  const score = [whole("scoreBottom", scoreMax), whole("scoreTop", scoreMax)] as const;
  if (score[0] < 0) return unreadable("scoreBottom", "not-a-score-before-the-end");
  if (score[1] < 0) return unreadable("scoreTop", "not-a-score-before-the-end");
  const rules = whole("rules", matchLength === 0 ? 3 : 1);
  if (rules < 0) return unreadable("rules", "not-a-rules-number");
  const crawford = matchLength > 0 && rules === 1;
  if (crawford && score.filter((points) => points === matchLength - 1).length !== 1)
    return unreadable("rules", "not-a-crawford-score");
  const limitLog = whole("cubeLimit", CUBE_LOG_MAX);
  if (limitLog < 0) return unreadable("cubeLimit", "not-a-power-of-two");

  const isBottomOnRoll = onRoll === "1";
  return ok({
    position: isBottomOnRoll
      ? { onRoll: bottom, opponent: top }
      : { onRoll: top, opponent: bottom },
    turn,
    cube: {
      value: 2 ** cubeLog,
      owner: owner === "0" ? "centre" : owner === onRoll ? "onRoll" : "opponent",
    },
    score: isBottomOnRoll ? score : [score[1], score[0]],
    matchLength,
    crawford,
    jacoby: matchLength === 0 && (rules & 1) === 1,
    beavers: matchLength === 0 && (rules & 2) === 2,
    cubeLimit: 2 ** limitLog,
  });
};

/** The counts of one player's letters, A 1 … O 15, in the order of the string. */
const countsOf = (board: string, letters: RegExp): number[] =>
  [...board].map((letter) =>
    letters.test(letter) ? letter.toLowerCase().charCodeAt(0) - "a".charCodeAt(0) + 1 : 0,
  );

/** The side of counts at its own places 1 … 25, with what is missing borne off. */
const sideOf = (counts: readonly number[], checkersPerSide: number): Side | undefined => {
  const off = checkersPerSide - checkers(counts);
  return off < 0 ? undefined : [off, ...counts.slice(1)];
};

const turnOf = (text: string): Xgid["turn"] | undefined => {
  if (text === "00") return { phase: "to-roll" };
  if (text === "D") return { phase: "take-or-pass" };
  if (!/^[1-6]{2}$/.test(text)) return undefined;
  return { phase: "to-play", dice: [Number(text[0]), Number(text[1])] };
};

const isSign = (text: string): boolean => text === "1" || text === "-1";

/** A whole number 0..max in plain digits; -1 if it is none. */
const wholeOf = (text: string, max: number): number =>
  /^(?:0|[1-9]\d{0,4})$/.test(text) && Number(text) <= max ? Number(text) : -1;

const unreadable = (field: Field | "fields", reason: string) =>
  reject("position-not-readable", { notation: "xgid", field, reason });
