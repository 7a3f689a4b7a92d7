import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Answer } from "../application/answer.ts";
import { claimSeat } from "../application/claim-seat.ts";
import type { Failure } from "../application/failure.ts";
import { VISIBILITIES } from "../application/match.ts";
import type { MatchWish, SeatWish } from "../application/open-match.ts";
import { openMatch } from "../application/open-match.ts";
import type { MatchSummary } from "../application/read.ts";
import { listMatches, readMatch } from "../application/read.ts";
import type { Service } from "../application/service.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { parseCursor, printCursor } from "./cursor.ts";
import { LIST_EXAMPLE, MATCH_EXAMPLE, OPENED_EXAMPLE } from "./examples.ts";
import { matchBody, openedBody } from "./match-body.ts";
import { problem, problemResponses, refuse } from "./problem.ts";
import { bearerToken, hasState, matchOf, matchRequest, repeatable } from "./request.ts";
import { router } from "./router.ts";
import {
  bodyProblems,
  conditionalHeaders,
  jsonBody,
  jsonResponse,
  matchAnswerHeaders,
  matchParams,
  matchResponse,
  matchSchema,
  nameSchema,
  noQuery,
  openedSchema,
  openHeaders,
  optionalBody,
  seatViewsSchema,
  statusSchema,
  tokenMayHelp,
  tokenNeeded,
  wholeNumber,
} from "./schemas.ts";
import { sent } from "./sent.ts";

const seatWishSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("human"), name: nameSchema.optional() }),
    z.strictObject({ kind: z.literal("engine"), level: z.string().min(1).max(40) }),
    z.strictObject({ kind: z.literal("open") }),
  ])
  .meta({
    id: "SeatWish",
    description:
      "`human`: its token comes back to the caller; `open`: an invite comes back instead",
  });

/** You, against the engine. */
const DEFAULT_SEATS: readonly z.infer<typeof seatWishSchema>[] = [
  { kind: "human" },
  { kind: "engine", level: "heuristic" },
];

const openSchema = z
  .strictObject({
    game: z.string().min(1).max(40),
    variant: z.string().min(1).max(40).optional().describe("Default: the game's first"),
    options: z
      .looseObject({})
      .optional()
      .describe("The game's own, default none; see `GET /v1/games/{game}`"),
    seats: z
      .array(seatWishSchema)
      .min(1)
      .max(16)
      .optional()
      .describe("In seat order. Default: you, against the engine"),
    visibility: z
      .enum(VISIBILITIES)
      .optional()
      .describe("Default: public. A private match exists only for its own tokens"),
  })
  .meta({ id: "OpenMatch" });

const OPEN_EXAMPLE = {
  game: "backgammon",
  seats: [
    { kind: "human", name: "Ann" },
    { kind: "engine", level: "heuristic" },
  ],
};

const openedResponse = matchResponse(
  "The match, and what to act with; `Location` is its path",
  openedSchema,
  OPENED_EXAMPLE,
);

const postMatch = createRoute({
  method: "post",
  path: "/v1/matches",
  operationId: "openMatch",
  tags: ["Matches"],
  summary: "Open a match",
  description:
    "No token and no header is needed. The answer holds a token for each human seat, an invite for each open one, and under `match.next` the request that comes next. If no seat is open the match begins at once: the opening is rolled, and engines move until a human must act.",
  request: { query: noQuery, headers: openHeaders, body: jsonBody(openSchema, OPEN_EXAMPLE) },
  responses: {
    201: openedResponse,
    ...bodyProblems(
      "version-conflict",
      "game-unknown",
      "variant-unknown",
      "seats-not-possible",
      "private-for-nobody",
      "engine-level-unknown",
      "malformed-options",
      "idempotency-key-reused",
      "idempotency-key-weak",
    ),
  },
});

const listRoute = createRoute({
  method: "get",
  path: "/v1/matches",
  operationId: "listMatches",
  tags: ["Matches"],
  summary: "List public matches, newest first",
  description:
    "Give `nextCursor` back as `cursor` for the page that follows; without it the list has ended.",
  request: {
    query: z.strictObject({
      game: z
        .string()
        .regex(/^[a-z][a-z0-9-]{0,39}$/, "the id of a game")
        .optional(),
      status: statusSchema.optional(),
      cursor: z.string().max(100).optional(),
      limit: wholeNumber({ min: 1, max: 100, default: 20 }),
    }),
  },
  responses: {
    200: jsonResponse(
      "A page of matches",
      z.strictObject({
        matches: z.array(
          z.strictObject({
            id: z.string(),
            game: z.string(),
            variant: z.string(),
            status: statusSchema,
            createdAt: z.iso.datetime(),
            seats: seatViewsSchema,
            links: z.strictObject({ self: z.string() }),
          }),
        ),
        nextCursor: z.string().optional(),
      }),
      LIST_EXAMPLE,
    ),
    ...problemResponses(),
  },
});

