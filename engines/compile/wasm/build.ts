import binaryen from "binaryen";
import { present, sizeOf } from "../../../spec/shapes/index.ts";
import { type Coefficients, coefficients } from "../coefficients.ts";
import {
  isWorthThreads,
  type Order,
  type RoutineInstruction,
  type ScalarFunction,
  shapeOfValue,
  type ValueId,
} from "../plan/index.ts";
import { likenessOf } from "./alike.ts";
import { chosen, type Machine } from "./choose.ts";
import { isVectorFunction, VECTOR_TABLE_BYTES } from "./functions/index.ts";
import { type Functions, type Fused, functionsOf } from "./functions.ts";
import { hostFunctions } from "./host.ts";
import { addKernel } from "./kernel.ts";
import type { Code, Lanes, Module } from "./lanes.ts";
import { aligned, MAXIMUM_PAGES, type MemoryPlan, memoryPlan, placeOf } from "./memory.ts";
import { type Nest, simplified, walksOf } from "./nest.ts";
import { type Packed, packed, type Scheduled } from "./pack.ts";
import { areApart, partsOf, splitTotal, type Touched, touchedBy } from "./parts.ts";
import type { Schedule } from "./schedule.ts";
import type { Extent, Startable } from "./startable.ts";
import { type Step, stepsOf } from "./steps.ts";
import { webAssembly } from "./web_assembly.ts";

/** A planted fault: functions that spoil what a part of the backend returns. */
export interface Fault {
  readonly nest?: (nest: Nest) => Nest;
  readonly schedule?: (schedule: Schedule) => Schedule;
  readonly lanes?: (lanes: Lanes) => Lanes;
  readonly packed?: (packed: Packed) => Packed;
  /** Spoils the parts of a nest that threads share. */
  readonly parts?: (parts: readonly Scheduled[]) => readonly Scheduled[];
  /** Says wrongly which parts may follow each other in one thread. */
  readonly areApart?: typeof areApart;
  /** Spoils a nest as it is seen when nests are compared. */
  readonly seen?: (scheduled: Scheduled) => Scheduled;
  /** Spoils the code for `x y + z` where the regime allows one rounding. */
  readonly fused?: (lanes: Lanes) => Fused;
  /** Spoils the constants of the engine's own functions. */
  readonly coefficients?: (right: Coefficients) => Coefficients;
}

/**
 * Compiles a program to a function for each nest, and one for each stage, which calls them. Memory is
 * imported; it is shared if there is enough to do for the threads that the caller has.
 */
export function built(order: Order, fault: Fault, hasThreads: boolean): Startable {
  const { program, layout, precision, regime } = order;
  const isShared = hasThreads && isWorthThreads(program);
  const plan = memoryPlan(program, layout, precision, VECTOR_TABLE_BYTES);
  const module = new binaryen.Module();
  try {
    module.setFeatures(features());
    // The scratch memory of nests is not known yet, and any size will do.
    module.setMemory(1, MAXIMUM_PAGES, null, [], isShared, false, "memory");
    module.addMemoryImport("memory", "host", "memory", isShared);
    const terms = (fault.coefficients ?? same)(coefficients[precision]);
    const right = functionsOf(module, precision, regime, { memory: "memory", address: 0 }, terms);
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
    const stages = writer.stages();
    const extent = (value: ValueId): Extent => ({
      place: placeOf(plan, value),
      size: sizeOf(shapeOfValue(program, value)),
    });
    return {
      module: new webAssembly.Module(Uint8Array.from(module.emitBinary())),
      precision,
      size: plan.end + writer.scratch,
      isShared,
      stages,
      table: functions.own?.table ?? new Uint8Array(),
      sources: program.sources.map((_, source) => extent(source)),
      indexSources: program.indexSources.map(({ size }, source) => ({
        place: present(plan.indices[source], "an index source"),
        size,
      })),
      results: program.results.map(extent),
      host: [...functions.imported],
      routines: writer.routines.map(({ instruction, value }) => ({
        instruction,
        operandShapes: instruction.operands.map((operand) => shapeOfValue(program, operand)),
        operands: instruction.operands.map(extent),
        result: extent(value),
      })),
    };
  } finally {
    module.dispose();
  }
}

function features(): number {
  const { Features } = binaryen;
  const { SIMD128, RelaxedSIMD, BulkMemory, BulkMemoryOpt, NontrappingFPToInt, SignExt } = Features;
  return SIMD128 | RelaxedSIMD | BulkMemory | BulkMemoryOpt | NontrappingFPToInt | SignExt | Features.Atomics;
}

/** A part of the module: a nest that becomes a function, or code. */
type Part =
  | { readonly kind: "kernel"; readonly scheduled: Scheduled; readonly likeness: string }
  | { readonly kind: "code"; readonly code: Code };

/** What one thread computes in turn, or what several compute at the same time: a list for each part. */
interface Stage {
  readonly isShared: boolean;
  readonly parts: readonly Part[][];
  /** What each part touches, if it is shared. */
  touched: readonly Touched[];
}

