import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "./router.ts";

/** The methods that some route takes at this path, for `Allow`; none where nothing is there. */
export const allowedMethods = (app: OpenAPIHono<Env>, path: string): readonly string[] => {
  const methods = new Set<string>();
  for (const route of app.routes) {
    if (route.method === "ALL" || !matches(route.path, path)) continue;
    methods.add(route.method);
    if (route.method === "GET") methods.add("HEAD");
  }
  if (methods.size > 0) methods.add("OPTIONS");
  return [...methods].sort();
};

const matches = (pattern: string, path: string): boolean => {
  const wanted = pattern.split("/");
  const given = path.split("/");
  return (
    wanted.length === given.length &&
    wanted.every((part, i) => (part.startsWith(":") ? given[i] !== "" : part === given[i]))
  );
};
