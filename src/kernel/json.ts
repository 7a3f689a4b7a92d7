/**
 * JSON as a value. Mutable in type, because Hono types responses so; read-only by habit.
 */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** An object among JSON values. */
export type JsonObject = { [key: string]: Json };

/**
 * The canonical text of a JSON value (RFC 8785, JCS): keys in order of their UTF-16 code units, no
 * space, numbers as ECMAScript prints them.
 *
 * Keys whose value is `undefined` are left out, as `JSON.stringify` does.
 */
export const canonical = (value: Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined)
    .sort(byCodeUnits)
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] as Json)}`);
  return `{${members.join(",")}}`;
};

const byCodeUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
