import { createRoute, z } from "@hono/zod-openapi";
import type { Service } from "../application/service.ts";
import type { HostedGame } from "../games/host.ts";
import { optionsSchema } from "../games/wire.ts";
import { GAME_EXAMPLE } from "./examples.ts";
import { problem, problemResponses } from "./problem.ts";
import { router } from "./router.ts";
import { jsonResponse, noQuery } from "./schemas.ts";

const textSchema = z.strictObject({ en: z.string(), zh: z.string() });

const gameSchema = z
  .strictObject({
    id: z.string(),
    title: z.strictObject({ en: z.string(), zh: z.string() }),
    seats: z.strictObject({ min: z.int(), max: z.int() }),
    information: z.enum(["perfect", "hidden"]),
    variants: z.array(z.string()).describe("The first is the default"),
    ruleset: z.string().describe("How the log names the rules"),
    levels: z.array(z.string()).describe("Engine levels, weakest first"),
    engines: z
      .array(z.strictObject({ level: z.string(), title: textSchema, about: textSchema }))
      .describe("The same levels with their names, and what to expect of each"),
    advice: z
      .array(z.string())
      .describe("Levels that give hints and analyses, weakest first; empty where none does"),
    options: z.looseObject({}).describe("JSON schema of the options"),
  })
  .meta({ id: "Game" });

const getGames = createRoute({
  method: "get",
  path: "/v1/games",
  operationId: "listGames",
  tags: ["Games"],
  summary: "The games that are played here",
  description: "Seats, variants, options and engine levels of each game.",
  request: { query: noQuery },
  responses: {
    200: jsonResponse("All games", z.strictObject({ games: z.array(gameSchema) }), {
      games: [GAME_EXAMPLE],
    }),
    ...problemResponses(),
  },
});

const getGame = createRoute({
  method: "get",
  path: "/v1/games/{game}",
  operationId: "readGame",
  tags: ["Games"],
  summary: "One game",
  description: "Seats, variants, options and engine levels.",
  request: {
    params: z.object({ game: z.string().meta({ example: "backgammon" }) }),
    query: noQuery,
  },
  responses: {
    200: jsonResponse("The game", gameSchema, GAME_EXAMPLE),
    ...problemResponses("game-not-found"),
  },
});

/** The catalogue. */
export const gameRoutes = (service: Pick<Service, "games" | "engines">) => {
  const described = ({ card }: HostedGame) => ({
    ...card,
    variants: [...card.variants],
    ...enginesOf(service.engines, card.id),
    options: z.toJSONSchema(optionsSchema) as Record<string, unknown>,
  });
  return router()
    .openapi(getGames, (c) => c.json({ games: [...service.games.values()].map(described) }, 200))
    .openapi(getGame, (c) => {
      const game = service.games.get(c.req.valid("param").game);
      return game === undefined ? problem(c, "game-not-found") : c.json(described(game), 200);
    });
};

const enginesOf = ({ games }: Service["engines"], game: string) => {
  const { levels, adviser } = games.get(game) ?? {};
  const named = [...(levels ?? [])];
  return {
    levels: named.map(([level]) => level),
    engines: named.map(([level, { title, about }]) => ({ level, title, about })),
    advice: [...(adviser?.paces.keys() ?? [])],
  };
};
