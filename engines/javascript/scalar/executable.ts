import type { Numbers, Precision } from "../../plan/executable.ts";
import { allows, type Profile } from "../../plan/rewrite.ts";
import type {
  DenseScalarExecutable,
  ScalarBackend,
  ScalarExecutable,
  ScalarPlan,
} from "../../plan/scalar/index.ts";
import { callables } from "../emit/functions.ts";
import { ownFunctions } from "./own_functions.ts";
import { runsSource, stepsSource } from "./source.ts";

/** Generated code, bound to the tables of a plan. */
interface Sweeps {
  forward(values: Numbers): void;
  tangent(values: Numbers, tangents: Numbers): void;
  reverse(values: Numbers, cotangents: Numbers, reached: Uint8Array): void;
}

/**
 * Executors of scalar plans in generated JavaScript: a loop over typed arrays for each variant, or a switch over steps.
 *
 * A run costs the entry of a loop, a step a jump that is often guessed wrong. Value and gradient of braided chains of 10³ to 10⁵ nodes, in ns a
 * node by runs and by steps: mean run 1: 14, 10.7; 1.7: 10.3, 10.2; 2.4: 8.6, 10.7; 6.4: 6.3, 10; 25: 5.3, 10.1. Where the order of
 * operators is random, a step costs 20.
 */
export const javascriptScalars: ScalarBackend = {
  name: "javascript",
  shortestRun: 2,
  build: (plan, precision, profile) => new Lean({ plan, precision, profile, tracks: false }),
  buildDense: (plan, precision, profile) => new Dense({ plan, precision, profile, tracks: true }),
};

/** What code is made for; `tracks`: whether cotangents may begin anywhere. */
interface Order {
  readonly plan: ScalarPlan;
  readonly precision: Precision;
  readonly profile: Profile;
  readonly tracks: boolean;
}

/** The memory of a plan, with literals in place. */
class Memory {
  readonly plan: ScalarPlan;
  readonly values: Numbers;
  readonly sweeps: Sweeps;
  readonly #precision: Precision;
  #tangents: Numbers | undefined;

  constructor(order: Order) {
    const { plan } = order;
    this.plan = plan;
    this.#precision = order.precision;
    this.values = this.fresh(plan.slots);
    this.sweeps = sweepsOf(order);
    const { slots, values } = plan.literals;
    for (let n = 0; n < slots.length; n++) this.values[slots[n] ?? 0] = values[n] ?? 0;
  }

  fresh(length: number): Numbers {
    return this.#precision === "float32" ? new Float32Array(length) : new Float64Array(length);
  }

  /** Computes all values. */
  forward(x: Numbers, environment: Numbers): void {
    const { slots, entries } = this.plan.constants;
    this.values.set(x);
    for (let n = 0; n < slots.length; n++) this.values[slots[n] ?? 0] = environment[entries[n] ?? 0] ?? 0;
    this.sweeps.forward(this.values);
  }

  /** Computes all tangents; the values are there. What is no input and has no operand has the tangent 0. */
  tangent(tangents: Numbers): Numbers {
    this.#tangents ??= this.fresh(this.plan.slots);
    this.#tangents.set(tangents);
    this.sweeps.tangent(this.values, this.#tangents);
    return this.#tangents;
  }

  get bytes(): number {
    const { operands, staging, variantOf, slotOf, schedule } = this.plan;
    const tables = new Set([
      ...Object.values(operands),
      staging.xBar,
      staging.yBar,
      staging.zBar,
      staging.sums,
      variantOf,
      slotOf,
    ]);
    if (schedule.kind === "runs") tables.add(schedule.forward).add(schedule.reverse);
    const tangents = this.#tangents?.byteLength ?? 0;
    return [...tables].reduce((sum, { byteLength }) => sum + byteLength, this.values.byteLength + tangents);
  }
}

class Lean implements ScalarExecutable {
  readonly #memory: Memory;
  readonly #cotangents: Numbers;
  readonly #inputs: Numbers;

  constructor(order: Order) {
    const { plan } = order;
    this.#memory = new Memory(order);
    this.#cotangents = this.#memory.fresh(plan.slots + plan.staging.extra);
    this.#inputs = this.#cotangents.subarray(0, plan.inputs);
  }

  evaluate(x: Numbers, environment: Numbers): number {
    this.#memory.forward(x, environment);
    return this.value;
  }

