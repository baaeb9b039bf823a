import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The results are written here as JSON too, for a script that wants to count them. */
const results = process.env.ADJUDGE_TEST_RESULTS;

/** These tests count their process's memory, or change a module's state: each file has its own process. */
const apart = [
  "spec/hostile.slow.test.ts",
  "engines/interpretation/interpretation.test.ts",
  "oracle/truth/centre/enclosure.test.ts",
  "cli/commands/prove_recovery*.test.ts",
];

/** The tests of these files start processes and solvers, and wait for them. */
const waiting = [
  "{bench,cli}/**/*.test.ts",
  "conformance/{protocol,runner,testees}/**/*.test.ts",
  "conformance/models/onnx/runtime.test.ts",
  "conformance/report/formats/page/browser.slow.test.ts",
  "playground/playground.slow.test.ts",
  "python/*.test.ts",
  "lean-export/{*,run/**/*}.test.ts",
  "tests/{dimensions_z3,docs,findings,fuzz,independent,package,readme}*.test.ts",
  "oracle/obligations/**/*.test.ts",
];

const nowhere = ["**/node_modules/**", "dist/**", ".venv/**"];

/** The hash of the commit; a folder that is no clone has none. */
function commit(): string {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return "none";
  }
}

/** Files with tests of which nothing more is asked in `npm run test:slow`. */
function fastTests(): readonly string[] {
  const files = globSync("**/*.test.ts", { exclude: nowhere });
  const isSlow = (file: string): boolean =>
    file.endsWith(".slow.test.ts") || readFileSync(file, "utf8").includes("/sampled.test.kit.ts");
  return files.filter((file) => !isSlow(file));
}

// A process that reads a module finds it stripped of its types and compiled, if any has read it before.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL("node_modules/.cache/compiled", import.meta.url));

export default defineConfig(({ mode }) => {
  // `npm test` leaves out `*.slow.test.ts`, and asks a sample of the cases where a test draws one, another
  // at each commit. `npm run test:slow` runs the former, and asks all cases of the latter.
  const isSlow = mode === "slow";
  const exclude = [...nowhere, ...(isSlow ? fastTests() : ["**/*.slow.test.ts"])];
  if (isSlow) process.env.ADJUDGE_TEST_SEED = "all";
  if (process.env.ADJUDGE_TEST_SEED === undefined) {
    process.env.ADJUDGE_TEST_SEED = commit();
    console.log(`Samples of cases are drawn by ADJUDGE_TEST_SEED=${process.env.ADJUDGE_TEST_SEED}.`);
  }
  return {
    test: {
      // Modules hold no state, so the files that one process runs share them, except those in `apart`.
      projects: [
        {
          extends: true,
          test: {
            name: "functions",
            include: ["**/*.test.ts"],
            exclude: [...exclude, ...waiting, ...apart],
            isolate: false,
            sequence: { groupOrder: 0 },
          },
        },
        {
          extends: true,
          test: {
            name: "processes",
            include: waiting,
            exclude: [...exclude, ...apart],
            isolate: false,
            sequence: { groupOrder: 1 },
          },
        },
        {
          extends: true,
          test: { name: "apart", include: apart, exclude, sequence: { groupOrder: 1 } },
        },
      ],
      reporters: results === undefined ? ["default"] : ["default", ["json", { outputFile: results }]],
      pool: "forks",
      // Node reads the tests as it reads the project: modules are what files say, not copies with getters.
      experimental: { viteModuleRunner: false, nodeLoader: false },
      // Vitest would leave a core to its watcher's user; nobody watches.
      maxWorkers: "100%",
      // No test asserts a time; this only ends what hangs, on machines much slower than ours.
      testTimeout: 600_000,
      hookTimeout: 180_000,
    },
  };
});
