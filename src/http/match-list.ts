import { createRoute, z } from "@hono/zod-openapi";
import { VISIBILITIES } from "../application/match.ts";
import type { MatchSummary } from "../application/read.ts";
import { listMatches } from "../application/read.ts";
import type { Service } from "../application/service.ts";
import { guarded } from "./access.ts";
import { parseCursor, printCursor } from "./cursor.ts";
import { LIST_EXAMPLE } from "./examples.ts";
import { problem, problemResponses, refuse } from "./problem.ts";
import { bearerToken } from "./request.ts";
import { router } from "./router.ts";
import {
  jsonResponse,
  playerSchema,
  seatViewsSchema,
  statusSchema,
  wholeNumber,
} from "./schemas.ts";

const listRoute = createRoute({
  method: "get",
  path: "/v1/matches",
  ...guarded("listMatches"),
  tags: ["Matches"],
  summary: "List matches, newest first",
  description:
    "Public ones; with an app's key also the private ones that it opened. With `player`, only matches that the calling app opened with that player in a seat, and with `onTurn` only those where that player is to act. Give `nextCursor` back as `cursor` for the page that follows; without it the list has ended.",
  request: {
    query: z.strictObject({
      game: z
        .string()
        .regex(/^[a-z][a-z0-9-]{0,39}$/, "the id of a game")
        .optional(),
      status: statusSchema.optional(),
      player: playerSchema.optional().describe("A player of the calling app"),
      onTurn: z.literal("true").optional().describe("Only with `player`"),
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
            visibility: z.enum(VISIBILITIES),
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
    ...problemResponses("token-missing", "token-unknown", "not-allowed", "scope-missing"),
  },
});

/** The list of matches. */
export const matchListRoutes = (service: Service) =>
  router().openapi(listRoute, async (c) => {
    const { game, status, player, onTurn, cursor, limit } = c.req.valid("query");
    const before = cursor === undefined ? undefined : parseCursor(cursor);
    if (cursor !== undefined && before === undefined) {
      return problem(c, "malformed-request", {}, [
        { pointer: "/query/cursor", detail: "not a cursor of this list" },
      ]);
    }
    if (onTurn !== undefined && player === undefined) {
      return problem(c, "malformed-request", {}, [
        { pointer: "/query/onTurn", detail: "say whose turn, with `player`" },
      ]);
    }
    const token = bearerToken(c);
    const listed = await listMatches(service, {
      limit: limit + 1,
      ...(token === undefined ? {} : { token }),
      ...(player === undefined ? {} : { sat: { player, onTurn: onTurn !== undefined } }),
      ...(game === undefined ? {} : { game }),
      ...(status === undefined ? {} : { status }),
      ...(before === undefined ? {} : { before }),
    });
    return listed.ok ? c.json(pageOf(listed.value, limit), 200) : refuse(c, listed.error);
  });

/** A page of `limit` matches; one more was asked for, to know whether another page follows. */
const pageOf = (listed: readonly MatchSummary[], limit: number) => {
  const page = listed.slice(0, limit);
  const last = listed.length > limit ? page.at(-1) : undefined;
  return {
    matches: page.map(({ id, game, variant, visibility, status, createdAt, seats }) => ({
      id,
      game,
      variant,
      visibility,
      status,
      createdAt: new Date(createdAt).toISOString(),
      seats: [...seats],
      links: { self: `/v1/matches/${id}` },
    })),
    ...(last === undefined ? {} : { nextCursor: printCursor(last) }),
  };
};
