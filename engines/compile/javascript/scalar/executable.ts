import { floatAt, integerAt } from "../../../../spec/shapes/index.ts";
import { allows, type Numbers, type Precision, type Regime } from "../../plan/index.ts";
import type {
  DenseScalarExecutable,
  ScalarBackend,
  ScalarExecutable,
  ScalarPlan,
} from "../../plan/scalar/index.ts";
import { callables } from "../emit/functions.ts";
import { ownFunctions } from "./own_functions.ts";
import { runsSource, stepsSource, type Tables } from "./source.ts";

/** These are generated code, bound to the tables of a plan and its memory. */
export interface Sweeps {
  readonly forward: () => void;
  readonly reverse: () => void;
  /** Makes all cotangents −0, the neutral element of IEEE addition. */
  readonly clear: () => void;
  /** Makes the sweep that computes tangents into an array. */
  readonly bind: (tangents: Numbers) => () => void;
}

/**
 * Executes scalar plans in generated JavaScript: by a loop over typed arrays for each variant, or a switch
 * over steps. A run costs the entry of a loop, a step a jump that is often mispredicted. Value and gradient
 * of braided chains of 20,000 nodes take, in ns a node by runs and by steps: 11.4, 9.9 for runs of 1 node on
 * average; 7.4, 7.8 for 1.8; 6.3, 7.8 for 2.5; 5, 7.1 for 6.4; 4, 7 for 25. Random orders of operators make
 * steps slower still.
 */
export const javascriptScalars: ScalarBackend = scalarBackend("javascript", 1.75, sweepsOf);

/** Makes a backend of what makes code for a plan, and the shortest runs that are worth it. */
export function scalarBackend(name: string, shortestRun: number, write: WriteSweeps): ScalarBackend {
  return {
    name,
    shortestRun,
    build: (plan, precision, regime) => new Lean({ plan, precision, regime, tracks: false }, write),
    buildDense: (plan, precision, regime) => new Dense({ plan, precision, regime, tracks: true }, write),
  };
}

/** Makes the code of a plan for its memory. */
export type WriteSweeps = (order: SweepOrder, memory: ScalarMemory) => Sweeps;

/** Code is made for this; `tracks` says whether cotangents may begin anywhere. */
interface SweepOrder {
  readonly plan: ScalarPlan;
  readonly precision: Precision;
  readonly regime: Regime;
  readonly tracks: boolean;
}

/** The arrays that sweeps read and write. */
interface ScalarMemory {
  /** No other memory has this number. */
  readonly serial: number;
  readonly values: Numbers;
  /** The cotangents of the slots, then of the staged ones. */
  readonly cotangents: Numbers;
  /** Each slot has 1 here if a cotangent arrives at it; empty if cotangents begin at the output. */
  readonly reached: Uint8Array;
}

/** The memory of a plan, with its literals in place. */
class Memory implements ScalarMemory {
  static #count = 0;
  readonly serial: number = Memory.#count++;
  readonly plan: ScalarPlan;
  readonly values: Numbers;
  readonly cotangents: Numbers;
  readonly reached: Uint8Array;
  readonly sweeps: Sweeps;
  readonly #precision: Precision;
  #tangents: Numbers | undefined;
  #tangentSweep: (() => void) | undefined;

  constructor(order: SweepOrder, write: WriteSweeps) {
    const { plan, tracks } = order;
    this.plan = plan;
    this.#precision = order.precision;
    this.values = this.#fresh(plan.slots);
    this.cotangents = this.#fresh(plan.slots + plan.staging.extra);
    this.reached = new Uint8Array(tracks ? plan.slots : 0);
    this.sweeps = write(order, this);
    const { slots, values } = plan.literals;
    for (let n = 0; n < slots.length; n++) this.values[integerAt(slots, n)] = floatAt(values, n);
  }

