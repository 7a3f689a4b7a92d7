import { createRoute, z } from "@hono/zod-openapi";
import { readEvents, readLog } from "../application/read.ts";
import type { Service } from "../application/service.ts";
import { guarded } from "./access.ts";
import { EVENT_EXAMPLE } from "./examples.ts";
import { stateHeaders } from "./matches.ts";
import { problemResponses, refuse } from "./problem.ts";
import { bearerToken, matchOf } from "./request.ts";
import { router } from "./router.ts";
import { eventSchema, jsonResponse, matchParams, noQuery, wholeNumber } from "./schemas.ts";
import { sent } from "./sent.ts";

const getEvents = createRoute({
  method: "get",
  path: "/v1/matches/{id}/events",
  ...guarded("events"),
  tags: ["Log"],
  summary: "What has happened, as the caller may see it",
  description:
    "A page of events with `seq` > `after`. Every viewer sees every number. `nextAfter` is where the following page begins; without it nothing more has happened yet.",
  request: {
    params: matchParams,
    query: z.strictObject({
      after: wholeNumber({ min: -1, max: 1_000_000_000, default: -1 }),
      limit: wholeNumber({ min: 1, max: 500, default: 100 }),
    }),
  },
  responses: {
    200: jsonResponse(
      "A page of events",
      z.strictObject({
        events: z.array(eventSchema),
        version: z.int().optional().describe("`seq` of the match's last line"),
        nextAfter: z.int().optional(),
      }),
      { events: [EVENT_EXAMPLE], version: 3 },
    ),
    ...problemResponses("token-unknown", "scope-missing", "match-not-found"),
  },
});

const LOG_EXAMPLE =
  '{"at":"2026-11-29T12:00:00.000Z","dice":[6,3],"match":"3f0c0f1e-5b1a-4c1e-9d0e-6c4c1b7a2d11","prev":"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08","seat":1,"seq":6,"type":"dice-rolled"}\n';

const getLog = createRoute({
  method: "get",
  path: "/v1/matches/{id}/log",
  ...guarded("log"),
  tags: ["Log"],
  summary: "The match's log, exact bytes",
  description:
    "NDJSON: one canonical JSON line (RFC 8785) an event, each with the SHA-256 of the line before it in `prev`. With `GET /v1/audit/decks` it is all that is needed to check every roll.",
  request: { params: matchParams, query: noQuery },
  responses: {
    200: {
      description: "The lines",
      content: { "application/x-ndjson": { schema: z.string(), example: LOG_EXAMPLE } },
    },
    ...problemResponses("token-unknown", "scope-missing", "match-not-found"),
  },
});

/** Reading the stream of a match: as events, and as the lines that are hashed. */
export const eventRoutes = (service: Service) =>
  router()
    .openapi(getEvents, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const token = bearerToken(c);
      const { after, limit } = c.req.valid("query");
      const read = await readEvents(service, {
        match: match.value,
        after,
        limit,
        ...(token === undefined ? {} : { token }),
      });
      if (!read.ok) return refuse(c, read.error);
      const { events, version } = read.value;
      const last = events.at(-1)?.seq;
      c.header("Cache-Control", "no-store");
      const hasMore = last !== undefined && version !== undefined && last < version;
      const page = { events, version, ...(hasMore ? { nextAfter: last } : {}) };
      return sent(c, { status: 200, type: "application/json", body: JSON.stringify(page) });
    })
    .openapi(getLog, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const token = bearerToken(c);
      const read = await readLog(service, {
        match: match.value,
        ...(token === undefined ? {} : { token }),
      });
      if (!read.ok) return refuse(c, read.error);
      const { value: lines, tag } = read.value;
      stateHeaders(c, tag);
      const body = lines.map((line) => `${line}\n`).join("");
      return sent(c, { status: 200, type: "application/x-ndjson", body });
    });
