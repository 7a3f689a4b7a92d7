import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../../src/http/server.ts";
import { listen } from "../../src/http/server.ts";
import type { Client } from "../support/client.ts";
import { clientAt } from "../support/client.ts";
import { followNext } from "../support/player.ts";
import { testService } from "../support/service.ts";

const HOST = "127.0.0.1";
const MB = 1_024 * 1_024;

let server: Listening;
let api: Client;
beforeAll(async () => {
  const { app } = await testService({ chainLength: 64 });
  const timeouts = { headersMs: 300, requestMs: 600, checkEveryMs: 50 };
  server = await listen(app.fetch, { host: HOST, port: 0 }, timeouts);
  api = await clientAt(`http://${HOST}:${server.port}`);
});
afterAll(() => server.close());

interface Raw {
  readonly status: number;
  readonly head: string;
  readonly problem: { readonly code: string; readonly status: number; readonly instance: string };
}

/** Sends bytes, and reads until the server closes. */
const raw = (bytes: string): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const socket = connect(server.port, HOST, () => socket.write(bytes));
    let text = "";
    socket.on("data", (piece) => {
      text += piece.toString();
    });
    socket.on("error", reject);
    socket.on("close", () => {
      const [head = "", ...rest] = text.split("\r\n\r\n");
      const body = /\{.*\}/s.exec(rest.join(""))?.[0] ?? "";
      const status = Number(/^HTTP\/1.1 (\d+)/.exec(head)?.[1]);
      resolve({ status, head, problem: JSON.parse(body) as Raw["problem"] });
    });
  });

const isProblem = ({ status, head, problem }: Raw, expected: number, code: string): void => {
  expect(status).toBe(expected);
  expect(problem).toMatchObject({ status: expected, code, type: `/problems/${code}` });
  expect(problem.instance).toMatch(/^urn:uuid:/);
  expect(head).toMatch(/^content-type: application\/problem\+json/im);
  expect(head).toMatch(/^x-content-type-options: nosniff/im);
  expect(head).toMatch(/^connection: close/im);
};

describe("what is not HTTP as it should be", () => {
  it("is a problem when the headers are too large", async () => {
    const headers = `X-Long: ${"x".repeat(9 * 1_024)}`;
    const answer = await raw(`GET /livez HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
    isProblem(answer, 431, "headers-too-large");
  });

  it.each([
    ["garbage", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n"],
    ["words", "hello there\r\n\r\n"],
    ["an unknown method", "FETCH /livez HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a header without a colon", "GET /livez HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n"],
    [
      "two lengths",
      "POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx",
    ],
    [
      "a length and chunks",
      "POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["a request without a Host", "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["an old request without a Host", "GET /livez HTTP/1.0\r\n\r\n"],
    ["a Host of no sense", "GET /livez HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n"],
    ["a target of no sense", "GET http://[/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
    ["a star for a target", "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"],
    [
      "an expectation that nobody meets",
      "GET /livez HTTP/1.1\r\nHost: x\r\nExpect: banana\r\nConnection: close\r\n\r\n",
    ],
    ["a tunnel", "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n"],
    ["a length of no sense", "POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"],
  ])("is a problem when it is %s", async (_, bytes) => {
    isProblem(await raw(bytes), 400, "malformed-http");
  });

  it("is a problem when the headers never end", async () => {
    isProblem(await raw("GET /livez HTTP/1.1\r\nHost: x\r\n"), 408, "request-timeout");
  });

  it("is a problem when the body never ends", async () => {
    const head = "POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n";
    isProblem(await raw(`${head}Content-Length: 10\r\n\r\n{`), 408, "request-timeout");
  });
});

/** The status of a POST whose body is of so many bytes; the server may stop reading. */
const posted = (bytes: number, headers: Record<string, string | number>): Promise<number> =>
  new Promise((resolve, reject) => {
    let status = 0;
    const request = httpRequest(
      {
        host: HOST,
        port: server.port,
        path: "/v1/matches",
        method: "POST",
        headers: { "Content-Type": "application/json", ...headers },
      },
      (response) => {
        status = response.statusCode ?? 0;
        response.resume();
        response.on("close", () => resolve(status));
      },
    );
    request.on("error", (error) => (status === 0 ? reject(error) : resolve(status)));
    const piece = Buffer.alloc(64 * 1_024, 0x20);
    let sent = 0;
    const more = (): void => {
      while (sent < bytes && !request.destroyed && status === 0) {
        sent += piece.length;
        if (!request.write(piece)) {
          request.once("drain", more);
          return;
        }
      }
      request.end();
    };
    more();
  });

describe("a running server", () => {
  it("answers every operation as the document says", async () => {
    expect((await api.get("/v1/games")).status).toBe(200);
    const opened = await api.open({
      seats: [{ kind: "human" }, { kind: "engine", level: "random" }],
    });
    const { match } = await followNext(api, opened);
    expect(match.status).toBe("over");
    expect((await api.get(`/v1/matches/${match.id}/log`)).text).toContain('"type":"close"');
    expect((await api.request("HEAD", `/v1/matches/${match.id}`)).status).toBe(200);
  });

  it("refuses 50 MB, announced or not, and serves on", async () => {
    expect(await posted(50 * MB, { "Content-Length": 50 * MB })).toBe(413);
    expect(await posted(50 * MB, { "Transfer-Encoding": "chunked" })).toBe(413);
    expect((await api.get("/livez")).status).toBe(200);
  });

  it("settles its closing when the last answer has been sent", async () => {
    const { app } = await testService({ chainLength: 64 });
    const short = await listen(app.fetch, { host: HOST, port: 0 });
    const answered = fetch(`http://${HOST}:${short.port}/v1/games`);
    await answered;
    await short.close();
    await expect(fetch(`http://${HOST}:${short.port}/livez`)).rejects.toThrow();
  });
});
