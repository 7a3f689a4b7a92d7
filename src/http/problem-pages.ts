import { createRoute, z } from "@hono/zod-openapi";
import { problem, problemResponses } from "./problem.ts";
import type { ProblemCode } from "./problems.ts";
import { PROBLEMS } from "./problems.ts";
import { router } from "./router.ts";
import { jsonResponse, noQuery } from "./schemas.ts";

const bilingual = z.strictObject({ en: z.string(), zh: z.string() });

const pageSchema = z
  .strictObject({
    code: z.string(),
    status: z.int(),
    title: bilingual,
    detail: bilingual.describe("`{fact}` stands for a fact of the occurrence"),
  })
  .meta({ id: "ProblemPage" });

const pageOf = (code: ProblemCode) => ({ code, ...PROBLEMS[code] });

const getProblem = createRoute({
  method: "get",
  path: "/problems/{code}",
  operationId: "readProblem",
  tags: ["Service"],
  summary: "What a problem's code means",
  description: "The `type` of a problem leads here.",
  request: {
    params: z.object({ code: z.string().meta({ example: "stale-version" }) }),
    query: noQuery,
  },
  responses: {
    200: jsonResponse("The problem", pageSchema, pageOf("stale-version")),
    ...problemResponses("problem-not-found"),
  },
});

const getProblems = createRoute({
  method: "get",
  path: "/problems",
  operationId: "listProblems",
  tags: ["Service"],
  summary: "Every problem there is",
  description: "All codes, with status and texts.",
  request: { query: noQuery },
  responses: {
    200: jsonResponse("All problems", z.strictObject({ problems: z.array(pageSchema) }), {
      problems: [pageOf("stale-version")],
    }),
    ...problemResponses(),
  },
});

const CODES = Object.keys(PROBLEMS) as ProblemCode[];

/** The pages that problems point to. */
export const problemPages = () =>
  router()
    .openapi(getProblems, (c) => c.json({ problems: CODES.map(pageOf) }, 200))
    .openapi(getProblem, (c) => {
      const { code: asked } = c.req.valid("param");
      const code = CODES.find((one) => one === asked);
      return code === undefined ? problem(c, "problem-not-found") : c.json(pageOf(code), 200);
    });
