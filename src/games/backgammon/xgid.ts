import { unreachable } from "../../kernel/assert.ts";
import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import { at, BAR, checkers, mirrored, type Position, type Side } from "./board.ts";
import { CHECKERS_MAX } from "./position.ts";
import type { Fault, Player, Standing, StandingTurn } from "./standing.ts";
import { CUBE_VALUES, faultOf, POINTS_MAX } from "./standing.ts";

/*
 * eXtreme Gammon's XGID: ten fields between colons, `XGID=` before them. The board has 26 characters: the
 * top player's bar, the points 1..24 as the bottom player numbers them, the bottom player's bar. Capitals
 * are the bottom player's checkers, A 1 … O 15.
 *
 * Programs disagree about the board where the top player is on roll. Whoever is on roll, it is read as
 * GNU Backgammon reads it, capitals at the bottom. It is written with the side on roll at the bottom:
 * then all readings agree.
 */

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

/** The field to name where an XGID contradicts itself. */
const FIELD_OF = {
  "not-a-power-of-two": "cube",
  "not-a-match-length": "matchLength",
  "not-a-score-before-the-end": "matchLength",
  "not-a-crawford-score": "rules",
  "no-cube-in-a-crawford-game": "cube",
  "money-rules-in-a-match": "rules",
  "not-a-possible-double": "dice",
} as const satisfies Record<Fault, Field>;

const CUBE_LOG_MAX = CUBE_VALUES.length - 1;
/** What eXtreme Gammon writes where no limit is meant: 1024. */
const CUBE_LIMIT = 2 ** 10;

/**
 * The XGID, with the side on roll as the bottom player and turn 1, the larger die first. What the
 * standing does not say is written as eXtreme Gammon does by default: no beavers, limit 1024.
 *
 * @returns undefined for what no XGID says: an offer to resign, a limit that is no power of two up to
 *   32768, and what `faultOf` names
 */
export const printXgid = (standing: Standing): string | undefined => {
  const { position, turn, cube, score, matchLength, crawford, jacoby, beavers } = standing;
  const dice = diceText(turn);
  const limitLog = CUBE_VALUES.indexOf(standing.cubeLimit ?? CUBE_LIMIT);
  if (dice === undefined || limitLog < 0 || faultOf(standing) !== undefined) return undefined;
  const fields: Readonly<Record<Field, string | number>> = {
    board: boardText(position),
    cube: CUBE_VALUES.indexOf(cube.value),
    cubeOwner: { centre: 0, onRoll: 1, opponent: -1 }[cube.owner],
    turn: 1,
    dice,
    scoreBottom: score[0],
    scoreTop: score[1],
    rules: matchLength > 0 ? Number(crawford) : Number(jacoby) + 2 * Number(beavers ?? false),
    matchLength,
    cubeLimit: limitLog,
  };
  return `XGID=${FIELDS.map((name) => fields[name]).join(":")}`;
};

/**
 * Reads an XGID: ten fields between colons, `XGID=` before them or not. All or nothing.
 *
 * With turn -1 the top player is on roll. `D` keeps the double pending; its turn is the doubler's. `B`
 * and `R` (beaver, raccoon) are refused, as programs disagree about them. The Crawford flag is refused
 * unless exactly one player is one point away, `D` where the doubler could not double.
 *
 * @param checkersPerSide - how many a side has in all, 1..15: what is not on points or bar is off; 3 in
 *   hypergammon
 * @returns what it says, and the player on roll: 1 is the bottom player; or `position-not-readable` with
 *   the `field` and the `reason`
 */
export const parseXgid = (
  text: string,
  checkersPerSide: number = CHECKERS_MAX,
): Result<Standing & { readonly player: Player }, Rejection<"position-not-readable">> => {
  const fields = text
    .trim()
    .replace(/^XGID=/i, "")
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
  const limitLog = whole("cubeLimit", CUBE_LOG_MAX);
  if (limitLog < 0) return unreadable("cubeLimit", "not-a-power-of-two");

  const isBottomOnRoll = onRoll === "1";
  const standing: Standing = {
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
    crawford: matchLength > 0 && rules === 1,
    jacoby: matchLength === 0 && (rules & 1) === 1,
    beavers: matchLength === 0 && (rules & 2) === 2,
    cubeLimit: 2 ** limitLog,
  };
  const fault = faultOf(standing);
  if (fault !== undefined) return unreadable(FIELD_OF[fault], fault);
  return ok({ ...standing, player: isBottomOnRoll ? 1 : 0 });
};

const boardText = ({ onRoll, opponent }: Position): string => {
  let text = letter(at(opponent, BAR)).toLowerCase();
  for (let point = 1; point < BAR; point++) {
    const own = at(onRoll, point);
    text += own > 0 ? letter(own) : letter(at(opponent, mirrored(point))).toLowerCase();
  }
  return text + letter(at(onRoll, BAR));
};

/** A place by how many checkers it holds, 0..15. */
const letter = (count: number): string => "-ABCDEFGHIJKLMNO".charAt(count);

const diceText = (turn: StandingTurn): string | undefined => {
  switch (turn.phase) {
    case "to-roll":
      return "00";
    case "take-or-pass":
      return "D";
    case "to-play":
      return [...turn.dice].sort().reverse().join("");
    case "resignation-offered":
      return undefined;
    default:
      return unreachable(turn);
  }
};

/** The counts of one player's letters, A 1 … O 15, in the order of the string. */
const countsOf = (board: string, own: RegExp): number[] =>
  [...board].map((character) =>
    own.test(character) ? character.toLowerCase().charCodeAt(0) - "a".charCodeAt(0) + 1 : 0,
  );

/** The side of counts at its own places 1 … 25, with what is missing borne off. */
const sideOf = (counts: readonly number[], checkersPerSide: number): Side | undefined => {
  const off = checkersPerSide - checkers(counts);
  return off < 0 ? undefined : [off, ...counts.slice(1)];
};

const turnOf = (text: string): StandingTurn | undefined => {
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
