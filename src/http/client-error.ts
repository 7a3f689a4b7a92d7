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
  const { status, title, headers, body } = bareProblem(codeOf(error));
  const length = Buffer.byteLength(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${title}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      `Content-Length: ${length}`,
      "Connection: close",
      "",
      body,
    ].join("\r\n"),
  );
};

/** A problem where no route and no language is known yet. */
export const bareProblem = (code: ProblemCode) => {
  const { status, title, detail } = PROBLEMS[code];
  const instance = `urn:uuid:${randomUUID()}`;
  const type = `/problems/${code}`;
  return {
    status,
    title: title.en,
    headers: {
      "Content-Type": "application/problem+json",
      "X-Content-Type-Options": "nosniff",
      "Cache-Control": "no-store",
    },
    body: JSON.stringify({ type, title: title.en, status, detail: detail.en, instance, code }),
  };
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
