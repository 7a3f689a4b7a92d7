import { z } from "@hono/zod-openapi";
import { NAME_LENGTH_MAX, STATUSES, VISIBILITIES } from "../application/match.ts";
import { FILE_FORMATS } from "../games/host.ts";
import { eventShapes, legalSchema, resultSchema, stateViewSchema } from "../games/wire.ts";
import { EVENT_EXAMPLE, EXAMPLE_ID } from "./examples.ts";
import { problemResponses } from "./problem.ts";
import type { ProblemCode } from "./problems.ts";

// What several resources share. A game's own schemas come from its folder.

export const nameSchema = z
  .string()
  .min(1)
  .refine((name) => [...name].length <= NAME_LENGTH_MAX, `at most ${NAME_LENGTH_MAX} characters`)
  .refine((name) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name), "no control characters")
  .refine((name) => name.trim() === name, "no space at either end")
  .refine((name) => name.normalize("NFC") === name, "in Unicode's composed form (NFC)")
  .describe("1 to 40 characters; everybody sees it, and no log line holds it");

/** Safe in a path and in a log; what comes first keeps `.` and `..` out. */
export const playerSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._:@-]{0,63}$/,
    "1 to 64 of letters, digits and . _ : @ -, the first a letter or digit",
  );

export const matchParams = z.object({
  id: z.string().describe("The match's id").meta({ example: EXAMPLE_ID }),
});

const KEY = /^[\x21-\x7e]{1,255}$/;

const idempotencyKey = z
  .string()
  .regex(KEY, "1 to 255 visible ASCII characters")
  .optional()
  .describe(
    "Makes a retry safe: the same key and request give the first answer again, byte for byte, with " +
      "`Idempotency-Replayed: true`. Opening a match without a token, at least 22 random characters.",
  );

export const openHeaders = z.object({ "idempotency-key": idempotencyKey });

export const conditionalHeaders = z.object({
  "if-none-match": z
    .string()
    .optional()
    .describe("The ETag that the client has: 304 while it is still the match's")
    .meta({ example: '"41"' }),
});

/** The name of the document's security scheme: a bearer token. */
export const BEARER = "bearer";

/** The query of an operation that takes none: an unknown parameter is refused by its name. */
export const noQuery = z.strictObject({});

/** A whole number in a query, in plain digits. */
export const wholeNumber = (range: {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}) =>
  z
    .string()
    .regex(/^-?\d{1,10}$/, "a whole number in digits")
    .transform(Number)
    .pipe(z.int().min(range.min).max(range.max))
    .default(range.default)
    .openapi({
      type: "integer",
      minimum: range.min,
      maximum: range.max,
      default: range.default,
    });

export const commandHeaders = z.object({
  "idempotency-key": idempotencyKey,
  "if-match": z
    .string()
    .regex(/^"(open-)?\d{1,9}"$/, 'an ETag of the match, such as "41"')
    .optional()
    .describe("The version that the command acts on; 412 if the match has moved on")
    .meta({ example: '"41"' }),
});

const instant = z.iso.datetime().describe("RFC 3339, UTC");

const seatViewSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({
      seat: z.int(),
      kind: z.literal("human"),
      name: z.string().optional(),
      player: z
        .string()
        .optional()
        .describe(
          "Who sits there, in the words of the app that opened the match; only it sees this",
        ),
    }),
    z.strictObject({ seat: z.int(), kind: z.literal("engine"), level: z.string() }),
    z.strictObject({ seat: z.int(), kind: z.literal("open") }),
  ])
  .meta({ id: "Seat", description: "A place at the match; in backgammon 0 is white, 1 is black" });

export const seatViewsSchema = z.array(seatViewSchema);

