import { resolve } from "node:path";
import { z } from "zod";

const variables = z.object({
  PORT: z.coerce.number().int().min(0).max(65_535).default(8_080),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "a URL that begins with postgres://")
    .optional(),
  SECRET_KEY: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "64 hex digits; `openssl rand -hex 32` makes them")
    .optional(),
  LOG_LEVEL: z.enum(["silent", "error", "info", "debug"]).default("error"),
  PUBLIC_URL: z.url().optional(),
  COMMIT: z.string().default("unknown"),
});

/** How the service is to run. The README lists the variables with their defaults. */
export interface Settings {
  /** 0: any free port. */
  readonly port: number;
  readonly host: string;
  /** The embedded database and the key file, as an absolute path. */
  readonly dataDir: string;
  /** A given PostgreSQL; absent: the embedded one. */
  readonly databaseUrl?: string;
  /** 32 bytes; absent: from the key file. */
  readonly secretKey?: Buffer;
  readonly logLevel: "silent" | "error" | "info" | "debug";
  readonly publicUrl?: string;
  readonly commit: string;
}

/** A variable of the environment is not what it must be. */
export class SettingsError extends Error {
  override readonly name = "SettingsError";
}

/** The settings that the environment gives; an empty variable counts as absent. */
export const readSettings = (environment: NodeJS.ProcessEnv): Settings => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== ""));
  const parsed = variables.safeParse(given);
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
    throw new SettingsError(`the environment is not right: ${wrong.join("; ")}`);
  }
  const { DATABASE_URL, SECRET_KEY, PUBLIC_URL } = parsed.data;
  return {
    port: parsed.data.PORT,
    host: parsed.data.HOST,
    dataDir: resolve(parsed.data.DATA_DIR),
    logLevel: parsed.data.LOG_LEVEL,
    commit: parsed.data.COMMIT,
    ...(DATABASE_URL === undefined ? {} : { databaseUrl: DATABASE_URL }),
    ...(SECRET_KEY === undefined ? {} : { secretKey: Buffer.from(SECRET_KEY, "hex") }),
    ...(PUBLIC_URL === undefined ? {} : { publicUrl: PUBLIC_URL }),
  };
};
