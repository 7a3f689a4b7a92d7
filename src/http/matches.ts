import { createRoute, z } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Answer } from "../application/answer.ts";
import { claimSeat } from "../application/claim-seat.ts";
import type { Failure } from "../application/failure.ts";
import { VISIBILITIES } from "../application/match.ts";
import type { MatchWish, SeatWish } from "../application/open-match.ts";
import { openMatch } from "../application/open-match.ts";
import { readMatch } from "../application/read.ts";
import type { Service } from "../application/service.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { guarded } from "./access.ts";
import { MATCH_EXAMPLE, OPENED_EXAMPLE } from "./examples.ts";
import { matchBody, openedBody } from "./match-body.ts";
import { problemResponses, refuse } from "./problem.ts";
import { bearerToken, hasState, matchOf, matchRequest, repeatable } from "./request.ts";
import { router } from "./router.ts";
import {
  bodyProblems,
  conditionalHeaders,
  jsonBody,
  matchAnswerHeaders,
  matchParams,
  matchResponse,
  matchSchema,
  nameSchema,
  noQuery,
  openedSchema,
  openHeaders,
  optionalBody,
  playerSchema,
} from "./schemas.ts";
import { sent } from "./sent.ts";

const seatWishSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("human"),
      name: nameSchema.optional(),
      player: playerSchema
        .optional()
        .describe("Only with an app's key: who sits there, in the app's own words"),
    }),
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
      .describe(
        "Default: public. A private match exists only for its own tokens, and the app that opened it",
      ),
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
  ...guarded("openMatch"),
  tags: ["Matches"],
  summary: "Open a match",
  description:
    "No token and no header is needed; with an app's key the match is the app's. The answer holds a token for each human seat, an invite for each open one, and under `match.next` the request that comes next. If no seat is open the match begins at once: the opening is rolled, and engines move until a human must act.",
  request: { query: noQuery, headers: openHeaders, body: jsonBody(openSchema, OPEN_EXAMPLE) },
  responses: {
    201: openedResponse,
    ...bodyProblems(
      "token-unknown",
      "not-allowed",
      "scope-missing",
      "version-conflict",
      "player-needs-app-key",
      "player-twice",
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

const getMatch = createRoute({
  method: "get",
  path: "/v1/matches/{id}",
  ...guarded("readMatch"),
  tags: ["Matches"],
  summary: "The match as the caller may see it",
  description:
    "With a seat's token `legal` says what the seat may do when it is on turn. `If-None-Match` with the ETag gives 304 while nothing has happened. A flag that has fallen is recorded first, then shown.",
  request: { params: matchParams, query: noQuery, headers: conditionalHeaders },
  responses: {
    200: matchResponse("The match", matchSchema, MATCH_EXAMPLE),
    304: { description: "Nothing has happened since", headers: matchAnswerHeaders },
    ...problemResponses("token-unknown", "scope-missing", "match-not-found"),
  },
});

const postSeat = createRoute({
  method: "post",
  path: "/v1/matches/{id}/seats",
  ...guarded("claimSeat"),
  tags: ["Matches"],
  summary: "Claim an open seat with an invite",
  description:
    "The invite is the bearer token. The answer holds the seat's own token. The last seat to be claimed begins the match.",
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

/** Opening and reading matches, and taking a seat. */
export const matchRoutes = (service: Service) =>
  router()
    .openapi(postMatch, async (c) => {
      const asked = c.req.valid("json");
      const { game, variant, options = {}, seats = DEFAULT_SEATS, visibility = "public" } = asked;
      const rules = { options: options as JsonObject };
      const wish: MatchWish = {
        game,
        played: variant === undefined ? rules : { ...rules, variant },
        visibility,
        seats: seats.map(seatWish),
      };
      const token = bearerToken(c);
      const request = { ...(await repeatable(c)), ...(token === undefined ? {} : { token }), wish };
      return handedOut(c, await openMatch(service, request, openedBody));
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

const seatWish = (seat: z.infer<typeof seatWishSchema>): SeatWish => {
  if (seat.kind !== "human") return seat;
  const { kind, name, player } = seat;
  return {
    kind,
    ...(name === undefined ? {} : { name }),
    ...(player === undefined ? {} : { player }),
  };
};

export const handedOut = (c: Context, answered: Result<Answer, Failure>): never => {
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
