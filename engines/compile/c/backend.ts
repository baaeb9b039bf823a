import { createRequire } from "node:module";
import { at, sizeOf } from "../../../spec/shapes/index.ts";
import {
  allows,
  type Backend,
  type Executable,
  elementaryFunctions,
  type Numbers,
  type Order,
  shapeOfValue,
} from "../plan/index.ts";
import type { CCompiler } from "./compiler.ts";
import type { ForeignName } from "./functions/index.ts";
import { type Fault, sourceText } from "./source.ts";

const require = createRequire(import.meta.url);

/** Makes the backend that has a C compiler make a library of each program. A test may plant a fault. */
export function cBackend(compiler: CCompiler, fault: Fault = {}): Backend {
  return { name: "c", build: (order) => executable(order, compiler, fault) };
}

/** Bytes of a cache line: no two arrays share one, if the first begins at one. */
const LINE = 64;

function executable(order: Order, compiler: CCompiler, fault: Fault): Executable {
  const { program, layout, precision, regime } = order;
  const functions = allows(regime, "own_functions") ? "own" : "host";
  const { text, workspace, called } = sourceText(order, { name: "run", functions, fault });
  const width = precision === "float64" ? 8 : 4;
  const sources = places(
    program.sources.map(({ shape }) => sizeOf(shape)),
    width,
  );
  const indices = places(
    program.indexSources.map(({ size }) => size),
    4,
  );
  const given = [
    ...sources.starts.map((start) => `S + ${start}`),
    ...indices.starts.map((start) => `X + ${start}`),
    "A",
  ].join(", ");
  const entry = `void entry(const T *S, const uint32_t *X, T *A) { (void)S; (void)X; run(${given}); }`;
  const library = ffi().load(compiler.compile(`${text}\n\n${entry}\n`));
  for (const name of called) library.func(`set_${name}`, "void", ["void *"])(pointerOf(name));
  const call = library.func("entry", "void", ["void *", "void *", "void *"]);
  const make = (length: number): Numbers =>
    precision === "float64" ? new Float64Array(length) : new Float32Array(length);
  const [S, X, A] = [make(sources.length), new Uint32Array(indices.length), make(workspace)];
  const results = program.results.map((value): Numbers => {
    const place = at(layout.places, value - program.sources.length);
    return A.subarray(place, place + sizeOf(shapeOfValue(program, value)));
  });
  return {
    results,
    bytes: S.byteLength + X.byteLength + A.byteLength,
    run(numbers, integers) {
      for (const [n, start] of sources.starts.entries()) S.set(at(numbers, n), start);
      for (const [n, start] of indices.starts.entries()) X.set(at(integers, n), start);
      call(S, X, A);
    },
  };
}

/** Places arrays of these sizes one after the other, each on a line of its own. */
function places(sizes: readonly number[], width: number): { starts: readonly number[]; length: number } {
  const line = LINE / width;
  let length = 0;
  const starts = sizes.map((size) => {
    const start = length;
    length += Math.ceil(size / line) * line;
    return start;
  });
  // An array without elements would have no address.
  return { starts, length: Math.max(length, line) };
}

// The foreign functions.

/** The part of koffi that is used. */
interface Ffi {
  load(path: string): {
    func(name: string, result: string, parameters: readonly string[]): (...values: unknown[]) => unknown;
  };
  proto(declaration: string): unknown;
  pointer(type: unknown): unknown;
  register(callback: (...operands: number[]) => number, type: unknown): unknown;
}

/** Loads koffi when a library is first wanted. */
function ffi(): Ffi {
  return require("koffi");
}

const pointerOf: (name: ForeignName) => unknown = pointers();

/** A callback is registered once, and kept. */
function pointers(): typeof pointerOf {
  const known = new Map<string, unknown>();
  const types = new Map<number, unknown>();
  return (name) => {
    const meaning: (...operands: number[]) => number = elementaryFunctions[name];
    const count = meaning.length;
    const { proto, pointer, register } = ffi();
    const type =
      types.get(count) ??
      pointer(proto(count === 2 ? "double adjudge_binary(double, double)" : "double adjudge_unary(double)"));
    types.set(count, type);
    const made = known.get(name) ?? register(meaning, type);
    known.set(name, made);
    return made;
  };
}
