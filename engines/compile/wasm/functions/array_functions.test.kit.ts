import binaryen from "binaryen";
import type { Numbers, Precision } from "../../plan/executable.ts";
import { webAssembly } from "../web_assembly.ts";
import { VECTOR_TABLE_BYTES, type VectorFunction, VectorLibrary } from "./vector_functions.ts";

/** The vector functions, in the order of every table. */
export const vectorFunctionNames = ["exp", "expm1", "log", "log1p", "sin", "cos", "tanh", "erf"] as const;

const TABLE = 64;
const DATA = 2048;
const PAGES = 64;

/** So many numbers can be handed over at once. */
export const CAPACITY = 2 ** 17;

/** Vector functions as functions of arrays, compiled on their own. */
export interface ArrayFunctions {
  /** The constants, which a test may spoil. */
  readonly table: Uint8Array;
  /** The operands of the next call; at most {@link CAPACITY} of them. */
  readonly operands: Numbers;
  /** The results of the last call. */
  readonly results: Numbers;
  /** Applies the function to the first `count` operands, a multiple of 4. */
  readonly run: (name: VectorFunction, count: number) => void;
  /** Applies its scalar form. */
  readonly runScalars: (name: VectorFunction, count: number) => void;
}

/** Adds `for (i = 0; i < bytes; i += step) results[i] = f(operands[i])` as a function of `bytes`. */
function addLoop(
  module: binaryen.Module,
  name: string,
  step: number,
  body: (at: () => binaryen.ExpressionRef) => binaryen.ExpressionRef,
): void {
  const at = (): binaryen.ExpressionRef => module.local.get(1, binaryen.i32);
  const next = module.i32.add(at(), module.i32.const(step));
  const again = module.i32.lt_u(at(), module.local.get(0, binaryen.i32));
  const loop = module.loop(
    "next",
    module.block(null, [body(at), module.local.set(1, next), module.br("next", again)]),
  );
  module.addFunction(name, binaryen.i32, binaryen.none, [binaryen.i32], loop);
  module.addFunctionExport(name, name);
}

/** Inlines all functions, and restores the library's own limits. */
function inline(module: binaryen.Module): void {
  const size = binaryen.getAlwaysInlineMaxSize();
  binaryen.setAlwaysInlineMaxSize(10_000);
  module.runPasses(["inlining-optimizing"]);
  binaryen.setAlwaysInlineMaxSize(size);
}

/** Compiles all functions for a precision; with `inlined` they stand in the loops. */
export function arrayFunctions(precision: Precision, inlined = false): ArrayFunctions {
  const module = new binaryen.Module();
  module.setFeatures(binaryen.Features.SIMD128);
  const library = new VectorLibrary(module, precision, { memory: "memory", address: TABLE });
  const bytes = precision === "float64" ? 8 : 4;
  const results = DATA + bytes * CAPACITY;
  for (const name of vectorFunctionNames) {
    addLoop(module, name, 16, (at) => {
      const value = library.call(name, module.v128.load(DATA, 16, at(), "memory"));
      return module.v128.store(results, 16, at(), value, "memory");
    });
    addLoop(module, `${name}_scalars`, bytes, (at) => {
      const numbers = precision === "float64" ? module.f64 : module.f32;
      const value = library.callScalar(name, numbers.load(DATA, bytes, at(), "memory"));
      return numbers.store(results, bytes, at(), value, "memory");
    });
  }
  const table = library.table;
  if (table.length > VECTOR_TABLE_BYTES) throw new RangeError(`a table of ${table.length} bytes`);
  module.setMemory(PAGES, PAGES, null, [], false, false, "memory");
  module.addMemoryImport("memory", "host", "memory");
  if (module.validate() === 0) throw new TypeError("the module is not valid");
  if (inlined) inline(module);
  const binary = Uint8Array.from(module.emitBinary());
  module.dispose();
  const memory = new webAssembly.Memory({ initial: PAGES, maximum: PAGES });
  const { exports } = new webAssembly.Instance(new webAssembly.Module(binary), { host: { memory } });
  const constants = new Uint8Array(memory.buffer, TABLE, table.length);
  constants.set(table);
  const call = (name: string, count: number): void => {
    const loop = exports[name];
    if (typeof loop !== "function") throw new TypeError(`no function ${name}`);
    loop(count * bytes);
  };
  const numbers = (address: number): Numbers =>
    precision === "float64"
      ? new Float64Array(memory.buffer, address, CAPACITY)
      : new Float32Array(memory.buffer, address, CAPACITY);
  return {
    table: constants,
    operands: numbers(DATA),
    results: numbers(results),
    run: (name, count) => call(name, count),
    runScalars: (name, count) => call(`${name}_scalars`, count),
  };
}
