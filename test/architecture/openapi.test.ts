import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GAMES } from "../../src/games/registry.ts";
import { PROBLEMS } from "../../src/http/problems.ts";
import { seat } from "../../src/kernel/seat.ts";
import type { OpenApi, Operation, Schema } from "../support/contract.ts";
import { checkOf, operationsOf, pointerTo } from "../support/contract.ts";
import { resolved } from "../support/from-schema.ts";
import { scriptedDraw } from "../support/scripted-draw.ts";
import { OPENAPI_FILE, printedOpenApi } from "../tooling/write-openapi.ts";

const printed = await printedOpenApi();
const document = JSON.parse(printed) as OpenApi;
const check = checkOf(document);

/** Problems that come before an operation is found: from the HTTP parser, or for want of a route. */
const BEFORE_ANY_OPERATION = [
  "malformed-http",
  "request-timeout",
  "headers-too-large",
  "route-not-found",
  "method-not-allowed",
];

it("openapi/openapi.json is what the service serves: `npm run openapi` rewrites it", () => {
  expect(readFileSync(OPENAPI_FILE, "utf8")).toBe(printed);
});

/** Every body of an operation, with where its schema is. */
const bodiesOf = (path: string, method: string, operation: Operation) => {
  const at = (steps: readonly string[], content: Operation["responses"][string]["content"] = {}) =>
    Object.entries(content).map(([mediaType, media]) => ({
      mediaType,
      media,
      pointer: pointerTo("paths", path, method, ...steps, "content", mediaType, "schema"),
    }));
  return [
    ...at(["requestBody"], operation.requestBody?.content),
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      at(["responses", status], content),
    ),
  ];
};

const exampleOf = (media: { schema: Schema; example?: unknown }): unknown =>
  media.example ?? resolved(document, media.schema)["example"];

describe.each(operationsOf(document).map((o) => [`${o.method} ${o.path}`, o] as const))(
  "%s",
  (_, { path, method, operation }) => {
    it("is named and explained", () => {
      expect(operation.operationId).toMatch(/^[a-z][A-Za-z]+$/);
      expect(operation.summary).toMatch(/^[^.]{5,80}$/);
      expect(operation.description?.length).toBeGreaterThan(20);
      expect(operation.tags).toHaveLength(1);
    });

    it("has an answer that says it was done, and problems", () => {
      const statuses = Object.keys(operation.responses).map(Number);
      expect(statuses.some((status) => status >= 200 && status < 300)).toBe(true);
      const problems = Object.values(operation.responses).filter(
        ({ content }) => content?.["application/problem+json"] !== undefined,
      );
      expect(problems.length).toBeGreaterThan(0);
    });

    it("has an example of each JSON body, by its own schema", () => {
      for (const { mediaType, media, pointer } of bodiesOf(path, method, operation)) {
        if (!/[/+]json$/.test(mediaType)) continue;
        const example = exampleOf(media);
        expect(example, `${pointer} has no example`).toBeDefined();
        expect(check(pointer, example), pointer).toBeUndefined();
      }
    });
  },
);

it("an example that does not fit its schema is noticed", () => {
  const pointer = pointerTo("components", "schemas", "Problem");
  expect(check(pointer, { code: "none" })).toContain("must");
});

it("operationIds are each used once", () => {
  const ids = operationsOf(document).map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
});

it("every code in PROBLEMS is documented at some operation, or comes before any", () => {
  const documented = operationsOf(document).flatMap(({ operation }) =>
    Object.values(operation.responses).flatMap(({ description }) =>
      [...description.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code),
    ),
  );
  const codes = Object.keys(PROBLEMS).filter((code) => !BEFORE_ANY_OPERATION.includes(code));
  expect(codes.filter((code) => !documented.includes(code))).toEqual([]);
  expect(BEFORE_ANY_OPERATION.filter((code) => documented.includes(code))).toEqual([]);
});

it("every game of the registry has its commands in the document", () => {
  const { draw } = scriptedDraw([3, 1]);
  for (const game of GAMES.values()) {
    const read = game.readOptions(game.card.variants[0], {});
    if (!read.ok) throw new RangeError("a game needs no options");
    let state = game.init(read.value);
    let turn = game.turn(state);
    for (; turn.kind === "chance"; turn = game.turn(state)) {
      state = game.resolve(state, draw(turn.draw)).reduce(game.evolve, state);
    }
    const legal = game.legal(state, (turn.kind === "seats" && turn.seats[0]) || seat(0));
    const listed = legal.kind === "listed" ? legal.commands : [legal.sample(() => 0)];
    expect(listed.length).toBeGreaterThan(0);
    for (const command of listed) {
      const printed = game.printCommand(command);
      expect(check(pointerTo("components", "schemas", "Command"), printed)).toBeUndefined();
    }
  }
  const nudge = { type: "nudge" };
  expect(check(pointerTo("components", "schemas", "Command"), nudge)).toBeUndefined();
});

it("every path is one that the changelog's version policy is about", () => {
  const free = ["/livez", "/readyz", "/openapi.json", "/docs", "/problems", "/problems/{code}"];
  const paths = Object.keys(document.paths).filter((path) => !free.includes(path));
  expect(paths.filter((path) => !path.startsWith("/v1/"))).toEqual([]);
});
