import { z } from "zod";
import type { Json } from "../../kernel/json.ts";
import type { Rejection, Result } from "../../kernel/result.ts";
import { err, ok } from "../../kernel/result.ts";
import type { Issue } from "../codec.ts";
import { reader } from "../codec.ts";
import { isTimedOnce, TIMED_ONCE, tableOptionsOf, tableOptionsWire } from "../table-wire.ts";
import { doubleRefusal } from "./cube.ts";
import { init } from "./evolve.ts";
import { notationsOf } from "./notated.ts";
import type { Contest, MoneyRules, Options, SetUp } from "./options.ts";
import {
  AUTOMATIC_DOUBLES_MAX,
  CUBE_LIMIT_DEFAULT,
  CUBE_LIMIT_MAX,
  LENGTH_MAX,
  moneyRules,
} from "./options.ts";
import { printPositionId } from "./position-id.ts";
import { readStanding } from "./position-setup.ts";
import { positionSchema } from "./position-wire.ts";
import { setUpOf } from "./set-up.ts";
import { VARIANTS, type Variant } from "./start.ts";
import { WHITE } from "./state.ts";

const MONEY_ONLY = "Money sessions and single games only";

/** What a clock counts a single game and a money session as, in points of a match. */
const SINGLE_GAME_POINTS = 1;
const SESSION_POINTS = 5;

export const optionsSchema = z
  .strictObject({
    ...tableOptionsWire,
    length: z
      .int()
      .min(0)
      .max(LENGTH_MAX)
      .optional()
      .describe("Points to win; 0 is a money session without end. Absent: a single game"),
    cube: z
      .boolean()
      .optional()
      .describe("Whether there is a doubling cube. Default true; a match to 1 has none"),
    cubeLimit: z
      .int()
      .min(2)
      .max(CUBE_LIMIT_MAX)
      .optional()
      .describe(`The highest cube, a power of two. Default ${CUBE_LIMIT_DEFAULT}`),
    crawford: z
      .boolean()
      .optional()
      .describe("Whether a match has its Crawford game. Default true; matches only"),
    jacoby: z
      .boolean()
      .optional()
      .describe(
        `Gammons count as singles until a double is taken. Default true in money sessions. ${MONEY_ONLY}`,
      ),
    beavers: z.boolean().optional().describe(`Default false. ${MONEY_ONLY}`),
    raccoons: z.boolean().optional().describe(`Default false; need beavers. ${MONEY_ONLY}`),
    automaticDoubles: z
      .int()
      .min(0)
      .max(AUTOMATIC_DOUBLES_MAX)
      .optional()
      .describe(`Opening ties that double the cube, at most. Default 0. ${MONEY_ONLY}`),
    autoRoll: z
      .boolean()
      .optional()
      .describe("Roll at once where the roller may not double. Default false"),
    autoPlay: z
      .boolean()
      .optional()
      .describe("Play at once where the roll has one legal play. Default false"),
    nextGame: z
      .enum(["auto", "ask"])
      .optional()
      .describe("`ask`: the next game begins when both seats sent `next-game`. Default `auto`"),
    start: positionSchema
      .optional()
      .describe(
        "A position to begin at, without dice: they come from the server. Whoever is on roll in it sits at seat 0. A Match ID or an XGID says the length, the score and the cube too, but not `cubeLimit`",
      ),
  })
  .refine(isTimedOnce, TIMED_ONCE)
  .meta({ id: "BackgammonOptions", example: { length: 7 } });

type Asked = z.infer<typeof optionsSchema>;

/** The options that a client gives, with their defaults, or what is wrong with them. */
export const readOptions = (variant: string, json: Json): Result<Options, readonly Issue[]> => {
  const named = VARIANTS.find((one) => one === variant);
  if (named === undefined) return wrong("", `no variant ${variant}`);
  const read = reader(optionsSchema)(json);
  if (!read.ok) return read;
  const begun = begunAt(named, read.value);
  if (!begun.ok) return begun;
  const { asked, start } = begun.value;
  const issues = contradictions(asked);
  if (issues.length > 0) return err(issues);
  const options = optionsOf(named, asked, start);
  if (start === null || isPossible(options, start)) return ok(options);
  return wrong("/start", "the cube does not stand so by these options");
};

interface Begun {
  /** What was asked, with what the start says besides the position. */
  readonly asked: Asked;
  readonly start: SetUp | null;
}

/** Reads the start, where there is one; a Match ID or an XGID decides what is played for. */
const begunAt = (variant: Variant, asked: Asked): Result<Begun, readonly Issue[]> => {
  const { start: setup } = asked;
  if (setup === undefined) return ok({ asked, start: null });
  const standing = readStanding({ position: setup, variant });
  if (!standing.ok) return wrong("/start", saidOf(standing.error));
  const start = setUpOf(standing.value);
  if (!start.ok) return wrong("/start", saidOf(start.error));
  const isMatchSaid = "xgid" in setup || ("positionId" in setup && setup.matchId !== undefined);
  if (!isMatchSaid) return ok({ asked, start: start.value });
  const { matchLength, jacoby, beavers, crawford } = standing.value;
  if (matchLength > LENGTH_MAX) {
    return wrong("/start", `a match is to ${LENGTH_MAX} points at most`);
  }
  if (asked.length !== undefined && asked.length !== matchLength) {
    return wrong("/length", `the start is of length ${matchLength}`);
  }
  if (crawford && asked.crawford === false) {
    return wrong("/crawford", "the start is of a Crawford game");
  }
  const money = matchLength > 0 ? {} : { jacoby, beavers: beavers ?? false };
  return ok({ asked: { ...money, ...asked, length: matchLength }, start: start.value });
};

