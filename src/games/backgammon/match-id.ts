import { ok, type Rejection, type Result, reject } from "../../kernel/result.ts";
import { at } from "./board.ts";
import { parseBits, printBits } from "./id-bits.ts";
import type { Fault, MatchStanding, Player, StandingTurn } from "./standing.ts";
import { CUBE_VALUES, faultOf } from "./standing.ts";
import { WIN_KINDS } from "./value.ts";

/*
 * GNU Backgammon's Match ID. 72 bits, the lowest bit of each byte and of each number first, in standard
 * Base64: 12 characters. It says everything of a state but where the checkers stand, which the Position
 * ID says, whether beavers are allowed, and the limit of the cube.
 *
 * While a double or a resignation waits for its answer, `decides` names the player who answers: the one
 * who offered is the other. Bit 66 is in the IDs of newer versions only: the Jacoby rule is off. GNU
 * Backgammon 1.07.001 sets it in matches too, where it means nothing.
 */

/** Where each field begins, and how many bits it has. */
const FIELDS = {
  cubeLog: [0, 4],
  cubeOwner: [4, 2],
  onRoll: [6, 1],
  crawford: [7, 1],
  gameState: [8, 3],
  decides: [11, 1],
  doubled: [12, 1],
  resigned: [13, 2],
  firstDie: [15, 3],
  secondDie: [18, 3],
  matchLength: [21, 15],
  scoreZero: [36, 15],
  scoreOne: [51, 15],
  jacobyOff: [66, 1],
  unused: [67, 5],
} as const satisfies Record<string, readonly [number, number]>;
type Field = keyof typeof FIELDS;
type Fields = Readonly<Record<Field, number>>;

const BITS = 72;
const CENTRED = 3;
const NOT_BEGUN = 0;
const PLAYING = 1;
/** Over, resigned and dropped: the game has ended. */
const ENDED = [2, 3, 4];

type Reason =
  | Fault
  | "not-12-base64-characters"
  | "unused-bits-set"
  | "not-a-cube-owner"
  | "not-a-game-state"
  | "game-is-over"
  | "game-not-begun"
  | "not-two-dice"
  | "nothing-to-answer";

/**
 * The GNU Match ID, 12 characters of the standard Base64 alphabet, with the larger die first.
 *
 * @param player - the player on roll
 * @returns undefined for what no Match ID says: see `faultOf`
 */
export const printMatchId = (standing: MatchStanding, player: Player): string | undefined => {
  if (faultOf(standing) !== undefined) return undefined;
  const { turn, cube, score, matchLength, crawford, jacoby } = standing;
  const other = 1 - player;
  const isOffered = turn.phase === "take-or-pass" || turn.phase === "resignation-offered";
  const byOpponent = turn.phase === "resignation-offered" && turn.by === "opponent";
  const dice = "dice" in turn && turn.dice !== undefined ? turn.dice : [0, 0];
  return printFields({
    cubeLog: CUBE_VALUES.indexOf(cube.value),
    cubeOwner: { centre: CENTRED, onRoll: player, opponent: other }[cube.owner],
    onRoll: player,
    crawford: crawford ? 1 : 0,
    gameState: PLAYING,
    decides: isOffered && !byOpponent ? other : player,
    doubled: turn.phase === "take-or-pass" ? 1 : 0,
    resigned: turn.phase === "resignation-offered" ? WIN_KINDS.indexOf(turn.value) + 1 : 0,
    firstDie: Math.max(...dice),
    secondDie: Math.min(...dice),
    matchLength,
    scoreZero: score[player],
    scoreOne: score[player === 0 ? 1 : 0],
    jacobyOff: jacoby ? 0 : 1,
    unused: 0,
  });
};

/**
 * What a GNU Match ID says, and the player who is on roll.
 *
 * Strict: 12 characters of the standard alphabet, unused bits 0, a game in play without contradiction.
 * Dice may stand in either order; with dice the game is in play even where its state says that none has
 * begun, as older programs write it. Two IDs may say the same: compare what they say.
 *
 * @returns what it says, without `beavers` and `cubeLimit`; or `position-not-readable` with the `reason`
 */
export const parseMatchId = (
  text: string,
): Result<MatchStanding & { readonly player: Player }, Rejection<"position-not-readable">> => {
  if (!/^[A-Za-z0-9+/]{12}$/.test(text)) return unreadable("not-12-base64-characters");
  const fields = parseFields(text);
  if (fields.unused !== 0) return unreadable("unused-bits-set");
  const turn = turnOf(fields);
  if (!turn.ok) return turn;
  const { cubeLog, cubeOwner, matchLength, scoreZero, scoreOne } = fields;
  const player = fields.onRoll === 0 ? 0 : 1;
  if (cubeOwner > 1 && cubeOwner !== CENTRED) return unreadable("not-a-cube-owner");
  const standing: MatchStanding = {
    turn: turn.value,
    cube: {
      value: 2 ** cubeLog,
      owner: cubeOwner === CENTRED ? "centre" : cubeOwner === player ? "onRoll" : "opponent",
    },
    score: player === 0 ? [scoreZero, scoreOne] : [scoreOne, scoreZero],
    matchLength,
    crawford: fields.crawford === 1,
    jacoby: matchLength === 0 && fields.jacobyOff === 0,
  };
  const fault = faultOf(standing);
  return fault === undefined ? ok({ ...standing, player }) : unreadable(fault);
};

const turnOf = (fields: Fields): Result<StandingTurn, Rejection<"position-not-readable">> => {
  const { gameState, firstDie, secondDie, resigned } = fields;
  if (ENDED.includes(gameState)) return unreadable("game-is-over");
  if (gameState !== PLAYING && gameState !== NOT_BEGUN) return unreadable("not-a-game-state");
  const isRolled = firstDie > 0 || secondDie > 0;
  if (isRolled && !(isDie(firstDie) && isDie(secondDie))) return unreadable("not-two-dice");
  if (gameState === NOT_BEGUN && !isRolled) return unreadable("game-not-begun");
  const rolled = isRolled ? { dice: [firstDie, secondDie] as const } : {};
  const isAnswered = fields.decides !== fields.onRoll;
  if (fields.doubled === 1) {
    if (isRolled || resigned > 0 || !isAnswered) return unreadable("not-a-possible-double");
    return ok({ phase: "take-or-pass" });
  }
  const value = WIN_KINDS[resigned - 1];
  if (value !== undefined) {
    const by = isAnswered ? "onRoll" : "opponent";
    return ok({ phase: "resignation-offered", value, by, ...rolled });
  }
  if (isAnswered) return unreadable("nothing-to-answer");
  return ok(isRolled ? { phase: "to-play", dice: [firstDie, secondDie] } : { phase: "to-roll" });
};

const isDie = (value: number): boolean => value >= 1 && value <= 6;

const printFields = (fields: Fields): string => {
  const bits: number[] = new Array(BITS).fill(0);
  for (const name of Object.keys(FIELDS) as readonly Field[]) {
    const [from, length] = FIELDS[name];
    for (let bit = 0; bit < length; bit++) bits[from + bit] = (fields[name] >> bit) & 1;
  }
  return printBits(bits);
};

const parseFields = (text: string): Fields => {
  const bits = parseBits(text);
  const numbers = Object.entries(FIELDS).map(([name, [from, length]]) => {
    let value = 0;
    for (let bit = length - 1; bit >= 0; bit--) value = 2 * value + at(bits, from + bit);
    return [name, value];
  });
  return Object.fromEntries(numbers) as Fields;
};

const unreadable = (reason: Reason) =>
  reject("position-not-readable", { notation: "matchId", reason });
