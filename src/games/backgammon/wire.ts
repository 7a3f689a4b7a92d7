import { z } from "zod";
import type { EventLine } from "../../kernel/game.ts";
import { seat } from "../../kernel/seat.ts";
import { tableOptionsKept } from "../table-wire.ts";
import type { Command } from "./command.ts";
import { PLAIN_COMMANDS } from "./command.ts";
import type { Event } from "./event.ts";
import type { Options } from "./options.ts";
import { VARIANTS } from "./start.ts";
import type { State } from "./state.ts";
import { FORFEITS, OFFERS, WIN_REASONS } from "./state.ts";
import { WIN_KINDS } from "./value.ts";
import { WHYS } from "./view.ts";

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

const hop = z.strictObject({ from: z.int().min(1).max(25), to: z.int().min(0).max(24) });

/** The roll that a play is meant for: refused where the table has another. */
const meantFor = dice.optional().describe("The roll that it is meant for, in either order");

const winKind = z.enum(WIN_KINDS);

const PLAIN: Readonly<Record<(typeof PLAIN_COMMANDS)[number], string>> = {
  roll: "Roll the dice.",
  double: "Offer to double the cube, before the roll.",
  take: "Take the double, beaver or raccoon that is offered.",
  pass: "Pass it, and lose what the cube was set to before.",
  beaver: "Take a double and double again at once, keeping the cube.",
  raccoon: "Double once more after a beaver.",
  "accept-resignation": "Accept what the opponent offers to resign.",
  "refuse-resignation": "Refuse it: play goes on as it stood.",
  "resign-match":
    "Give up the whole match, whoever's turn it is. A money session ends with this game lost; it is whose it is by the points.",
  "next-game": "Ask for the next game, where the match waits for both seats to ask.",
};

const plainCommand = (type: (typeof PLAIN_COMMANDS)[number]) =>
  z
    .strictObject({ type: z.literal(type) })
    .meta({ id: componentOf(type), description: PLAIN[type], example: { type } });

/** `accept-resignation`: `AcceptResignation`. */
const componentOf = (type: string): string =>
  type.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