const nextSchema = z
  .strictObject({
    title: z.string(),
    method: z.enum(["GET", "POST"]),
    path: z.string(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.unknown().optional(),
  })
  .meta({ id: "Next", description: "A request that makes sense now" });

const linksSchema = z.record(z.string(), z.string()).describe("Paths of what belongs to the match");

const shared = {
  id: z.string().meta({ example: EXAMPLE_ID }),
  game: z.string(),
  variant: z.string(),
  options: z.looseObject({}),
  imported: z
    .enum(FILE_FORMATS)
    .optional()
    .describe("The file that it was imported from; the dice of that part are outside the audit"),
  visibility: z.enum(VISIBILITIES),
  seats: seatViewsSchema,
  you: z.int().optional().describe("The caller's seat, with a seat's token"),
  serverTime: instant,
  next: z.array(nextSchema).describe("The requests that make sense now"),
  links: linksSchema,
};

const clockSchema = z
  .strictObject({
    kind: z.enum(["fischer", "delay"]),
    remainingMs: z.array(z.int().min(0)).describe("By seat; an engine's time does not run"),
    delayLeftMs: z
      .array(z.int().min(0))
      .optional()
      .describe("With `delay`, by seat: runs before `remainingMs` does"),
    running: z.array(z.int()).describe("Seats whose time runs"),
    fallsAt: instant.optional().describe("The last moment in time, if nothing happens"),
  })
  .meta({ id: "Clock", description: "As of `serverTime`; the ETag does not change with it" });

const nudgeViewSchema = z
  .union([
    z.strictObject({
      seat: z.int().describe("The human seat that others wait for"),
      possibleAt: instant.describe("From then on it may be nudged"),
    }),
    z.strictObject({
      nudgedSeat: z.int(),
      deadline: instant.describe("The last moment in time: if it does not act, it loses"),
    }),
  ])
  .meta({
    id: "NudgeState",
    description: "With `nudgeAfterSeconds`, while a seat waits for another",
  });

export const matchSchema = z
  .discriminatedUnion("status", [
    z.strictObject({
      ...shared,
      status: z.literal("open"),
      claims: z.int().describe("Seats claimed so far"),
    }),
    z.strictObject({
      ...shared,
      status: z.enum(["playing", "over"]),
      version: z.int().describe("`seq` of the last line; the ETag is this in quotes"),
      score: z.array(z.int()).describe("Points by seat"),
      turn: z.union([
        z.strictObject({ kind: z.literal("seats"), seats: z.array(z.int()) }),
        z.strictObject({ kind: z.literal("over") }),
      ]),
      state: stateViewSchema,
      legal: legalSchema.optional().describe("What the caller may do, when it is on turn"),
      result: resultSchema.optional().describe("Once the match is over"),
      replyOwed: z.boolean().describe("An engine is on turn: `replies` lets it move"),
      clock: clockSchema.optional().describe("In a match with a clock"),
      nudge: nudgeViewSchema.optional(),
      fairness: z.strictObject({
        protocol: z.literal("fair/1"),
        grade: z.literal("D").describe("Where the dice come from: D, the server's committed card"),
        cards: z.array(z.string()),
        rolls: z.int(),
      }),
    }),
  ])
  .meta({ id: "Match", description: "A match as the caller may see it" });

const stamped = {
  seq: z.int().describe("0, 1, 2 …: no number is missing for anybody"),
  at: instant,
};

/** `dice-rolled` is documented as `DiceRolledEvent`. */
const eventName = (type: string): string =>
  `${type.replaceAll(/(^|-)([a-z])/g, (_, __, letter: string) => letter.toUpperCase())}Event`;

const gameEvents = eventShapes.map((shape) =>
  z.looseObject({ ...stamped, ...shape }).meta({ id: eventName(shape.type.value) }),
);

const hex = z.string().regex(/^[0-9a-f]{64}$/);

const rollEvent = z
  .looseObject({
    ...stamped,
    type: z.literal("roll"),
    roll: z.int().min(1).describe("Its number in the match"),
    kind: z.string().describe("`open` or `2d6`"),
    links: z.record(z.string(), hex.nullable()).describe("What was opened for it, by source"),
    out: z.array(z.array(z.int())).describe("The pairs of dice"),
  })
  .meta({ id: "RollEvent", description: "The proof of a roll; the game's event follows it" });

const closeEvent = z
  .looseObject({
    ...stamped,
    type: z.literal("close"),
    reason: z.string(),
    rolls: z.int(),
    next: hex.describe("The server's link of the roll that was not made"),
    result: resultSchema,
  })
  .meta({ id: "CloseEvent", description: "The last line of a match" });

const otherEvent = z.looseObject({ ...stamped, type: z.string() }).meta({
  id: "OtherEvent",
  description: "`open`, `entropy`, and types that later versions add: ignore what you do not know",
});

export const eventSchema = z.union([...gameEvents, rollEvent, closeEvent, otherEvent]).meta({
  id: "Event",
  description:
    "A line of the match's log as the caller may see it: of the game, or of the protocol (`open`, `roll`, `entropy`, `close`). To people, show the game's: `dice-rolled` says what a `roll` proves.",
  example: EVENT_EXAMPLE,
});

export const actedSchema = z
  .strictObject({
    match: matchSchema,
    events: z.array(eventSchema).describe("What has happened since the version acted on"),
    receipt: z.strictObject({
      seq: z.int().describe("The last line"),
      hash: z.string().describe("SHA-256 of the last line, hex: the whole log is fixed by it"),
    }),
  })
  .meta({ id: "Acted" });

const grantSchema = z
  .union([
    z.strictObject({ seat: z.int(), token: z.string() }),
    z.strictObject({ seat: z.int(), invite: z.string() }),
  ])
  .meta({
    id: "Grant",
    description:
      "A token to act for a seat with, or an invite to give away. Keep it: it is shown to nobody else.",
  });

export const openedSchema = z
  .strictObject({ match: matchSchema, seats: z.array(grantSchema) })
  .meta({ id: "Opened" });

export const statusSchema = z.enum(STATUSES);

/** Headers of an answer that shows a state of a match. */
export const matchAnswerHeaders = z.object({
  ETag: z.string().describe('The version in quotes, or `"open-n"` while a seat is open'),
  Location: z
    .string()
    .optional()
    .describe("Where the match is, once it was opened or a seat claimed"),
  "Idempotency-Replayed": z
    .literal("true")
    .optional()
    .describe("This is the answer that the first request with this key got"),
});

/** A JSON answer for an operation's document, with an example of it. */
export const jsonResponse = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  example: unknown,
) => ({
  description,
  content: { "application/json": { schema, example } },
});

/** A JSON answer that shows a state of a match. */
export const matchResponse = <Schema extends z.ZodType>(
  description: string,
  schema: Schema,
  example: unknown,
) => ({
  ...jsonResponse(description, schema, example),
  headers: matchAnswerHeaders,
});

/** The body of a request, for its operation's document. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema, example: unknown) => ({
  required: true,
  content: { "application/json": { schema, example } },
});

/** A body that may be left out; then the handler gets `{}`, without the schema's defaults. */
export const optionalBody = <Schema extends z.ZodType>(schema: Schema, example: unknown) => ({
  required: false,
  content: { "application/json": { schema, example } },
});

/** The problems that every request with a body may meet. */
export const bodyProblems = (...codes: readonly ProblemCode[]) =>
  problemResponses("body-too-large", "media-type-not-supported", ...codes);
