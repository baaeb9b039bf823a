import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { afterAll, describe, expect, test } from "vitest";
import { type Graph, graph, nodeId } from "../../../spec/index.ts";
import { javascript } from "../javascript/index.ts";
import {
  lower,
  type Numbers,
  type Order,
  type Precision,
  plan,
  type Regime,
  writtenOut,
} from "../plan/index.ts";
import { cBackend, emitC, findCompiler } from "./index.ts";

const compiler = findCompiler();
const gnu = "gcc";
const isGnu = spawnSync(gnu, ["--version"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "adjudge-kernels-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Products of matrices with odd edges, second operands turned and not, long sums, and large loops. */
const large: Graph = graph(({ input }) => {
  const [a, b, c] = [input("a", [67, 130]), input("b", [130, 59]), input("c", [2, 9, 43])];
  const [d, x] = [input("d", [2, 43, 20]), input("x", [40_003])];
  const products = a
    .matmul(b)
    .tanh()
    .sum({ axes: [0, 1], keepdims: false });
  const batches = c
    .matmul(d)
    .multiply(0.5)
    .sum({ axes: [0, 1, 2], keepdims: false });
  const long = x.logsumexp({ axes: [0], keepdims: false });
  products
    .add(batches)
    .add(long)
    .add(x.multiply(x).sum({ axes: [0], keepdims: false }));
});

/** Returns the program of the value and gradient, laid out. */
function ordered(precision: Precision, regime: Regime): Order {
  const last = large.inputs.length + large.nodes.length - 1;
  const { graph: lowered, output } = writtenOut(large, regime, last);
  const ids = lowered.inputs.map((_, position) => nodeId(position));
  const seeds = [{ id: output, from: "ones" as const }];
  const program = lower(lowered, { values: [output], cotangents: { ids, seeds } }, regime);
  return { ...plan(program, { precision, regime }), precision, regime };
}

function inputsIn(precision: Precision): readonly Numbers[] {
  return large.inputs.map(({ shape }, n) => {
    const size = shape.reduce((product, extent) => product * extent, 1);
    const numbers = precision === "float64" ? new Float64Array(size) : new Float32Array(size);
    return numbers.map((_, i) => (((i * 7919 + n * 104729) % 2003) / 1001 - 1) * 0.3);
  });
}

/** Returns what a program computes by so many threads. */
function answers(order: Order, threads: number): readonly Numbers[] {
  if (compiler === undefined) throw new Error("there is no compiler");
  const executable = cBackend(compiler, { threads }).build(order);
  executable.run(inputsIn(order.precision), []);
  return executable.results.map((numbers) => numbers.slice());
}

/** Returns a text for each array, which differs if a bit does. */
function bitsOf(arrays: readonly Numbers[]): readonly string[] {
  return arrays.map((numbers) => createHash("sha256").update(numbers).digest("hex"));
}

describe.skipIf(compiler === undefined).each(["float64", "float32"] as const)("in %s", (precision) => {
  test("bit-exact products, sums and loops have JavaScript's bits, by one thread and by three", () => {
    const order = ordered(precision, "bit_exact");
    const right = javascript.build(order);
    right.run(inputsIn(precision), []);
    const bits = bitsOf(right.results);
    for (const threads of [1, 3]) expect(bitsOf(answers(order, threads))).toEqual(bits);
  });

  test("fast ones have the same bits by one thread and by three, and are near", () => {
    const order = ordered(precision, "fast");
    const one = answers(order, 1);
    expect(bitsOf(answers(order, 3))).toEqual(bitsOf(one));
    const right = javascript.build(ordered("float64", "bit_exact"));
    right.run(
      inputsIn(precision).map((numbers) => Float64Array.from(numbers)),
      [],
    );
    const close = precision === "float64" ? 1e-13 : 1e-4;
    for (const [n, numbers] of right.results.entries()) {
      const largest = Float64Array.from(numbers).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      expect(one[n]?.length).toBe(numbers.length);
      const off = Float64Array.from(numbers).reduce(
        (most, x, i) => Math.max(most, Math.abs(x - (one[n]?.[i] ?? Number.NaN))),
        0,
      );
      expect(off / largest).toBeLessThan(close);
    }
  });
});

test.skipIf(compiler === undefined)("an answer may be handed in again, and is left as it was", () => {
  const order = ordered("float64", "fast");
  if (compiler === undefined) throw new Error("there is no compiler");
  const executable = cBackend(compiler).build(order);
  const inputs = inputsIn("float64");
  executable.run(inputs, []);
  const [, , , , , gradient] = executable.results;
  const again = inputs.with(4, gradient ?? new Float64Array());
  executable.run(inputs.with(4, (gradient ?? new Float64Array()).slice()), []);
  const right = bitsOf(executable.results);
  executable.run(inputs, []);
  executable.run(again, []);
  expect(bitsOf(executable.results)).toEqual(right);
});

/** Lists the calls of kernels that are given one place twice, which `restrict` forbids. */
function doubled(text: string): readonly string[] {
  const calls = [...text.matchAll(/^ {2}(kernel_\d+\((.*)\);)$/gm)];
  expect(calls.length).toBeGreaterThan(3);
  return calls.flatMap(([, call = "", places = ""]) => {
    const all = places.split(", ");
    return new Set(all).size < all.length ? [call] : [];
  });
}

test("a value that is written over its operand is one parameter, since both are `restrict`", () => {
  const waves = graph(({ input }) => {
    let x = input("x", [50]);
    for (let n = 0; n < 3; n++)
      x = x
        .sum({ axes: [0], keepdims: true })
        .multiply(x)
        .sin();
  });
  const made = emitC(waves, { mode: "vjp", regime: "bit_exact" });
  const source = made.ok ? made.value.source : "";
  expect(source).toMatch(/const T t\d+ = o\[/);
  expect(doubled(source)).toEqual([]);
  expect(doubled(source.replace(/^( {2}kernel_\d+\()([^,]+), .*\);$/m, "$1$2, $2);"))).toHaveLength(1);
});

describe.skipIf(!isGnu)("by GCC's own report", () => {
  /** Compiles a file, and returns what GCC says of loops that became vectors, by function. */
  function vectorsOf(given: Graph, ...flags: readonly string[]): string {
    const made = emitC(given, { mode: "vjp" });
    if (!made.ok) throw new Error(made.error.message);
    const path = join(folder, "loops.c");
    writeFileSync(path, made.value.source);
    const words = ["-std=c11", "-O3", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", ...flags];
    return spawnSync(gnu, [...words, "-fopt-info-vec", "-S", "-o", join(folder, "loops.s"), path], {
      encoding: "utf8",
    }).stderr;
  }

  test.each([
    "exp",
    "expm1",
    "log",
    "log1p",
    "tanh",
    "erf",
    "sqrt",
    "floor",
  ] as const)("a loop of %s becomes one of vectors", (name) => {
    const said = vectorsOf(graph(({ input }) => input("x", [1000])[name]()));
    expect(said).toMatch(/loop vectorized using \d+ byte vectors/);
  });

  test.skipIf(process.arch !== "x64")("a product of matrices is one of vectors with one rounding", () => {
    const product = graph(({ input }) => input("a", [64, 64]).matmul(input("b", [64, 64])));
    for (const [flags, register] of [
      [["-mavx2", "-mfma"], "ymm"],
      [["-mavx512f"], "zmm"],
    ] as const) {
      vectorsOf(product, ...flags);
      const text = readFileSync(join(folder, "loops.s"), "utf8");
      // Totals stay in registers: no sum is of an element of memory and stored there again.
      const products = text.match(new RegExp(`vfmadd\\d+pd\\s.*%${register}\\d+`, "g")) ?? [];
      expect(products.length).toBeGreaterThanOrEqual(8);
      expect(products.filter((line) => line.includes("(%rsp)") || line.includes("(%rbp)"))).toEqual([]);
    }
  });
});
