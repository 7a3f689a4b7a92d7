import { createRoute, z } from "@hono/zod-openapi";
import { convert, legalPlaysOf } from "../application/positions.ts";
import {
  convertedSchema,
  diceSchema,
  playSchema,
  positionSchema,
} from "../games/backgammon/wire.ts";
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
    "One play for each distinct resulting position; an empty list where the roll has no legal play. Nothing is stored.",
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({ position: positionSchema, dice: diceSchema })
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
  summary: "A position as Position ID and as board",
  description:
    "Reads a GNU Position ID, an XGID or a board; all or nothing. What an XGID says besides the position is under `match`.",
  request: {
    query: noQuery,
    body: jsonBody(z.strictObject({ position: positionSchema }).meta({ id: "ConvertRequest" }), {
      position: { xgid: "-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10" },
    }),
  },
  responses: {
    200: jsonResponse("The position", convertedSchema, CONVERTED_EXAMPLE),
    ...bodyProblems("position-not-readable", "position-not-playable"),
  },
});

/** Backgammon positions as a tool: nothing is stored. */
export const positionRoutes = () =>
  router()
    .openapi(postLegalPlays, (c) => {
      const { position, dice } = c.req.valid("json");
      const plays = legalPlaysOf(position, dice);
      return plays.ok ? c.json({ plays: [...plays.value] }, 200) : refuse(c, plays.error);
    })
    .openapi(postConvert, (c) => {
      const converted = convert(c.req.valid("json").position);
      return converted.ok ? c.json(converted.value, 200) : refuse(c, converted.error);
    });
