import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/** A JSON schema, or a reference to one, as the document has it. */
export type Schema = { readonly $ref?: string; readonly [keyword: string]: unknown };

/** A body of a request or an answer. */
interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

/** An answer that the document declares. */
interface DeclaredAnswer {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, DeclaredAnswer>>;
}

export interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation of the document, with where it stands there. */
export interface Located {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** The operations of a document, in its order. */
export const operationsOf = (document: OpenApi): readonly Located[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

/** The path template that a path is an instance of; one without parameters comes first. */
export const templateOf = (document: OpenApi, path: string): string | undefined => {
  if (path in document.paths) return path;
  const given = path.split("/");
  return Object.keys(document.paths).find((template) => {
    const wanted = template.split("/");
    return (
      wanted.length === given.length &&
      wanted.every((part, i) => (part.startsWith("{") ? given[i] !== "" : part === given[i]))
    );
  });
};

/** Where a part of the document is, as a JSON pointer. */
export const pointerTo = (...steps: readonly string[]): string =>
  steps.map((step) => `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** Tells what is wrong with a value by the schema at a pointer of the document; nothing if it is valid. */
export type Check = (pointer: string, value: unknown) => string | undefined;

const checks = new Map<string, Check>();

/** The checks of a document. They are compiled once for each text of a document. */
export const checkOf = (document: OpenApi): Check => {
  const text = JSON.stringify(document);
  const known = checks.get(text);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(closed(document), "openapi.json");
  const compiled = new Map<string, ValidateFunction>();
  const check: Check = (pointer, value) => {
    const validate =
      compiled.get(pointer) ?? ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` });
    compiled.set(pointer, validate);
    return validate(value) ? undefined : ajv.errorsText(validate.errors);
  };
  checks.set(text, check);
  return check;
};

/**
 * The document as strict as the service is: clients are told to expect members that they do not know, but
 * today there is none that it does not name.
 */
const closed = (document: OpenApi): OpenApi => {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close);
    if (typeof part !== "object" || part === null) return part;
    const node = Object.fromEntries(
      Object.entries(part).map(([key, value]) => [key, close(value)]),
    );
    const isOpenObject =
      node["type"] === "object" && "properties" in node && !("additionalProperties" in node);
    return isOpenObject ? { ...node, additionalProperties: false } : node;
  };
  return close(document) as OpenApi;
};
