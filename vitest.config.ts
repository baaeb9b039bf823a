import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Where the results are written as JSON too, for a script that wants to count them. */
const results = process.env.ADJUDGE_TEST_RESULTS;

/** Whose tests count memory, end processes, listen to their signals, or start solvers: each file has a process of its own. */
const apart = [
  "{bench,cli}/**/*.test.ts",
  "conformance/{protocol,runner,testees}/**/*.test.ts",
  "lean-export/{*,run/**/*}.test.ts",
  "tests/{findings,package,readme}.test.ts",
  "spec/hostile.test.ts",
  "engines/interpreter/interpretation.test.ts",
  "oracle/truth/enclosure.test.ts",
  "oracle/obligations/**/*.test.ts",
];

const nowhere = ["**/node_modules/**", "dist/**", ".venv/**"];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        // The others test functions. What they load holds no state, so the files that one process runs share it.
        test: {
          name: "together",
          include: ["**/*.test.ts"],
          exclude: [...nowhere, ...apart],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: "apart", include: apart, exclude: nowhere, sequence: { groupOrder: 1 } },
      },
    ],
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    pool: "forks",
    // Vitest would leave a core to its watcher's user; nobody watches.
    maxWorkers: "100%",
    // Programs of the project that tests start are stripped of their types once, not each time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url)) },
    // No test asserts a time; this only ends what hangs, on machines much slower than ours.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
