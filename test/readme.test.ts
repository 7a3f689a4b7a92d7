import { execFile, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Listening } from "../src/http/server.ts";
import { listen } from "../src/http/server.ts";
import { keyOfApp } from "./support/apps.ts";
import { testService } from "./support/service.ts";

// The README's own commands, word for word but for the address, against a running service.

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");

const blocksOf = (heading: string): readonly string[] => {
  const section = README.split(/^## /m).find((part) => part.startsWith(heading)) ?? "";
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block ?? "");
};

const PROGRAMS = ["bash", "curl", "npm"];
const hasPrograms = PROGRAMS.every((name) => spawnSync(name, ["--version"]).status === 0);
const title = "the README's game by curl";

describe.skipIf(!hasPrograms)(
  hasPrograms ? title : `skipped: ${title} (needs bash, curl, npm)`,
  () => {
    let folder: string;
    let listening: Listening;

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), "qiju-readme-"));
      symlinkSync(fileURLToPath(new URL(".", import.meta.url)), join(folder, "test"));
      const { app, stores } = await testService();
      // The command itself has a test with real servers: here it gives a key of the service in this process.
      const key = await keyOfApp(stores, "my-bot");
      writeFileSync(join(folder, "key.mjs"), `console.log(${JSON.stringify(key)});`);
      const scripts = { "app-key": "node key.mjs" };
      writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, scripts }));
      listening = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
    });

    afterAll(async () => {
      await listening?.close();
      rmSync(folder, { recursive: true, force: true });
    });

    it("is opened, played to its end, and checked", async () => {
      const blocks = [
        "Play a game by curl",
        "Run a bot",
        "Ask the engine",
        "Check the dice",
      ].flatMap(blocksOf);
      expect(blocks).toHaveLength(6);
      const script = blocks.join("\n").replace("127.0.0.1:8080", `127.0.0.1:${listening.port}`);
      const { stdout } = await promisify(execFile)("bash", ["-euc", script], { cwd: folder });
      expect(stdout).toMatch(/winner: [01]/);
      expect(stdout).toMatch(/^playing$/m);
      expect(stdout).toMatch(/^\S+ \S+, and before the roll (double|noDouble)$/m);
      expect(stdout).toMatch(/^play is best$/m);
      expect(stdout).toMatch(/^lost \d+\.\d\d, lost \d+\.\d\d$/m);
      expect(stdout).toMatch(/^1 match waits for ann$/m);
      expect(stdout).toMatch(/^OK: \d+ lines, \d+ rolls, closed$/m);
    }, 180_000);
  },
);

describe("the README", () => {
  it("names every setting with its default", () => {
    const environment = readFileSync(new URL("../src/env.ts", import.meta.url), "utf8");
    const names = [...environment.matchAll(/^ {2}([A-Z][A-Z_]+):/gm)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(5);
    const listed = [...README.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(names.sort());
  });

  it("names every folder of the code", () => {
    for (const folder of [
      "kernel",
      "games",
      "fairness",
      "engines",
      "application",
      "persistence",
      "http",
    ]) {
      expect(README).toContain(`\`src/${folder}\``);
    }
  });
});
