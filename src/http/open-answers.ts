type Node = Record<string, unknown>;

/**
 * The document with its answers open: clients ignore members that they do not know, so that a new member
 * breaks none. What a request may hold stays closed.
 */
export const withOpenAnswers = <Document extends object>(document: Document): Document => {
  const copy = structuredClone(document);
  const { components, paths } = copy as {
    readonly components?: { readonly schemas?: Readonly<Record<string, Node>> };
    readonly paths?: Readonly<Record<string, Readonly<Record<string, Node>>>>;
  };
  const schemas = components?.schemas ?? {};
  const operations = Object.values(paths ?? {}).flatMap((methods) => Object.values(methods));
  const asked = new Set<string>();
  for (const { requestBody } of operations) collect(requestBody, schemas, asked);
  for (const [name, schema] of Object.entries(schemas)) if (!asked.has(name)) open(schema);
  for (const { responses } of operations) open(responses);
  return copy;
};

const REFERENCE = "#/components/schemas/";

/** Adds the names of the components that a part of the document refers to, and so on. */
const collect = (
  part: unknown,
  schemas: Readonly<Record<string, Node>>,
  names: Set<string>,
): void => {
  if (typeof part !== "object" || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    const name =
      key === "$ref" && typeof value === "string" ? value.slice(REFERENCE.length) : undefined;
    if (name === undefined) collect(value, schemas, names);
    else if (!names.has(name)) {
      names.add(name);
      collect(schemas[name], schemas, names);
    }
  }
};

const open = (part: unknown): void => {
  if (typeof part !== "object" || part === null) return;
  const node = part as Node;
  if (node["additionalProperties"] === false) delete node["additionalProperties"];
  for (const value of Object.values(node)) open(value);
};