const saidOf = ({ code, facts }: Rejection<string>): string => String(facts["reason"] ?? code);

/** Whether the cube may stand so, and the pending double have been made. */
const isPossible = (options: Options, { cube, isDoubleOffered, crawford }: SetUp): boolean =>
  cube.value <= options.cubeLimit &&
  !(isDoubleOffered && doubleRefusal({ options, crawford, cube }, WHITE) !== undefined);

const wrong = (pointer: string, message: string): Result<never, readonly Issue[]> =>
  err([{ pointer, message }]);

/** Members that the rest of the options leave no room for. What changes nothing is let pass. */
const contradictions = (asked: Asked): readonly Issue[] => {
  const isMatch = asked.length !== undefined && asked.length > 0;
  const { cubeLimit = 2 } = asked;
  const found: readonly (readonly [boolean, string, string])[] = [
    [isMatch && asked.jacoby === true, "jacoby", "is for money sessions and single games"],
    [isMatch && asked.beavers === true, "beavers", "are for money sessions and single games"],
    [isMatch && asked.raccoons === true, "raccoons", "are for money sessions and single games"],
    [
      isMatch && (asked.automaticDoubles ?? 0) > 0,
      "automaticDoubles",
      "are for money sessions and single games",
    ],
    [!isMatch && asked.crawford === true, "crawford", "is for matches"],
    [asked.length === 1 && asked.cube === true, "cube", "a match to 1 has no cube"],
    [asked.raccoons === true && asked.beavers !== true, "raccoons", "need beavers"],
    [(cubeLimit & (cubeLimit - 1)) !== 0, "cubeLimit", "must be a power of two"],
    [asked.cube === false && asked.cubeLimit !== undefined, "cubeLimit", "there is no cube"],
  ];
  return found.flatMap(([is, member, message]) =>
    is ? [{ pointer: `/${member}`, message: `${member} ${message}` }] : [],
  );
};

const optionsOf = (variant: Variant, asked: Asked, start: SetUp | null): Options => {
  const hasCube = asked.cube ?? asked.length !== 1;
  return {
    variant,
    contest: contestOf(asked, hasCube),
    cubeLimit: hasCube ? (asked.cubeLimit ?? CUBE_LIMIT_DEFAULT) : 1,
    autoRoll: asked.autoRoll ?? false,
    autoPlay: asked.autoPlay ?? false,
    nextGame: asked.nextGame ?? "auto",
    start,
    ...tableOptionsOf(asked, lengthInTime(asked)),
  };
};

const lengthInTime = ({ length = SINGLE_GAME_POINTS }: Asked): number =>
  length === 0 ? SESSION_POINTS : length;

const contestOf = (asked: Asked, hasCube: boolean): Contest => {
  const { length } = asked;
  if (length !== undefined && length > 0) {
    return { kind: "match", length, crawford: asked.crawford ?? true };
  }
  const isSession = length === 0;
  const rules: MoneyRules = {
    jacoby: asked.jacoby ?? (isSession && hasCube),
    beavers: asked.beavers ?? false,
    raccoons: asked.raccoons ?? false,
    automaticDoubles: asked.automaticDoubles ?? 0,
  };
  return { kind: isSession ? "money-session" : "single-game", ...rules };
};

/** The options in full, as `readOptions` takes them. */
export const printOptions = (options: Options): Asked => {
  const { contest, cubeLimit, autoRoll, autoPlay, nextGame, start } = options;
  const cube = cubeLimit === 1 ? { cube: false } : { cube: true, cubeLimit };
  const begun = start === null ? {} : { start: startOf(options, start) };
  const { clock, nudgeAfterSeconds } = options;
  const timed = {
    ...(clock === undefined ? {} : { clock }),
    ...(nudgeAfterSeconds === undefined ? {} : { nudgeAfterSeconds }),
  };
  const table = { ...cube, autoRoll, autoPlay, nextGame, ...timed, ...begun };
  switch (contest.kind) {
    case "match":
      return { length: contest.length, crawford: contest.crawford, ...table };
    case "money-session":
      return { length: 0, ...moneyRules(contest), ...table };
    default:
      return { ...moneyRules(contest), ...table };
  }
};

/** The start by its GNU IDs; a single game has no Match ID, which would make it a money session. */
const startOf = (options: Options, { sides: [onRoll, opponent] }: SetUp) => {
  const positionId = printPositionId({ onRoll, opponent });
  const { matchId } =
    options.contest.kind === "single-game"
      ? {}
      : notationsOf(init({ ...options, autoRoll: false }));
  return matchId === undefined ? { positionId } : { positionId, matchId };
};

/** The options of a log of ruleset `backgammon/1`, which knew a single game without the cube only. */
export const firstReleaseOptions = (variant: string): Result<Options, readonly Issue[]> =>
  readOptions(variant, { cube: false });
