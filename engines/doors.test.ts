import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

/** Says which imports a bundle leaves to whoever loads it. */
type Outside = (id: string) => boolean;

/** All that is not a file of the project. */
const packages: Outside = (id) => !/^[./]/.test(id);

/** What Node alone has. */
const builtins: Outside = (id) => isBuiltin(id);

/** Bundles a door for a browser: returns its imports from outside, its code and the size of that. */
async function outsideOf(
  door: string,
  external: Outside = packages,
): Promise<{ readonly imports: readonly string[]; readonly code: string; readonly size: number }> {
  const build = await rolldown({
    input: fileURLToPath(new URL(door, import.meta.url)),
    external,
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await build.generate({ minify: true });
  await build.close();
  const chunks = output.flatMap((part) => (part.type === "chunk" ? [part] : []));
  const own = new Set(output.map(({ fileName }) => fileName));
  return {
    imports: [
      ...new Set(
        chunks.flatMap((chunk) => [...chunk.imports, ...chunk.dynamicImports].filter((id) => !own.has(id))),
      ),
    ],
    code: chunks.map(({ code }) => code).join("\n"),
    size: chunks.reduce((sum, { code }) => sum + code.length, 0),
  };
}

test("the door of compiled JavaScript loads no library, and nothing of Node", async () => {
  const { imports, size } = await outsideOf("./compile/browser.ts");
  expect(imports).toEqual([]);
  expect(size).toBeLessThan(250_000);
});

test("the door of WebAssembly loads its generator alone, and asks for it as it is opened", async () => {
  expect((await outsideOf("./compile/browser_wasm.ts")).imports).toEqual(["binaryen"]);
  expect((await outsideOf("./compile/wasm_door.ts")).imports).toEqual(["binaryen"]);
});

test.each([
  "../spec/index.ts",
  "../spec/text/index.ts",
  "../reference/index.ts",
  "./compile/browser.ts",
])("%s and all packages that it loads bundle for a browser, without anything of Node", async (door) => {
  const { imports, code, size } = await outsideOf(door, builtins);
  expect(imports).toEqual([]);
  expect(size).toBeGreaterThan(50_000);
  // Node is asked for what it has only where it is there.
  expect(code.match(/\bBuffer\b|\b(?<!typeof )process\b(?!\.getBuiltinModule\?\.)[.[]/g) ?? []).toEqual([]);
});

test("a door that loads something of Node is noticed", async () => {
  const { imports } = await outsideOf("../spec/lifeline.ts", builtins);
  expect(imports).toContain("node:child_process");
});

test("the door of everything loads more, so that the others' emptiness says something", async () => {
  expect((await outsideOf("./index.ts")).imports).toEqual(
    expect.arrayContaining([expect.stringMatching(/^ajv/)]),
  );
});
