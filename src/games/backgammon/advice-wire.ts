import { z } from "zod";
import { ADVICE_LEVELS, DECISION_KINDS, ERROR_CLASSES } from "./advice.ts";
import { diceSchema, listedCommandSchema, playSchema } from "./wire.ts";

// What engines say of positions.

/** How far the engine looks that is asked. */
export const adviceLevelSchema = z
  .enum(ADVICE_LEVELS)
  .describe(
    "How far the engine looks ahead: not at all, at every roll of the opponent, or at the one after it too. Default: `expert`",
  );

const chance = z.number().min(0).max(1);

const chancesSchema = z
  .strictObject({
    win: chance.describe("To win at all"),
    winGammon: chance.describe("To win a gammon or a backgammon"),
    winBackgammon: chance,
    loseGammon: chance.describe("To lose a gammon or a backgammon"),
    loseBackgammon: chance,
  })
  .meta({
    id: "Chances",
    description: "Of one side, the game played out without a cube; what is not won is lost",
  });

const equity = z.number();
const difference = z.number().max(0).describe("Less the best one's equity: 0 for the best");

/** What a position is worth. */
export const evaluationSchema = z
  .strictObject({
    chances: chancesSchema.describe("Of the side on roll, before its roll"),
    cubeless: equity.describe("Of the game played out at this cube"),
    cubeful: equity.describe("With the best use of the cube, now and later"),
  })
  .meta({
    id: "Evaluation",
    description:
      "Equities are of the side on roll, per unit of the cube as it stands; at a match score normalised likewise: 1 is to win the cube's points, −1 to lose them",
  });

/** A legal play in its rank. */
export const rankedPlaySchema = playSchema
  .extend({
    equity: equity.describe("Cubeful, of the side that plays, after the play"),
    difference,
    chances: chancesSchema.describe("Of the side that plays, after the play"),
    plies: z
      .int()
      .min(0)
      .max(2)
      .describe("Rolls looked ahead; fewer where the play was soon seen to be worse"),
  })
  .meta({ id: "RankedPlay" });

/** What to do with the cube. */
export const cubeAdviceSchema = z
  .strictObject({
    mayDouble: z
      .boolean()
      .describe("False where the cube is the opponent's, at its limit, or out of the game"),
    action: z.enum(["double", "noDouble"]).describe("Of the side on roll"),
    chances: chancesSchema.describe("Of the side on roll, before its roll"),
    response: z
      .enum(["take", "pass", "beaver"])
      .describe("Of the opponent, if doubled now; `beaver` only where beavers are allowed"),
    equities: z
      .strictObject({ noDouble: equity, doubleTake: equity, doublePass: equity })
      .describe("Of the side on roll, per unit of the cube as it stands"),
    takePoint: chance.describe(
      "The opponent takes from this chance of winning on, gammons being as likely as they are",
    ),
    tooGood: z.boolean().describe("To play on is worth more than the opponent's pass"),
  })
  .meta({ id: "CubeAdvice" });

/** A command that can be sent as it stands, in its rank. */
export const hintSchema = z
  .strictObject({
    command: listedCommandSchema,
    equity: equity.describe(
      "Of the seat that asks, cubeful, per unit of the cube as it stood before a double was offered; at a match score normalised likewise. Between games 0",
    ),
    difference,
    chances: chancesSchema.optional().describe("Of the seat that asks, after a play"),
  })
  .meta({ id: "Hint" });

const amount = z
  .strictObject({
    equity: z.number().describe("By the cube as it stood then: a won game less a lost one is 2"),
    worth: z.number().describe("In what the analysis says `worth` is"),
  })
  .meta({ id: "Amount", description: "A difference of worth to a seat" });

const place = {
  game: z.int().min(1).describe("The number of the game in the match"),
  seq: z.int().min(0).describe("The event in the log that it is about"),
  seat: z.int().min(0).max(1),
};

const plies = z.int().min(0).max(2);

const decisionSchema = z
  .strictObject({
    ...place,
    kind: z
      .enum(DECISION_KINDS)
      .describe("To play a roll; whether to double; the answer to a double; to resign; its answer"),
    done: z
      .string()
      .describe("A play's text, or what `choices` calls it; `double` has two answers"),
    best: z.string().describe("What was worth most; as `done` where nothing was lost"),
    choices: z
      .array(z.strictObject({ action: z.string(), equity }))
      .describe(
        "Of a play the best one and the one made, none where only one was legal; of others all that was open",
      ),
    error: amount.describe("What was lost, 0 or more"),
    class: z
      .enum(ERROR_CLASSES)
      .describe("An error costs 0.02 of equity or more, a blunder 0.08 or more"),
    counted: z.boolean().describe("Whether it counts for the rating"),
    plies: plies.describe("Rolls looked ahead"),
  })
  .meta({ id: "Decision" });

const rollLuckSchema = z
  .strictObject({
    ...place,
    dice: diceSchema,
    luck: amount.describe("What the roll was worth above the mean of all rolls; judged at 0 plies"),
  })
  .meta({ id: "RollLuck" });

const tally = z
  .strictObject({
    made: z.int(),
    counted: z.int().describe("Those that count for the rating"),
    errors: z.int(),
    blunders: z.int(),
    lost: amount.describe("By all that were made"),
  })
  .meta({ id: "Tally", description: "Decisions of one sort" });

const seatAnalysisSchema = z
  .strictObject({
    plays: tally,
    cube: tally.describe("Doubles, rolls without one, and answers"),
    resignations: tally.describe("They count for no rating"),
    errorRate: z
      .number()
      .optional()
      .describe("The mean equity lost by decisions that count, in thousandths; absent: none does"),
    performanceRating: z
      .number()
      .optional()
      .describe(
        "eXtreme Gammon's PR: the same mean times 500. What counts: plays, unless all were worth the same; doubles; answers; rolls without a double where that was wrong, or near and the side not behind",
      ),
    luck: amount.describe("The sum over the seat's rolls"),
    result: z.number().describe("What the games ended on the board have brought, as `worth`"),
    luckAdjusted: z.number().describe("The same without the luck of both seats: what is skill"),
  })
  .meta({ id: "SeatAnalysis" });

/** What was done well and badly in a match, and what was luck. */
export const analysisSchema = z
  .strictObject({
    build: z.string().describe("Names the engine and its weights"),
    plies: plies.describe("Rolls looked ahead at decisions"),
    worth: z
      .enum(["points", "match-chance"])
      .describe("What `worth` is everywhere: points, or the chance of winning the match, 0 to 1"),
    decisions: z.array(decisionSchema).describe("In the order of the log"),
    rolls: z.array(rollLuckSchema),
    seats: z.array(seatAnalysisSchema).describe("By seat"),
  })
  .meta({ id: "Analysis" });