  #fresh(length: number): Numbers {
    return this.#precision === "float32" ? new Float32Array(length) : new Float64Array(length);
  }

  /** Computes all values. */
  forward(x: Numbers, environment: Numbers): void {
    const { slots, entries } = this.plan.constants;
    this.values.set(x);
    for (let n = 0; n < slots.length; n++)
      this.values[integerAt(slots, n)] = floatAt(environment, integerAt(entries, n));
    this.sweeps.forward();
  }

  /** Computes all tangents from the values. A leaf other than an input has the tangent 0. */
  tangent(tangents: Numbers): Numbers {
    this.#tangents ??= this.#fresh(this.plan.slots);
    this.#tangentSweep ??= this.sweeps.bind(this.#tangents);
    this.#tangents.set(tangents);
    this.#tangentSweep();
    return this.#tangents;
  }

  get bytes(): number {
    const { operands, staging, variantOf, slotOf, schedule } = this.plan;
    const tables = new Set<Numbers | Int32Array | Uint8Array>([
      ...Object.values(operands),
      staging.xBar,
      staging.yBar,
      staging.zBar,
      staging.sums,
      variantOf,
      slotOf,
    ]);
    if (schedule.kind === "runs") tables.add(schedule.forward).add(schedule.reverse);
    for (const memory of [this.values, this.cotangents, this.reached, this.#tangents])
      if (memory !== undefined) tables.add(memory);
    return [...tables].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

class Lean implements ScalarExecutable {
  readonly #memory: Memory;
  readonly #inputs: Numbers;

  constructor(order: SweepOrder, write: WriteSweeps) {
    this.#memory = new Memory(order, write);
    this.#inputs = this.#memory.cotangents.subarray(0, order.plan.inputs);
  }

  evaluate(x: Numbers, environment: Numbers): number {
    this.#memory.forward(x, environment);
    return this.value;
  }

  gradient(x: Numbers, environment: Numbers, seed: number): Numbers {
    const { plan, cotangents, sweeps } = this.#memory;
    this.#memory.forward(x, environment);
    sweeps.clear();
    cotangents[plan.output] = seed;
    sweeps.reverse();
    for (const slot of plan.unreached) this.#inputs[slot] = 0;
    return this.#inputs;
  }

  jvp(x: Numbers, environment: Numbers, tangents: Numbers): number {
    this.#memory.forward(x, environment);
    return floatAt(this.#memory.tangent(tangents), this.#memory.plan.output);
  }

  get value(): number {
    return floatAt(this.#memory.values, this.#memory.plan.output);
  }

  get bytes(): number {
    return this.#memory.bytes;
  }
}

class Dense implements DenseScalarExecutable {
  readonly #memory: Memory;

  constructor(order: SweepOrder, write: WriteSweeps) {
    this.#memory = new Memory(order, write);
  }

  evaluate(x: Numbers, environment: Numbers): Numbers {
    this.#memory.forward(x, environment);
    return this.#memory.values;
  }

  backward(x: Numbers, environment: Numbers, seeded: readonly number[], seeds: Numbers): Numbers {
    const { cotangents, reached, sweeps } = this.#memory;
    this.#memory.forward(x, environment);
    sweeps.clear();
    reached.fill(0);
    for (const [n, id] of seeded.entries()) {
      cotangents[id] = floatAt(seeds, n);
      reached[id] = 1;
    }
    sweeps.reverse();
    for (let id = 0; id < reached.length; id++) if (reached[id] === 0) cotangents[id] = 0;
    return cotangents;
  }

  jvp(x: Numbers, environment: Numbers, tangents: Numbers): Numbers {
    this.#memory.forward(x, environment);
    return this.#memory.tangent(tangents);
  }

  get bytes(): number {
    return this.#memory.bytes;
  }
}

/**
 * Makes fresh code for a plan, whose text is unlike any other: V8 shares the code of equal texts, which then
 * knows neither the tables as constants nor one plan's types, and takes up to twice as long.
 */
function sweepsOf({ plan, precision, regime, tracks }: SweepOrder, memory: ScalarMemory): Sweeps {
  const { operands, staging, schedule, variantOf, slots } = plan;
  const { xBar, yBar, zBar, sums } = staging;
  const isRuns = schedule.kind === "runs";
  const none = new Int32Array(0);
  const tables: Tables = {
    v: memory.values,
    c: memory.cotangents,
    ...operands,
    ...{ xBar, yBar, zBar, sums },
    forwardRows: isRuns ? schedule.forward : none,
    reverseRows: isRuns ? schedule.reverse : none,
    k: variantOf,
    reached: memory.reached,
  };
  const source = isRuns ? runsSource(plan, precision) : stepsSource(plan, precision, tracks);
  const own = allows(regime, "own_functions") ? ownFunctions : "";
  const text = `"use strict"; return function make(tables) { /* ${memory.serial} */
    const { ${Object.keys(tables).join(", ")} } = tables; ${own}\n${source} };`;
  const make = new Function(...callables.map(([name]) => name), text)(
    ...callables.map(([, meaning]) => meaning),
  );
  const { forward, reverse, bind } = make(tables);
  const clear = () => {
    memory.cotangents.fill(-0);
  };
  if (isRuns) return { forward, reverse, bind, clear };
  return {
    clear,
    forward: () => upwards(slots, forward),
    reverse: () => downwards(slots, reverse),
    bind(tangents) {
      const tangent = bind(tangents);
      return () => upwards(slots, tangent);
    },
  };
}

/** A call takes so many steps: V8 compiles a function wholly only if it is called often. */
const STRETCH = 4096;

function upwards(slots: number, stretch: (from: number, to: number) => void): void {
  for (let from = 0; from < slots; from += STRETCH) stretch(from, Math.min(slots, from + STRETCH));
}

function downwards(slots: number, stretch: (from: number, to: number) => void): void {
  for (let to = slots; to > 0; to -= STRETCH) stretch(Math.max(0, to - STRETCH), to);
}
