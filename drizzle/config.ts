import { defineConfig } from "drizzle-kit";

/** For `npm run db:generate` and `npm run db:check`; the service itself never reads it. */
export default defineConfig({
  dialect: "postgresql",
  schema: "./src/persistence/schema.ts",
  out: "./drizzle",
});
