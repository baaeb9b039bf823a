import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { workingTree } from "./working_tree.ts";

const home = mkdtempSync(join(tmpdir(), "adjudge-tree-"));
afterAll(() => rmSync(home, { recursive: true }));

const root = join(home, "project");
const folder = join(root, "bindings");
for (const path of [".git", ".github/workflows", "bindings/sub", "node_modules/x"])
  mkdirSync(join(root, path), { recursive: true });
for (const path of ["bindings/adapter.py", "top.py", "node_modules/x/run.js", "../outside.py"])
  writeFileSync(join(root, path), "");
symlinkSync(join(root, "top.py"), join(folder, "link.py"));
symlinkSync("/bin/sh", join(folder, "shell"));

test("a word names a file of the tree by its path from the root, seen from the folder", () => {
  const { fileOf } = workingTree({ folder, env: {} }, undefined);
  expect(["adapter.py", "./adapter.py", "../top.py", join(root, "top.py"), "link.py"].map(fileOf)).toEqual([
    "bindings/adapter.py",
    "bindings/adapter.py",
    "top.py",
    "top.py",
    "top.py",
  ]);
});

test("what is outside, installed, a folder or nowhere is no file of the tree", () => {
  const { fileOf } = workingTree({ folder, env: {} }, undefined);
  const words = [
    "../../outside.py",
    "shell",
    "/bin/sh",
    "../node_modules/x/run.js",
    "sub",
    ".",
    "",
    "no.py",
    "\0",
  ];
  expect(words.map(fileOf)).toEqual(words.map(() => undefined));
});

test("without a file, what was found is of the workflow that runs, the configuration, or a workflow", () => {
  const env = { GITHUB_WORKFLOW_REF: "o/n/.github/workflows/zz.yml@refs/heads/main" };
  const otherwise = (): readonly string[] =>
    [env, {}].map((one) => workingTree({ folder, env: one }, undefined).otherwise);
  expect(otherwise()).toEqual(["adjudge.config.json", "adjudge.config.json"]);
  for (const name of ["zz.yml", "aa.yaml", "notes.txt"])
    writeFileSync(join(root, ".github/workflows", name), "");
  expect(otherwise()).toEqual([".github/workflows/zz.yml", ".github/workflows/aa.yaml"]);
  writeFileSync(join(root, "adjudge.config.json"), "{}");
  expect(otherwise()).toEqual([".github/workflows/zz.yml", "adjudge.config.json"]);
});

test("a location that is given is of the tree where it is there, and stands as it is where not", () => {
  const located = (location: string) => workingTree({ folder, env: {} }, location).location;
  expect(["adapter.py", "src/later.py"].map(located)).toEqual(["bindings/adapter.py", "src/later.py"]);
});
