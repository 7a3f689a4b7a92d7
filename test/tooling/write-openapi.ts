import { readFileSync, writeFileSync } from "node:fs";
import { openApiDocument } from "../../src/http/docs.ts";
import type { Json } from "../../src/kernel/json.ts";
import { testService } from "../support/service.ts";

// `npm run openapi` writes openapi/openapi.json. It needs no database.

const ROOT = new URL("../../", import.meta.url);
export const OPENAPI_FILE = new URL("openapi/openapi.json", ROOT);

/** The contract as it is kept in the repository: keys in order, two spaces, a newline at the end. */
export const printedOpenApi = async (): Promise<string> => {
  const { version } = JSON.parse(readFileSync(new URL("package.json", ROOT), "utf8")) as {
    readonly version: string;
  };
  const { app } = await testService({ chainLength: 16 });
  const document = openApiDocument(app, { version, url: "/" });
  return `${JSON.stringify(sorted(JSON.parse(JSON.stringify(document)) as Json), null, 2)}\n`;
};

const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
};

if (process.argv[1] === new URL(import.meta.url).pathname) {
  writeFileSync(OPENAPI_FILE, await printedOpenApi());
}
