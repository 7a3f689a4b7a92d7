import type { Context } from "hono";

/**
 * Sends a body that is text already: an answer that must be the same bytes for a retry, or another
 * media type.
 */
export const sent = (
  c: Context,
  { status, type, body }: { readonly status: number; readonly type: string; readonly body: string },
): never => {
  c.header("Content-Type", type);
  return untyped(c.newResponse(body, status as 200));
};

/**
 * A response whose value Hono cannot type, where its routes are typed by value. `never` fits every
 * route; the test suite checks each such response against the OpenAPI document instead.
 */
export const untyped = (response: Response): never => response as unknown as never;
