import process from "node:process";
import { defineConfig } from "vitest/config";

/** Where the results are written as JSON too, for a script that wants to count them. */
const results = process.env.ADJUDGE_TEST_RESULTS;

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["**/node_modules/**", "dist/**", ".venv/**"],
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    // Each file in a process of its own: some tests end processes, listen to their signals, or count memory.
    pool: "forks",
    // Vitest would leave a core to its watcher's user; nobody watches.
    maxWorkers: "100%",
    // No test asserts a time; this only ends what hangs, on machines much slower than ours.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
