import { createRoute, z } from "@hono/zod-openapi";
import type { Service } from "../application/service.ts";
import { DECKS_EXAMPLE } from "./examples.ts";
import { problemResponses } from "./problem.ts";
import { router } from "./router.ts";
import { jsonResponse, wholeNumber } from "./schemas.ts";

const DECKS_PAGE_MAX = 1_000;

const getDecks = createRoute({
  method: "get",
  path: "/v1/audit/decks",
  operationId: "decks",
  tags: ["Audit"],
  summary: "The committed decks of cards",
  description:
    "A match draws a card; its `open` line proves with the deck's root that the card's secret was fixed before. Numbers > `after`, in order.",
  request: {
    query: z.strictObject({
      after: wholeNumber({ min: 0, max: 1_000_000_000, default: 0 }),
      limit: wholeNumber({ min: 1, max: DECKS_PAGE_MAX, default: DECKS_PAGE_MAX }),
    }),
  },
  responses: {
    200: jsonResponse(
      "A page of decks",
      z.strictObject({
        decks: z.array(
          z
            .strictObject({
              deck: z.int(),
              size: z.int().describe("Cards in the deck"),
              length: z.int().describe("Links in each card's chain"),
              root: z.string().describe("Root of the RFC 6962 tree over the cards, hex"),
              createdAt: z.string(),
            })
            .meta({ id: "Deck" }),
        ),
        nextAfter: z.int().optional(),
      }),
      DECKS_EXAMPLE,
    ),
    ...problemResponses(),
  },
});

/** What an auditor needs besides the logs. */
export const auditRoutes = ({ decks }: Pick<Service, "decks">) =>
  router().openapi(getDecks, async (c) => {
    const { after, limit } = c.req.valid("query");
    const listed = await decks.list(after, limit);
    const last = listed.length === limit ? listed.at(-1) : undefined;
    return c.json(
      {
        decks: listed.map(({ deck, size, length, root, createdAt }) => ({
          deck,
          size,
          length,
          root,
          createdAt: new Date(createdAt).toISOString(),
        })),
        ...(last === undefined ? {} : { nextAfter: last.deck }),
      },
      200,
    );
  });
