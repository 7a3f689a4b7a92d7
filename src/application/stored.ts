import { assert } from "../kernel/assert.ts";
import type { Json, JsonObject } from "../kernel/json.ts";

// What we stored ourselves, read back: anything else than expected is a broken world, and throws.

export const object = (json: Json | undefined): JsonObject => {
  assert(typeof json === "object" && json !== null && !Array.isArray(json), "an object was stored");
  return json;
};

export const list = (json: Json | undefined): readonly Json[] => {
  assert(Array.isArray(json), "a list was stored");
  return json;
};

export const number = (json: Json | undefined): number => {
  assert(typeof json === "number", "a number was stored");
  return json;
};
