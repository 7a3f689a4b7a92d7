import { readFile } from "node:fs/promises";
import type { OpenAPIHono } from "@hono/zod-openapi";
import { createRoute, z } from "@hono/zod-openapi";
import { withOpenAnswers } from "./open-answers.ts";
import { problemResponses } from "./problem.ts";
import type { Env } from "./router.ts";
import { router } from "./router.ts";
import { jsonResponse } from "./schemas.ts";
import { sent } from "./sent.ts";

/** The contract as a document. */
export const openApiDocument = (
  app: OpenAPIHono<Env>,
  { version, url }: { readonly version: string; readonly url: string },
) =>
  withOpenAnswers(
    app.getOpenAPI31Document({
      openapi: "3.1.0",
      info: {
        title: "Qiju (棋局)",
        version,
        description: [
          "Backgammon (双陆棋) over HTTP, with dice that anyone can check.",
          "Errors are RFC 9457 problem details; `code` is stable, and `Accept-Language: zh` makes title and detail Chinese.",
          "Every POST that changes something takes an `Idempotency-Key`: only answers of success are kept, so a refused request may be corrected and sent again under its key; a retry of one that was done gets the first answer, whatever its `If-Match`.",
          "A match that nobody touches for a week is lost by the seat on turn; one whose open seat nobody claims within a day is removed.",
          "Clients ignore members, enum values and event types that they do not know.",
        ].join(" "),
        license: { name: "MIT" },
      },
      servers: [{ url }],
      tags: [
        { name: "Matches", description: "Open, read, list; take a seat" },
        { name: "Players", description: "What an app's own players have done" },
        { name: "Play", description: "What is legal, doing it, and engines' replies" },
        { name: "Log", description: "What has happened: events, and the hash-chained lines" },
        { name: "Positions", description: "Backgammon as a tool; nothing is stored" },
        { name: "Games", description: "The catalogue" },
        { name: "Audit", description: "What is needed to check the dice" },
        { name: "Service", description: "About the service, probes, problems" },
      ],
    }),
  );

const getDocument = createRoute({
  method: "get",
  path: "/openapi.json",
  operationId: "readContract",
  tags: ["Service"],
  summary: "This document",
  description: "The contract as OpenAPI 3.1; clients can be generated from it.",
  responses: {
    200: jsonResponse("The document", z.looseObject({ openapi: z.string() }), { openapi: "3.1.0" }),
    ...problemResponses(),
  },
});

const getPage = createRoute({
  method: "get",
  path: "/docs",
  operationId: "readDocs",
  tags: ["Service"],
  summary: "A page to read this document and to try it",
  description: "All that it needs comes from this service.",
  responses: {
    200: { description: "The page", content: { "text/html": { schema: z.string() } } },
    ...problemResponses(),
  },
});

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Qiju API</title></head>
<body>
<script id="api-reference" data-url="/openapi.json" data-configuration='{"withDefaultFonts":false,"telemetry":false,"agent":{"disabled":true},"hideClientButton":true,"showDeveloperTools":"never","authentication":{"preferredSecurityScheme":"bearer"},"defaultOpenAllTags":true}'></script>
<script src="/docs/reference.js"></script>
</body>
</html>
`;

/** The contract, and a page to try it. Its script is served from here: nothing is loaded from elsewhere. */
export const docsRoutes = (
  app: OpenAPIHono<Env>,
  ports: {
    readonly about: { readonly version: string };
    readonly publicUrl?: string;
    readonly referenceScript: URL;
  },
) => {
  const { about, publicUrl, referenceScript } = ports;
  const docs = router();
  let body: string | undefined;
  docs.openapi(getDocument, (c) => {
    body ??= JSON.stringify(
      openApiDocument(app, { version: about.version, url: publicUrl ?? "/" }),
    );
    return sent(c, { status: 200, type: "application/json", body });
  });
  docs.openapi(getPage, (c) => {
    c.header(
      "Content-Security-Policy",
      "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'",
    );
    return c.html(PAGE);
  });
  docs.get("/", (c) => c.redirect("/docs"));
  docs.get("/docs/reference.js", async (c) => {
    c.header("Content-Type", "text/javascript; charset=utf-8");
    c.header("Cache-Control", "public, max-age=86400");
    return c.body(new Uint8Array(await readFile(referenceScript)));
  });
  return docs;
};