export const commandSchema = z
  .union([
    ...PLAIN_COMMANDS.map(plainCommand),
    z
      .strictObject({
        type: z.literal("play"),
        play: z.string().min(1).max(120).describe("Move text, read generously: `8/5 6/5`"),
        dice: meantFor,
      })
      .meta({
        id: "PlayByText",
        description: "Play the roll, named by its text.",
        example: { type: "play", play: "8/5 6/5" },
      }),
    z
      .strictObject({
        type: z.literal("play"),
        moves: z.array(hop).min(1).max(8).readonly(),
        dice: meantFor,
      })
      .meta({
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
      .strictObject({
        type: z.literal("play"),
        resultingPositionId: z.string().min(1).max(20),
        dice: meantFor,
      })
      .meta({
        id: "PlayByResult",
        description: "Play the roll, named by the GNU Position ID that it leads to.",
        example: { type: "play", resultingPositionId: "sGfwATDgc/ABMA" },
      }),
    z.strictObject({ type: z.literal("offer-resignation"), value: winKind }).meta({
      id: "OfferResignation",
      description:
        "Offer to lose the game as a single, gammon or backgammon, times the cube; the opponent accepts or refuses. What was refused is not offered again in the same turn.",
      example: { type: "offer-resignation", value: "single" },
    }),
  ])
  .meta({ id: "BackgammonCommand" }) satisfies z.ZodType<Command>;

const result = {
  game: z.int().min(1),
  reason: z
    .enum(WIN_REASONS)
    .describe("What ended it: the last checker, a passed double, a resignation, a lost match"),
  kind: winKind,
  points: z.int().min(1).describe("What it counted, the cube included"),
  cube: z.int().min(1),
  jacoby: z
    .literal(true)
    .optional()
    .describe("There where the Jacoby rule made it count as a single"),
  loserBorneOff: z.int().min(0).max(15),
  loserOnBar: z.int().min(0).max(15),
  loserInWinnersHome: z.int().min(0).max(15),
};

const cubeValue = z.int().min(1);

const eventSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("opening-rolled"),
    rolls: z.array(dice).min(1).readonly(),
    seat: seatOf,
    dice,
  }),
  z.strictObject({ type: z.literal("cube-turned"), value: cubeValue }),
  z.strictObject({ type: z.literal("roll-requested"), seat: seatOf }),
  z.strictObject({ type: z.literal("dice-rolled"), seat: seatOf, dice }),
  z.strictObject({ type: z.literal("opening-imported"), seat: seatOf, dice }),
  z.strictObject({ type: z.literal("dice-imported"), seat: seatOf, dice }),
  z.strictObject({ type: z.literal("turn-skipped"), seat: seatOf, dice }),
  z.strictObject({
    type: z.literal("played"),
    seat: seatOf,
    play: z.string(),
    moves: z.array(checkerMove).readonly(),
    automatic: z.literal(true).optional(),
  }),
  z.strictObject({ type: z.literal("cube-offered"), seat: seatOf, value: cubeValue }),
  z.strictObject({ type: z.literal("beavered"), seat: seatOf, value: cubeValue }),
  z.strictObject({ type: z.literal("raccooned"), seat: seatOf, value: cubeValue }),
  z.strictObject({ type: z.literal("cube-taken"), seat: seatOf, value: cubeValue, owner: seatOf }),
  z.strictObject({ type: z.literal("cube-passed"), seat: seatOf }),
  z.strictObject({
    type: z.literal("resignation-offered"),
    seat: seatOf,
    value: winKind,
    points: z.int().min(1),
  }),
  z.strictObject({ type: z.literal("resignation-accepted"), seat: seatOf }),
  z.strictObject({ type: z.literal("resignation-refused"), seat: seatOf }),
  z.strictObject({
    type: z.literal("resignation-recorded"),
    seat: seatOf,
    value: winKind,
    points: z.int().min(1),
  }),
  z.strictObject({ type: z.literal("next-game-asked"), seat: seatOf }),
  z.strictObject({ type: z.literal("match-resigned"), seat: seatOf }),
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
const sides = z.tuple([side, side]).readonly();
const cube = z.strictObject({ value: cubeValue, owner: seatOf.nullable() });
const score = z.tuple([z.int(), z.int()]).readonly();

const moneyRules = {
  jacoby: z.boolean(),
  beavers: z.boolean(),
  raccoons: z.boolean(),
  automaticDoubles: z.int(),
};

const optionsStateSchema = z.strictObject({
  variant: z.enum(VARIANTS),
  contest: z.discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("single-game"), ...moneyRules }),
    z.strictObject({ kind: z.literal("money-session"), ...moneyRules }),
    z.strictObject({ kind: z.literal("match"), length: z.int().min(1), crawford: z.boolean() }),
  ]),
  cubeLimit: z.int().min(1),
  autoRoll: z.boolean(),
  autoPlay: z.boolean(),
  nextGame: z.enum(["auto", "ask"]),
  ...tableOptionsKept,
  start: z
    .strictObject({
      sides,
      cube,
      score,
      crawford: z.boolean(),
      isDoubleOffered: z.boolean(),
    })
    .nullable(),
}) satisfies z.ZodType<Options>;

const table = {
  options: optionsStateSchema,
  sides,
  cube,
  isDoubled: z.boolean(),
  game: z.int().min(1),
  crawford: z.boolean(),
  score,
  results: z.array(z.strictObject({ winner: seatOf, ...result })).readonly(),
};

const refused = z.union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)]);
const onRoll = seatOf;

