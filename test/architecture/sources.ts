import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, extname, join, relative } from "node:path";

const ROOT = new URL("../../", import.meta.url).pathname;

/** A file of the repository: its path from the root, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** `assembly`: AssemblyScript, which has words and imports of its own. */
const SKIPPED = ["node_modules", ".git", "dist", "data", "coverage", "assembly"];

const walk = (folder: string): readonly string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.includes(entry.name) ? [] : walk(path);
    return entry.isFile() ? [path] : [];
  });

/** The files under a folder of the repository with one of the extensions. */
export const filesUnder = (folder: string, ...extensions: readonly string[]): SourceFile[] => {
  const start = join(ROOT, folder);
  if (!existsSync(start)) return [];
  return walk(start)
    .filter((path) => extensions.includes(extname(path)))
    .map((path) => ({ path: relative(ROOT, path), text: readFileSync(path, "utf8") }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
};

/** An import or re-export: what is named, and from where (a path from the root, or a package). */
export interface Import {
  readonly from: string;
  readonly names: readonly string[];
  readonly isReExport: boolean;
}

const STATEMENT =
  /^(import|export)\s+(?:type\s+)?([\w*{},\s$]*?)\s*(?:from\s*)?["']([^"']+)["'];/gm;
const DYNAMIC = /\bimport\(\s*["']([^"']+)["']\s*\)/g;

/** What a file imports, types included. Relative paths are resolved. */
export const importsOf = ({ path, text }: SourceFile): readonly Import[] => {
  const place = (from: string): string => (from.startsWith(".") ? join(dirname(path), from) : from);
  const named = [...text.matchAll(STATEMENT)].map(([, kind, clause = "", from = ""]) => ({
    from: place(from),
    names: namesIn(clause),
    isReExport: kind === "export",
  }));
  const dynamic = [...text.matchAll(DYNAMIC)].map(([, from = ""]) => ({
    from: place(from),
    names: ["*"],
    isReExport: false,
  }));
  return [...named, ...dynamic];
};

const namesIn = (clause: string): readonly string[] => {
  const inside = /\{([^}]*)\}/.exec(clause)?.[1] ?? "";
  const names = inside
    .split(",")
    .map(
      (name) =>
        name
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/)[0] ?? "",
    )
    .filter((name) => name !== "");
  return clause.includes("*") ? [...names, "*"] : names;
};

/**
 * The text with comments, and what stands in quotes, blanked out; lines and columns stay. Good enough for
 * our own code: it knows no regular expression that holds a quote.
 */
export const codeOnly = (text: string): string => {
  const pattern = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
  return text.replace(pattern, (found) =>
    found.startsWith("/")
      ? found.replace(/[^\n]/g, " ")
      : found.charAt(0) + " ".repeat(found.length - 2) + found.charAt(0),
  );
};
