import { randomUUID } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { cors } from "hono/cors";
import { HTTPException } from "hono/http-exception";
import { StoreUnavailable } from "../application/ports.ts";
import type { Service } from "../application/service.ts";
import { auditRoutes } from "./audit.ts";
import { checkBody, limitBody } from "./body.ts";
import { commandRoutes } from "./commands.ts";
import { docsRoutes } from "./docs.ts";
import { eventRoutes } from "./events.ts";
import { gameRoutes } from "./games.ts";
import { matchRoutes } from "./matches.ts";
import type { About } from "./meta.ts";
import { metaRoutes } from "./meta.ts";
import { allowedMethods } from "./methods.ts";
import { positionRoutes } from "./positions.ts";
import { instanceOf, problem } from "./problem.ts";
import { problemPages } from "./problem-pages.ts";
import type { Env } from "./router.ts";
import { router } from "./router.ts";

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

const EXPOSED = ["ETag", "Location", "Retry-After", "Idempotency-Replayed", "RateLimit"];

/** The whole HTTP interface. */
export const httpApp = (ports: HttpPorts): OpenAPIHono<Env> => {
  const app = router();
  app.use(async (c, next) => {
    c.set("requestId", randomUUID());
    const began = performance.now();
    await next();
    c.header("X-Content-Type-Options", "nosniff");
    const ms = Math.round((performance.now() - began) * 10) / 10;
    const { method } = c.req;
    ports.log.info({ method, path: c.req.path, status: c.res.status, ms }, "request");
  });
  app.use(cors({ origin: "*", exposeHeaders: EXPOSED, maxAge: 86_400 }));
  app.use(limitBody, checkBody);
  for (const routes of [
    metaRoutes(ports),
    gameRoutes(ports.service),
    matchRoutes(ports.service),
    commandRoutes(ports.service),
    eventRoutes(ports.service),
    positionRoutes(),
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
      c.header("Retry-After", "1");
      return problem(c, "store-unavailable");
    }
    if (error instanceof HTTPException && error.status < 500) {
      return problem(c, "malformed-request", {}, [
        { pointer: "", detail: "The body is not well-formed JSON." },
      ]);
    }
    ports.log.error({ instance: instanceOf(c), error: error.stack ?? error.message }, "internal");
    return problem(c, "internal");
  });
  return app;
};
