import { createRoute, z } from "@hono/zod-openapi";
import { convert, legalPlaysOf } from "../application/positions.ts";
import {
  convertedSchema,
  cubeSchema,
  positionSchema,
  variantSchema,
} from "../games/backgammon/position-wire.ts";
import { diceSchema, playSchema } from "../games/backgammon/wire.ts";
import { CONVERTED_EXAMPLE, PLAYS_EXAMPLE } from "./examples.ts";
import { refuse } from "./problem.ts";
import { router } from "./router.ts";
import { bodyProblems, jsonBody, jsonResponse, noQuery } from "./schemas.ts";

const postLegalPlays = createRoute({
  method: "post",
  path: "/v1/positions/legal-plays",
  operationId: "legalPlays",
  tags: ["Positions"],
  summary: "Every legal play of a roll",
  description:
    "One play for each distinct resulting position; an empty list where the roll has no legal play. Nothing is stored. What the position says besides where the checkers stand, dice too, plays no part.",
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          position: positionSchema,
          dice: diceSchema,
          variant: variantSchema.default("standard"),
        })
        .meta({ id: "LegalPlaysRequest" }),
      { position: { positionId: "4HPwATDgc/ABMA" }, dice: [3, 1] },
    ),
  },
  responses: {
    200: jsonResponse("The plays", z.strictObject({ plays: z.array(playSchema) }), PLAYS_EXAMPLE),
    ...bodyProblems("position-not-readable", "position-not-playable"),
  },
});

const postConvert = createRoute({
  method: "post",
  path: "/v1/positions/convert",
  operationId: "convertPosition",
  tags: ["Positions"],
  summary: "A position in every notation",
  description:
    "Reads GNU IDs, an XGID or a board, all or nothing, and writes all of them. What is said besides the position is under `match`. `cube` and `dice` add it to a Position ID alone or a board; beside a Match ID or an XGID, which say it, they are refused.",
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          position: positionSchema,
          cube: cubeSchema.optional(),
          dice: diceSchema.optional(),
          variant: variantSchema.default("standard"),
        })
        .meta({ id: "ConvertRequest" }),
      { position: { xgid: "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" } },
    ),
  },
  responses: {
    200: jsonResponse("The position", convertedSchema, CONVERTED_EXAMPLE),
    ...bodyProblems("position-not-readable", "position-not-playable", "position-said-twice"),
  },
});

/** Backgammon positions as a tool: nothing is stored. */
export const positionRoutes = () =>
  router()
    .openapi(postLegalPlays, (c) => {
      const { position, variant, dice } = c.req.valid("json");
      const plays = legalPlaysOf(position, variant, dice);
      return plays.ok ? c.json({ plays: [...plays.value] }, 200) : refuse(c, plays.error);
    })
    .openapi(postConvert, (c) => {
      const converted = convert(c.req.valid("json"));
      return converted.ok ? c.json(converted.value, 200) : refuse(c, converted.error);
    });