/** Gathers the parts of a module, and then writes functions, one for nests that are alike. */
class Writer {
  readonly routines: { readonly instruction: RoutineInstruction; readonly value: ValueId }[] = [];
  /** Bytes of scratch memory, after the arena. */
  scratch = 0;
  readonly #stages: Stage[] = [];
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
    const { lanes, regime, own } = functions;
    const isOwn = (name: ScalarFunction): boolean => own !== undefined && isVectorFunction(name);
    this.#machine = {
      bytes: lanes.bytes,
      lanes: lanes.count,
      regime,
      isCall: (name) => name in hostFunctions && !isOwn(name),
    };
  }

  step(step: Step): void {
    const { i32, memory } = this.#module;
    switch (step.kind) {
      case "nest":
        this.#nest(simplified((this.#fault.nest ?? same)(step.nest)), 0);
        return;
      case "clear":
        this.#code(memory.fill(i32.const(step.place), i32.const(0), i32.const(step.size)));
        return;
      case "copy":
        this.#code(memory.copy(i32.const(step.to), i32.const(step.from), i32.const(step.size)));
        return;
      case "routine":
        if (this.routines.length === 0) {
          this.#module.addFunctionImport("routine", "host", "routine", binaryen.i32, binaryen.none);
        }
        this.#code(this.#module.call("routine", [i32.const(this.routines.push(step) - 1)], binaryen.none));
    }
  }

  #code(code: Code): void {
    this.#alone({ kind: "code", code });
  }

  /** Adds what one thread computes. */
  #alone(part: Part): void {
    const last = this.#stages.at(-1);
    if (last?.isShared === false) last.parts[0]?.push(part);
    else this.#stages.push({ isShared: false, parts: [[part]], touched: [] });
  }

  /**
   * Adds parts that threads share. They join those before where each reads nothing that another part of these
   * has written: then threads need not wait, and find in their caches what they have just computed.
   */
  #shared(right: readonly Scheduled[], isAsked: boolean): boolean {
    const parts = (this.#fault.parts ?? same)(right);
    const touched = right.map(({ nest }) => touchedBy(nest, this.#machine.bytes));
    const last = this.#stages.at(-1);
    const isJoined =
      last?.isShared === true &&
      last.touched.length === touched.length &&
      (this.#fault.areApart ?? areApart)(last.touched, touched);
    if (!isJoined && isAsked) return false;
    if (isJoined) {
      last.touched = last.touched.map((some, n) => {
        const more = touched[n];
        if (more === undefined) return some;
        return { reads: [...some.reads, ...more.reads], writes: [...some.writes, ...more.writes] };
      });
      for (const [n, scheduled] of parts.entries()) last.parts[n]?.push(this.#kernel(scheduled));
    } else {
      const lists = right.map((_, n) => parts.slice(n, n + 1).map((scheduled) => this.#kernel(scheduled)));
      this.#stages.push({ isShared: true, parts: lists, touched });
    }
    return true;
  }

  #kernel(scheduled: Scheduled): Part {
    return { kind: "kernel", scheduled, likeness: likenessOf((this.#fault.seen ?? same)(scheduled)) };
  }

  #nest(nest: Nest, taken: number): void {
    const split = splitTotal(nest, this.#machine, this.#plan.end + taken);
    if (split === undefined) {
      this.#scheduled(this.#chosen(nest), taken);
      return;
    }
    this.#take(taken + split.size);
    this.#shared(
      split.parts.map((part) => this.#chosen(part)),
      false,
    );
    this.#alone(this.#kernel(this.#chosen(simplified(split.joint))));
  }

  #chosen(nest: Nest): Scheduled {
    return { nest, schedule: (this.#fault.schedule ?? same)(chosen(nest, this.#machine)) };
  }

  /** Takes so many bytes of scratch memory, and returns where the next ones begin. */
  #take(size: number): number {
    const used = aligned(size);
    this.scratch = Math.max(this.scratch, used);
    return used;
  }

  /** Adds a nest, with its operands repacked where that pays; `taken` bytes of scratch memory are in use. */
  #scheduled(scheduled: Scheduled, taken: number): void {
    const found = packed(scheduled, this.#machine, this.#plan.end + taken);
    if (found === undefined) {
      const parts = partsOf(scheduled, this.#machine);
      // What has little to do may still go on in the parts before it.
      const isSmall = parts.length === 1 && this.#stages.at(-1)?.isShared === true;
      const more = isSmall ? partsOf(scheduled, this.#machine, true) : parts;
      if (more.length === 1 || !this.#shared(more, isSmall)) this.#alone(this.#kernel(scheduled));
      return;
    }
    const better = (this.#fault.packed ?? same)(found);
    const used = this.#take(taken + better.size);
    this.#nest(simplified(better.copy), used);
    this.#scheduled(better.main, used);
    if (better.rest !== undefined) this.#nest(simplified(better.rest), used);
  }

  /** Writes and exports a function for each stage, and returns how many parts each has. */
  stages(): readonly number[] {
    const { i32 } = this.#module;
    const seen = new Set<string>();
    const repeated = new Set<string>();
    for (const part of this.#stages.flatMap(({ parts }) => parts.flat())) {
      if (part.kind === "kernel") (seen.has(part.likeness) ? repeated : seen).add(part.likeness);
    }
    const names = new Map<string, string>();
    const called = (part: Part): Code => {
      if (part.kind === "code") return part.code;
      const { scheduled, likeness } = part;
      const isOneOfMany = repeated.has(likeness);
      const name = names.get(likeness) ?? `nest ${names.size}`;
      if (!names.has(likeness)) addKernel(this.#functions, name, scheduled, isOneOfMany);
      names.set(likeness, name);
      const bases = isOneOfMany ? walksOf(scheduled.nest).map(({ base }) => i32.const(base)) : [];
      return this.#module.call(name, bases, binaryen.none);
    };
    return this.#stages.map(({ isShared, parts }, stage) => {
      const calls = parts.map((list) => this.#module.block(null, list.map(called)));
      const number = (): Code => this.#module.local.get(0, binaryen.i32);
      const body = isShared
        ? calls.map((call, part) => this.#module.if(i32.eq(number(), i32.const(part)), call))
        : calls;
      const name = `stage ${stage}`;
      this.#module.addFunction(name, binaryen.i32, binaryen.none, [], this.#module.block(null, body));
      this.#module.addFunctionExport(name, name);
      return isShared ? parts.length : 1;
    });
  }
}

function same<T>(x: T): T {
  return x;
}
