import fc from "fast-check";
import type { OpenApi, Schema } from "./contract.ts";

/** Values of a JSON schema of a document: of the keywords that our documents use, and no others. */
export const valuesOf = (document: OpenApi, schema: Schema): fc.Arbitrary<unknown> => {
  const of = (inner: unknown): fc.Arbitrary<unknown> => valuesOf(document, inner as Schema);
  if (schema.$ref !== undefined) return of(resolved(document, schema));
  const choices = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(choices)) return fc.oneof(...choices.map(of));
  if ("const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...(schema["enum"] as unknown[]));
  switch (schema["type"]) {
    case "string":
      return stringsOf(schema);
    case "integer":
    case "number":
      return integersOf(schema);
    case "boolean":
      return fc.boolean();
    case "array":
      return arraysOf(schema, of);
    case "object":
      return objectsOf(schema, of);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
};

/** The schema that a reference leads to. */
export const resolved = (document: OpenApi, schema: Schema): Schema => {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.split("/").at(-1) ?? "";
  return resolved(document, document.components.schemas[name] ?? {});
};

const bound = (schema: Schema, keyword: string, otherwise: number): number => {
  const given = schema[keyword];
  return typeof given === "number" ? given : otherwise;
};

const stringsOf = (schema: Schema): fc.Arbitrary<string> => {
  if (typeof schema["pattern"] === "string")
    return fc.stringMatching(new RegExp(schema["pattern"]));
  const minLength = bound(schema, "minLength", 0);
  const maxLength = Math.max(minLength, Math.min(bound(schema, "maxLength", 50), 50));
  return fc.string({ unit: "grapheme", minLength, maxLength });
};

const integersOf = (schema: Schema): fc.Arbitrary<number> =>
  fc.integer({ min: bound(schema, "minimum", -1_000), max: bound(schema, "maximum", 1_000) });

type Of = (schema: unknown) => fc.Arbitrary<unknown>;

const arraysOf = (schema: Schema, of: Of): fc.Arbitrary<unknown[]> => {
  const { prefixItems, items } = schema;
  if (Array.isArray(prefixItems)) return fc.tuple(...prefixItems.map(of));
  const minLength = bound(schema, "minItems", 0);
  const maxLength = Math.min(bound(schema, "maxItems", 4), minLength + 4);
  return fc.array(of(items ?? {}), { minLength, maxLength });
};

const objectsOf = (schema: Schema, of: Of): fc.Arbitrary<object> => {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, unknown>);
  const known = fc.record(
    Object.fromEntries(properties.map(([key, member]) => [key, of(member)])),
    { requiredKeys: (schema["required"] ?? []) as string[] },
  );
  const { additionalProperties } = schema;
  if (typeof additionalProperties !== "object") return known;
  const names = (schema["propertyNames"] ?? { type: "string" }) as Schema;
  const others = fc.dictionary(stringsOf(names), of(additionalProperties), { maxKeys: 4 });
  return fc.tuple(known, others).map(([named, rest]) => ({ ...rest, ...named }));
};

const JUNK = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0, 1.5, 1e308, "", "x", "\u0000", "\ud800", [], {}, [
    [],
  ]),
  fc.constantFrom<unknown>("x".repeat(300), Array(20).fill({ kind: "human" }), { type: "roll" }),
  fc.jsonValue({ maxDepth: 3 }),
);

const KEYS = fc.constantFrom("x", "constructor", "toString", "a/b", "type", "kind", "game", "");

type Steps = readonly (string | number)[];

/** Values with one place changed: another value there, no value, or a key that does not belong. */
export const broken = (values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(values, fc.nat(), fc.nat(2), JUNK, KEYS).map(([value, nth, how, junk, key]) => {
    const places = placesIn(value);
    return changed(value, places[nth % places.length] ?? [], (there) => {
      if (how === 0 && typeof there === "object" && there !== null && !Array.isArray(there)) {
        return { ...there, [key]: junk };
      }
      return how === 1 ? undefined : junk;
    });
  });

const placesIn = (value: unknown): readonly Steps[] => {
  if (typeof value !== "object" || value === null) return [[]];
  const entries = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [
    [],
    ...entries.flatMap(([step, member]) => placesIn(member).map((rest) => [step, ...rest])),
  ];
};

const changed = (
  value: unknown,
  [step, ...rest]: Steps,
  change: (there: unknown) => unknown,
): unknown => {
  if (step === undefined) return change(value);
  if (Array.isArray(value)) {
    return value.map((member: unknown, i) => (i === step ? changed(member, rest, change) : member));
  }
  const members = value as Record<string, unknown>;
  return { ...members, [step]: changed(members[step], rest, change) };
};
