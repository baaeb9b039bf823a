import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";
import { expect, test } from "vitest";

/** Bundles a door: returns its imports from outside the project, and its size in characters. */
async function outsideOf(
  door: string,
): Promise<{ readonly imports: readonly string[]; readonly size: number }> {
  const build = await rolldown({
    input: fileURLToPath(new URL(door, import.meta.url)),
    external: (id) => !/^[./]/.test(id),
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await build.generate({ minify: true });
  await build.close();
  const chunks = output.flatMap((part) => (part.type === "chunk" ? [part] : []));
  const own = new Set(output.map(({ fileName }) => fileName));
  return {
    imports: [...new Set(chunks.flatMap(({ imports }) => imports.filter((id) => !own.has(id))))],
    size: chunks.reduce((sum, { code }) => sum + code.length, 0),
  };
}

test("the door of compiled JavaScript loads no library, and nothing of Node", async () => {
  const { imports, size } = await outsideOf("./compile/browser.ts");
  expect(imports).toEqual([]);
  expect(size).toBeLessThan(250_000);
});

test("the door of WebAssembly loads its generator alone", async () => {
  expect((await outsideOf("./compile/browser_wasm.ts")).imports).toEqual(["binaryen"]);
});

test("the door of everything loads more, so that the others' emptiness says something", async () => {
  expect((await outsideOf("./index.ts")).imports).toEqual(
    expect.arrayContaining([expect.stringMatching(/^ajv/)]),
  );
});
