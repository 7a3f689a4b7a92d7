import { createRoute, z } from "@hono/zod-openapi";
import { analysisOf } from "../application/analysis.ts";
import { hint } from "../application/hint.ts";
import { adviseOnCube, evaluatePosition, rankPlays } from "../application/position-advice.ts";
import type { Service } from "../application/service.ts";
import {
  adviceLevelSchema,
  analysisSchema,
  cubeAdviceSchema,
  evaluationSchema,
  hintSchema,
  rankedPlaySchema,
} from "../games/backgammon/advice-wire.ts";
import { cubeSchema, positionSchema, variantSchema } from "../games/backgammon/position-wire.ts";
import { diceSchema } from "../games/backgammon/wire.ts";
import { guarded } from "./access.ts";
import {
  ANALYSIS_EXAMPLE,
  BEST_PLAYS_EXAMPLE,
  CUBE_ACTION_EXAMPLE,
  EVALUATION_EXAMPLE,
  HINT_EXAMPLE,
} from "./advice-examples.ts";
import { rounded, roundedRanking } from "./figures.ts";
import { stateHeaders } from "./matches.ts";
import { problemResponses, refuse } from "./problem.ts";
import type { ProblemCode } from "./problems.ts";
import { bearerToken, hasState, matchOf } from "./request.ts";
import { router } from "./router.ts";
import {
  bodyProblems,
  conditionalHeaders,
  jsonBody,
  jsonResponse,
  matchParams,
  matchResponse,
  noQuery,
  optionalBody,
} from "./schemas.ts";
import { sent } from "./sent.ts";

const DEFAULT_LEVEL = "expert";
/** Commands of a hint, and plays of a ranking, unless more or fewer are asked for. */
const HINTS = 5;
const HINTS_MAX = 50;
const PLAYS = 10;
/** More than any roll has. */
const PLAYS_MAX = 5_000;

const asked = {
  position: positionSchema,
  cube: cubeSchema.optional(),
  variant: variantSchema.default("standard"),
  level: adviceLevelSchema.default(DEFAULT_LEVEL),
};

const ABOUT_POSITIONS =
  "Nothing is stored. The cube and the score are those of the notation (a Match ID, an XGID) or of `cube`, by default a centred cube in a money session; said twice, they are refused. The same question has the same answer always. Where too many others ask, it is 503 `engines-busy` with `Retry-After`.";

const positionProblems = (...codes: readonly ProblemCode[]) =>
  bodyProblems(
    "position-not-readable",
    "position-not-playable",
    "position-said-twice",
    "engines-busy",
    ...codes,
  );

const postEvaluate = createRoute({
  method: "post",
  path: "/v1/positions/evaluate",
  operationId: "evaluatePosition",
  tags: ["Positions"],
  summary: "What a position is worth",
  description: `Chances and equities of the side on roll before its roll; a roll that the notation says is left out. ${ABOUT_POSITIONS}`,
  request: {
    query: noQuery,
    body: jsonBody(z.strictObject(asked).meta({ id: "EvaluateRequest" }), {
      position: { positionId: "4HPwATDgc/ABMA" },
    }),
  },
  responses: {
    200: jsonResponse("What it is worth", evaluationSchema, EVALUATION_EXAMPLE),
    ...positionProblems(),
  },
});

const postBestPlays = createRoute({
  method: "post",
  path: "/v1/positions/best-plays",
  operationId: "bestPlays",
  tags: ["Positions"],
  summary: "The best plays of a roll",
  description: `Legal plays, best first; an empty list where the roll has none. Without \`dice\` the roll is the one that the notation says; with both they must agree. ${ABOUT_POSITIONS}`,
  request: {
    query: noQuery,
    body: jsonBody(
      z
        .strictObject({
          ...asked,
          dice: diceSchema
            .optional()
            .describe("The roll; may be left out where the notation says it"),
          limit: z.int().min(1).max(PLAYS_MAX).default(PLAYS).describe("Plays at most"),
        })
        .meta({ id: "BestPlaysRequest" }),
      { position: { positionId: "4HPwATDgc/ABMA" }, dice: [3, 1], level: "expert", limit: 3 },
    ),
  },
  responses: {
    200: jsonResponse(
      "The plays",
      z.strictObject({ plays: z.array(rankedPlaySchema) }),
      BEST_PLAYS_EXAMPLE,
    ),
    ...positionProblems("dice-contradict", "dice-missing"),
  },
});

const postCubeAction = createRoute({
  method: "post",
  path: "/v1/positions/cube-action",
  operationId: "cubeAction",
  tags: ["Positions"],
  summary: "Whether to double, and what to answer",
  description: `Before the roll of the side on roll; where it has doubled already, the cube is still as before. ${ABOUT_POSITIONS}`,
  request: {
    query: noQuery,
    body: jsonBody(z.strictObject(asked).meta({ id: "CubeActionRequest" }), {
      position: { positionId: "4HPwATDgc/ABMA" },
      cube: { matchLength: 7, score: [2, 4] },
    }),
  },
  responses: {
    200: jsonResponse("The advice", cubeAdviceSchema, CUBE_ACTION_EXAMPLE),
    ...positionProblems(),
  },
});

