import { execFileSync } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { graph } from "../../../spec/index.ts";
import { compile } from "../c_door.ts";
import { findCompiler } from "./index.ts";

const squares = graph(({ input }) => {
  const x = input("x", [3]);
  x.multiply(x).sum({ axes: [0], keepdims: false });
});

test.skipIf(findCompiler() === undefined)("a graph is compiled by C, and by JavaScript beside it", () => {
  const x = Float64Array.of(1, -2, 3);
  for (const engine of ["c", "javascript"] as const) {
    const f = compile(squares, { engine });
    expect([...f.value(x)]).toEqual([14]);
    expect(f.gradient(x).map((part) => [...part])).toEqual([[2, -4, 6]]);
  }
});

test.skipIf(findCompiler() === undefined)("cotangents of the greatest rows go where they are", () => {
  // Branches were masked loads by GCC 12.2, whose order was lost.
  const greatest = graph(({ input }) => {
    input("x", [4, 1, 2]).top_k({ axis: 0, k: 3 });
  });
  const [x, c] = [Float64Array.of(1, 2, 3, 4, 5, 1, 7, 2), Float64Array.of(1, 10, 100, 1e3, 1e4, 1e5)];
  const pulled = compile(greatest, { engine: "c" }).vjp([x], c);
  expect(pulled.map((part) => [...part])).toEqual([[0, 1e3, 1e4, 10, 100, 0, 1, 1e5]]);
});

test.skipIf(findCompiler() === undefined)(
  "the greatest of numbers is NaN if one is, wherever it stands",
  () => {
    const greatest = graph(({ input }) => {
      input("x", [4]).max({ axes: [0], keepdims: false });
    });
    const f = compile(greatest, { engine: "c" });
    const numbers = [Number.NEGATIVE_INFINITY, -3, -2, -5];
    expect([...f.value(Float64Array.from(numbers))]).toEqual([-2]);
    for (const n of numbers.keys())
      expect([...f.value(Float64Array.from(numbers.with(n, Number.NaN)))]).toEqual([Number.NaN]);
  },
);

test("where there is no compiler, the engine says so, and JavaScript goes on", () => {
  const door = fileURLToPath(new URL("../c_door.ts", import.meta.url));
  const text = `
    import { compile } from ${JSON.stringify(door)};
    const format = "adjudge.graph.v1", environment = [];
    const nodes = [{ op: "negative", attributes: {}, parents: [0] }];
    const graph = { format, environment, nodes, inputs: [{ name: "x", shape: [] }] };
    try { compile(graph).value(Float64Array.of(1)); } catch (thrown) { console.log(thrown.message); }
    console.log(compile(graph, { engine: "javascript" }).value(Float64Array.of(1))[0]);`;
  const words = ["--input-type=module", "--eval", text];
  const told = execFileSync(process.execPath, words, {
    encoding: "utf8",
    env: { ...process.env, CC: "no-such-compiler" },
  });
  expect(told.trim().split("\n")).toEqual([
    'the engine in C needs a C compiler: "cc", or what CC names.',
    "-1",
  ]);
});
