import { z } from "zod";
import type { EventLine } from "../../kernel/game.ts";
import { seat } from "../../kernel/seat.ts";
import {
  isTimedOnce,
  TIMED_ONCE,
  tableOptionsKept,
  tableOptionsOf,
  tableOptionsWire,
} from "../table-wire.ts";
import type { Command } from "./command.ts";
import type { Event } from "./event.ts";
import { VARIANTS } from "./start.ts";
import type { Options, State } from "./state.ts";
import { WIN_REASONS } from "./state.ts";

/** Seat 0 is white, seat 1 is black. */
const seatNumber = z.int().min(0).max(1).describe("0 is white, 1 is black");
const seatOf = z.int().min(0).max(1).transform(seat);
const die = z.int().min(1).max(6);
const dice = z.tuple([die, die]).readonly();

/** A roll, in either order. */
export const diceSchema = dice.meta({
  description: "A roll; the order says nothing",
  example: [3, 1],
});

const place = z.int().min(0).max(25);
const checkerMove = z
  .strictObject({
    from: place.describe("The mover's point; 25 is the bar"),
    to: place.describe("The mover's point; 0 is off"),
    die,
    hit: z.boolean().describe("The checker hits a blot on `to`"),
  })
  .meta({ id: "CheckerMove", description: "One checker by one die, in the mover's points" });

const optionsWire = z.strictObject(tableOptionsWire).refine(isTimedOnce, TIMED_ONCE).meta({
  description: "How a single game is timed; the variant is named beside the options.",
});

/** A client's options with the variant that it named. */
export const optionsSchema = optionsWire;

/** The points that a single game counts as, for a clock that depends on the match's length. */
const SINGLE_GAME_POINTS = 1;

export const optionsOf = (
  variant: (typeof VARIANTS)[number],
  given: z.infer<typeof optionsWire>,
): Options => ({ variant, ...tableOptionsOf(given, SINGLE_GAME_POINTS) });

const hop = z.strictObject({ from: z.int().min(1).max(25), to: z.int().min(0).max(24) });

export const commandSchema = z
  .union([
    z
      .strictObject({ type: z.literal("roll") })
      .meta({ id: "Roll", description: "Roll the dice.", example: { type: "roll" } }),
    z
      .strictObject({
        type: z.literal("play"),
        play: z.string().min(1).max(120).describe("Move text, read generously: `8/5 6/5`"),
      })
      .meta({
        id: "PlayByText",
        description: "Play the roll, named by its text.",
        example: { type: "play", play: "8/5 6/5" },
      }),
    z.strictObject({ type: z.literal("play"), moves: z.array(hop).min(1).max(8).readonly() }).meta({
      id: "PlayByMoves",
      description: "Play the roll, named by its checker moves; points are the mover's own.",
      example: {
        type: "play",
        moves: [
          { from: 8, to: 5 },
          { from: 6, to: 5 },
        ],
      },
    }),
    z
      .strictObject({ type: z.literal("play"), resultingPositionId: z.string().min(1).max(20) })
      .meta({
        id: "PlayByResult",
        description: "Play the roll, named by the GNU Position ID that it leads to.",
        example: { type: "play", resultingPositionId: "sGfwATDgc/ABMA" },
      }),
  ])
  .meta({ id: "BackgammonCommand" }) satisfies z.ZodType<Command>;

const result = {
  game: z.int().min(1),
  reason: z.enum(WIN_REASONS),
  kind: z.enum(["single", "gammon", "backgammon"]),
  points: z.int().min(1),
  cube: z.int().min(1),
  loserBorneOff: z.int().min(0).max(15),
  loserOnBar: z.int().min(0).max(15),
  loserInWinnersHome: z.int().min(0).max(15),
};

const eventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("opening-rolled"),
    rolls: z.array(dice).min(1).readonly(),
    seat: seatOf,
    dice,
  }),
  z.strictObject({ type: z.literal("roll-requested"), seat: seatOf }),
  z.strictObject({ type: z.literal("dice-rolled"), seat: seatOf, dice }),
  z.strictObject({ type: z.literal("turn-skipped"), seat: seatOf, dice }),
  z.strictObject({
    type: z.literal("played"),
    seat: seatOf,
    play: z.string(),
    moves: z.array(checkerMove).readonly(),
  }),
  z.strictObject({
    type: z.literal("seat-forfeited"),
    seat: seatOf,
    reason: z.enum(["flag-fall", "idle", "abandoned"]),
  }),
  z.strictObject({ type: z.literal("game-won"), winner: seatOf, ...result }),
]) satisfies z.ZodType<Event>;

/** Each event's members by its type, for the document. */
export const eventShapes = eventSchema.options.map((option) => option.shape);

/** The event as the log shows it: backgammon hides nothing. */
export const splitEvent = (event: Event): EventLine => event as unknown as EventLine;

/** The event of a logged line, checked. Throws where the log holds what no release has written. */
export const joinEvent = (line: EventLine): Event => eventSchema.parse(line);

