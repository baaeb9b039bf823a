import binaryen from "binaryen";
import type { Order } from "../plan/executable.ts";
import type { ScalarFunction } from "../plan/expression.ts";
import type { RoutineInstruction, ValueId } from "../plan/program.ts";
import { chosen, type Machine } from "./choose.ts";
import { type Coefficients, coefficients } from "./functions/coefficients.ts";
import { isVectorFunction, VECTOR_TABLE_BYTES } from "./functions/index.ts";
import { type Functions, type Fused, functionsOf } from "./functions.ts";
import { hostFunctions } from "./host.ts";
import { addKernel } from "./kernel.ts";
import type { Code, Lanes, Module } from "./lanes.ts";
import { aligned, MAXIMUM_PAGES, type MemoryPlan, memoryPlan } from "./memory.ts";
import { type Nest, simplified } from "./nest.ts";
import { packed } from "./pack.ts";
import type { Schedule } from "./schedule.ts";
import { type Step, stepsOf } from "./steps.ts";

/** A planted fault: what a part of the backend gives, put wrong. */
export interface Fault {
  readonly nest?: (nest: Nest) => Nest;
  readonly schedule?: (schedule: Schedule) => Schedule;
  readonly lanes?: (lanes: Lanes) => Lanes;
  /** What is written for `x y + z` where the profile allows one rounding. */
  readonly fused?: (lanes: Lanes) => Fused;
  /** The constants of the engine's own functions. */
  readonly coefficients?: (right: Coefficients) => Coefficients;
}

/** A program as a module. */
export interface Built {
  readonly binary: Uint8Array<ArrayBuffer>;
  readonly plan: MemoryPlan;
  readonly functions: Functions;
  /** What the module calls under the number of its position. */
  readonly routines: readonly { readonly instruction: RoutineInstruction; readonly value: ValueId }[];
  /** What must lie at the start of memory. */
  readonly table: Uint8Array;
  /** Bytes of memory. */
  readonly size: number;
}

/** The module of a program: a function for each nest, and `run`, which calls them in order. It imports its memory. */
export function built(order: Order, fault: Fault, isShared: boolean): Built {
  const { program, layout, precision, profile } = order;
  const plan = memoryPlan(program, layout, precision, VECTOR_TABLE_BYTES);
  const module = new binaryen.Module();
  try {
    module.setFeatures(features(isShared));
    // How much scratch memory nests take is not known yet: any memory will do.
    module.setMemory(1, MAXIMUM_PAGES, null, [], isShared, false, "memory");
    module.addMemoryImport("memory", "host", "memory", isShared);
    const terms = (fault.coefficients ?? same)(coefficients[precision]);
    const right = functionsOf(module, precision, profile, { memory: "memory", address: 0 }, terms);
    const functions = {
      ...right,
      lanes: (fault.lanes ?? same)(right.lanes),
      fused: right.fused && (fault.fused?.(right.lanes) ?? right.fused),
    };
    const writer = new Writer(functions, plan, fault);
    for (const [position, instruction] of program.instructions.entries()) {
      const value = program.sources.length + position;
      for (const step of stepsOf(instruction, value, plan, functions.lanes.bytes)) writer.step(step);
    }
    module.addFunction("run", binaryen.none, binaryen.none, [], module.block(null, writer.calls));
    module.addFunctionExport("run", "run");
    const size = plan.end + writer.scratch;
    const table = functions.own?.table ?? new Uint8Array();
    return {
      binary: Uint8Array.from(module.emitBinary()),
      table,
      plan,
      functions,
      routines: writer.routines,
      size,
    };
  } finally {
    module.dispose();
  }
}

function features(isShared: boolean): number {
  const { SIMD128, RelaxedSIMD, BulkMemory, BulkMemoryOpt, NontrappingFPToInt, SignExt } = binaryen.Features;
  const plain = SIMD128 | RelaxedSIMD | BulkMemory | BulkMemoryOpt | NontrappingFPToInt | SignExt;
  return isShared ? plain | binaryen.Features.Atomics : plain;
}

/** Writes steps as functions, and gathers the calls. */
class Writer {
  readonly calls: Code[] = [];
  readonly routines: { readonly instruction: RoutineInstruction; readonly value: ValueId }[] = [];
  /** Bytes of scratch memory, after the arena. */
  scratch = 0;
  readonly #functions: Functions;
  readonly #module: Module;
  readonly #plan: MemoryPlan;
  readonly #fault: Fault;
  readonly #machine: Machine;

  constructor(functions: Functions, plan: MemoryPlan, fault: Fault) {
    this.#functions = functions;
    this.#module = functions.module;
    this.#plan = plan;
    this.#fault = fault;
    const { lanes, profile, own } = functions;
    const isOwn = (name: ScalarFunction): boolean => own !== undefined && isVectorFunction(name);
    this.#machine = {
      bytes: lanes.bytes,
      lanes: lanes.count,
      profile,
      isCall: (name) => name in hostFunctions && !isOwn(name),
    };
  }

  step(step: Step): void {
    const { i32, memory } = this.#module;
    switch (step.kind) {
      case "nest":
        this.#nest(simplified((this.#fault.nest ?? same)(step.nest)));
        return;
      case "clear":
        this.calls.push(memory.fill(i32.const(step.place), i32.const(0), i32.const(step.size)));
        return;
      case "copy":
        this.calls.push(memory.copy(i32.const(step.to), i32.const(step.from), i32.const(step.size)));
        return;
      case "routine":
        if (this.routines.length === 0) {
          this.#module.addFunctionImport("routine", "host", "routine", binaryen.i32, binaryen.none);
        }
        this.calls.push(
          this.#module.call("routine", [i32.const(this.routines.push(step) - 1)], binaryen.none),
        );
    }
  }

  /** A nest, with its operands copied into a better order where that pays. */
  #nest(nest: Nest, taken = 0): void {
    const schedule = (this.#fault.schedule ?? same)(chosen(nest, this.#machine));
    this.#scheduled(nest, schedule, taken);
  }

  #scheduled(nest: Nest, schedule: Schedule, taken: number): void {
    const better = packed({ nest, schedule }, this.#machine, this.#plan.end + taken);
    if (better === undefined) {
      const name = String(this.calls.length);
      addKernel(this.#functions, name, nest, schedule);
      this.calls.push(this.#module.call(name, [], binaryen.none));
      return;
    }
    const used = aligned(taken + better.size);
    this.scratch = Math.max(this.scratch, used);
    this.#nest(simplified(better.copy), used);
    this.#scheduled(better.main.nest, better.main.schedule, used);
    if (better.rest !== undefined) this.#nest(simplified(better.rest), used);
  }
}

function same<T>(x: T): T {
  return x;
}
