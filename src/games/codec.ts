import type { z } from "zod";
import type { Json } from "../kernel/json.ts";
import type { Result } from "../kernel/result.ts";
import { err, ok } from "../kernel/result.ts";

/** What is wrong with a JSON value, and where (RFC 6901 pointer). */
export interface Issue {
  readonly pointer: string;
  readonly message: string;
}

/** Reads a value of JSON. A failure is the writer's mistake. */
export type Reader<Value> = (json: Json) => Result<Value, readonly Issue[]>;

/** A reader by a zod schema. */
export const reader =
  <Value>(schema: z.ZodType<Value>): Reader<Value> =>
  (json) => {
    const parsed = schema.safeParse(json);
    return parsed.success ? ok(parsed.data) : err(issuesOf(parsed.error));
  };

/** A reader of what we wrote ourselves: anything unreadable is a broken world, and throws. */
export const ownReader =
  <Value>(schema: z.ZodType<Value>) =>
  (json: Json): Value =>
    schema.parse(json);

/** The issues of a zod error, with JSON pointers. */
export const issuesOf = (error: z.ZodError): readonly Issue[] =>
  error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          pointer: pointer([...issue.path, key]),
          message: "this key is not known here",
        }))
      : [{ pointer: pointer(issue.path), message: issue.message }],
  );

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
