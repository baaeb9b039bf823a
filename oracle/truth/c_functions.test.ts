import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { describe, expect, test } from "vitest";
import { ownAccuracy } from "../../engines/compile/accuracy.ts";
import { cBackend, findCompiler } from "../../engines/compile/c/index.ts";
import type { Numbers, Precision } from "../../engines/compile/plan/executable.ts";
import { apply, type LoopProgram, read } from "../../engines/compile/plan/index.ts";
import {
  arrayFunctions,
  vectorFunctionNames,
} from "../../engines/compile/wasm/functions/array_functions.test.kit.ts";
import { Arena, DOWN, mpfr } from "../../reference/algebras/mpfr.ts";
import { type BinaryName, binaryNames, type UnaryName, unaryNames } from "../../spec/operators/index.ts";
import { accuracyPoints, anyBits, fraction, unit } from "./vector_accuracy.test.kit.ts";

const compiler = findCompiler();
const COUNT = 6000;

/** A program that applies every function to the same numbers, so that one library has all of them. */
function allFunctions(): LoopProgram {
  const source = (position: number) => ({ origin: { kind: "input", position }, shape: [COUNT] }) as const;
  const x = { value: 0, offset: 0, strides: [1], indirections: [] };
  const y = { ...x, value: 1 };
  const names = [...unaryNames, ...binaryNames];
  return {
    sources: [source(0), source(1)],
    indexSources: [],
    instructions: names.map((name, n) => ({
      kind: "map",
      shape: [COUNT],
      reads: [x, y],
      expression: n < unaryNames.length ? apply(name, read(0)) : apply(name, read(0), read(1)),
    })),
    results: names.map((_, n) => 2 + n),
  };
}

/** Compiles the functions; the answers come by name. */
function compiled(precision: Precision): (x: Numbers, y: Numbers) => ReadonlyMap<string, Numbers> {
  if (compiler === undefined) throw new Error("there is no compiler");
  const program = allFunctions();
  const layout = {
    places: program.instructions.map((_, n) => n * COUNT),
    length: program.instructions.length * COUNT,
  };
  const executable = cBackend(compiler).build({ program, layout, precision, regime: "fast" });
  return (x, y) => {
    executable.run([x, y], []);
    const names = [...unaryNames, ...binaryNames];
    return new Map(names.map((name, n) => [name, executable.results[n] ?? new Float64Array()]));
  };
}

/** Returns points where a function of one or two numbers has something to show. */
function points(precision: Precision, seed: number): Numbers {
  const random = xoroshiro128plus(seed);
  const spans = [1, 1, 3, 30, 800, 1e6];
  const numbers = precision === "float64" ? new Float64Array(COUNT) : new Float32Array(COUNT);
  const specials = [0, 1, 0.5, 2, 3, 709.9, 745, 2 ** -1074, 2 ** 53, Number.MAX_VALUE, Infinity].flatMap(
    (x) => [x, -x],
  );
  for (let i = 0; i < COUNT; i++) {
    const span = spans[i % 8];
    numbers[i] = span === undefined ? anyBits(random, precision) : span * (2 * fraction(random) - 1);
    if (i < 1000) numbers[i] = specials[(i * (seed === 1 ? 1 : 23) + Math.floor(i / 22)) % 23] ?? Number.NaN;
  }
  return numbers;
}

/** Returns the largest error in units in the last place of the truth; ∞ where a special value is wrong. */
function worst(name: UnaryName | BinaryName, precision: Precision, x: Numbers, y: Numbers, found: Numbers) {
  using arena = new Arena(200);
  const [a, b, truth, claim] = [arena.fresh(), arena.fresh(), arena.fresh(), arena.fresh()];
  let error = 0;
  let where: readonly number[] = [];
  for (let i = 0; i < COUNT; i++) {
    const [u, v, w] = [x[i] ?? 0, y[i] ?? 0, found[i] ?? 0];
    mpfr.mpfr_set_d(a, u, DOWN);
    mpfr.mpfr_set_d(b, v, DOWN);
    if (name === "pow" || name === "atan2" || name === "hypot") mpfr[`mpfr_${name}`](truth, a, b, DOWN);
    else mpfr[`mpfr_${name}`](truth, a, DOWN);
    const exact = mpfr.mpfr_get_d(truth, DOWN);
    const most = precision === "float64" ? Number.MAX_VALUE : 3.4028234663852886e38;
    let off: number;
    if (Number.isNaN(exact)) off = Number.isNaN(w) ? 0 : Infinity;
    else if (mpfr.mpfr_number_p(truth) === 0) off = Object.is(w, exact) ? 0 : Infinity;
    else if (mpfr.mpfr_zero_p(truth) !== 0) off = Object.is(w, exact) ? 0 : Infinity;
    else if (Math.abs(exact) >= most)
      off = Math.abs(w) >= most && Math.sign(w) === Math.sign(exact) ? 0 : Infinity;
    else {
      mpfr.mpfr_set_d(claim, w, DOWN);
      mpfr.mpfr_sub(claim, claim, truth, DOWN);
      mpfr.mpfr_set_d(a, unit(precision, exact), DOWN);
      mpfr.mpfr_div(claim, claim, a, DOWN);
      off = Math.abs(mpfr.mpfr_get_d(claim, DOWN));
    }
    if (!(off <= error)) [error, where] = [off, [u, v, w, exact]];
  }
  return { error, where };
}

describe.skipIf(compiler === undefined).each(["float64", "float32"] as const)(
  "in %s, the functions of a C file",
  (precision) => {
    const at = compiled(precision);
    const [x, y] = [points(precision, 1), points(precision, 2)];
    const found = at(x, y);
    const copies = new Map([...found].map(([name, numbers]) => [name, numbers.slice()]));

    test.each([...unaryNames, ...binaryNames])("%s is as accurate as declared", (name) => {
      const { error, where } = worst(name, precision, x, y, copies.get(name) ?? x);
      expect(error, `at ${where}`).toBeLessThanOrEqual(ownAccuracy[name]);
    });

    test.each(vectorFunctionNames)("%s has the bits of the WebAssembly engine", (name) => {
      const vectors = arrayFunctions(precision);
      const operands = accuracyPoints(name, precision, COUNT, xoroshiro128plus(20)).slice(0, COUNT);
      vectors.operands.set(operands);
      vectors.run(name, COUNT);
      const own = at(operands, operands).get(name) ?? x;
      const differing = [...operands].filter((_, i) => !Object.is(own[i], vectors.results[i]));
      expect(differing).toEqual([]);
    });
  },
);
