import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { getRequestListener } from "@hono/node-server";
import { answerClientError, bareProblem } from "./client-error.ts";

/** How long a client may take; the problem `request-timeout` says so too. */
const TIMEOUTS: Timeouts = { headersMs: 5_000, requestMs: 10_000, checkEveryMs: 1_000 };
const HEADER_BYTES_MAX = 8 * 1_024;
const CONNECTIONS_MAX = 2_000;

interface Timeouts {
  readonly headersMs: number;
  readonly requestMs: number;
  /** How often connections are looked at. */
  readonly checkEveryMs: number;
}

/** A running HTTP server. */
export interface Listening {
  readonly port: number;
  /** Takes no more connections, and settles when the last answer has been sent. */
  close(): Promise<void>;
}

/** The address is taken, or not ours to listen on. */
export class CannotListen extends Error {
  override readonly name = "CannotListen";
}

/** Serves an app. Slow or greedy connections are cut off; the problems say so. */
export const listen = (
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
  timeouts: Timeouts = TIMEOUTS,
): Promise<Listening> => {
  const listener = getRequestListener(fetch, {
    // Only what is no request at all comes here: a missing Host, a target that is no URL.
    errorHandler: () => {
      const { status, headers, body } = bareProblem("malformed-http");
      return new Response(body, { status, headers });
    },
  });
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: timeouts.checkEveryMs,
      // Else Node answers a request without a Host by itself, without a code.
      requireHostHeader: false,
    },
    (request, response) => void listener(request, response),
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on("clientError", answerClientError);
  server.on("checkExpectation", (_request: IncomingMessage, response: ServerResponse) => {
    const { status, headers, body } = bareProblem("malformed-http");
    response.writeHead(status, headers).end(body);
  });
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    answerClientError(new Error("no tunnels here"), socket);
  });
  return new Promise((resolve, reject) => {
    server.once("error", (cause) => {
      const why = `cannot listen on ${host}:${port} (${cause.message}): set PORT or HOST`;
      reject(new CannotListen(why, { cause }));
    });
    server.listen(port, host, () => {
      server.removeAllListeners("error");
      resolve({ port: portOf(server), close: () => closed(server) });
    });
  });
};

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** A kept-alive connection becomes idle only after its answer, so idle ones are looked for again. */
const IDLE_CHECK_MS = 50;

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    const checking = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
    server.close(() => {
      clearInterval(checking);
      resolve();
    });
    server.closeIdleConnections();
  });
