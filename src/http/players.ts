import { createRoute, z } from "@hono/zod-openapi";
import type { Service } from "../application/service.ts";
import type { Tally } from "../application/statistics.ts";
import { readStatistics } from "../application/statistics.ts";
import { guarded } from "./access.ts";
import { STATISTICS_EXAMPLE } from "./examples.ts";
import { problemResponses, refuse } from "./problem.ts";
import { bearerToken } from "./request.ts";
import { router } from "./router.ts";
import { jsonResponse, noQuery, playerSchema } from "./schemas.ts";

const tally = {
  games: z.int().describe("That have ended"),
  wins: z.int(),
  netPoints: z.int().describe("Points won less points lost"),
  gammons: z.int().describe("Won"),
  backgammons: z.int().describe("Won"),
  gammonsLost: z.int(),
  backgammonsLost: z.int(),
};

const statisticsSchema = z
  .strictObject({
    player: z.string(),
    total: z.strictObject({
      ...tally,
      longestStreak: z.int().describe("Games won in a row at most, in the order of their ends"),
    }),
    byGame: z.array(z.strictObject({ game: z.string(), ...tally })),
    byOpponent: z.array(
      z.strictObject({
        game: z.string(),
        opponent: z.discriminatedUnion("kind", [
          z.strictObject({ kind: z.literal("human") }),
          z.strictObject({ kind: z.literal("engine"), level: z.string() }),
        ]),
        ...tally,
      }),
    ),
  })
  .meta({ id: "Statistics" });

const getStatistics = createRoute({
  method: "get",
  path: "/v1/players/{player}/statistics",
  ...guarded("playerStatistics"),
  tags: ["Players"],
  summary: "What a player of the calling app has done",
  description:
    "Every game that has ended in the app's matches, at any score of a match; a game counts from the answer that ended it. A player whom the app never seated is not found; one who has not finished a game yet has zeros.",
  request: { params: z.object({ player: playerSchema.meta({ example: "ann" }) }), query: noQuery },
  responses: {
    200: jsonResponse("The player's games", statisticsSchema, STATISTICS_EXAMPLE),
    ...problemResponses(
      "token-missing",
      "token-unknown",
      "not-allowed",
      "scope-missing",
      "player-not-found",
    ),
  },
});

/** What apps may know of their players. */
export const playerRoutes = (service: Service) =>
  router().openapi(getStatistics, async (c) => {
    const { player } = c.req.valid("param");
    const token = bearerToken(c);
    const read = await readStatistics(service, {
      player,
      ...(token === undefined ? {} : { token }),
    });
    if (!read.ok) return refuse(c, read.error);
    const { total, byGame, byOpponent } = read.value;
    const body = {
      player,
      total: { ...tallyBody(total), longestStreak: total.longestStreak },
      byGame: byGame.map((one) => ({ game: one.game, ...tallyBody(one) })),
      byOpponent: byOpponent.map((one) => ({
        ...{ game: one.game, opponent: one.opponent },
        ...tallyBody(one),
      })),
    };
    return c.json(body, 200);
  });

const tallyBody = ({ games, wins, netPoints, kinds }: Tally) => ({
  games,
  wins,
  netPoints,
  gammons: kinds["gammon"]?.won ?? 0,
  backgammons: kinds["backgammon"]?.won ?? 0,
  gammonsLost: kinds["gammon"]?.lost ?? 0,
  backgammonsLost: kinds["backgammon"]?.lost ?? 0,
});
