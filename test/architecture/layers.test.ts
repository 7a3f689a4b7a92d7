import { describe, expect, it } from "vitest";
import type { SourceFile } from "./sources.ts";
import { codeOnly, filesUnder, importsOf } from "./sources.ts";

// The whitelist of docs/architecture.md: what is not named is forbidden.

interface Layer {
  /** Files of the layer, by the beginning or the whole of their path. */
  readonly files: RegExp;
  /** Our files that it may import, besides its own. */
  readonly imports: RegExp;
  /** Packages and node: modules that it may import. */
  readonly packages: RegExp;
  /** What was probably meant, and what to do. */
  readonly advice: string;
}

const NONE = /^$/;
const GAME_FILES = "src/games/[^/]+\\.ts|src/games/[^/]+/";

/** The first layer that a file fits is its own. */
const LAYERS: Readonly<Record<string, Layer>> = {
  kernel: {
    files: /^src\/kernel\//,
    imports: NONE,
    packages: NONE,
    advice: "the kernel is vocabulary: let the caller pass in what it needs",
  },
  "wire schemas": {
    files: /^src\/games\/(\w+\/)?([\w-]+-wire|wire|codec)\.ts$/,
    imports: new RegExp(`^(src/kernel/|${GAME_FILES})`),
    packages: /^zod$/,
    advice: "schemas speak of their game and the kernel only",
  },
  games: {
    files: /^src\/games\//,
    imports: new RegExp(`^(src/kernel/|${GAME_FILES})`),
    packages: NONE,
    advice:
      "rules are pure functions over values: JSON is read in wire.ts and *-wire.ts, chance is asked for by `turn`",
  },
  fairness: {
    files: /^src\/fairness\//,
    imports: /^src\/kernel\//,
    packages: /^node:crypto$/,
    advice: "fairness knows neither games nor storage: pass in the texts that it is to hash",
  },
  engines: {
    files: /^src\/engines\//,
    imports: /^src\/(kernel|games)\//,
    packages: NONE,
    advice: "an engine chooses from its view alone; workers stand in src/pool.ts",
  },
  "application with crypto": {
    files: /^src\/application\/(tokens|cards|settle)\.ts$/,
    imports: /^src\/(kernel|games|fairness|engines)\//,
    packages: /^node:(crypto|zlib)$/,
    advice: "the application knows nothing of transport or SQL: add a port",
  },
  application: {
    files: /^src\/application\//,
    imports: /^src\/(kernel|games|fairness|engines)\//,
    packages: NONE,
    advice: "the application knows nothing of transport or SQL: add a port",
  },
  persistence: {
    files: /^src\/persistence\//,
    imports: /^src\/(kernel\/|application\/(ports|match)\.ts)/,
    packages: /^(drizzle-orm(\/.+)?|postgres|node:.+)$/,
    advice: "a store makes the application's ports true, and decides nothing",
  },
  http: {
    files: /^src\/http\//,
    imports: /^src\/(kernel|application)\/|^src\/games\/(\w+\/)?([\w-]+-wire|wire|codec|host)\.ts$/,
    packages:
      /^(hono(\/.+)?|@hono\/(zod-openapi|node-server)|node:(crypto|http|stream|fs\/promises))$/,
    advice: "an adapter translates: rules, chance and SQL belong behind a use case in application",
  },
  composition: {
    files: /^src\/[^/]+\.ts$/,
    imports: /^src\//,
    packages: /./,
    advice: "",
  },
};

const layerOf = (path: string): [string, Layer] | undefined =>
  Object.entries(LAYERS).find(([, { files }]) => files.test(path));

const folderOf = (path: string): string => path.split("/").slice(0, 2).join("/");
const gameOf = (path: string): string | undefined => /^src\/games\/([^/]+)\//.exec(path)?.[1];

