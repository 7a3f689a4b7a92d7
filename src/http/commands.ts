import { createRoute, z } from "@hono/zod-openapi";
import { act, reply } from "../application/act.ts";
import { readLegal } from "../application/read.ts";
import type { Service } from "../application/service.ts";
import { REPLIES_ASKED_MAX } from "../application/service.ts";
import { commandSchema, legalSchema } from "../games/wire.ts";
import type { Json } from "../kernel/json.ts";
import { guarded } from "./access.ts";
import { ACTED_EXAMPLE, LEGAL_EXAMPLE } from "./examples.ts";
import { actedBody } from "./match-body.ts";
import { answer, stateHeaders } from "./matches.ts";
import { problemResponses, refuse } from "./problem.ts";
import { bearerToken, matchOf, matchRequest } from "./request.ts";
import { router } from "./router.ts";
import {
  actedSchema,
  bodyProblems,
  commandHeaders,
  jsonBody,
  matchParams,
  matchResponse,
  noQuery,
  optionalBody,
} from "./schemas.ts";
import { sent } from "./sent.ts";

const getLegal = createRoute({
  method: "get",
  path: "/v1/matches/{id}/legal-commands",
  ...guarded("legalCommands"),
  tags: ["Play"],
  summary: "What the caller's seat may do now",
  description: "The `legal` object of the view; empty lists where the seat is not on turn.",
  request: { params: matchParams, query: noQuery },
  responses: {
    200: matchResponse("What is legal", legalSchema, LEGAL_EXAMPLE),
    ...problemResponses(
      "token-missing",
      "token-unknown",
      "not-allowed",
      "match-not-found",
      "match-not-begun",
    ),
  },
});

const postCommand = createRoute({
  method: "post",
  path: "/v1/matches/{id}/commands",
  ...guarded("command"),
  tags: ["Play"],
  summary: "Do something: roll, double, play, take, resign, nudge",
  description:
    "The command, the dice that it calls for and the engines' replies are one step: all of it happens, or none. The answer shows where a human must act again. If the engines are too busy to reply, or a clock would fall within 15 s while one thinks, the command is done all the same: `replyOwed` is true then, and `replies` (first in `next`) gives the reply. With an `Idempotency-Key` a retry is safe, and a retried roll gives the same dice. Time is the server's: with a clock, a command later than `clock.fallsAt` is refused with `match-over`.",
  request: {
    params: matchParams,
    query: noQuery,
    headers: commandHeaders,
    body: jsonBody(commandSchema, { type: "roll" }),
  },
  responses: {
    200: matchResponse("What was done", actedSchema, ACTED_EXAMPLE),
    ...bodyProblems(
      "token-missing",
      "token-unknown",
      "not-allowed",
      "match-not-found",
      "not-your-turn",
      "wrong-phase",
      "match-over",
      "nudge-not-offered",
      "not-nudgeable",
      "already-nudged",
      "nudge-too-early",
      "match-not-begun",
      "version-conflict",
      "stale-version",
      "version-needed",
      "play-not-legal",
      "other-dice",
      "cube-not-available",
      "resignation-not-higher",
      "malformed-command",
      "idempotency-key-reused",
    ),
  },
});

const postReplies = createRoute({
  method: "post",
  path: "/v1/matches/{id}/replies",
  ...guarded("replies"),
  tags: ["Play"],
  summary: "Let the engines on turn move",
  description:
    "For engine against engine, and wherever `replyOwed` is true. No token is needed for a public match. The answer may hold fewer replies than were asked for; `replyOwed` says whether another is due. Where engines are so busy that none came, it is 503 `engines-busy`, and nothing was done. A caller that leaves stops them after the reply that is under way.",
  request: {
    params: matchParams,
    query: noQuery,
    headers: commandHeaders,
    body: optionalBody(
      z
        .strictObject({
          max: z
            .int()
            .min(1)
            .max(REPLIES_ASKED_MAX)
            .optional()
            .describe(`Engine commands at most; default ${REPLIES_ASKED_MAX}`),
        })
        .meta({ id: "Replies" }),
      { max: 100 },
    ),
  },
  responses: {
    200: matchResponse("What was done", actedSchema, ACTED_EXAMPLE),
    ...bodyProblems(
      "token-unknown",
      "scope-missing",
      "match-not-found",
      "match-over",
      "match-not-begun",
      "no-reply-owed",
      "engines-busy",
      "version-conflict",
      "stale-version",
      "idempotency-key-reused",
      "idempotency-key-weak",
    ),
  },
});

/** Playing: what is legal, doing it, and letting engines reply. */
export const commandRoutes = (service: Service) =>
  router()
    .openapi(getLegal, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const token = bearerToken(c);
      const read = await readLegal(service, {
        match: match.value,
        ...(token === undefined ? {} : { token }),
      });
      if (!read.ok) return refuse(c, read.error);
      stateHeaders(c, read.value.tag);
      return sent(c, {
        status: 200,
        type: "application/json",
        body: JSON.stringify(read.value.value),
      });
    })
    .openapi(postCommand, async (c) => {
      const request = await matchRequest(c);
      if (!request.ok) return refuse(c, request.error);
      const command = c.req.valid("json") as Json;
      const acted = await act(service, { ...request.value, command }, actedBody);
      return acted.ok ? answer(c, 200, acted.value) : refuse(c, acted.error);
    })
    .openapi(postReplies, async (c) => {
      const request = await matchRequest(c);
      if (!request.ok) return refuse(c, request.error);
      const { max = REPLIES_ASKED_MAX } = c.req.valid("json");
      const replied = await reply(
        service,
        { ...request.value, max, signal: c.req.raw.signal },
        actedBody,
      );
      return replied.ok ? answer(c, 200, replied.value) : refuse(c, replied.error);
    });
