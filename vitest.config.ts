import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Where the results are written as JSON too, for a script that wants to count them. */
const results = process.env.ADJUDGE_TEST_RESULTS;

/** Whose tests count the memory of their process, or change what a module holds: each file has a process of its own. */
const apart = [
  "spec/hostile.test.ts",
  "engines/interpretation/interpretation.test.ts",
  "oracle/truth/centre/enclosure.test.ts",
  "cli/commands/prove_recovery.test.ts",
];

/** Whose tests start processes and solvers, and wait for them. */
const waiting = [
  "{bench,cli}/**/*.test.ts",
  "conformance/{protocol,runner,testees}/**/*.test.ts",
  "conformance/report/formats/page/browser.test.ts",
  "lean-export/{*,run/**/*}.test.ts",
  "tests/{dimensions_z3,docs,findings,fuzz,package,readme}.test.ts",
  "oracle/obligations/**/*.test.ts",
];

const nowhere = ["**/node_modules/**", "dist/**", ".venv/**"];

// Whatever process reads a module of the project finds it stripped of its types and compiled, if one has read it before.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

export default defineConfig({
  test: {
    // What tests load holds no state, so the files that one process runs share it, but for those that stand apart.
    projects: [
      {
        extends: true,
        test: {
          name: "functions",
          include: ["**/*.test.ts"],
          exclude: [...nowhere, ...waiting, ...apart],
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: "processes",
          include: waiting,
          exclude: [...nowhere, ...apart],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: { name: "apart", include: apart, exclude: nowhere, sequence: { groupOrder: 1 } },
      },
    ],
    reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
    pool: "forks",
    // Node reads the tests as it reads the project: a module is what the file says, not a copy whose imports are getters.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Vitest would leave a core to its watcher's user; nobody watches.
    maxWorkers: "100%",
    // No test asserts a time; this only ends what hangs, on machines much slower than ours.
    testTimeout: 180_000,
    hookTimeout: 180_000,
  },
});
