import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { accepts } from "hono/accepts";
import type { Failure } from "../application/failure.ts";
import type { Facts } from "../kernel/result.ts";
import type { Bilingual, ProblemCode } from "./problems.ts";
import { PROBLEMS } from "./problems.ts";
import { REASONS } from "./reasons.ts";
import { sent } from "./sent.ts";

type Language = keyof Bilingual;

/** The language that the client likes best of those we speak: English, or Chinese of any region. */
const languageOf = (c: Context): Language =>
  accepts(c, {
    header: "Accept-Language",
    supports: ["en", "zh"],
    default: "en",
    match: (wanted) =>
      [...wanted]
        .sort((a, b) => b.q - a.q)
        .map(({ type }) => type.toLowerCase().split("-")[0] ?? "")
        .find((language) => language === "en" || language === "zh") ?? "en",
  }) === "zh"
    ? "zh"
    : "en";

const problemSchema = z
  .looseObject({
    type: z.string().describe("`/problems/{code}`: a page that explains it"),
    title: z.string().describe("The same for every occurrence of the code"),
    status: z.int(),
    detail: z.string().describe("About this occurrence"),
    instance: z.string().describe("The request's id; name it in a report"),
    code: z
      .enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]])
      .describe("Stable: branch on this"),
    errors: z
      .array(z.strictObject({ pointer: z.string(), detail: z.string() }))
      .optional()
      .describe("What is wrong where: a JSON pointer into the body, or into `/header`, `/query`"),
    reason: z
      .enum(Object.keys(REASONS) as [string, ...string[]])
      .optional()
      .describe("With `play-not-legal` and positions: why"),
    place: z
      .string()
      .optional()
      .describe("With `play-not-legal`: the place that it is about, as move text writes it"),
    phase: z.string().optional().describe("With `wrong-phase`: the phase"),
    levels: z.array(z.string()).optional().describe("With `engine-level-unknown`: the levels"),
    variants: z.array(z.string()).optional().describe("With `variant-unknown`: the variants"),
    games: z.array(z.string()).optional().describe("With `game-unknown`: the games"),
    version: z.int().optional().describe("With `stale-version`: where the match is"),
    seat: z.int().optional().describe("The seat that it is about"),
    possibleAt: z.iso.datetime().optional().describe("With `nudge-too-early`: from when on"),
    deadline: z.iso.datetime().optional().describe("With `already-nudged`: until when"),
    retryAfterSeconds: z.int().optional().describe("With `engines-busy`: as `Retry-After` says"),
    legalPlays: z.array(z.string()).optional().describe("With `play-not-legal`: what is legal"),
  })
  .meta({
    id: "Problem",
    description: "RFC 9457 problem details. Further members are facts of the occurrence.",
    example: {
      type: "/problems/stale-version",
      title: "The match has moved on",
      status: 412,
      detail: "The match is at version 45.",
      instance: "urn:uuid:4f6f2cf5-6d2b-4a3e-a7a5-0f2f8f1d7c11",
      code: "stale-version",
      version: 45,
    },
  });

/** Something wrong at a place of the request. */
export interface ProblemError {
  readonly pointer: string;
  readonly detail: string;
}

/** Answers with a problem. `facts` stand in its detail, and beside it for programs. */
export const problem = (
  c: Context,
  code: ProblemCode,
  facts: Facts = {},
  errors?: readonly ProblemError[],
): never => {
  const { status, title, detail } = PROBLEMS[code];
  const language = languageOf(c);
  const body = {
    type: `/problems/${code}`,
    title: title[language],
    status,
    detail: filled(detail, facts, language),
    instance: instanceOf(c),
    code,
    ...facts,
    ...(errors === undefined ? {} : { errors }),
  };
  if (status === 401) c.header("WWW-Authenticate", "Bearer");
  if (status === 503) c.header("Retry-After", String(facts["retryAfterSeconds"] ?? 1));
  c.header("Cache-Control", "no-store");
  return sent(c, { status, type: "application/problem+json", body: JSON.stringify(body) });
};

/** Answers with what a use case refused. */
export const refuse = (c: Context, { code, facts }: Failure): never => {
  if (!isProblemCode(code)) throw new TypeError(`no problem is listed for ${code}`);
  const { issues, ...others } = facts;
  return Array.isArray(issues)
    ? problem(
        c,
        code,
        others,
        issues.map((issue) => errorOf(issue, languageOf(c))),
      )
    : problem(c, code, facts);
};

/** What a game says of its options or commands: `pointer: message`, where a reason's code stands for its words. */
const errorOf = (issue: string, language: Language): ProblemError => {
  const end = issue.indexOf(": ");
  const message = issue.slice(end + 2);
  return { pointer: issue.slice(0, end), detail: REASONS[message]?.[language] ?? message };
};

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

/** The request's id as a URN. */
export const instanceOf = (c: Context): string => `urn:uuid:${c.get("requestId")}`;

const filled = (detail: Bilingual, facts: Facts, language: Language): string =>
  detail[language].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const fact = facts[name];
    const text = Array.isArray(fact) ? fact.join(", ") : String(fact ?? "");
    return name === "reason" ? (REASONS[text]?.[language] ?? text) : text;
  });

const retryHeaders = z.object({
  "Retry-After": z.string().describe("Seconds; a request sent again sooner meets the same"),
});

/** The problem responses of an operation, for its document: those named, and those of every one. */
export const problemResponses = (...codes: readonly ProblemCode[]) => {
  const always: readonly ProblemCode[] = ["malformed-request", "internal", "store-unavailable"];
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of new Set([...codes, ...always])) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, listed]) => [
      status,
      {
        description: listed.map((code) => `\`${code}\``).join(", "),
        content: { "application/problem+json": { schema: problemSchema } },
        ...(Number(status) === 503 ? { headers: retryHeaders } : {}),
      },
    ]),
  );
};
