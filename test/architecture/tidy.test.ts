import { describe, expect, it } from "vitest";
import type { SourceFile } from "./sources.ts";
import { codeOnly, filesUnder, importsOf } from "./sources.ts";

const sources = filesUnder("src", ".ts").filter(({ path }) => !path.endsWith(".d.ts"));
const tests = filesUnder("test", ".ts", ".mjs");
/** What is run by hand or by an npm script: its imports count as use. */
const others = [
  ...filesUnder("bench", ".ts"),
  ...filesUnder("training", ".ts"),
  ...filesUnder("drizzle", ".ts"),
  ...filesUnder("test/tooling", ".ts"),
];
const documents = [
  ...filesUnder("docs", ".md"),
  ...filesUnder("test", ".md"),
  ...filesUnder("openapi", ".md"),
  ...filesUnder("bench", ".md"),
  ...filesUnder(".", ".md").filter(({ path }) => !path.includes("/")),
];

/** A call that has a home, and what to use elsewhere. */
interface Forbidden {
  readonly what: RegExp;
  readonly where: RegExp;
  readonly instead: string;
}

const FORBIDDEN: readonly Forbidden[] = [
  {
    what: /\bMath\.random\b/,
    where: /^src\//,
    instead: "draw from fairness, or take a `Pick`",
  },
  {
    what: /\bDate\.now\b|\bnew Date\(\)/,
    where: /^src\/(?!main\.ts|app-key\.ts|persistence\/)/,
    instead: "take a `Clock`",
  },
  {
    what: /\bthrow new Error\(/,
    where: /^src\//,
    instead: "reject with a code, `assert`, or throw an error with a name of its own",
  },
  { what: /\bsql\.begin\b|\.begin\(/, where: /^src\//, instead: "append by one statement" },
  {
    what: /(?<![.\w])fetch\(/,
    where: /^src\/(?!http\/server\.ts)/,
    instead: "nothing: no calls outwards",
  },
  {
    what: /\bconsole\./,
    where: /^src\/(?!main\.ts)/,
    instead: "the log that the caller passes in",
  },
];

const LEFTOVERS: readonly Forbidden[] = [
  { what: /\b(TODO|FIXME|XXX)\b/, where: /./, instead: "an issue" },
  { what: /\b(it|describe|test)\.only\b/, where: /^test\//, instead: "running all of them" },
  { what: /\bdebugger\b/, where: /./, instead: "a test" },
  {
    what: /\bsetTimeout\(\s*resolve,\s*\d+/,
    where: /^test\/(http|architecture)\//,
    instead: "waiting for what must happen",
  },
];

/** Files that speak of what they forbid. */
const SPEAKS_OF_IT = /^test\/architecture\/(tidy|layers)\.test\.ts$/;

const found = (
  rules: readonly Forbidden[],
  read: (text: string) => string,
  { path, text }: SourceFile,
): readonly string[] =>
  rules
    .filter(({ what, where }) => where.test(path) && what.test(read(text)))
    .map(({ what, instead }) => `${path}: ${what.exec(read(text))?.[0]}; use ${instead}`);

const forbiddenIn = (file: SourceFile) => found(FORBIDDEN, codeOnly, file);
const leftoversIn = (file: SourceFile) => found(LEFTOVERS, (text) => text, file);

/** Files that somebody starts by name, or that a tool reads. */
const STARTED = /^src\/(main|worker|app-key|persistence\/schema)\.ts$/;

const unimported = (
  files: readonly SourceFile[],
  users: readonly SourceFile[],
): readonly string[] => {
  const imported = new Set(users.flatMap((file) => importsOf(file).map(({ from }) => from)));
  return files
    .filter(({ path }) => !imported.has(path) && !STARTED.test(path))
    .map(({ path }) => `${path}: nothing imports it; delete it`);
};

/** Test support and tooling that no test imports: what is started as a process, or by a tool. */
const STARTED_BY_TESTS =
  /^test\/(tooling\/|audit\/|.*\.test\.ts$)|-(driver|owner|process|worker)\.(ts|mjs)$/;

const EXPORT = /^export (?:const|function\*?|async function\*?|class|interface|type) ([\w$]+)/gm;

/** Exports of src that only tests use, and why that is right. */
const FOR_TESTS: Readonly<Record<string, string>> = {
  "src/persistence/memory-store.ts memoryStores": "the ports in memory are for tests",
  "src/application/sweep.ts SWEEP_LEASE_MS": "when another process may sweep",
  "src/engines/backgammon/match-equity.ts matchChance": "held against a published table",
  "src/fairness/chain.ts step": "the auditor's half of the protocol, held against its vectors",
  "src/fairness/derive.ts drawBelow": "held against the published vectors",
  "src/fairness/derive.ts textContribution": "held against the published vectors",
  "src/fairness/line.ts lineHash": "the auditor's half of the protocol",
  "src/fairness/line.ts isLoggable": "says what a line may hold",
  "src/fairness/tree.ts inclusionRoot": "the auditor's half of the protocol",
  "src/fairness/tree.ts isIncluded": "the auditor's half of the protocol",
  "src/http/access.ts POLICY": "a test holds every operation of the document against it",
  "src/games/backgammon/board.ts turned": "symmetry laws turn the board round",
  "src/games/backgammon/notation.ts REFUSALS": "a test meets every one of them",
};

const exportsOf = ({ text }: SourceFile): readonly string[] =>
  [...text.matchAll(EXPORT)].map(([, name = ""]) => name);

const unused = (files: readonly SourceFile[], users: readonly SourceFile[]): readonly string[] => {
  const used = new Set<string>();
  const whole = new Set<string>();
  for (const file of users) {
    for (const { from, names } of importsOf(file)) {
      for (const name of names) name === "*" ? whole.add(from) : used.add(`${from} ${name}`);
    }
  }
  return files
    .filter(({ path }) => !STARTED.test(path))
    .flatMap((file) =>
      exportsOf(file)
        .filter((name) => !used.has(`${file.path} ${name}`) && !whole.has(file.path))
        .filter((name) => FOR_TESTS[`${file.path} ${name}`] === undefined)
        .filter((name) => !isSpokenOf(name, file))
        .map((name) => `${file.path}: nothing uses ${name}; do not export it`),
    );
};

/** A type in the signature of another export is part of what that export says. */
const isSpokenOf = (name: string, { text }: SourceFile): boolean =>
  new RegExp(`^export (interface|type) ${name}\\b`, "m").test(text) &&
  [...codeOnly(text).matchAll(new RegExp(`\\b${name}\\b`, "g"))].length > 1;

const titles = ({ path, text }: SourceFile): readonly string[] => {
  const count = text
    .replace(/^```[\s\S]*?^```/gm, "")
    .split("\n")
    .filter((line) => /^# /.test(line)).length;
  return count === 1 ? [] : [`${path}: ${count} titles (# …); a page has one`];
};

const FILE_LINES_MAX = 300;
const FUNCTION_LINES_MAX = 70;

const lengths = ({ path, text }: SourceFile): readonly string[] => {
  const lines = text.split("\n");
  const long = lines.length > FILE_LINES_MAX ? [`${path}: ${lines.length} lines`] : [];
  const starts = lines.flatMap((line, i) =>
    /^(export )?(const \w+ = (async )?(<.*>)?\(|(async )?function)/.test(line) ? [i] : [],
  );
  const functions = starts.flatMap((start) => {
    const length = lines.slice(start).findIndex((line) => /^(\}|\S.*\};?$)/.test(line)) + 1;
    return length > FUNCTION_LINES_MAX
      ? [`${path}:${start + 1}: a function of ${length} lines`]
      : [];
  });
  return [...long, ...functions];
};

describe("the tree", () => {
  it("makes forbidden calls nowhere", () => {
    expect(sources.flatMap(forbiddenIn)).toEqual([]);
  });

  it("has no leftovers", () => {
    const all = [...sources, ...tests, ...others].filter(({ path }) => !SPEAKS_OF_IT.test(path));
    expect(all.flatMap(leftoversIn)).toEqual([]);
  });

  it("has no source file that nothing imports", () => {
    const files = sources.filter(({ path }) => path !== "src/persistence/memory-store.ts");
    expect(unimported(files, sources)).toEqual([]);
  });

  it("has no test support that nothing imports", () => {
    const support = tests.filter(({ path }) => !STARTED_BY_TESTS.test(path));
    expect(unimported(support, [...tests, ...others])).toEqual([]);
  });

  it("exports no name that nothing but a test uses", () => {
    expect(unused(sources, [...sources, ...others])).toEqual([]);
  });

  it("gives every page one title", () => {
    expect(documents.flatMap(titles)).toEqual([]);
  });

  it("warns of what is long", () => {
    const warnings = sources.flatMap(lengths);
    if (warnings.length > 0)
      process.stderr.write(`long, so worth a look:\n${warnings.join("\n")}\n`);
  });
});

describe("each check fires", () => {
  const file = (path: string, text: string): SourceFile => ({ path, text });

  it.each([
    ["src/application/a.ts", "Math.random();", "take a `Pick`"],
    ["src/application/a.ts", "const now = Date.now();", "take a `Clock`"],
    ["src/http/a.ts", 'throw new Error("x");', "an error with a name of its own"],
    ["src/persistence/a.ts", "await sql.begin(work);", "one statement"],
    ["src/http/a.ts", "await fetch(url);", "no calls outwards"],
    ["src/http/a.ts", "console.log(1);", "the log"],
  ])("on a forbidden call in %s: %s", (path, text, instead) => {
    expect(forbiddenIn(file(path, text)).join()).toContain(instead);
    expect(forbiddenIn(file(path, `// ${text}`))).toEqual([]);
  });

  it.each([
    ["src/a.ts", "// TODO: later"],
    ["test/a.test.ts", "it.only(() => {});"],
    ["test/http/a.test.ts", "setTimeout(resolve, 100);"],
    ["test/a.test.ts", "debugger;"],
  ])("on a leftover in %s: %s", (path, text) => {
    expect(leftoversIn(file(path, text))).toHaveLength(1);
  });

  it("on a file that nothing imports", () => {
    const [user, lonely] = [file("src/a.ts", 'import { b } from "./b.ts";'), file("src/c.ts", "")];
    const files = [file("src/b.ts", ""), lonely];
    expect(unimported(files, [user])).toEqual(["src/c.ts: nothing imports it; delete it"]);
  });

  it("on an export that nothing uses, and not on one that is used", () => {
    const files = [file("src/b.ts", "export const used = 1;\nexport const idle = 2;\n")];
    const user = file("src/a.ts", 'import { used } from "./b.ts";');
    expect(unused(files, [user])).toEqual(["src/b.ts: nothing uses idle; do not export it"]);
    const all = file("src/a.ts", 'import * as b from "./b.ts";');
    expect(unused(files, [all])).toEqual([]);
  });

  it("on a page without a title, and on one with two", () => {
    expect(titles(file("a.md", "text"))).toHaveLength(1);
    expect(titles(file("a.md", "# a\n\n# b"))).toHaveLength(1);
    expect(titles(file("a.md", "# a\n\n```sh\n# no title\n```\n"))).toEqual([]);
  });

  it("on a long file and a long function", () => {
    const long = `export const f = () => {\n${"  x;\n".repeat(300)}};\n`;
    expect(lengths(file("src/a.ts", long))).toEqual([
      "src/a.ts: 303 lines",
      "src/a.ts:1: a function of 302 lines",
    ]);
  });
});
