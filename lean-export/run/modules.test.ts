import { expect, test } from "vitest";
import { importsOf, sortModules } from "./modules.ts";

const source = (name: string, ...imports: readonly string[]) => ({
  name,
  file: `${name.replaceAll(".", "/")}.lean`,
  text: `module\n\n${imports.map((other) => `public import ${other}\n`).join("")}`,
});
const sort = (sources: readonly ReturnType<typeof source>[], lean = "a lean") =>
  sortModules(sources, "A", lean);
const keys = (result: ReturnType<typeof sort>): Readonly<Record<string, string>> =>
  result.ok ? Object.fromEntries(result.value.map(({ name, key }) => [name, key])) : {};

test("a module comes after those that it imports", () => {
  const sorted = sort([source("A.X", "A.Y", "Init.Data"), source("A.Y", "A.Z"), source("A.Z")]);
  expect(sorted.ok && sorted.value.map(({ name }) => name)).toEqual(["A.Z", "A.Y", "A.X"]);
});

test("modules that import each other are refused", () => {
  expect(sort([source("A.X", "A.Y"), source("A.Y", "A.X")])).toMatchObject({
    ok: false,
    error: { code: "lean/import-cycle", message: expect.stringContaining("A.X imports A.Y imports A.X") },
  });
});

test("an import that is not there is refused", () => {
  expect(sort([source("A.X", "A.Y")])).toMatchObject({ ok: false, error: { code: "lean/import-unknown" } });
});

test("a module's key changes with its text, with what it imports, and with the Lean, and with nothing else", () => {
  const before = keys(sort([source("A.X", "A.Y"), source("A.Y"), source("A.Z")]));
  const changed = keys(
    sort([source("A.X", "A.Y"), { ...source("A.Y"), text: "module -- new" }, source("A.Z")]),
  );
  expect(changed["A.Y"]).not.toBe(before["A.Y"]);
  expect(changed["A.X"]).not.toBe(before["A.X"]);
  expect(changed["A.Z"]).toBe(before["A.Z"]);
  const other = keys(sort([source("A.Z")], "another"));
  expect(other["A.Z"]).not.toBe(before["A.Z"]);
});

test("imports are read in all their forms", () => {
  const text = "module\npublic import A.X\nimport A.Y\nimport all A.Z\npublic meta import A.W\n";
  expect(importsOf(text)).toEqual(["A.X", "A.Y", "A.Z", "A.W"]);
});
