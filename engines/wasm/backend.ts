import { sizeOf } from "../../spec/core.ts";
import type { Backend, Executable, Numbers, Order } from "../plan/executable.ts";
import { shapeOfValue } from "../plan/program.ts";
import { bindRoutine } from "../plan/routines/index.ts";
import { type Built, built, type Fault } from "./build.ts";
import { hostImports } from "./functions.ts";
import { pagesFor, placeOf, viewOf } from "./memory.ts";
import { webAssembly } from "./web_assembly.ts";

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

/** Makes WebAssembly modules, one with one memory for each program. A test may put a fault into them. */
export function wasmBackend(fault: Fault = {}): WasmBackend {
  return { name: "wasm", build: (order) => started(order, built(order, fault, false)) };
}

function started({ program, precision }: Order, made: Built): WasmExecutable {
  const { plan } = made;
  const pages = pagesFor(made.size);
  const memory = new webAssembly.Memory({ initial: pages, maximum: pages });
  new Uint8Array(memory.buffer).set(made.table);
  const view = (value: number): Numbers =>
    viewOf(memory, placeOf(plan, value), sizeOf(shapeOfValue(program, value)), precision);
  const inputs = program.sources.map((_, source) => view(source));
  const indexInputs = program.indexSources.map(
    ({ size }, source) => new Uint32Array(memory.buffer, plan.indices[source], size),
  );
  let bytes = made.size;
  const runs = made.routines.map(({ instruction, value }) => {
    const shapes = instruction.operands.map((operand) => shapeOfValue(program, operand));
    const routine = bindRoutine(instruction, shapes, precision);
    bytes += routine.bytes;
    const operands = instruction.operands.map(view);
    const result = view(value);
    return () => routine.run(operands, result, indexInputs);
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
    bytes,
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
