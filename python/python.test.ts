import { spawnSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { pythonTestee } from "../conformance/testees/index.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));
const command = pythonTestee("", "pytest");
const note = command === undefined ? " (skipped: python3 conformance/testees/python/setup.py)" : "";

describe.skipIf(command === undefined)(`the package for Python${note}`, () => {
  test("passes its own tests", () => {
    const { argv: [python] = [""], env } = command ?? {};
    // Workers of pytest-xdist, where it is installed, take less than half of the time.
    const workers = pythonTestee("", "xdist") === undefined ? [] : ["-n", "2"];
    const { status, stdout, stderr } = spawnSync(python, ["-m", "pytest", "-q", "-ra", ...workers, "tests"], {
      cwd: folder,
      env: { ...process.env, ...env, ADJUDGE_NODE: process.execPath },
      encoding: "utf8",
    });
    const failed = stdout.split("\n").filter((line) => /^(FAILED|ERROR) /.test(line));
    expect([failed, status], stdout + stderr).toEqual([[], 0]);
  }, 1_200_000);
});
