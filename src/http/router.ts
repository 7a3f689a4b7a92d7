import { OpenAPIHono } from "@hono/zod-openapi";
import { issuesOf } from "../games/codec.ts";
import { problem } from "./problem.ts";

/** What every request carries along. */
export interface Env {
  Variables: { readonly requestId: string };
}

/** A router whose invalid requests are answered as every other error is. */
export const router = (): OpenAPIHono<Env> =>
  new OpenAPIHono<Env>({
    defaultHook: (result, c) => {
      if (result.success) return undefined;
      const where = result.target === "json" ? "" : `/${result.target}`;
      return problem(
        c,
        "malformed-request",
        {},
        issuesOf(result.error).map(({ pointer, message }) => ({
          pointer: where + pointer,
          detail: message,
        })),
      );
    },
  });
