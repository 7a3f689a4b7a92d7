import { createRoute, z } from "@hono/zod-openapi";
import { exportMatch } from "../application/export-match.ts";
import { VISIBILITIES } from "../application/match.ts";
import type { MatchWish, SeatWish } from "../application/open-match.ts";
import { openMatch } from "../application/open-match.ts";
import type { Service } from "../application/service.ts";
import { matchFileSchema } from "../games/backgammon/file-wire.ts";
import { EXPORT_FORMATS, FILE_FORMATS } from "../games/host.ts";
import { guarded } from "./access.ts";
import { IMPORT_BYTES_MAX } from "./body.ts";
import { FILE_EXAMPLE, OPENED_EXAMPLE } from "./examples.ts";
import { openedBody } from "./match-body.ts";
import { handedOut, stateHeaders } from "./matches.ts";
import { problemResponses, refuse } from "./problem.ts";
import { bearerToken, matchOf, repeatable } from "./request.ts";
import { router } from "./router.ts";
import {
  bodyProblems,
  jsonBody,
  matchAnswerHeaders,
  matchParams,
  matchResponse,
  nameSchema,
  noQuery,
  openedSchema,
  openHeaders,
} from "./schemas.ts";
import { sent } from "./sent.ts";

const MAT_EXAMPLE = `; [EventDate "2026.11.29"]

 3 point match

 Game 1
 Ann : 0                        Bob : 0
  1) 31: 8/5 6/5                  Doubles => 2
  2)  Drops
                                  Wins 1 point
`;

const seatSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("human"), name: nameSchema.optional() }),
  z.strictObject({ kind: z.literal("engine"), level: z.string().min(1).max(40) }),
]);

const importSchema = z
  .strictObject({
    game: z.string().min(1).max(40).optional().describe("Default: backgammon"),
    format: z.enum(FILE_FORMATS).describe("`mat`: Jellyfish match text; `sgf`: SGF `GM[6]`"),
    file: z.string().min(1).max(IMPORT_BYTES_MAX).describe("The text of the file"),
    seats: z
      .array(seatSchema)
      .min(1)
      .max(16)
      .optional()
      .describe(
        "In seat order, white (the left column) first. Default: humans by the file's names",
      ),
    visibility: z.enum(VISIBILITIES).optional().describe("Default: public"),
  })
  .meta({ id: "ImportMatch" });

const postImport = createRoute({
  method: "post",
  path: "/v1/matches/import",
  ...guarded("importMatch"),
  tags: ["Files"],
  summary: "Open a match from a file of another program",
  description:
    "All or nothing: every play must be legal, every score and result the one that the file states. The match goes on where the file ends, or is over with it; between games the seats ask for the next one. It is marked `imported`: the dice of the file are no part of the audit, those that follow are. A body has at most 1 MB, a file at most 10,000 turns and cube actions.",
  request: {
    query: noQuery,
    headers: openHeaders,
    body: jsonBody(importSchema, { format: "mat", file: MAT_EXAMPLE }),
  },
  responses: {
    201: matchResponse("The match, and what to act with", openedSchema, OPENED_EXAMPLE),
    ...bodyProblems(
      "token-unknown",
      "not-allowed",
      "scope-missing",
      "version-conflict",
      "game-unknown",
      "game-has-no-files",
      "file-not-readable",
      "file-not-playable",
      "seats-not-possible",
      "private-for-nobody",
      "engine-level-unknown",
      "idempotency-key-reused",
      "idempotency-key-weak",
    ),
  },
});

const getExport = createRoute({
  method: "get",
  path: "/v1/matches/{id}/export",
  ...guarded("exportMatch"),
  tags: ["Files"],
  summary: "The match as a file of other programs",
  description:
    "Up to now: a match in play may be exported too. What the format has no words for (a start from a set-up position in `mat`) is refused. A match that was given up or lost on time ends as a resigned game.",
  request: {
    params: matchParams,
    query: z.strictObject({
      format: z
        .enum(EXPORT_FORMATS)
        .default("mat")
        .describe("`mat`: Jellyfish match text; `sgf`: SGF `GM[6]`; `json`: the same as a value"),
    }),
  },
  responses: {
    200: {
      description: "The file",
      headers: matchAnswerHeaders,
      content: {
        "text/plain": { schema: z.string(), example: MAT_EXAMPLE },
        "application/x-go-sgf": {
          schema: z.string(),
          example:
            "(;FF[4]GM[6]CA[UTF-8]MI[length:3][game:0][ws:0][bs:0]PW[Ann]PB[Bob]RE[B+1]\n;W[31hefe]\n;B[double]\n;W[drop])\n",
        },
        "application/json": { schema: matchFileSchema, example: FILE_EXAMPLE },
      },
    },
    ...problemResponses(
      "token-unknown",
      "scope-missing",
      "match-not-found",
      "match-not-begun",
      "file-cannot-say",
      "game-has-no-files",
    ),
  },
});

const MEDIA_TYPES = {
  mat: "text/plain; charset=utf-8",
  sgf: "application/x-go-sgf",
  json: "application/json",
} as const satisfies Record<(typeof EXPORT_FORMATS)[number], string>;

/** Matches from files of other programs, and as such files. */
export const fileRoutes = (service: Service) =>
  router()
    .openapi(postImport, async (c) => {
      const {
        game = "backgammon",
        format,
        file,
        seats,
        visibility = "public",
      } = c.req.valid("json");
      const wish: MatchWish = {
        game,
        played: { format, file },
        visibility,
        ...(seats === undefined ? {} : { seats: seats.map(seatWish) }),
      };
      const token = bearerToken(c);
      const request = { ...(await repeatable(c)), ...(token === undefined ? {} : { token }), wish };
      return handedOut(c, await openMatch(service, request, openedBody));
    })
    .openapi(getExport, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const token = bearerToken(c);
      const { format } = c.req.valid("query");
      const reading = { match: match.value, format, ...(token === undefined ? {} : { token }) };
      const exported = await exportMatch(service, reading);
      if (!exported.ok) return refuse(c, exported.error);
      const { value, tag } = exported.value;
      stateHeaders(c, tag);
      return sent(c, { status: 200, type: MEDIA_TYPES[format], body: value });
    });

const seatWish = (seat: z.infer<typeof seatSchema>): SeatWish => {
  if (seat.kind !== "human") return seat;
  return seat.name === undefined ? { kind: seat.kind } : { kind: seat.kind, name: seat.name };
};
