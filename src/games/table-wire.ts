import { z } from "zod";
import type { ClockOption, TableOptions } from "./table-options.ts";
import { usbgfClock } from "./table-options.ts";

// What belongs to the table and not to a game, on the wire: the clock, and the nudge.

const HOUR_S = 3_600;
/** The longest bank: a week. */
const BANK_S_MAX = 7 * 24 * HOUR_S;
const TURN_S_MAX = 24 * HOUR_S;
const NUDGE_S_MIN = 10;
/** Three days: being idle twice as long still ends before an untouched match counts as abandoned. */
const NUDGE_S_MAX = 3 * 24 * HOUR_S;

const bank = z.int().min(1).max(BANK_S_MAX);
const ofTurn = z.int().min(0).max(TURN_S_MAX);
const nudge = z.int().min(NUDGE_S_MIN).max(NUDGE_S_MAX);

const clockOption = z.discriminatedUnion("kind", [
  z
    .strictObject({
      kind: z.literal("fischer"),
      initialSeconds: bank,
      incrementSeconds: ofTurn.describe("Given when the turn leaves the seat"),
    })
    .describe("Time for the whole match, and an increment a turn"),
  z
    .strictObject({
      kind: z.literal("delay"),
      bankSeconds: bank,
      delaySeconds: ofTurn.describe("Once a turn, before the bank is touched"),
    })
    .describe("Simple (US) delay: a bank for the whole match, and a delay a turn"),
]) satisfies z.ZodType<ClockOption>;

/** The shared options as a client gives them; to be spread into a game's own. */
export const tableOptionsWire = {
  clock: z
    .union([
      z.literal("none"),
      ...clockOption.options,
      z.strictObject({ preset: z.literal("usbgf") }),
    ])
    .optional()
    .describe(
      "Default `none`. `usbgf`: 12 seconds' delay, 2 minutes a point of the match's length; a single game counts as 1, a money session as 5",
    ),
  nudgeAfterSeconds: nudge
    .optional()
    .describe(
      "Without a clock: a seat idle for so long may be nudged, and loses if it is idle for as long again. Default: never",
    ),
};

/** The shared options as they are kept in a state; to be spread into a game's own. */
export const tableOptionsKept = {
  clock: clockOption.exactOptional(),
  nudgeAfterSeconds: nudge.exactOptional(),
};

const givenSchema = z.object(tableOptionsWire);
type Given = z.infer<typeof givenSchema>;

/** A match is timed in one way at most: for the refinement of a game's options. */
export const isTimedOnce = ({ clock = "none", nudgeAfterSeconds }: Given): boolean =>
  clock === "none" || nudgeAfterSeconds === undefined;

/** What `isTimedOnce` says where it fails. */
export const TIMED_ONCE = {
  path: ["nudgeAfterSeconds"],
  message: "a match with a clock has no nudge: a flag falls instead",
};

/** The shared options of those given; a preset is written out, so that a log says what it meant. */
export const tableOptionsOf = (
  { clock = "none", nudgeAfterSeconds }: Given,
  points: number,
): TableOptions => ({
  ...(clock === "none" ? {} : { clock: "preset" in clock ? usbgfClock(points) : clock }),
  ...(nudgeAfterSeconds === undefined ? {} : { nudgeAfterSeconds }),
});

/** The one command that is no game's. */
export const nudgeSchema = z.strictObject({ type: z.literal("nudge") }).meta({
  id: "Nudge",
  description:
    "Urge the seat that the match waits for, where the option `nudgeAfterSeconds` allows it.",
  example: { type: "nudge" },
});

/** The line of a nudge. */
export const nudgedShape = {
  type: z.literal("nudged"),
  seat: z.int().min(0).describe("Who is to act"),
  by: z.int().min(0),
  deadline: z.iso.datetime().describe("The last moment in time; after it the seat loses"),
};
