import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["node_modules", "dist", ".venv"],
    // No test asserts a time; this only ends what hangs, on machines much slower than ours.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
