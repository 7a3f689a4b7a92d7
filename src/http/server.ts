import type { Server } from "node:http";
import type { ServerType } from "@hono/node-server";
import { createAdaptorServer } from "@hono/node-server";
import { answerClientError } from "./client-error.ts";

/** How long a client may take; the problem `request-timeout` says so too. */
const TIMEOUTS: Timeouts = { headersMs: 5_000, requestMs: 10_000, checkEveryMs: 1_000 };
const HEADER_BYTES_MAX = 8 * 1_024;
const CONNECTIONS_MAX = 2_000;
const REQUESTS_PER_CONNECTION_MAX = 10_000;

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

/** Serves an app. Slow or greedy connections are cut off; the problems say so. */
export const listen = (
  fetch: (request: Request) => Response | Promise<Response>,
  { host, port }: { readonly host: string; readonly port: number },
  timeouts: Timeouts = TIMEOUTS,
): Promise<Listening> => {
  const server = createAdaptorServer({
    fetch,
    serverOptions: {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: timeouts.checkEveryMs,
    },
  });
  if (isHttp(server)) {
    server.maxConnections = CONNECTIONS_MAX;
    server.maxRequestsPerSocket = REQUESTS_PER_CONNECTION_MAX;
  }
  server.on("clientError", answerClientError);
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.removeListener("error", reject);
      resolve({ port: portOf(server), close: () => closed(server) });
    });
  });
};

const isHttp = (server: ServerType): server is Server => "maxRequestsPerSocket" in server;

const portOf = (server: ServerType): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/** A kept-alive connection becomes idle only after its answer, so idle ones are looked for again. */
const IDLE_CHECK_MS = 50;

const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    const closeIdle = (): void => {
      if (isHttp(server)) server.closeIdleConnections();
    };
    const checking = setInterval(closeIdle, IDLE_CHECK_MS);
    server.close(() => {
      clearInterval(checking);
      resolve();
    });
    closeIdle();
  });