const getMatch = createRoute({
  method: "get",
  path: "/v1/matches/{id}",
  operationId: "readMatch",
  tags: ["Matches"],
  summary: "The match as the caller may see it",
  description:
    "With a seat's token `legal` says what the seat may do when it is on turn. `If-None-Match` with the ETag gives 304 while nothing has happened. A flag that has fallen is recorded first, then shown.",
  security: tokenMayHelp,
  request: { params: matchParams, query: noQuery, headers: conditionalHeaders },
  responses: {
    200: matchResponse("The match", matchSchema, MATCH_EXAMPLE),
    304: { description: "Nothing has happened since", headers: matchAnswerHeaders },
    ...problemResponses("token-unknown", "match-not-found"),
  },
});

const postSeat = createRoute({
  method: "post",
  path: "/v1/matches/{id}/seats",
  operationId: "claimSeat",
  tags: ["Matches"],
  summary: "Claim an open seat with an invite",
  description:
    "The invite is the bearer token. The answer holds the seat's own token. The last seat to be claimed begins the match.",
  security: tokenNeeded,
  request: {
    params: matchParams,
    query: noQuery,
    headers: openHeaders,
    body: optionalBody(z.strictObject({ name: nameSchema.optional() }).meta({ id: "ClaimSeat" }), {
      name: "Bob",
    }),
  },
  responses: {
    201: openedResponse,
    ...bodyProblems(
      "token-missing",
      "token-unknown",
      "not-allowed",
      "match-not-found",
      "seat-taken",
      "version-conflict",
      "idempotency-key-reused",
    ),
  },
});

/** Opening, listing and reading matches, and taking a seat. */
export const matchRoutes = (service: Service) =>
  router()
    .openapi(postMatch, async (c) => {
      const asked = c.req.valid("json");
      const { game, variant, options = {}, seats = DEFAULT_SEATS, visibility = "public" } = asked;
      const wish: MatchWish = {
        game,
        options: options as JsonObject,
        visibility,
        seats: seats.map(seatWish),
        ...(variant === undefined ? {} : { variant }),
      };
      return handedOut(c, await openMatch(service, { ...(await repeatable(c)), wish }, openedBody));
    })
    .openapi(listRoute, async (c) => {
      const { game, status, cursor, limit } = c.req.valid("query");
      const before = cursor === undefined ? undefined : parseCursor(cursor);
      if (cursor !== undefined && before === undefined) {
        return problem(c, "malformed-request", {}, [
          { pointer: "/query/cursor", detail: "not a cursor of this list" },
        ]);
      }
      const listed = await listMatches(service, {
        limit: limit + 1,
        ...(game === undefined ? {} : { game }),
        ...(status === undefined ? {} : { status }),
        ...(before === undefined ? {} : { before }),
      });
      return c.json(pageOf(listed, limit), 200);
    })
    .openapi(getMatch, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const token = bearerToken(c);
      const read = await readMatch(service, {
        match: match.value,
        ...(token === undefined ? {} : { token }),
      });
      if (!read.ok) return refuse(c, read.error);
      const { value, tag } = read.value;
      stateHeaders(c, tag);
      if (hasState(c, tag)) return c.body(null, 304);
      return sent(c, {
        status: 200,
        type: "application/json",
        body: JSON.stringify(matchBody(value)),
      });
    })
    .openapi(postSeat, async (c) => {
      const request = await matchRequest(c);
      if (!request.ok) return refuse(c, request.error);
      const { name } = c.req.valid("json");
      const claim = name === undefined ? request.value : { ...request.value, name };
      return handedOut(c, await claimSeat(service, claim, openedBody));
    });

/** A page of `limit` matches; one more was asked for, to know whether another page follows. */
const pageOf = (listed: readonly MatchSummary[], limit: number) => {
  const page = listed.slice(0, limit);
  const last = listed.length > limit ? page.at(-1) : undefined;
  return {
    matches: page.map(({ id, game, variant, status, createdAt, seats }) => ({
      id,
      game,
      variant,
      status,
      createdAt: new Date(createdAt).toISOString(),
      seats: [...seats],
      links: { self: `/v1/matches/${id}` },
    })),
    ...(last === undefined ? {} : { nextCursor: printCursor(last) }),
  };
};

const seatWish = (seat: z.infer<typeof seatWishSchema>): SeatWish => {
  if (seat.kind !== "human") return seat;
  return seat.name === undefined ? { kind: seat.kind } : { kind: seat.kind, name: seat.name };
};

const handedOut = (c: Context, answered: Result<Answer, Failure>): never => {
  if (!answered.ok) return refuse(c, answered.error);
  c.header("Location", `/v1/matches/${answered.value.match}`);
  return answer(c, 201, answered.value);
};

/** Sends the answer of a change, byte for byte as it is stored for a retry. */
export const answer = (c: Context, status: 200 | 201, { body, tag, replayed }: Answer): never => {
  stateHeaders(c, tag);
  if (replayed) c.header("Idempotency-Replayed", "true");
  return sent(c, { status, type: "application/json", body });
};

/** The headers of every answer that shows a state of a match. */
export const stateHeaders = (c: Context, tag: string): void => {
  c.header("ETag", `"${tag}"`);
  c.header("Cache-Control", "no-store");
  c.header("Vary", "Authorization, Accept, Accept-Language");
};
