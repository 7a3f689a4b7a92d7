import { createRoute, z } from "@hono/zod-openapi";
import { rotateSeat } from "../application/rotate-seat.ts";
import type { Service } from "../application/service.ts";
import { guarded } from "./access.ts";
import { OPENED_EXAMPLE } from "./examples.ts";
import { openedBody } from "./match-body.ts";
import { answer } from "./matches.ts";
import { refuse } from "./problem.ts";
import { matchRequest } from "./request.ts";
import { router } from "./router.ts";
import {
  bodyProblems,
  matchParams,
  matchResponse,
  noQuery,
  openedSchema,
  openHeaders,
  optionalBody,
} from "./schemas.ts";

const postRotation = createRoute({
  method: "post",
  path: "/v1/matches/{id}/seats/rotate",
  ...guarded("rotateSeat"),
  tags: ["Matches"],
  summary: "A new token for a seat; the old one dies",
  description:
    "For a token that somebody else may have seen, also when the match is over. By the seat's token, or by the key of the app that opened the match, which names the `seat`. The old token is refused from then on, everywhere. Send an `Idempotency-Key` of at least 22 random characters: a retry with it, and with the token that is now dead, gives the new token again. What the old token did cannot be replayed with the new one, so settle retries of commands before.",
  request: {
    params: matchParams,
    query: noQuery,
    headers: openHeaders,
    body: optionalBody(
      z
        .strictObject({
          seat: z
            .int()
            .min(0)
            .max(15)
            .optional()
            .describe("With an app's key, which seat; with a seat's token, only its own"),
        })
        .meta({ id: "RotateSeat" }),
      { seat: 0 },
    ),
  },
  responses: {
    200: matchResponse("The match, and the new token", openedSchema, OPENED_EXAMPLE),
    ...bodyProblems(
      "token-missing",
      "token-unknown",
      "not-allowed",
      "scope-missing",
      "match-not-found",
      "seat-has-no-token",
      "version-conflict",
      "idempotency-key-reused",
      "idempotency-key-weak",
    ),
  },
});

/** What becomes of a seat once it is taken. */
export const seatRoutes = (service: Service) =>
  router().openapi(postRotation, async (c) => {
    const request = await matchRequest(c);
    if (!request.ok) return refuse(c, request.error);
    const { seat } = c.req.valid("json");
    const rotation = seat === undefined ? request.value : { ...request.value, seat };
    const rotated = await rotateSeat(service, rotation, openedBody);
    return rotated.ok ? answer(c, 200, rotated.value) : refuse(c, rotated.error);
  });
