import { floatAt, integerAt } from "../../../../spec/shapes/index.ts";
import { javascriptScalars } from "../../javascript/scalar/index.ts";
import type { Numbers, Precision, Regime } from "../../plan/index.ts";
import { type ScalarBackend, type ScalarExecutable, type ScalarPlan, SUMS } from "../../plan/scalar/index.ts";
import { aligned, pagesFor, viewOf } from "../memory.ts";
import { type Memory, webAssembly } from "../web_assembly.ts";
import { CONSTANTS, type Recipe, type ScalarModule, scalarModule, VALUES } from "./module.ts";

/**
 * Executes scalar plans in WebAssembly, by a loop on vectors for each variant. Code does not depend on the
 * graph, so that plans of equal variants share a module. Plans by steps and for all ids are left to
 * JavaScript, for a switch gains nothing here. Value and gradient of braided chains of 20,000 nodes take, in
 * ns a node by runs here and by steps there: 13.6, 9.9 for runs of 1 on average; 9.1, 7.8 for 1.8; 6.9, 7.8
 * for 2.5; 4.5, 7.1 for 6.4; 3.5, 7 for 25.
 */
export function wasmScalars(): ScalarBackend {
  const modules = new Map<string, ScalarModule>();
  const moduleOf = (recipe: Recipe): ScalarModule => {
    const key = JSON.stringify(recipe);
    const module = modules.get(key) ?? scalarModule(recipe);
    modules.set(key, module);
    return module;
  };
  return {
    name: "wasm",
    shortestRun: 2.25,
    build(plan, precision, regime) {
      if (plan.schedule.kind === "steps") return javascriptScalars.build(plan, precision, regime);
      const { variants, staging } = plan;
      const module = moduleOf({ precision, regime, isStaged: staging.extra > 0, variants });
      return new WasmScalars(plan, plan.schedule, precision, module);
    },
    buildDense: (plan: ScalarPlan, precision: Precision, regime: Regime) =>
      javascriptScalars.buildDense(plan, precision, regime),
  };
}

type Sweep = (row: number, end: number) => void;

class WasmScalars implements ScalarExecutable {
  readonly bytes: number;
  readonly #plan: ScalarPlan;
  readonly #values: Numbers;
  readonly #cotangents: Numbers;
  readonly #inputs: Numbers;
  readonly #forward: () => void;
  readonly #tangent: () => void;
  readonly #reverse: () => void;

  constructor(
    plan: ScalarPlan,
    schedule: Extract<ScalarPlan["schedule"], { kind: "runs" }>,
    precision: Precision,
    { module, imports, constants }: ScalarModule,
  ) {
    const { slots, operands, staging, inputs } = plan;
    const size = precision === "float64" ? 8 : 4;
    let end = VALUES;
    const take = (bytes: number): number => {
      const place = end;
      // Vectors are loaded and stored whole, so that the last one may reach further.
      end = aligned(end + bytes + 16);
      return place;
    };
    const values = take(slots * size);
    const cotangents = take((slots + staging.extra) * size);
    const pairs = take(slots * 8);
    const thirds = take(operands.z.length * 4);
    const isStaged = staging.extra > 0;
    const pairBars = isStaged ? take(slots * 8) : pairs;
    const thirdBars = isStaged ? take(operands.z.length * 4) : thirds;
    const sums = take(staging.sums.length * 4);
    const forward = take(schedule.forward.length * 4);
    const reverse = take(schedule.reverse.length * 4);
    const pages = pagesFor(end);
    const memory: Memory = new webAssembly.Memory({ initial: pages, maximum: pages });
    this.bytes = end + plan.slotOf.byteLength;
    this.#plan = plan;
    this.#values = viewOf(memory, values, slots, precision);
    this.#cotangents = viewOf(memory, cotangents, slots + staging.extra, precision);
    this.#inputs = viewOf(memory, cotangents, inputs, precision);
    new Uint8Array(memory.buffer).set(constants, CONSTANTS);
    const words = new Int32Array(memory.buffer);
    writePairs(words, pairs, operands.x, operands.y, size);
    writeThirds(words, thirds, operands.z, size);
    if (isStaged) {
      writePairs(words, pairBars, staging.xBar, staging.yBar, size);
      writeThirds(words, thirdBars, staging.zBar, size);
    }
    for (let n = 0; n < staging.sums.length; n++)
      words[sums / 4 + n] = cotangents + size * integerAt(staging.sums, n);
    words.set(schedule.forward, forward / 4);
    words.set(rowsOf(schedule.reverse, plan.variants.length, sums), reverse / 4);
    const { exports } = new webAssembly.Instance(module, { host: { memory, ...imports } });
    callable(exports.bind)(cotangents, pairs, thirds, pairBars, thirdBars);
    const bound = (sweep: Sweep, rows: number, count: number) => (): void => sweep(rows, rows + 4 * count);
    this.#forward = bound(callable(exports.forward), forward, schedule.forward.length);
    this.#tangent = bound(callable(exports.tangent), forward, schedule.forward.length);
    this.#reverse = bound(callable(exports.reverse), reverse, schedule.reverse.length);
    const { literals } = plan;
    for (let n = 0; n < literals.slots.length; n++) {
      this.#values[integerAt(literals.slots, n)] = floatAt(literals.values, n);
    }
  }

