import { floatAt } from "../../spec/shapes/index.ts";
import { type Bindings, numberOf } from "./binding.ts";
import type { CompilationOptions } from "./compilation.ts";
import type { Numbers } from "./plan/index.ts";
import {
  type DenseScalarExecutable,
  type ScalarBackend,
  type ScalarExecutable,
  type ScalarPlan,
  type ScalarTable,
  scalarPlanOf,
} from "./plan/scalar/index.ts";
import type { Form, Plain, Report, Runner, ValueAndGradient } from "./runner.ts";

/** Computes a graph of scalars by runs of one operator, or by single steps. */
export class ScalarRunner implements Runner {
  readonly #table: ScalarTable;
  readonly #backend: ScalarBackend;
  readonly #options: Omit<CompilationOptions, "backend">;
  readonly #output: number;
  readonly #plan: ScalarPlan;
  readonly #lean: ScalarExecutable;
  readonly #one: Numbers;
  readonly #x: Numbers;
  #dense: DenseScalarExecutable | undefined;
  #environment: { readonly of: Bindings; readonly packed: Numbers } | undefined;

  constructor(
    table: ScalarTable,
    backend: ScalarBackend,
    options: Omit<CompilationOptions, "backend">,
    output: number,
  ) {
    const { precision, regime } = options;
    this.#table = table;
    this.#backend = backend;
    this.#options = options;
    this.#output = output;
    this.#plan = scalarPlanOf(table, { regime, output, shortestRun: backend.shortestRun });
    this.#lean = backend.build(this.#plan, precision, regime);
    this.#one = this.#fresh(1);
    this.#x = this.#fresh(table.inputs);
  }

  value(inputs: readonly Numbers[], form: Form, bindings: Bindings): Numbers {
    this.#one[0] = this.#lean.evaluate(this.#packed(inputs, form), this.#environmentOf(bindings));
    return this.#one;
  }

  gradient(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[] {
    const x = this.#packed(inputs, form);
    return this.#alike(inputs, form, this.#lean.gradient(x, this.#environmentOf(bindings), seedOf(c)));
  }

  valueAndGradient(inputs: readonly Numbers[], form: Form, bindings: Bindings): ValueAndGradient {
    const gradient = this.gradient(inputs, form, bindings, undefined);
    this.#one[0] = this.#lean.value;
    return { value: this.#one, gradient };
  }

  backwardDense(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    c: Numbers | undefined,
  ): readonly Numbers[] {
    const { precision, regime } = this.#options;
    if (this.#dense === undefined) {
      const order = { regime, output: "all", shortestRun: this.#backend.shortestRun } as const;
      this.#dense = this.#backend.buildDense(scalarPlanOf(this.#table, order), precision, regime);
    }
    const seed = this.#fresh(1).fill(seedOf(c));
    const environment = this.#environmentOf(bindings);
    const all = this.#dense.backward(this.#packed(inputs, form), environment, [this.#output], seed);
    return Array.from(this.#table.codes, (_, id) => all.subarray(id, id + 1));
  }

  jvp(
    inputs: readonly Numbers[],
    form: Form,
    bindings: Bindings,
    tangents: readonly Numbers[],
    count: number,
  ): Numbers {
    const x = this.#packed(inputs, form);
    const along = this.#fresh(this.#table.inputs);
    const results = this.#fresh(count);
    for (let turn = 0; turn < count; turn++) {
      for (const [n, tangent] of tangents.entries()) along[n] = floatAt(tangent, turn);
      results[turn] = this.#lean.jvp(x, this.#environmentOf(bindings), along);
    }
    return results;
  }

  get plain(): Plain {
    return {};
  }

  get report(): Report {
    return { kind: this.#plan.schedule.kind, bytes: this.#lean.bytes };
  }

  #fresh(length: number): Numbers {
    return this.#options.precision === "float32" ? new Float32Array(length) : new Float64Array(length);
  }

  #packed(inputs: readonly Numbers[], form: Form): Numbers {
    const [first] = inputs;
    if (form === "packed" && first !== undefined) return first;
    for (const [n, array] of inputs.entries()) this.#x[n] = floatAt(array, 0);
    return this.#x;
  }

  #alike(inputs: readonly Numbers[], form: Form, gradient: Numbers): readonly Numbers[] {
    if (form === "packed") return [gradient];
    return inputs.map((_, n) => gradient.subarray(n, n + 1));
  }

  /** Makes Δ as executors take it: one number for each entry. */
  #environmentOf(bindings: Bindings): Numbers {
    if (this.#environment?.of !== bindings) {
      const packed = this.#fresh(bindings.entries.length);
      for (const [n, entry] of bindings.entries.entries()) packed[n] = numberOf(entry);
      this.#environment = { of: bindings, packed };
    }
    return this.#environment.packed;
  }
}

/** Returns the output's cotangent, which is 1 if none is given. */
function seedOf(c: Numbers | undefined): number {
  return c === undefined ? 1 : floatAt(c, 0);
}
