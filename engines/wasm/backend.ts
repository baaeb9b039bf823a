import binaryen from "binaryen";
import type { Backend, Executable, Numbers, Order } from "../plan/executable.ts";
import type { RoutineInstruction } from "../plan/program.ts";
import { chosen, type Machine } from "./choose.ts";
import { type Functions, functionsOf, hostImports, type VectorFunctions } from "./functions.ts";
import { hostFunctions } from "./host.ts";
import { addKernel } from "./kernel.ts";
import type { Code, Lanes } from "./lanes.ts";
import { type MemoryPlan, memoryPlan, pagesFor, placeOf, sizesOf, viewOf } from "./memory.ts";
import { type Nest, simplified } from "./nest.ts";
import type { Schedule } from "./schedule.ts";
import { type Step, stepsOf } from "./steps.ts";
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

/** A planted fault: what a part of the backend gives, put wrong. */
export interface Fault {
  readonly nest?: (nest: Nest) => Nest;
  readonly schedule?: (schedule: Schedule) => Schedule;
  readonly lanes?: (lanes: Lanes) => Lanes;
}

/** An executable whose sources can be written in place: what is handed to `run` and is one of these is not copied. */
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

/** A program as a module that has not been started. */
export interface Compiled {
  readonly binary: Uint8Array<ArrayBuffer>;
  readonly plan: MemoryPlan;
  readonly functions: Functions;
  readonly routines: readonly Extract<Step, { kind: "routine" }>[];
  readonly bytes: number;
}

/** Makes WebAssembly modules, one for each program. */
export function wasmBackend(parts: Parts = {}): WasmBackend {
  return { name: "wasm", build: (order) => started(order, compiled(order, parts), parts) };
}

/** The module of a program. */
export function compiled(order: Order, parts: Parts): Compiled {
  const { program, layout, precision, profile } = order;
  const plan = memoryPlan(program, layout, precision);
  const module = new binaryen.Module();
  module.setFeatures(
    binaryen.Features.SIMD128 |
      binaryen.Features.RelaxedSIMD |
      binaryen.Features.BulkMemory |
      binaryen.Features.BulkMemoryOpt |
      binaryen.Features.NontrappingFPToInt |
      binaryen.Features.SignExt,
  );
  const pages = pagesFor(plan.end);
  module.setMemory(pages, pages, null, [], false, false, "memory");
  module.addMemoryImport("memory", "host", "memory");
  const right = functionsOf(module, precision, profile, parts.own);
  const {
    lanes: faultyLanes = same,
    nest: faultyNest = same,
    schedule: faultySchedule = same,
  } = parts.fault ?? {};
  const functions = { ...right, lanes: faultyLanes(right.lanes) };
  const { lanes } = functions;
  const machine: Machine = {
    bytes: lanes.bytes,
    lanes: lanes.count,
    profile,
    isCall: (name) =>
      name in hostFunctions &&
      !(functions.own !== undefined && ["exp", "log", "sin", "cos", "tanh"].includes(name)),
  };
  const routines: Extract<Step, { kind: "routine" }>[] = [];
  const calls: Code[] = [];
  const { i32 } = module;
  const first = program.sources.length;
  for (const [position, instruction] of program.instructions.entries()) {
    for (const [number, step] of stepsOf(instruction, first + position, plan, lanes.bytes).entries()) {
      switch (step.kind) {
        case "nest": {
          const name = `${position}.${number}`;
          const nest = simplified(faultyNest(step.nest));
          addKernel(functions, name, nest, faultySchedule(chosen(nest, machine)));
          calls.push(module.call(name, [], binaryen.none));
          break;
        }
        case "clear":
          calls.push(module.memory.fill(i32.const(step.place), i32.const(0), i32.const(step.size)));
          break;
        case "copy":
          calls.push(module.memory.copy(i32.const(step.to), i32.const(step.from), i32.const(step.size)));
          break;
        case "routine":
          if (routines.length === 0)
            module.addFunctionImport("routine", "host", "routine", binaryen.i32, binaryen.none);
          calls.push(module.call("routine", [i32.const(routines.push(step) - 1)], binaryen.none));
      }
    }
  }
  module.addFunction("run", binaryen.none, binaryen.none, [], module.block(null, calls));
  module.addFunctionExport("run", "run");
  const binary = Uint8Array.from(module.emitBinary());
  module.dispose();
  return { binary, plan, functions, routines, bytes: plan.end };
}

function started(order: Order, made: Compiled, parts: Parts): WasmExecutable {
  const { program, precision } = order;
  const { plan } = made;
  const pages = pagesFor(made.bytes);
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
      if (parts.routine === undefined) throw new Error("the backend was given no routines");
      parts.routine(instruction, operands, indexInputs, result);
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
    bytes: made.bytes,
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

function same<T>(x: T): T {
  return x;
}

function isRunnable(value: unknown): value is () => void {
  return typeof value === "function";
}