  evaluate(x: Numbers, environment: Numbers): number {
    const { slots, entries } = this.#plan.constants;
    this.#values.set(x);
    for (let n = 0; n < slots.length; n++)
      this.#values[integerAt(slots, n)] = floatAt(environment, integerAt(entries, n));
    this.#forward();
    return this.value;
  }

  gradient(x: Numbers, environment: Numbers, seed: number): Numbers {
    this.evaluate(x, environment);
    // −0 is the neutral element of IEEE addition.
    this.#cotangents.fill(-0);
    this.#cotangents[this.#plan.output] = seed;
    this.#reverse();
    for (const slot of this.#plan.unreached) this.#inputs[slot] = 0;
    return this.#inputs;
  }

  /** Tangents lie in the place of cotangents. */
  jvp(x: Numbers, environment: Numbers, tangents: Numbers): number {
    this.evaluate(x, environment);
    this.#cotangents.fill(0);
    this.#cotangents.set(tangents);
    this.#tangent();
    return floatAt(this.#cotangents, this.#plan.output);
  }

  get value(): number {
    return floatAt(this.#values, this.#plan.output);
  }
}

function writePairs(words: Int32Array, place: number, x: Int32Array, y: Int32Array, size: number): void {
  for (let slot = 0; slot < x.length; slot++) {
    words[place / 4 + 2 * slot] = size * integerAt(x, slot);
    words[place / 4 + 2 * slot + 1] = size * integerAt(y, slot);
  }
}

function writeThirds(words: Int32Array, place: number, z: Int32Array, size: number): void {
  for (let slot = 0; slot < z.length; slot++) words[place / 4 + slot] = size * integerAt(z, slot);
}

/** Copies the rows, with the sums as one more variant, whose ends are addresses. */
function rowsOf(reverse: Int32Array, variants: number, sums: number): Int32Array {
  const rows = Int32Array.from(reverse);
  for (let row = 0; row < rows.length; row += 3) {
    if (rows[row] !== SUMS) continue;
    rows[row] = variants;
    rows[row + 1] = sums + 12 * integerAt(reverse, row + 1);
    rows[row + 2] = sums + 12 * integerAt(reverse, row + 2);
  }
  return rows;
}

function callable(value: unknown): (...parameters: readonly number[]) => void {
  if (!isFunction(value)) throw new TypeError("the module exports no function of this name");
  return value;
}

function isFunction(value: unknown): value is (...parameters: readonly number[]) => void {
  return typeof value === "function";
}