/** A state in a snapshot. Another shape: fold the log again. */
export const stateSchema = z.discriminatedUnion("phase", [
  z.strictObject({ ...table, phase: z.literal("opening") }),
  z.strictObject({ ...table, phase: z.literal("to-roll"), onRoll, refused }),
  z.strictObject({ ...table, phase: z.literal("rolling"), onRoll, refused }),
  z.strictObject({ ...table, phase: z.literal("to-play"), onRoll, dice, refused }),
  z.strictObject({
    ...table,
    phase: z.literal("take-or-pass"),
    onRoll,
    offer: z.enum(OFFERS),
    refused,
  }),
  z.strictObject({
    ...table,
    phase: z.literal("resignation-offered"),
    onRoll,
    value: winKind,
    interrupted: z.discriminatedUnion("phase", [
      z.strictObject({ phase: z.literal("to-roll") }),
      z.strictObject({ phase: z.literal("to-play"), dice }),
    ]),
  }),
  z.strictObject({
    ...table,
    phase: z.literal("between-games"),
    ready: z.tuple([z.boolean(), z.boolean()]).readonly(),
  }),
  z.strictObject({
    ...table,
    phase: z.literal("match-over"),
    onRoll,
    winner: seatOf.nullable(),
    reason: z.enum(["points", ...FORFEITS]),
  }),
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

const gameResultSchema = z
  .strictObject({ winner: seatNumber, ...result })
  .meta({ id: "BackgammonGameResult", description: "How a game ended, and why it counts so" });

export const viewSchema = z
  .strictObject({
    phase: z
      .enum([
        "opening",
        "to-roll",
        "rolling",
        "to-play",
        "take-or-pass",
        "resignation-offered",
        "between-games",
        "match-over",
      ])
      .describe("`to-roll`: may roll or double; `to-play`: has rolled and must play"),
    onRoll: seatNumber
      .optional()
      .describe("In `take-or-pass` the seat that doubled, in `match-over` the last game's loser"),
    dice: dice.optional().describe("Only where a roll is to be played"),
    cube: z
      .strictObject({
        value: cubeValue,
        owner: seatNumber.nullable(),
        offered: z.boolean(),
      })
      .describe("As before the double while one is offered"),
    cubeLimit: cubeValue.describe("The highest cube; 1: there is none"),
    offer: z
      .strictObject({
        by: seatNumber,
        kind: z.enum(OFFERS),
        cube: cubeValue.describe("The cube after a take"),
        passPoints: z.int().min(1).describe("What a pass loses"),
      })
      .optional()
      .describe("Only in `take-or-pass`"),
    resignation: z
      .strictObject({ by: seatNumber, value: winKind, points: z.int().min(1) })
      .optional()
      .describe("Only in `resignation-offered`"),
    ready: z
      .tuple([z.boolean(), z.boolean()])
      .readonly()
      .optional()
      .describe("Only in `between-games`: who has asked for the next game, [white, black]"),
    game: z.int().min(1).describe("The number of the game in the match"),
    length: z
      .int()
      .min(0)
      .optional()
      .describe("Points to win; 0 a money session; absent a single game"),
    score: pair,
    crawford: z.boolean().describe("Whether this is the Crawford game: no cube"),
    jacoby: z.boolean().describe("Gammons count as singles, as no double has been taken"),
    board: boardSchema,
    positionId: z.string().optional().describe("GNU Position ID with `onRoll` on roll"),
    matchId: z
      .string()
      .optional()
      .describe("GNU Match ID; absent where it cannot say the state. White is its player 0"),
    xgid: z
      .string()
      .optional()
      .describe("XGID with `onRoll` as the bottom player; absent where it cannot say the state"),
    games: z.array(gameResultSchema).readonly().describe("The games that have ended, in order"),
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

/** A command as the service lists it: it can be sent as it stands. */
export const listedCommandSchema = z.union([
  z.strictObject({ type: z.enum(PLAIN_COMMANDS) }),
  z.strictObject({ type: z.literal("play"), play: z.string(), dice: dice.optional() }),
  z.strictObject({ type: z.literal("offer-resignation"), value: winKind }),
]);

export const legalSchema = z
  .strictObject({
    commands: z
      .array(listedCommandSchema)
      .readonly()
      .describe("Commands that can be sent as they stand"),
    plays: z.array(playSchema).readonly().optional(),
    unavailable: z
      .array(z.strictObject({ type: z.string(), why: z.enum(WHYS) }))
      .readonly()
      .describe("Commands that a client may expect here, and why they are not open"),
  })
  .meta({ id: "BackgammonLegal" });

export const resultSchema = z
  .strictObject({
    winner: seatNumber.nullable().describe("null: a money session that ended level"),
    reason: z
      .enum(["points", ...FORFEITS])
      .describe("`points`, or why the match was lost before they decided it"),
    score: pair,
    games: z.array(gameResultSchema).readonly(),
  })
  .meta({ id: "BackgammonResult" });
