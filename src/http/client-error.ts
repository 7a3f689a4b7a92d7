import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import type { ProblemCode } from "./problems.ts";
import { PROBLEMS } from "./problems.ts";

/**
 * Answers what Node's HTTP parser refuses, before any route sees it, as a problem like every other.
 *
 * @param error - its `code` says what was wrong
 */
export const answerClientError = (error: Error, socket: Duplex): void => {
  if (!socket.writable || ("code" in error && error.code === "ECONNRESET")) {
    socket.destroy();
    return;
  }
  const code = codeOf(error);
  const { status, title, detail } = PROBLEMS[code];
  const body = JSON.stringify({
    type: `/problems/${code}`,
    title: title.en,
    status,
    detail: detail.en,
    instance: `urn:uuid:${randomUUID()}`,
    code,
  });
  socket.end(
    [
      `HTTP/1.1 ${status} ${title.en}`,
      "Content-Type: application/problem+json",
      "X-Content-Type-Options: nosniff",
      "Cache-Control: no-store",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
};

const codeOf = (error: Error): ProblemCode => {
  switch ("code" in error ? error.code : "") {
    case "HPE_HEADER_OVERFLOW":
      return "headers-too-large";
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return "request-timeout";
    default:
      return "malformed-http";
  }
};
