import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pythonTestee } from "../conformance/testees/index.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "adjudge-wheel-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A user's environment: no Node of ours on the path, and nothing of the project in Python's. */
const { ADJUDGE_NODE: _, ADJUDGE_PYTHON: __, PYTHONPATH: ___, ...inherited } = process.env;
const outside = (process.env.PATH ?? "").split(":").filter((place) => !place.includes("node_modules"));
const env = { ...inherited, PATH: outside.join(":"), NO_COLOR: "1" };

interface Ended {
  readonly code: number | null;
  readonly out: string;
}

function run(command: string, ...argv: readonly string[]): Ended {
  const { status, stdout, stderr, error } = spawnSync(command, argv, { cwd: folder, env, encoding: "utf8" });
  return { code: status, out: `${stdout ?? ""}${stderr ?? ""}${error?.message ?? ""}` };
}

const [python] = pythonTestee("")?.argv ?? ["python3"];
/** Packages come from where pip is configured to look; without them there is nothing to install. */
const found = run(python, "-m", "pip", "download", "--no-deps", "-q", "-d", folder, "hatchling==1.33.0");
const note =
  found.code === 0 ? "" : ` (skipped: pip finds no packages: ${found.out.trim().split("\n").at(-1)})`;
const installed = join(folder, "venv", "bin");

describe.skipIf(found.code !== 0)(`the wheel, installed in an environment of its own${note}`, () => {
  let bytes = 0;

  beforeAll(() => {
    const built = spawnSync(process.execPath, [join(here, "wheel.ts"), join(folder, "wheel")], {
      encoding: "utf8",
    });
    expect(built.status, built.stderr).toBe(0);
    const [wheel = ""] = readdirSync(join(folder, "wheel"));
    bytes = statSync(join(folder, "wheel", wheel)).size;
    expect(run(python, "-m", "venv", join(folder, "venv"))).toMatchObject({ code: 0 });
    const pip = ["-m", "pip", "install", "-q", "--disable-pip-version-check"];
    const ended = run(join(installed, "python"), ...pip, join(folder, "wheel", wheel), "pytest");
    expect(ended.code, ended.out).toBe(0);
  });

  test("has at most six million bytes, and the version of the project", () => {
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThanOrEqual(6_000_000);
    const { version } = JSON.parse(readFileSync(join(here, "..", "package.json"), "utf8"));
    expect(run(join(installed, "adjudge"), "--version")).toEqual({ code: 0, out: `${version}\n` });
  });

  test("judges the example of its page, and finds a fault planted in it", () => {
    const page = readFileSync(join(here, "README.md"), "utf8");
    const [, example = ""] = /^```python\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(example).toContain("check(");
    const file = join(folder, "example.py");
    writeFileSync(file, example);
    expect(run(join(installed, "python"), file)).toEqual({ code: 0, out: "" });
    writeFileSync(file, example.replace("bar *", "1.000001 * bar *"));
    const wrong = run(join(installed, "python"), file);
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/GradientError: error\[wrong-derivative\][\s\S]*got .*, want /);
  });

  test("has the plugin of pytest", () => {
    writeFileSync(join(folder, "test_it.py"), "def test_it():\n    pass\n");
    expect(run(join(installed, "python"), "-m", "pytest", "--adjudge-cases=3", "test_it.py")).toMatchObject({
      code: 0,
    });
  });

  test("runs the commands, with their exit codes, and says how to get what it lacks", () => {
    const adjudge = (...argv: readonly string[]): Ended => run(join(installed, "adjudge"), ...argv);
    writeFileSync(join(folder, "graph.adj"), "graph f(x)\n  x * exp(x)\n");
    expect(adjudge("show", "graph.adj")).toMatchObject({ code: 0, out: expect.stringContaining("exp(x)") });
    expect(adjudge("explain", "graph.adj").code).toBe(0);
    expect(adjudge("show", "none.adj").code).toBe(2);
    const found = adjudge(
      "judge",
      "-e",
      "interpreter",
      "-n",
      "20",
      "--html",
      "page.html",
      "--report",
      "r.json",
    );
    expect(found.out).toContain("agrees with the truth");
    expect(found.out).toMatch(/The page has no drawings.*npm install --prefix .*_bundle.* @viz-js\/viz@/);
    expect(adjudge("report", "r.json").out).toContain("agrees");
    const bundle = join(dirname(installed), "lib");
    const [version = ""] = readdirSync(bundle);
    const testee = join(
      bundle,
      version,
      "site-packages/adjudge/_bundle/dist/conformance/testees/interpreter.js",
    );
    expect(adjudge("smoke", "--", process.execPath, testee)).toMatchObject({ code: 0 });
    expect(adjudge("judge", "-e", "wasm", "-n", "1").out).toContain("npm install --prefix");
    expect(adjudge("prove").out).toMatch(/npm install --prefix .*z3-solver@/);
  });
});