  gradient(x: Numbers, environment: Numbers, seed: number): Numbers {
    const { plan, values, sweeps } = this.#memory;
    this.#memory.forward(x, environment);
    // −0 is the neutral element of IEEE addition.
    this.#cotangents.fill(-0);
    this.#cotangents[plan.output] = seed;
    sweeps.reverse(values, this.#cotangents, noFlags);
    for (const slot of plan.unreached) this.#inputs[slot] = 0;
    return this.#inputs;
  }

  jvp(x: Numbers, environment: Numbers, tangents: Numbers): number {
    this.#memory.forward(x, environment);
    return this.#memory.tangent(tangents)[this.#memory.plan.output] ?? 0;
  }

  get value(): number {
    return this.#memory.values[this.#memory.plan.output] ?? 0;
  }

  get bytes(): number {
    return this.#memory.bytes + this.#cotangents.byteLength;
  }
}

const noFlags = new Uint8Array(0);

class Dense implements DenseScalarExecutable {
  readonly #memory: Memory;
  readonly #cotangents: Numbers;
  readonly #reached: Uint8Array;

  constructor(order: Order) {
    const { plan } = order;
    this.#memory = new Memory(order);
    this.#cotangents = this.#memory.fresh(plan.slots);
    this.#reached = new Uint8Array(plan.slots);
  }

  evaluate(x: Numbers, environment: Numbers): Numbers {
    this.#memory.forward(x, environment);
    return this.#memory.values;
  }

  backward(x: Numbers, environment: Numbers, seeded: readonly number[], seeds: Numbers): Numbers {
    const { values, sweeps } = this.#memory;
    this.#memory.forward(x, environment);
    const cotangents = this.#cotangents.fill(-0);
    const reached = this.#reached.fill(0);
    for (const [n, id] of seeded.entries()) {
      cotangents[id] = seeds[n] ?? 0;
      reached[id] = 1;
    }
    sweeps.reverse(values, cotangents, reached);
    for (let id = 0; id < reached.length; id++) if (reached[id] === 0) cotangents[id] = 0;
    return cotangents;
  }

  jvp(x: Numbers, environment: Numbers, tangents: Numbers): Numbers {
    this.#memory.forward(x, environment);
    return this.#memory.tangent(tangents);
  }

  get bytes(): number {
    return this.#memory.bytes + this.#cotangents.byteLength + this.#reached.byteLength;
  }
}

/**
 * Fresh code for a plan. The text names the plan's size, so that two plans share what the engine has learned of the code's types only where
 * they are alike: with polluted feedback it is twice as slow.
 */
function sweepsOf({ plan, precision, profile, tracks }: Order): Sweeps {
  const { operands, staging, schedule, variantOf, slots } = plan;
  const { x, y, z } = operands;
  const isRuns = schedule.kind === "runs";
  const source = isRuns ? runsSource(plan, precision) : stepsSource(plan, precision, tracks);
  const own = allows(profile, "own_functions") ? ownFunctions : "";
  const text = `"use strict"; return function make() { /* ${slots} slots */ ${own}\n${source} };`;
  const make = new Function(...callables.map(([name]) => name), text)(
    ...callables.map(([, meaning]) => meaning),
  );
  const { forward, tangent, reverse } = make();
  if (!isRuns) {
    return {
      forward: (v) => upwards(slots, (from, to) => forward(variantOf, v, x, y, z, from, to)),
      tangent: (v, d) => upwards(slots, (from, to) => tangent(variantOf, v, d, x, y, z, from, to)),
      reverse: (v, c, reached) =>
        downwards(slots, (from, to) => reverse(variantOf, v, c, x, y, z, reached, from, to)),
    };
  }
  const { xBar, yBar, zBar, sums } = staging;
  return {
    forward: (v) => forward(schedule.forward, v, x, y, z),
    tangent: (v, d) => tangent(schedule.forward, v, d, x, y, z),
    reverse: (v, c) => reverse(schedule.reverse, v, c, x, y, z, xBar, yBar, zBar, sums),
  };
}

/** Steps taken at a time: a function that is called often is compiled whole, one that only loops long is not. */
const STRETCH = 4096;

function upwards(slots: number, stretch: (from: number, to: number) => void): void {
  for (let from = 0; from < slots; from += STRETCH) stretch(from, Math.min(slots, from + STRETCH));
}

function downwards(slots: number, stretch: (from: number, to: number) => void): void {
  for (let to = slots; to > 0; to -= STRETCH) stretch(Math.max(0, to - STRETCH), to);
}
