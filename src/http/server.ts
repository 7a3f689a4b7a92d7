import type { Server } from "node:http";
import type { ServerType } from "@hono/node-server";
import { createAdaptorServer } from "@hono/node-server";
import { answerClientError } from "./client-error.ts";

const HEADERS_TIMEOUT_MS = 5_000;
const REQUEST_TIMEOUT_MS = 10_000;
const HEADER_BYTES_MAX = 8 * 1_024;
const CONNECTIONS_MAX = 2_000;
const REQUESTS_PER_CONNECTION_MAX = 10_000;

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
): Promise<Listening> => {
  const server = createAdaptorServer({
    fetch,
    serverOptions: {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      connectionsCheckingInterval: 1_000,
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

const closed = (server: ServerType): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    if (isHttp(server)) server.closeIdleConnections();
  });
