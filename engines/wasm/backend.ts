import type { Backend, Executable, Numbers, Order } from "../plan/executable.ts";
import type { RoutineInstruction } from "../plan/program.ts";
import { type Built, built, type Fault } from "./build.ts";
import { hostImports, type VectorFunctions } from "./functions.ts";
import { pagesFor, placeOf, sizesOf, viewOf } from "./memory.ts";
import { webAssembly } from "./web_assembly.ts";

/** Carries out a routine: reads whole operands, writes the whole result. */
export type RoutineRunner = (
  instruction: RoutineInstruction,
  operands: readonly Numbers[],
  indices: readonly Uint32Array[],
  result: Numbers,
) => void;

/** What a backend is made of besides its own code. */
export interface Parts {
  readonly own?: VectorFunctions;
  readonly routine?: RoutineRunner;
  /** What a test puts wrong, to see that it would be noticed. */
  readonly fault?: Fault;
}

/** An executable whose sources can be written in place: what is handed to `run` and lies there already is not copied. */
export interface WasmExecutable extends Executable {
  /** The sources in memory, by number. */
  readonly inputs: readonly Numbers[];
  /** The index sources in memory, by number. */
  readonly indexInputs: readonly Uint32Array[];
}

/** A backend that says where the sources lie. */
export interface WasmBackend extends Backend {
  build(order: Order): WasmExecutable;
}

/** Makes WebAssembly modules, one with one memory for each program. */
export function wasmBackend(parts: Parts = {}): WasmBackend {
  return {
    name: "wasm",
    build: (order) => started(order, built(order, parts.own, parts.fault ?? {}, false), parts.routine),
  };
}

function started(order: Order, made: Built, routine: RoutineRunner | undefined): WasmExecutable {
  const { program, precision } = order;
  const { plan } = made;
  const pages = pagesFor(made.size);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages });
  const sizes = sizesOf(program);
  const view = (value: number): Numbers => viewOf(memory, placeOf(plan, value), sizes[value] ?? 0, precision);
  const inputs = program.sources.map((_, source) => view(source));
  const indexInputs = program.indexSources.map(
    ({ size }, source) => new Uint32Array(memory.buffer, plan.indices[source], size),
  );
  const runs = made.routines.map(({ instruction, value }) => {
    const operands = instruction.operands.map(view);
    const result = view(value);
    return () => {
      if (routine === undefined) throw new Error("the backend was given no routines");
      routine(instruction, operands, indexInputs, result);
    };
  });
  const instance = new webAssembly.Instance(new webAssembly.Module(made.binary), {
    host: { memory, routine: (number: number) => runs[number]?.(), ...hostImports(made.functions) },
  });
  const run = instance.exports.run;
  if (!isRunnable(run)) throw new Error("the module exports no function");
  return {
    inputs,
    indexInputs,
    results: program.results.map(view),
    bytes: made.size,
    run(sources, indices) {
      for (const [position, input] of inputs.entries()) fill(input, sources[position]);
      for (const [position, input] of indexInputs.entries()) fill(input, indices[position]);
      run();
    },
  };
}

/** Copies what does not lie there already. */
function fill<N extends Numbers | Uint32Array>(place: N, given: N | undefined): void {
  if (given === undefined) throw new RangeError("a source is missing");
  if (given !== place && (given.buffer !== place.buffer || given.byteOffset !== place.byteOffset)) {
    place.set(given);
  }
}

function isRunnable(value: unknown): value is () => void {
  return typeof value === "function";
}