const postHint = createRoute({
  method: "post",
  path: "/v1/matches/{id}/hint",
  ...guarded("hint"),
  tags: ["Play"],
  summary: "What an engine would do in the caller's place",
  description:
    "For the seat on turn, whatever it has to decide: plays, doubling, taking or passing, answering a resignation. Commands that can be sent as they stand, best first; giving up is none of them. The engine sees what the seat sees. Nothing is stored, and no header makes it repeatable: the same version has the same hint.",
  request: {
    params: matchParams,
    query: noQuery,
    body: optionalBody(
      z
        .strictObject({
          level: adviceLevelSchema.optional(),
          limit: z
            .int()
            .min(1)
            .max(HINTS_MAX)
            .optional()
            .describe(`Commands at most; default ${HINTS}`),
        })
        .meta({ id: "HintRequest" }),
      { level: "expert", limit: 3 },
    ),
  },
  responses: {
    200: matchResponse(
      "The commands",
      z
        .strictObject({ level: adviceLevelSchema, hints: z.array(hintSchema).min(1) })
        .meta({ id: "Hints" }),
      HINT_EXAMPLE,
    ),
    ...bodyProblems(
      "token-missing",
      "token-unknown",
      "not-allowed",
      "match-not-found",
      "match-not-begun",
      "match-over",
      "not-your-turn",
      "game-has-no-adviser",
      "engines-busy",
    ),
  },
});

const analysisHeaders = z.object({
  ETag: z.string().describe("Of this match and level, by this engine"),
});

const getAnalysis = createRoute({
  method: "get",
  path: "/v1/matches/{id}/analysis",
  ...guarded("analysis"),
  tags: ["Matches"],
  summary: "What was done well and badly, and what was luck",
  description:
    "Once the match is over: each decision with what it cost and what was best, the luck of each roll, and per seat an error rate and a performance rating. Events are named by `seq`, as in the log. It is made when it is first asked for, which takes seconds at `intermediate` and up to minutes at `grandmaster`, for a long match on a busy machine. One is made at a time: others wait for it. Then it is kept for a while. `If-None-Match` with the ETag gives 304 for the same level as long as the engine is the same. Where too many wait, it is 503 `engines-busy` with `Retry-After`.",
  request: {
    params: matchParams,
    query: z.strictObject({ level: adviceLevelSchema.default(DEFAULT_LEVEL) }),
    headers: conditionalHeaders,
  },
  responses: {
    200: {
      ...jsonResponse("The analysis", analysisSchema, ANALYSIS_EXAMPLE),
      headers: analysisHeaders,
    },
    304: { description: "It is the one that the client has", headers: analysisHeaders },
    ...problemResponses(
      "token-unknown",
      "scope-missing",
      "match-not-found",
      "match-not-begun",
      "match-not-over",
      "game-has-no-adviser",
      "engines-busy",
    ),
  },
});

/** Engines as advisers: of positions, and of a seat on turn. */
export const adviceRoutes = (service: Service) =>
  router()
    .openapi(postEvaluate, async (c) => {
      const worth = await evaluatePosition(service, c.req.valid("json"), c.req.raw.signal);
      return worth.ok ? c.json(rounded(worth.value), 200) : refuse(c, worth.error);
    })
    .openapi(postBestPlays, async (c) => {
      const ranked = await rankPlays(service, c.req.valid("json"), c.req.raw.signal);
      return ranked.ok
        ? c.json({ plays: roundedRanking(ranked.value) }, 200)
        : refuse(c, ranked.error);
    })
    .openapi(postCubeAction, async (c) => {
      const advice = await adviseOnCube(service, c.req.valid("json"), c.req.raw.signal);
      return advice.ok ? c.json(rounded(advice.value), 200) : refuse(c, advice.error);
    })
    .openapi(postHint, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const { level = DEFAULT_LEVEL, limit = HINTS } = c.req.valid("json");
      const token = bearerToken(c);
      const hinted = await hint(service, {
        match: match.value,
        level,
        limit,
        signal: c.req.raw.signal,
        ...(token === undefined ? {} : { token }),
      });
      if (!hinted.ok) return refuse(c, hinted.error);
      const { value, tag } = hinted.value;
      stateHeaders(c, tag);
      return sent(c, {
        status: 200,
        type: "application/json",
        body: JSON.stringify({ level, hints: roundedRanking(value) }),
      });
    })
    .openapi(getAnalysis, async (c) => {
      const match = matchOf(c);
      if (!match.ok) return refuse(c, match.error);
      const token = bearerToken(c);
      const found = await analysisOf(service, {
        match: match.value,
        level: c.req.valid("query").level,
        signal: c.req.raw.signal,
        ...(token === undefined ? {} : { token }),
      });
      if (!found.ok) return refuse(c, found.error);
      const { value, tag } = found.value;
      const isKnown = hasState(c, tag);
      const made = isKnown ? undefined : await value.analysis();
      if (made?.ok === false) return refuse(c, made.error);
      stateHeaders(c, tag);
      if (made === undefined) return c.body(null, 304);
      return sent(c, {
        status: 200,
        type: "application/json",
        body: JSON.stringify(rounded(made.value)),
      });
    });
