import { z } from "zod";

// A match as a file tells it, as JSON. Points are the mover's own; pairs are [white, black].

const seat = z.int().min(0).max(1);
const pair = z.tuple([z.int(), z.int()]).readonly();
const die = z.int().min(1).max(6);
const dice = z.tuple([die, die]).readonly();
const roll = z.strictObject({ seat, dice });
const side = z.array(z.int().min(0).max(15)).length(26).readonly();

const action = z.union([
  roll.extend({
    type: z.literal("play"),
    moves: z
      .array(z.strictObject({ from: z.int(), to: z.int(), hit: z.boolean() }))
      .readonly()
      .describe("One checker by one die each; none: no legal play. 25 is the bar, 0 off"),
  }),
  z.strictObject({ seat, type: z.enum(["double", "take", "pass", "beaver", "raccoon"]) }),
]);

const game = z.strictObject({
  score: pair.describe("Before the game"),
  crawford: z.boolean().optional(),
  start: z
    .strictObject({
      sides: z.tuple([side, side]).readonly().describe("0 off, points 1 to 24, 25 the bar"),
      cube: z.strictObject({ value: z.int(), owner: seat.nullable() }),
      onRoll: seat.optional(),
    })
    .optional()
    .describe("Where the game does not start as usual"),
  actions: z.array(action).readonly(),
  end: z
    .strictObject({
      winner: seat,
      points: z.int(),
      reason: z.enum(["played", "passed", "resigned"]),
    })
    .optional()
    .describe("Absent while the game is in play"),
  rolled: roll.optional().describe("The last roll, where it was not played any more"),
});

export const matchFileSchema = z
  .strictObject({
    players: z.tuple([z.string(), z.string()]).readonly(),
    length: z.int().describe("Points to win; 0 for money sessions and single games"),
    variant: z.string(),
    rules: z.strictObject({
      cube: z.literal(false).optional(),
      crawford: z.boolean().optional(),
      jacoby: z.boolean().optional(),
      beavers: z.boolean().optional(),
      cubeLimit: z.int().optional(),
      automaticDoubles: z.int().optional(),
    }),
    about: z.strictObject({ date: z.string() }),
    games: z.array(game).readonly(),
  })
  .meta({ id: "BackgammonFile", description: "A match as a file of other programs tells it" });
