import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { ProblemError } from "./problem.ts";
import { problem } from "./problem.ts";

/** Largest request body, in bytes. */
export const BODY_BYTES_MAX = 16 * 1_024;
/** Deepest nesting of a body's arrays and objects. */
export const BODY_DEPTH_MAX = 16;

/** Refuses a body that is too large before any of it is parsed. */
export const limitBody: MiddlewareHandler = bodyLimit({
  maxSize: BODY_BYTES_MAX,
  onError: (c) => problem(c, "body-too-large", { bytesMax: BODY_BYTES_MAX }),
});

/**
 * Refuses a body that is not plain JSON: another media type, malformed UTF-8 or JSON, nesting past
 * `BODY_DEPTH_MAX`, a NUL or half a surrogate pair in a text.
 *
 * A body that is empty passes: the route says whether it needs one.
 */
export const checkBody: MiddlewareHandler = async (c, next) => {
  if (c.req.method !== "POST") return next();
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  if (bytes.length === 0) return next();
  if (!isJson(c.req.header("Content-Type")) || c.req.header("Content-Encoding") !== undefined) {
    return problem(c, "media-type-not-supported");
  }
  const wrong = faultOf(bytes);
  if (wrong !== undefined) return problem(c, "malformed-request", {}, [wrong]);
  return next();
};

const isJson = (mediaType: string | undefined): boolean =>
  mediaType !== undefined &&
  /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(mediaType);

const whole = (detail: string): ProblemError => ({ pointer: "", detail });

const faultOf = (bytes: Uint8Array): ProblemError | undefined => {
  const text = decoded(bytes);
  if (text === undefined) return whole("The body is not UTF-8.");
  if (depthOf(text) > BODY_DEPTH_MAX) {
    return whole(`The body is nested more than ${BODY_DEPTH_MAX} deep.`);
  }
  try {
    const value: unknown = JSON.parse(text);
    return faultIn(value, "");
  } catch {
    return whole("The body is not well-formed JSON.");
  }
};

const decoded = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

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
    const fault = isStorable(key)
      ? faultIn(member, at)
      : { pointer, detail: "A key holds a NUL or half a surrogate pair." };
    if (fault !== undefined) return fault;
  }
  return undefined;
};

/** PostgreSQL holds no NUL, and half a surrogate pair is no character. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes("\u0000");
