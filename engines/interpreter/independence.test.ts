import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const engines = new URL("..", import.meta.url);

/** Lists the specifiers that a module imports or loads. */
function specifiersOf(text: string): string[] {
  return [...text.matchAll(/\bfrom\s*"([^"]+)"|\bimport\s*\(?\s*"([^"]+)"/g)].map(
    ([, from, bare]) => from ?? bare ?? "",
  );
}

/** Lists the project's files that a file imports. */
function importsOf(file: string): string[] {
  const specifiers = specifiersOf(readFileSync(new URL(file), "utf8"));
  return specifiers.filter((to) => to.startsWith(".")).map((to) => new URL(to, file).href);
}

/** Lists the files of a folder of the engines, without tests. */
function filesOf(folder: string): string[] {
  const root = new URL(`${folder}/`, engines);
  return readdirSync(fileURLToPath(root), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.ts$/.test(name) && !/\.test\./.test(name))
    .map((name) => new URL(name, root).href);
}

/** Lists these files and all that they import, as paths below the engines' folder. */
function reachedFrom(files: readonly string[], imports: (file: string) => readonly string[]): string[] {
  const reached = new Set(files);
  for (const file of reached) for (const next of imports(file)) reached.add(next);
  return [...reached].map((file) => file.replace(engines.href, ""));
}

const compiled = ["compile/plan", "compile/javascript", "compile/wasm", "compile"];
const ofCompiled = /^compile\//;

test("nothing that the interpreter computes with is the planner's, or a compiled engine's", () => {
  const reached = reachedFrom(filesOf("interpreter"), importsOf);
  expect(reached).toEqual(expect.arrayContaining(["interpretation/kernels/minors.ts", "memory/run.ts"]));
  expect(reached.filter((file) => ofCompiled.test(file))).toEqual([]);
});

test.each(compiled)("nothing that %s computes with is the interpreter's", (folder) => {
  const reached = reachedFrom(filesOf(folder), importsOf);
  expect(reached.length).toBeGreaterThan(filesOf(folder).length);
  expect(reached.filter((file) => /^interpret/.test(file))).toEqual([]);
});

test("an import of the planner would be noticed, in each way of writing it and by way of another file", () => {
  const texts: Readonly<Record<string, string>> = {
    "interpreter/kernel.ts": 'import {\n  at,\n} from "../fit.ts";',
    "fit.ts": 'export * from "./rounding.ts";\nimport "./bare.ts";',
    // The text is in two parts, so that this file is not thought to import it.
    "rounding.ts": `const late = await import(${'"./compile/plan/rounded.ts"'});`,
  };
  const imports = (file: string): string[] =>
    specifiersOf(texts[file.replace(engines.href, "")] ?? "").map((to) => new URL(to, file).href);
  const start = new URL("interpreter/kernel.ts", engines).href;
  const reached = reachedFrom([start], imports);
  expect(reached).toEqual([
    "interpreter/kernel.ts",
    "fit.ts",
    "rounding.ts",
    "bare.ts",
    "compile/plan/rounded.ts",
  ]);
  expect(reached.filter((file) => ofCompiled.test(file))).toEqual(["compile/plan/rounded.ts"]);
});
