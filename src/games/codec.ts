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

/**
 * The issues of a zod error, with JSON pointers. Of a choice between forms it is told by the form that the
 * client seems to mean; zod alone would only say that none fits.
 */
export const issuesOf = (error: z.ZodError): readonly Issue[] =>
  error.issues.flatMap(meant).flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({
          pointer: pointer([...issue.path, key]),
          message: "this key is not known here",
        }))
      : [{ pointer: pointer(issue.path), message: issue.message }],
  );

const pointer = (path: readonly PropertyKey[]): string =>
  path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

type ZodIssue = z.core.$ZodIssue;

const meant = (issue: ZodIssue): readonly ZodIssue[] => {
  if (issue.code !== "invalid_union" || issue.errors.length === 0) return [issue];
  const forms = issue.errors.map((form) => form.flatMap(meant));
  const rooted = (found: ZodIssue): ZodIssue => ({
    ...found,
    path: [...issue.path, ...found.path],
  });
  const open = forms.filter((form) => tagIssue(form) === undefined);
  if (open.length === 0) return [rooted(noSuchTag(forms))];
  const weights = open.map(weight);
  const least = Math.min(...weights);
  const best = open.filter((_, form) => weights[form] === least);
  if (best.length === 1) return best.flat().map(rooted);
  return [{ ...issue, message: "this has none of the forms that it can have" }];
};

/** What a form is known by. */
const TAGS: readonly PropertyKey[] = ["type", "kind"];

/** The issue that says that a form is not the one meant: its `type` or `kind` is another. */
const tagIssue = (form: readonly ZodIssue[]) =>
  form.find(
    ({ code, path }) =>
      code === "invalid_value" && path.length === 1 && TAGS.includes(path[0] ?? ""),
  );

const noSuchTag = (forms: readonly (readonly ZodIssue[])[]): ZodIssue => {
  const tags = forms.flatMap((form) => tagIssue(form) ?? []);
  const values = tags.flatMap((issue) => (issue.code === "invalid_value" ? issue.values : []));
  const [first] = tags;
  const message = `expected one of ${[...new Set(values)].map((value) => JSON.stringify(value)).join(", ")}`;
  return { code: "custom", path: first?.path ?? [], message };
};

/** A key that a form does not know, or another kind of value, says most about which form is not meant. */
const KEY_WEIGHT = 100;

/** How far a value is from a form. */
const weight = (form: readonly ZodIssue[]): number =>
  form.reduce((sum, issue) => {
    if (issue.path.length > 0) return sum + 1;
    return sum + KEY_WEIGHT * (issue.code === "unrecognized_keys" ? issue.keys.length : 1);
  }, 0);
