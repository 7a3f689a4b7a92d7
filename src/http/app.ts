import { randomUUID } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import { StoreUnavailable } from "../application/ports.ts";
import type { Service } from "../application/service.ts";
import { adviceRoutes } from "./advice.ts";
import { auditRoutes } from "./audit.ts";
import { checkBody, limitBody } from "./body.ts";
import { commandRoutes } from "./commands.ts";
import { docsRoutes } from "./docs.ts";
import { eventRoutes } from "./events.ts";
import { fileRoutes } from "./files.ts";
import { gameRoutes } from "./games.ts";
import { matchListRoutes } from "./match-list.ts";
import { matchRoutes } from "./matches.ts";
import type { About } from "./meta.ts";
import { metaRoutes } from "./meta.ts";
import { allowedMethods } from "./methods.ts";
import { playerRoutes } from "./players.ts";
import { positionRoutes } from "./positions.ts";
import { instanceOf, problem } from "./problem.ts";
import { problemPages } from "./problem-pages.ts";
import type { Env } from "./router.ts";
import { router } from "./router.ts";
import { BEARER } from "./schemas.ts";
import { seatRoutes } from "./seats.ts";

/** Where the adapter reports what it met; no token or seed ever stands in an entry. */
export interface Log {
  info(entry: Readonly<Record<string, unknown>>, message: string): void;
  error(entry: Readonly<Record<string, unknown>>, message: string): void;
}

export interface HttpPorts {
  readonly service: Service;
  readonly about: About;
  readonly log: Log;
  /** The script of the page at /docs. */
  readonly referenceScript: URL;
  /** Where clients reach the service, for the document; absent: where they found it. */
  readonly publicUrl?: string;
}

/**
 * The headers of every answer; a route may set its own Cache-Control. CORS is open and has no credentials,
 * so no answer depends on the origin. Set before the answer is made: Hono's own middleware sets them after,
 * and each answer is then built twice.
 */
const ALWAYS = [
  ["X-Content-Type-Options", "nosniff"],
  ["Cache-Control", "no-store"],
  ["Access-Control-Allow-Origin", "*"],
  ["Access-Control-Expose-Headers", "ETag,Location,Retry-After,Idempotency-Replayed,RateLimit"],
] as const;

/** The headers of an answer to OPTIONS, by a browser that asks first or by anybody. */
const preflight = (c: Context, methods: readonly string[]): void => {
  const asked = c.req.header("Access-Control-Request-Headers");
  c.header("Allow", methods.join(", "));
  c.header("Access-Control-Allow-Methods", methods.join(", "));
  if (asked !== undefined) c.header("Access-Control-Allow-Headers", asked);
  c.header("Access-Control-Max-Age", "86400");
};

/** The whole HTTP interface. */
export const httpApp = (ports: HttpPorts): OpenAPIHono<Env> => {
  const app = router();
  app.openAPIRegistry.registerComponent("securitySchemes", BEARER, {
    type: "http",
    scheme: "bearer",
    description:
      "A seat's token (`qj_seat_…`), an invite (`qj_inv_…`) to claim a seat with, or the key of an app (`qj_app_…`), which the operator of the service makes.",
  });
  app.use(async (c, next) => {
    c.set("requestId", randomUUID());
    const began = performance.now();
    for (const [name, value] of ALWAYS) c.header(name, value);
    if (c.req.method === "OPTIONS") {
      preflight(c, allowedMethods(app, c.req.path));
      return c.body(null, 204);
    }
    await next();
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const { method } = c.req;
    ports.log.info({ method, path: c.req.path, status: c.res.status, ms }, "request");
    return undefined;
  });
  app.use(limitBody, checkBody);
  for (const routes of [
    metaRoutes(ports),
    gameRoutes(ports.service),
    matchRoutes(ports.service),
    matchListRoutes(ports.service),
    seatRoutes(ports.service),
    playerRoutes(ports.service),
    commandRoutes(ports.service),
    eventRoutes(ports.service),
    fileRoutes(ports.service),
    positionRoutes(),
    adviceRoutes(ports.service),
    auditRoutes(ports.service),
  ]) {
    app.route("/", routes);
  }
  app.route("/", problemPages());
  app.route("/", docsRoutes(app, ports));
  app.notFound((c) => {
    const allowed = allowedMethods(app, c.req.path);
    if (allowed.length === 0) return problem(c, "route-not-found");
    c.header("Allow", allowed.join(", "));
    return problem(c, "method-not-allowed");
  });
  app.onError((error, c) => {
    if (error instanceof StoreUnavailable) {
      ports.log.error({ instance: instanceOf(c), error: error.message }, "store unavailable");
      return problem(c, "store-unavailable");
    }
    if (error instanceof HTTPException && error.status < 500) {
      return problem(c, "malformed-request", {}, [
        { pointer: "", detail: "The body is not well-formed JSON." },
      ]);
    }
    if (c.req.raw.signal.aborted) {
      ports.log.info({ instance: instanceOf(c) }, "the client left");
      return problem(c, "malformed-request");
    }
    ports.log.error({ instance: instanceOf(c), error: error.stack ?? error.message }, "internal");
    return problem(c, "internal");
  });
  return app;
};