/** What a file imports and may not, in sentences. */
const complaints = (file: SourceFile): readonly string[] => {
  const found = layerOf(file.path);
  if (found === undefined) return [`${file.path}: is in no layer; docs/architecture.md names them`];
  const [name, { imports, packages, advice }] = found;
  return importsOf(file).flatMap(({ from, isReExport }) => {
    if (isReExport) return [`${file.path}: re-exports ${from}; let users import the file itself`];
    const isOurs = from.startsWith("src/");
    if (isOurs && gameOf(file.path) !== undefined && isOtherGame(file.path, from)) {
      return [`${file.path}: one game may not import another (${from})`];
    }
    const isOwn = isOurs && folderOf(from) === folderOf(file.path);
    const allowed = isOurs ? isOwn || imports.test(from) : packages.test(from);
    const what = isOurs ? from : `package ${from}`;
    return allowed ? [] : [`${file.path}: ${name} may not import ${what}; ${advice}`];
  });
};

const isOtherGame = (path: string, from: string): boolean =>
  gameOf(from) !== undefined && gameOf(from) !== gameOf(path);

/** Words that belong to certain files only. */
interface Home {
  readonly what: RegExp;
  readonly where: RegExp;
  readonly complaint: string;
}

const HOMES: readonly Home[] = [
  {
    what: /\bMath\.random\b|\bDate\b|\bprocess\b/,
    where: /^src\/(?!kernel\/|games\/|engines\/)/,
    complaint: "kernel, games and engines have no clock, chance or process: take it as a parameter",
  },
  {
    what: /\bprocess\.env\b/,
    // postgres-program hands PATH and the library path on to PostgreSQL's own programs.
    where: /^src\/(env|main|app-key|persistence\/postgres-program)\.ts$/,
    complaint: "the environment is read in env.ts: take the setting as a parameter",
  },
  {
    what: /\bexport\s+default\b/,
    where: /^$/,
    complaint: "a default export has no name to search for: export it by its name",
  },
];

