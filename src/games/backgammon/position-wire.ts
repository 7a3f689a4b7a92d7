import { z } from "zod";
import { CUBE_OWNERS, CUBE_VALUES, POINTS_MAX } from "./standing.ts";
import { VARIANTS } from "./start.ts";
import { WIN_KINDS } from "./value.ts";
import { diceSchema } from "./wire.ts";

// Positions as a tool takes and gives them: in every notation, from the side on roll.

const count = z.int().min(0).max(15);

const sideSetup = z
  .strictObject({
    points: z
      .record(z.string().regex(/^([1-9]|1[0-9]|2[0-4])$/, "a point is 1 to 24"), count)
      .describe('Checkers by point, the side\'s own: `{"6": 5, "8": 3}`'),
    bar: count.optional().describe("Default 0"),
    off: count
      .optional()
      .describe("Default: what the points and the bar leave; all together are the variant's"),
  })
  .meta({ id: "SideSetup" });

const boardSetup = z.strictObject({ onRoll: sideSetup, opponent: sideSetup });

/** A position in one of the notations that clients use. */
export const positionSchema = z
  .union([
    z.strictObject({
      positionId: z.string().max(40),
      matchId: z.string().max(40).optional().describe("The GNU Match ID that belongs to it"),
    }),
    z.strictObject({ xgid: z.string().max(120) }),
    z.strictObject({ board: boardSetup }),
  ])
  .meta({
    id: "Position",
    description:
      "A GNU Position ID, alone or with its Match ID, an XGID, or a board with each side's own points",
    example: { positionId: "4HPwATDgc/ABMA" },
  });

/** How many checkers a side has where the notation does not say it. */
export const variantSchema = z
  .enum(VARIANTS)
  .describe(
    "Whose checkers these are: 15 a side, 3 in hypergammon; what is on no point and not on the bar is off",
  );

const points = z.int().min(0).max(POINTS_MAX);
const score = z.tuple([points, points]).readonly().describe("[onRoll, opponent]");

const cubeValue = z
  .int()
  .min(1)
  .max(Math.max(...CUBE_VALUES));

const cube = {
  value: cubeValue.describe("A power of two"),
  owner: z.enum(CUBE_OWNERS),
  matchLength: points.describe("Points to win; 0 is a money session"),
  score,
  crawford: z.boolean().describe("This is the Crawford game"),
  jacoby: z.boolean().describe("The Jacoby rule; of money sessions only"),
  beavers: z.boolean().describe("Beavers are allowed; of money sessions only"),
};

/** The cube and the match around a position that does not say them. */
export const cubeSchema = z
  .strictObject({
    value: cube.value.optional().describe("A power of two; default 1"),
    owner: cube.owner.optional().describe("Default `centre`"),
    matchLength: cube.matchLength.optional(),
    score: cube.score
      .optional()
      .describe("[onRoll, opponent], default [0, 0]; only with `matchLength`"),
    crawford: cube.crawford
      .optional()
      .describe(
        "This is the Crawford game. Default false: with one side a point away that is a game after it, with the cube",
      ),
    jacoby: cube.jacoby.optional(),
    beavers: cube.beavers.optional(),
  })
  .meta({
    id: "Cube",
    description:
      "The cube and the match, from the side on roll. By default a centred cube at 1 in a money session without the Jacoby rule. One that has an owner is at 2 or more; in a match one in the centre is at 1",
    example: { value: 2, owner: "onRoll", matchLength: 7, score: [2, 3] },
  });

const turn = z.union([
  z.strictObject({ phase: z.enum(["to-roll", "take-or-pass"]) }),
  z.strictObject({ phase: z.literal("to-play"), dice: diceSchema }),
  z.strictObject({
    phase: z.literal("resignation-offered"),
    value: z.enum(WIN_KINDS),
    by: z.enum(["onRoll", "opponent"]),
    dice: diceSchema.optional().describe("The roll to be played if the offer is refused"),
  }),
]);

/** A position in every notation. */
export const convertedSchema = z
  .strictObject({
    positionId: z.string().describe("GNU Position ID"),
    matchId: z.string().describe("GNU Match ID"),
    gnubgId: z.string().describe("Both GNU IDs with a colon between"),
    xgid: z
      .string()
      .optional()
      .describe(
        "With the side on roll as the bottom player; absent where a resignation is offered",
      ),
    board: boardSetup,
    pips: z.strictObject({ onRoll: z.int(), opponent: z.int() }),
    match: z
      .strictObject({
        turn: turn.describe(
          "`take-or-pass`: the side on roll has doubled, and `cube` is still as before",
        ),
        cube: z.strictObject({ value: cube.value, owner: cube.owner }),
        score,
        matchLength: cube.matchLength,
        crawford: cube.crawford,
        jacoby: cube.jacoby,
        beavers: cube.beavers.optional().describe("Absent where the notation cannot say it"),
        cubeLimit: cubeValue.optional().describe("Absent where it is not said"),
      })
      .describe("What is said besides the position, or the defaults"),
  })
  .meta({ id: "ConvertedPosition" });
