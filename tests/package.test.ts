import { execFile } from "node:child_process";
import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("..", import.meta.url));
const folder = await mkdtemp(join(tmpdir(), "adjudge-package-"));

/** As a user's machine has it: the Node these tests run under comes first. */
const env = {
  ...process.env,
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  NO_COLOR: "1",
};

/** Runs a command in the folder where the package is installed. */
async function inFolder(command: string, ...argv: readonly string[]): Promise<string> {
  const { stdout, stderr } = await run(command, argv, { cwd: folder, env, maxBuffer: 2 ** 26 });
  return stdout + stderr;
}

let packed: string[] = [];

beforeAll(async () => {
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], {
    cwd: root,
    env,
    maxBuffer: 2 ** 26,
  });
  const manifest: unknown = JSON.parse(stdout.slice(stdout.indexOf("[")));
  packed = JSON.stringify(manifest).match(/"path":"[^"]*"/g) ?? [];
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "user", private: true, type: "module" }),
  );
  await inFolder("npm", "install", "--no-audit", "--no-fund", `./${tarball}`);
});

describe("the package, installed in an empty folder", () => {
  test("holds the code, its types, schemas, adapters and documents, and no tests", () => {
    for (const path of [
      "dist/cli/main.js",
      "dist/spec/index.d.ts",
      "dist/spec/schema/graph.schema.json",
      "conformance/testees/python/adjudge_kit.py",
      "conformance/suites/structures/fan_out.json",
      "docs/protocol.md",
      "README.md",
      "LICENSE",
    ]) {
      expect(packed).toContain(`"path":"${path}"`);
    }
    expect(packed.filter((path) => /\.test\.|hostile|tsbuildinfo/.test(path))).toEqual([]);
  });

  test("judges", async () => {
    const out = await inFolder("npx", "adjudge", "judge", "-e", "interpreter", "-n", "20");
    expect(out).toMatch(/adjudge interpreter +0\.1\.0 +float64 +\d+ +0/);
  });

  test("says of engines that are not installed how to install them", async () => {
    const out = await inFolder("npx", "adjudge", "judge", "-e", "tfjs", "-n", "1").catch(
      (error: { code: number; stdout: string; stderr: string }) => {
        expect(error.code).toBe(4);
        return error.stdout + error.stderr;
      },
    );
    expect(out).toContain("npm install @tensorflow/tfjs");
  });

  test("checks, runs, and smokes the adapter it brings", async () => {
    const square = join("node_modules", "adjudge", "docs", "examples", "square.json");
    expect(await inFolder("npx", "adjudge", "check", square)).toContain("✓");
    expect(await inFolder("npx", "adjudge", "run", square, "-a", "rational", "-i", "x=1/3")).toContain("2/3");
    const testee = join("node_modules", "adjudge", "dist", "conformance", "testees", "interpreter.js");
    expect(await inFolder("npx", "adjudge", "smoke", "--", "node", testee)).not.toContain("✗");
  });

  test("can be imported by each of its doors", async () => {
    await writeFile(
      join(folder, "doors.mjs"),
      `import { checkGraph, operatorNames } from "adjudge/spec";
       import { rational, interpret } from "adjudge/reference";
       import { interpreterEngine } from "adjudge/engines";
       import { caseAt, judge, tensorProfile } from "adjudge/oracle";
       import { ProcessEngine } from "adjudge/conformance";
       import schema from "adjudge/schema/graph.schema.json" with { type: "json" };
       const verdict = await judge(interpreterEngine(), caseAt(tensorProfile, 1, 1), { dtype: "float64" });
       console.log(verdict.kind, operatorNames.length, typeof checkGraph, rational.name, typeof interpret, typeof ProcessEngine, schema.$schema);`,
    );
    const out = await inFolder("node", "doors.mjs");
    expect(out.trim()).toBe(
      "agrees 23 function rational function function https://json-schema.org/draft/2020-12/schema",
    );
  });

  test("type-checks for its users", async () => {
    await writeFile(
      join(folder, "user.ts"),
      `import type { Engine } from "adjudge/engines";
       import { caseArbitrary, judge, tensorProfile } from "adjudge/oracle";
       import * as fc from "fast-check";
       export async function check(engine: Engine): Promise<void> {
         await fc.assert(
           fc.asyncProperty(caseArbitrary(tensorProfile), async (question) => {
             const verdict = await judge(engine, question, { dtype: "float64" });
             return verdict.kind !== "disagrees" && verdict.kind !== "crashed";
           }),
         );
       }`,
    );
    const tsc = join(root, "node_modules", ".bin", "tsc");
    const types = ["--types", "node", "--typeRoots", join(root, "node_modules", "@types")];
    await inFolder(
      tsc,
      "--noEmit",
      "--strict",
      "--target",
      "es2024",
      "--module",
      "nodenext",
      "--lib",
      "es2024,esnext.disposable",
      ...types,
      "user.ts",
    );
  });
});
