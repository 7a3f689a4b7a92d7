import type { z } from "@hono/zod-openapi";
import type { Issue } from "../games/codec.ts";
import { issuesOf } from "../games/codec.ts";

type ZodIssue = z.core.$ZodIssue;

/**
 * What is wrong with a request, place by place. Of a choice between forms it is told by the form that
 * the client seems to mean; zod alone would only say that none fits.
 */
export const requestIssues = (error: z.ZodError): readonly Issue[] =>
  issuesOf({ ...error, issues: error.issues.flatMap(meant) });

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

/** The issue that says that a form is not the one meant: its `type` is another. */
const tagIssue = (form: readonly ZodIssue[]) =>
  form.find((issue) => issue.code === "invalid_value" && issue.path.length === 1);

const noSuchTag = (forms: readonly (readonly ZodIssue[])[]): ZodIssue => {
  const tags = forms.flatMap((form) => tagIssue(form) ?? []);
  const values = tags.flatMap((issue) => (issue.code === "invalid_value" ? issue.values : []));
  const [first] = tags;
  const message = `expected one of ${[...new Set(values)].map((value) => JSON.stringify(value)).join(", ")}`;
  return { code: "custom", path: first?.path ?? [], message };
};

/** A key that a form does not know says most about which form is not meant. */
const KEY_WEIGHT = 100;

/** How far a value is from a form. */
const weight = (form: readonly ZodIssue[]): number =>
  form.reduce((sum, issue) => {
    const isRoot = issue.code === "unrecognized_keys" && issue.path.length === 0;
    return sum + (isRoot ? issue.keys.length * KEY_WEIGHT : 1);
  }, 0);