const side = z.array(z.int().min(0).max(15)).length(26).readonly();
const table = {
  options: z.strictObject({ variant: z.enum(VARIANTS), ...tableOptionsKept }),
  sides: z.tuple([side, side]).readonly(),
  cube: z.strictObject({ value: z.int().min(1), owner: seatOf.nullable() }),
  game: z.int().min(1),
  score: z.tuple([z.int(), z.int()]).readonly(),
  results: z.array(z.strictObject({ winner: seatOf, ...result })).readonly(),
};

/** A state in a snapshot. Another shape: fold the log again. */
export const stateSchema = z.discriminatedUnion("phase", [
  z.strictObject({ ...table, phase: z.literal("opening") }),
  z.strictObject({ ...table, phase: z.literal("to-roll"), onRoll: seatOf }),
  z.strictObject({ ...table, phase: z.literal("rolling"), onRoll: seatOf }),
  z.strictObject({ ...table, phase: z.literal("to-play"), onRoll: seatOf, dice }),
  z.strictObject({ ...table, phase: z.literal("match-over"), onRoll: seatOf, winner: seatOf }),
]) satisfies z.ZodType<State>;

const pair = z.tuple([z.int(), z.int()]).readonly().describe("[white, black]");

export const boardSchema = z
  .strictObject({
    points: z
      .array(z.int().min(-15).max(15))
      .length(24)
      .readonly()
      .describe("`points[i]` is white's point i+1: positive white's checkers, negative black's"),
    bar: pair,
    off: pair,
    pips: pair,
  })
  .meta({ id: "BackgammonBoard" });

export const viewSchema = z
  .strictObject({
    phase: z
      .enum(["opening", "to-roll", "rolling", "to-play", "match-over"])
      .describe("`to-roll`: may roll; `to-play`: has rolled and must play"),
    onRoll: seatNumber.optional(),
    dice: dice.optional().describe("Only in `to-play`"),
    cube: z.strictObject({
      value: z.int().min(1),
      owner: seatNumber.nullable(),
      offered: z.boolean(),
    }),
    game: z.int().min(1).describe("The number of the game in the match"),
    crawford: z.boolean(),
    board: boardSchema,
    positionId: z.string().optional().describe("GNU Position ID with `onRoll` on roll"),
  })
  .meta({ id: "BackgammonState" });

export const playSchema = z
  .strictObject({
    play: z.string(),
    moves: z.array(checkerMove).readonly(),
    resultingPositionId: z
      .string()
      .describe("GNU Position ID after the play, with the opponent on roll"),
  })
  .meta({ id: "Play", description: "A legal play; points are the mover's own" });

export const legalSchema = z
  .strictObject({
    commands: z
      .array(
        z.union([
          z.strictObject({ type: z.literal("roll") }),
          z.strictObject({ type: z.literal("play"), play: z.string() }),
        ]),
      )
      .readonly()
      .describe("Commands that can be sent as they stand"),
    plays: z.array(playSchema).readonly().optional(),
    unavailable: z
      .array(z.strictObject({ type: z.string(), why: z.string() }))
      .readonly()
      .describe("Commands that a client may expect here, and why they are not open"),
  })
  .meta({ id: "BackgammonLegal" });

const gameResultSchema = z
  .strictObject({ winner: seatNumber, ...result })
  .meta({ id: "BackgammonGameResult", description: "How a game ended, and why it counts so" });

export const resultSchema = z
  .strictObject({
    winner: seatNumber,
    score: pair,
    games: z.array(gameResultSchema).readonly(),
  })
  .meta({ id: "BackgammonResult" });

const count = z.int().min(0).max(15);

const sideSetup = z
  .strictObject({
    points: z
      .record(z.string().regex(/^([1-9]|1[0-9]|2[0-4])$/, "a point is 1 to 24"), count)
      .describe('Checkers by point, the side\'s own: `{"6": 5, "8": 3}`'),
    bar: count.optional().describe("Default 0"),
    off: count.optional().describe("Default 0"),
  })
  .meta({ id: "SideSetup" });

const boardSetup = z.strictObject({ onRoll: sideSetup, opponent: sideSetup });

export const positionSchema = z
  .union([
    z.strictObject({ positionId: z.string().max(40) }),
    z.strictObject({ xgid: z.string().max(120) }),
    z.strictObject({ board: boardSetup }),
  ])
  .meta({
    id: "Position",
    description: "A GNU Position ID, an XGID, or a board with each side's own points",
    example: { positionId: "4HPwATDgc/ABMA" },
  });

export const convertedSchema = z
  .strictObject({
    positionId: z.string(),
    board: boardSetup,
    pips: z.strictObject({ onRoll: z.int(), opponent: z.int() }),
    match: z
      .strictObject({
        turn: z.union([
          z.strictObject({ phase: z.enum(["to-roll", "take-or-pass"]) }),
          z.strictObject({ phase: z.literal("to-play"), dice }),
        ]),
        cube: z.strictObject({ value: z.int(), owner: z.enum(["centre", "onRoll", "opponent"]) }),
        score: z.tuple([z.int(), z.int()]).readonly().describe("[onRoll, opponent]"),
        matchLength: z.int(),
        crawford: z.boolean(),
        jacoby: z.boolean(),
        beavers: z.boolean(),
        cubeLimit: z.int(),
      })
      .optional()
      .describe("What an XGID says besides the position"),
  })
  .meta({ id: "ConvertedPosition" });
