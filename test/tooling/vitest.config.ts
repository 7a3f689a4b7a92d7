import { defineConfig } from "vitest/config";
import { SkipReporter } from "./skips.ts";

/** Suites that start servers, browsers and databases and kill them: one after the other, after the rest. */
const HEAVY = [
  "test/processes/**/*.test.ts",
  "test/persistence/embedded.test.ts",
  "test/persistence/concurrency.test.ts",
  "test/http/docs-page.test.ts",
  "test/readme.test.ts",
];

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", new SkipReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: "fast",
          include: ["test/**/*.test.ts"],
          exclude: HEAVY,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "heavy",
          include: HEAVY,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