/** SQL stands in template literals, and statuses anywhere in code. */
const SQL = /`\s*(select|insert into|update|delete from|with|create|alter)\s/i;
const STATUS = /\bstatus(Code)?\b\s*(:|===|!==|<|>=?)\s*[1-5]\d\d\b|\b[2-5]\d\d\s+as\s+\d/;

const strays = ({ path, text }: SourceFile): readonly string[] => {
  const code = codeOnly(text);
  const homeless = HOMES.filter(({ what, where }) => what.test(code) && !where.test(path));
  return [
    ...homeless.map(({ what, complaint }) => `${path}: ${what.exec(code)?.[0]}: ${complaint}`),
    ...(SQL.test(code) && !path.startsWith("src/persistence/")
      ? [`${path}: SQL belongs in src/persistence, behind a port`]
      : []),
    ...(STATUS.test(code) && !path.startsWith("src/http/")
      ? [
          `${path}: an HTTP status belongs in src/http: answer with a code, problems.ts has its status`,
        ]
      : []),
  ];
};

const sources = filesUnder("src", ".ts");

describe("the tree", () => {
  it("has files in every layer", () => {
    expect(sources.length).toBeGreaterThan(50);
    for (const [name, { files }] of Object.entries(LAYERS)) {
      expect(
        sources.some(({ path }) => files.test(path)),
        name,
      ).toBe(true);
    }
  });

  it("imports only what the whitelist names", () => {
    expect(sources.flatMap(complaints)).toEqual([]);
  });

  it("keeps clock, chance, environment, SQL and statuses at home", () => {
    expect(sources.flatMap(strays)).toEqual([]);
  });
});

describe("the check", () => {
  const complain = (path: string, text: string) => complaints({ path, text });

  it.each([
    ["src/kernel/result.ts", 'import { Hono } from "hono";', "kernel may not import package hono"],
    [
      "src/kernel/a.ts",
      'import { x } from "../games/host.ts";',
      "may not import src/games/host.ts",
    ],
    [
      "src/games/backgammon/plays.ts",
      'import { z } from "zod";',
      "games may not import package zod",
    ],
    [
      "src/games/backgammon/wired.ts",
      'import { z } from "zod";',
      "games may not import package zod",
    ],
    [
      "src/games/backgammon/a.ts",
      'import { x } from "../luzhanqi/b.ts";',
      "one game may not import",
    ],
    [
      "src/games/host.ts",
      'import { x } from "../fairness/roll.ts";',
      "may not import src/fairness",
    ],
    ["src/fairness/a.ts", 'import { x } from "../games/host.ts";', "may not import src/games"],
    [
      "src/engines/a.ts",
      'import { x } from "node:crypto";',
      "engines may not import package node:",
    ],
    ["src/application/act.ts", 'import { x } from "node:crypto";', "may not import package node:"],
    ["src/application/act.ts", 'import type { C } from "hono";', "may not import package hono"],
    ["src/application/act.ts", 'import { x } from "../http/app.ts";', "may not import src/http"],
    ["src/persistence/a.ts", 'import { act } from "../application/act.ts";', "may not import"],
    ["src/http/a.ts", 'import postgres from "postgres";', "http may not import package postgres"],
    ["src/http/a.ts", 'import { x } from "../games/backgammon/plays.ts";', "may not import"],
    ["src/http/a.ts", 'import { x } from "../persistence/client.ts";', "may not import"],
    ["src/http/a.ts", 'import {\n  x,\n  y,\n} from "pino";', "may not import package pino"],
    ["src/http/a.ts", 'const x = await import("pino");', "may not import package pino"],
    ["src/http/a.ts", 'import "pino";', "may not import package pino"],
    ["src/http/index.ts", 'export { x } from "./app.ts";', "let users import the file itself"],
    ["src/elsewhere/a.ts", "", "is in no layer"],
  ])("complains about %s: %s", (path, text, complaint) => {
    const [first, ...others] = complain(path, text);
    expect(first).toContain(complaint);
    expect(first).toContain(path);
    expect(others).toEqual([]);
  });

  it.each([
    ["src/games/backgammon/wire.ts", 'import { z } from "zod";'],
    ["src/games/backgammon/position-wire.ts", 'import { z } from "zod";'],
    ["src/http/a.ts", 'import { x } from "../games/backgammon/position-wire.ts";'],
    ["src/games/backgammon/hosted.ts", 'import { reader } from "../codec.ts";'],
    ["src/application/tokens.ts", 'import { crc32 } from "node:zlib";'],
    ["src/persistence/client.ts", 'import postgres from "postgres";'],
    ["src/http/app.ts", 'import { cors } from "hono/cors";'],
    ["src/main.ts", 'import { pino } from "pino";'],
  ])("lets %s do it: %s", (path, text) => {
    expect(complain(path, text)).toEqual([]);
  });

  it.each([
    ["src/kernel/a.ts", "const x = Math.random();", "take it as a parameter"],
    ["src/engines/a.ts", "const now = Date.now();", "take it as a parameter"],
    ["src/games/host.ts", "process.exit(1);", "take it as a parameter"],
    ["src/http/a.ts", 'const x = process.env["PORT"];', "read in env.ts"],
    ["src/http/a.ts", "export default 1;", "export it by its name"],
    ["src/application/a.ts", "sql`select 1`", "SQL belongs in src/persistence"],
    ["src/application/a.ts", "return { status: 404 };", "an HTTP status belongs in src/http"],
  ])("complains about what strays into %s: %s", (path, text, complaint) => {
    expect(strays({ path, text }).join()).toContain(complaint);
  });

  it("reads neither comments nor texts as code", () => {
    const text = '// Math.random\nconst x = "process.env Date";\n/* export default */\n';
    expect(strays({ path: "src/kernel/a.ts", text })).toEqual([]);
  });
});
