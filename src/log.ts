import { pino } from "pino";
import { TOKEN } from "./application/tokens.ts";
import type { Log } from "./http/app.ts";

/**
 * The service's log: JSON lines on standard error.
 *
 * The last step before a line is written strikes out whatever looks like a token, wherever it stands:
 * redaction by path would miss a token in a free text.
 */
export const openLog = (level: string): Log & { debug(entry: object, message: string): void } =>
  pino(
    { level, base: null },
    { write: (line: string) => process.stderr.write(line.replaceAll(TOKEN, "qj_$1_[struck out]")) },
  );
