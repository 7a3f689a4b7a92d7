import type { Context, MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ProblemError } from "./problem.ts";
import { problem } from "./problem.ts";

/** Largest request body, in bytes. */
export const BODY_BYTES_MAX = 16 * 1_024;
/** Largest body of an import, which brings a file along, in bytes. */
export const IMPORT_BYTES_MAX = 1_024 * 1_024;
const IMPORT_PATH = "/v1/matches/import";
/** Deepest nesting of a body's arrays and objects. */
export const BODY_DEPTH_MAX = 16;

/**
 * Refuses a body that is too large before any of it is parsed.
 *
 * Node's parser holds a request to its Content-Length, so a stated length is enough; only a body without
 * one is counted as it comes. Counting makes a stream of the body, which costs more than the command.
 */
export const limitBody: MiddlewareHandler = (c, next) => {
  if (c.req.method !== "POST") return next();
  const length = c.req.header("Content-Length");
  if (length === undefined || c.req.header("Transfer-Encoding") !== undefined) {
    return countBody(c, next);
  }
  return Number(length) > bytesMaxOf(c) ? Promise.resolve(tooLarge(c)) : next();
};

const bytesMaxOf = (c: Context): number =>
  c.req.path === IMPORT_PATH ? IMPORT_BYTES_MAX : BODY_BYTES_MAX;

const tooLarge = (c: Context): never => problem(c, "body-too-large", { bytesMax: bytesMaxOf(c) });

const countBody: MiddlewareHandler = (c, next) =>
  bodyLimit({ maxSize: bytesMaxOf(c), onError: tooLarge })(c, next);

/**
 * Refuses a body that is not plain JSON: another media type, malformed UTF-8 or JSON, nesting past
 * `BODY_DEPTH_MAX`, a key twice in one object, the key `__proto__`, a NUL or half a surrogate pair.
 *
 * A body that is empty passes: the route says whether it needs one.
 */
export const checkBody: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== "POST") return next();
  const text = await c.req.text();
  if (text === "") return next();
  if (!isJson(c.req.header("Content-Type")) || c.req.header("Content-Encoding") !== undefined) {
    return problem(c, "media-type-not-supported");
  }
  const wrong = faultOf(text);
  if (wrong !== undefined) return problem(c, "malformed-request", {}, [wrong]);
  return next();
};

const isJson = (mediaType: string | undefined): boolean =>
  mediaType !== undefined &&
  /^application\/json(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(mediaType);

const whole = (detail: string): ProblemError => ({ pointer: "", detail });

const faultOf = (text: string): ProblemError | undefined => {
  if (text.includes(NOT_UTF_8)) return whole("The body is not UTF-8.");
  if (depthOf(text) > BODY_DEPTH_MAX) {
    return whole(`The body is nested more than ${BODY_DEPTH_MAX} deep.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    return faultIn(value, "") ?? repeatedKey(text);
  } catch {
    return whole("The body is not well-formed JSON.");
  }
};

/** What a decoder puts in the place of bytes that are no UTF-8. A body has no other use for it. */
const NOT_UTF_8 = "\ufffd";

/** How deep brackets nest, those in texts left out; runs before the parser does. */
const depthOf = (text: string): number => {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (inText) {
      if (character === "\\") i += 1;
      else if (character === '"') inText = false;
    } else if (character === '"') inText = true;
    else if (character === "{" || character === "[") deepest = Math.max(deepest, ++depth);
    else if (character === "}" || character === "]") depth -= 1;
  }
  return deepest;
};

const faultIn = (value: unknown, pointer: string): ProblemError | undefined => {
  if (typeof value === "string" && !isStorable(value)) {
    return { pointer, detail: "A text holds a NUL or half a surrogate pair." };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const at = `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (key === "__proto__") return { pointer: at, detail: UNKNOWN_KEY };
    const fault = isStorable(key)
      ? faultIn(member, at)
      : { pointer, detail: "A key holds a NUL or half a surrogate pair." };
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** Schemas that take any key drop this one without a word, so it is refused before them. */
const UNKNOWN_KEY = "this key is not known here";

/**
 * A key that stands twice in one object. Parsers differ about which one counts (RFC 8259, section 4), so
 * neither does.
 *
 * @param text - well-formed JSON
 */
const repeatedKey = (text: string): ProblemError | undefined => {
  const seen: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:)?|[{}]/g)) {
    if (token === "{") seen.push(new Set());
    else if (token === "}") seen.pop();
    else if (string !== undefined && colon !== undefined) {
      const key = String(JSON.parse(string));
      const keys = seen.at(-1);
      if (keys?.has(key)) return whole(`The key ${JSON.stringify(key)} stands twice in an object.`);
      keys?.add(key);
    }
  }
  return undefined;
};

/** PostgreSQL holds no NUL, and half a surrogate pair is no character. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000");
