import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const ROOT = new URL("../..", import.meta.url).pathname;
const run = promisify(execFile);

/** What drizzle-kit would generate from the schema, given the migrations that are there. */
const generated = async (schema: string): Promise<readonly string[]> => {
  const folder = await mkdtemp(join(ROOT, "node_modules", ".migrations-"));
  try {
    const out = join(folder, "drizzle");
    await cp(join(ROOT, "drizzle"), out, { recursive: true });
    const before = await readdir(out);
    const copy = join(folder, "schema.ts");
    await writeFile(copy, schema);
    const relative = (path: string) => `./${path.slice(ROOT.length)}`;
    await run(
      process.execPath,
      [
        join(ROOT, "node_modules/drizzle-kit/bin.cjs"),
        "generate",
        "--dialect=postgresql",
        `--schema=${relative(copy)}`,
        `--out=${relative(out)}`,
      ],
      { cwd: ROOT },
    );
    return (await readdir(out)).filter((name) => !before.includes(name));
  } finally {
    await rm(folder, { recursive: true });
  }
};

const schema = await readFile(join(ROOT, "src/persistence/schema.ts"), "utf8");

it("the migrations make the schema: drizzle-kit has nothing to generate", async () => {
  expect(await generated(schema), "run `npm run db:generate` and read what it wrote").toEqual([]);
});

it("a column more is noticed", async () => {
  const changed = schema.replace('game: text("game")', 'extra: text("extra"), game: text("game")');
  expect(changed).not.toBe(schema);
  expect(await generated(changed)).toHaveLength(1);
});

it("every migration in the folder is in the journal, in order", async () => {
  const text = await readFile(join(ROOT, "drizzle/meta/_journal.json"), "utf8");
  const journal = JSON.parse(text) as { entries: { tag: string; when: number }[] };
  const files = (await readdir(join(ROOT, "drizzle"))).filter((name) => name.endsWith(".sql"));
  expect(files.sort()).toEqual(journal.entries.map(({ tag }) => `${tag}.sql`));
  const times = journal.entries.map(({ when }) => when);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});
