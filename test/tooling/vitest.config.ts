import { defineConfig } from "vitest/config";
import { SkipReporter } from "./skips.ts";

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", new SkipReporter()],
  },
});
