import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { pythonTestee } from "../conformance/testees/index.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const command = pythonTestee("", "pytest");

/** Says why the tests of the package cannot be run, if so. */
export const missing = command === undefined ? " (skipped: python3 conformance/testees/python/setup.py)" : "";

/** Workers of pytest-xdist, where it is installed; each loads all libraries. */
export const twoWorkers: readonly string[] = pythonTestee("", "xdist") === undefined ? [] : ["-n", "2"];

/** Runs the tests of the package: all of them, or the sample that `ADJUDGE_TEST_SEED` draws. */
export function runPytest(
  more: NodeJS.ProcessEnv,
  workers: readonly string[],
): { readonly failed: readonly unknown[]; readonly out: string } {
  const { argv: [python] = [""], env } = command ?? {};
  const { status, stdout, stderr } = spawnSync(
    python,
    ["-m", "pytest", "-q", "-ra", "-p", "no:cacheprovider", ...workers, "tests"],
    {
      cwd: folder,
      env: { ...process.env, ...env, ADJUDGE_NODE: process.execPath, ...more },
      encoding: "utf8",
    },
  );
  const failed = stdout.split("\n").filter((line) => /^(FAILED|ERROR) /.test(line));
  return { failed: status === 0 ? failed : [...failed, status], out: stdout + stderr };
}
