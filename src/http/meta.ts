import { createRoute, z } from "@hono/zod-openapi";
import type { Durability } from "../application/ports.ts";
import { REPLIES_ASKED_MAX, REPLIES_MAX } from "../application/service.ts";
import { BODY_BYTES_MAX, BODY_DEPTH_MAX } from "./body.ts";
import { META_EXAMPLE } from "./examples.ts";
import { problem, problemResponses } from "./problem.ts";
import { router } from "./router.ts";
import { jsonResponse, noQuery } from "./schemas.ts";

/** What the service says of itself. */
export interface About {
  readonly name: string;
  readonly version: string;
  readonly commit: string;
  database(): Promise<{ readonly kind: string; readonly version: string }>;
  durability(): Promise<Durability>;
  /** Settles where the service can take commands; throws where it cannot. */
  ready(): Promise<void>;
}

const getMeta = createRoute({
  method: "get",
  path: "/v1/meta",
  operationId: "readMeta",
  tags: ["Service"],
  summary: "What this service is",
  description: "Name, version, how durable an acknowledged command is, and limits.",
  request: { query: noQuery },
  responses: {
    200: jsonResponse(
      "About the service",
      z
        .strictObject({
          name: z.string(),
          version: z.string(),
          commit: z.string(),
          database: z
            .strictObject({ kind: z.string(), version: z.string() })
            .describe("`embedded`: a PostgreSQL of the service's own; `postgresql`: a given one"),
          durability: z
            .enum(["disk", "process"])
            .describe(
              "`disk`: an acknowledged command survives a power loss; `process`: only a killed process",
            ),
          limits: z.strictObject({
            bodyBytes: z.int(),
            bodyDepth: z.int(),
            repliesPerCommand: z.int(),
            repliesPerRequest: z.int(),
          }),
        })
        .meta({ id: "Meta" }),
      META_EXAMPLE,
    ),
    ...problemResponses(),
  },
});

const liveSchema = z.strictObject({ status: z.literal("ok") });

const getLive = createRoute({
  method: "get",
  path: "/livez",
  operationId: "live",
  tags: ["Service"],
  summary: "The process runs",
  description: "200 as long as the process answers at all.",
  responses: { 200: jsonResponse("It runs", liveSchema, { status: "ok" }), ...problemResponses() },
});

const getReady = createRoute({
  method: "get",
  path: "/readyz",
  operationId: "ready",
  tags: ["Service"],
  summary: "The service can take commands",
  description: "503 while the store does not answer, and once the service is about to stop.",
  responses: { 200: jsonResponse("It can", liveSchema, { status: "ok" }), ...problemResponses() },
});

/** What the service says of itself, and probes. */
export const metaRoutes = ({ about }: { readonly about: About }) =>
  router()
    .openapi(getMeta, async (c) => {
      const [database, durability] = await Promise.all([about.database(), about.durability()]);
      const { name, version, commit } = about;
      const limits = {
        bodyBytes: BODY_BYTES_MAX,
        bodyDepth: BODY_DEPTH_MAX,
        repliesPerCommand: REPLIES_MAX,
        repliesPerRequest: REPLIES_ASKED_MAX,
      };
      return c.json({ name, version, commit, database, durability, limits }, 200);
    })
    .openapi(getLive, (c) => c.json({ status: "ok" } as const, 200))
    .openapi(getReady, async (c) => {
      const isReady = await about.ready().then(
        () => true,
        () => false,
      );
      if (isReady) return c.json({ status: "ok" } as const, 200);
      return problem(c, "store-unavailable");
    });
