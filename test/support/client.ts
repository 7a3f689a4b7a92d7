import { expect } from "vitest";
import type { Located, OpenApi } from "./contract.ts";
import { checkOf, pointerTo, templateOf } from "./contract.ts";

/** Where requests go: an app in this process, or a server. */
export type Send = (path: string, init: RequestInit) => Response | Promise<Response>;

/** What a request may bring along. */
export interface Asked {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; the media type is JSON unless a header says otherwise. */
  readonly raw?: NonNullable<RequestInit["body"]>;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer that keeps the contract. */
export interface Answered<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; undefined where there is none. */
  readonly body: Body;
}

export interface ProblemJson {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly version?: number;
  readonly legalPlays?: readonly string[];
}

export interface NextJson {
  readonly title: string;
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface LegalJson {
  readonly commands: readonly { readonly type: string; readonly play?: string }[];
  readonly plays?: readonly PlayJson[];
}

export interface PlayJson {
  readonly play: string;
  readonly moves: readonly { readonly from: number; readonly to: number }[];
  readonly resultingPositionId: string;
}

/** A game of a match that has ended. */
export interface GameResultJson {
  readonly game: number;
  readonly winner: number;
  readonly reason: string;
  readonly points: number;
}

/** A match as tests read it; the contract says which members are there. */
export interface MatchJson {
  readonly id: string;
  readonly status: "open" | "playing" | "over";
  readonly visibility: string;
  readonly variant: string;
  readonly version: number;
  readonly claims: number;
  readonly seats: readonly { readonly seat: number; readonly kind: string }[];
  readonly turn: { readonly kind: string; readonly seats: readonly number[] };
  readonly score: readonly number[];
  readonly state: {
    readonly phase: string;
    readonly dice?: readonly number[];
    readonly games: readonly GameResultJson[];
  };
  readonly legal?: LegalJson;
  readonly result?: { readonly winner: number | null; readonly games: readonly GameResultJson[] };
  readonly replyOwed: boolean;
  readonly next: readonly NextJson[];
  readonly links: Readonly<Record<string, string>>;
}

export interface EventJson {
  readonly seq: number;
  readonly at: string;
  readonly type: string;
}

export interface OpenedJson {
  readonly match: MatchJson;
  readonly seats: readonly {
    readonly seat: number;
    readonly token?: string;
    readonly invite?: string;
  }[];
}

export interface ActedJson {
  readonly match: MatchJson;
  readonly events: readonly EventJson[];
  readonly receipt: { readonly seq: number; readonly hash: string };
}

/** A client that holds every answer against the OpenAPI document which the service itself serves. */
export interface Client {
  readonly document: OpenApi;
  request<Body>(method: string, path: string, asked?: Asked): Promise<Answered<Body>>;
  get<Body>(path: string, asked?: Asked): Promise<Answered<Body>>;
  post<Body>(path: string, body?: unknown, asked?: Asked): Promise<Answered<Body>>;
  /** Opens a match of backgammon. */
  open(wish?: object, asked?: Asked): Promise<OpenedJson>;
}

/** A client of an app in this process: `clientOf((await testService()).app)`. */
export const clientOf = (app: { request: Send }): Promise<Client> =>
  connect((path, init) => app.request(path, init));

/** A client of a server at a URL without a path. */
export const clientAt = (url: string): Promise<Client> =>
  connect((path, init) => fetch(url + path, init));

const connect = async (send: Send): Promise<Client> => {
  const document = (await (await send("/openapi.json", {})).json()) as OpenApi;
  const request = async <Body>(method: string, path: string, asked: Asked = {}) => {
    const response = await send(path, { method, ...sentOf(asked) });
    const text = await response.text();
    keepsContract(document, { method, path }, response, text);
    const isJson = /[/+]json$/.test(mediaTypeOf(response));
    const body = (isJson && text !== "" ? JSON.parse(text) : undefined) as Body;
    return { status: response.status, headers: response.headers, text, body };
  };
  const post = <Body>(path: string, body?: unknown, asked: Asked = {}) =>
    request<Body>("POST", path, body === undefined ? asked : { ...asked, body });
  return {
    document,
    request,
    get: (path, asked) => request("GET", path, asked),
    post,
    open: async (wish = {}, asked = {}) => {
      const opened = await post<OpenedJson>("/v1/matches", { game: "backgammon", ...wish }, asked);
      expect(opened.status, opened.text).toBe(201);
      return opened.body;
    },
  };
};

const sentOf = ({ body, raw, token, headers }: Asked): RequestInit => {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return {
    headers: {
      ...(content === undefined ? {} : { "Content-Type": "application/json" }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
    ...(content instanceof ReadableStream ? { duplex: "half" } : {}),
  };
};

const mediaTypeOf = (response: Response): string =>
  (response.headers.get("Content-Type") ?? "").split(";")[0]?.trim() ?? "";

/** Fails where an answer is not one that the document declares for its operation. */
const keepsContract = (
  document: OpenApi,
  { method, path }: { readonly method: string; readonly path: string },
  response: Response,
  text: string,
): void => {
  const { status } = response;
  const asked = `${method} ${path} answered ${status}`;
  expect(response.headers.get("X-Content-Type-Options"), asked).toBe("nosniff");
  expect(response.headers.get("Cache-Control"), asked).toBe("no-store");
  expect(response.headers.get("Access-Control-Allow-Origin"), asked).toBe("*");
  if (method === "OPTIONS") {
    expect(status, asked).toBe(204);
    return;
  }
  const template = templateOf(document, path.split("?")[0] ?? "");
  const operation =
    document.paths[template ?? ""]?.[method === "HEAD" ? "get" : method.toLowerCase()];
  if (template === undefined || operation === undefined) {
    expect(mediaTypeOf(response), asked).toBe("application/problem+json");
    const code = template === undefined ? "route-not-found" : "method-not-allowed";
    if (method !== "HEAD") isProblem(document, asked, status, text, [code]);
    return;
  }
  const declared = operation.responses[status];
  expect(declared, `${asked}, which is not declared: ${text}`).toBeDefined();
  if (declared?.content === undefined || method === "HEAD") {
    expect(text, `${asked} with a body`).toBe("");
    return;
  }
  const mediaType = mediaTypeOf(response);
  expect(Object.keys(declared.content), `${asked} with a media type not declared`).toContain(
    mediaType,
  );
  const codes = [...declared.description.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code ?? "");
  if (mediaType === "application/problem+json") isProblem(document, asked, status, text, codes);
  const located = { path: template, method: method.toLowerCase(), operation };
  isAsDeclared(document, located, { asked, status, mediaType, text });
};

const isAsDeclared = (
  document: OpenApi,
  { path, method }: Located,
  answer: { asked: string; status: number; mediaType: string; text: string },
): void => {
  const { asked, status, mediaType, text } = answer;
  const pointer = pointerTo(
    ...["paths", path, method, "responses", String(status), "content", mediaType, "schema"],
  );
  const value: unknown =
    mediaType.endsWith("json") && !mediaType.endsWith("ndjson") ? JSON.parse(text) : text;
  const wrong = checkOf(document)(pointer, value);
  expect(wrong, `${asked} with another body than declared: ${text.slice(0, 500)}`).toBeUndefined();
};

const isProblem = (
  document: OpenApi,
  asked: string,
  status: number,
  text: string,
  codes: readonly string[],
): void => {
  const problem = JSON.parse(text) as ProblemJson;
  const wrong = checkOf(document)(pointerTo("components", "schemas", "Problem"), problem);
  expect(wrong, `${asked} with a malformed problem: ${text}`).toBeUndefined();
  expect(codes, `${asked} with a code not declared: ${text}`).toContain(problem.code);
  expect(problem.status, asked).toBe(status);
  expect(problem.type, asked).toBe(`/problems/${problem.code}`);
  expect(problem.instance, asked).toMatch(/^urn:uuid:[0-9a-f-]{36}$/);
  expect(problem.detail, `${asked} with a fact missing`).not.toMatch(/\{\w+\}|undefined/);
};
