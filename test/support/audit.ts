import { pathToFileURL } from "node:url";
import type { Json } from "../../src/kernel/json.ts";

const CHECKER = new URL("../audit/check-log.mjs", import.meta.url);

/** A log and the decks that its cards are from. */
export interface AuditedLog {
  readonly lines: readonly string[];
  readonly decks: Json;
}

/** What the independent checker says of a log: `OK: …`; it throws the first line that is wrong, and why. */
export const audit = async ({ lines, decks }: AuditedLog): Promise<string> => {
  const module = (await import(pathToFileURL(CHECKER.pathname).href)) as {
    readonly check: (log: Buffer, decks: Json) => string;
  };
  return module.check(Buffer.from(`${lines.join("\n")}\n`), decks);
};
