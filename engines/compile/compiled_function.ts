import type { Graph } from "../../spec/graph/index.ts";
import { at, counted, formatShape, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import { type Bindings, bound, noBindings } from "./binding.ts";
import type { Numbers, Precision } from "./plan/index.ts";
import type { Form, Plain, Report, Runner, ValueAndGradient } from "./runner.ts";

/** A compiled function takes and returns these. */
export interface Signature {
  /** The graph that is computed; its composites may be expanded. */
  readonly graph: Graph;
  readonly output: Shape;
  readonly precision: Precision;
}

/**
 * A compiled graph as a function of its inputs. It takes a row-major typed array of its precision for each
 * input; or, of several inputs, one array with all of them, and then a gradient is one array too. It returns
 * views of its own memory, which the next call of the same method overwrites. Code for a method is made at
 * its first call.
 * Throws `TypeError` for arrays that do not fit, and `RangeError` if memory does not suffice.
 */
export class CompiledFunction {
  readonly #signature: Signature;
  readonly #runner: Runner;
  readonly #sizes: readonly number[];
  /** The size of all inputs together. */
  readonly #total: readonly number[];
  readonly #Type: typeof Float64Array | typeof Float32Array;
  readonly #isUnbound: boolean;
  #bindings: Bindings = noBindings;
  #plain: Plain = {};

  /** Is called by `compile`. */
  constructor(signature: Signature, runner: Runner) {
    this.#signature = signature;
    this.#runner = runner;
    this.#sizes = signature.graph.inputs.map(({ shape }) => sizeOf(shape));
    this.#total = [this.#sizes.reduce((sum, size) => sum + size, 0)];
    this.#Type = signature.precision === "float32" ? Float32Array : Float64Array;
    this.#isUnbound = signature.graph.environment.length > 0;
  }

  /** Hands in the entries of Δ, which every later call reads: real ones by reference, without a copy. */
  bind(environment: Readonly<Record<string, Numbers | Uint32Array>>): void {
    this.#bindings = bound(this.#signature.graph, this.#Type, environment);
  }

  /** Returns the output's value. */
  value(...inputs: readonly Numbers[]): Numbers {
    return this.#runner.value(inputs, this.#formOf(inputs), this.#bound());
  }

  /** Returns the derivatives of the output, which must be one number, by each input. */
  gradient(...inputs: readonly Numbers[]): readonly Numbers[] {
    const { gradient: known } = this.#plain;
    if (known !== undefined && this.#sizes.length === inputs.length) {
      // A small gradient takes no longer than the calls around it, so repeated calls take a shortcut.
      this.#checkArrays(inputs, this.#sizes, "input");
      known.run(inputs, noIndices);
      return known.results;
    }
    this.#checkScalar();
    const gradient = this.#runner.gradient(inputs, this.#formOf(inputs), this.#bound(), undefined);
    this.#plain = this.#runner.plain;
    return gradient;
  }

  /** Returns value and gradient, in one pass. */
  valueAndGradient(...inputs: readonly Numbers[]): ValueAndGradient {
    const { both: known } = this.#plain;
    if (known !== undefined && this.#sizes.length === inputs.length) {
      this.#checkArrays(inputs, this.#sizes, "input");
      known.executable.run(inputs, noIndices);
      return known.answer;
    }
    this.#checkScalar();
    const both = this.#runner.valueAndGradient(inputs, this.#formOf(inputs), this.#bound());
    this.#plain = this.#runner.plain;
    return both;
  }

  /** Pulls the cotangent `c` of the output back to each input. */
  vjp(inputs: readonly Numbers[], c: Numbers): readonly Numbers[] {
    this.#checkArrays([c], [sizeOf(this.#signature.output)], "cotangent");
    return this.#runner.gradient(inputs, this.#formOf(inputs), this.#bound(), c);
  }

  /** Returns the cotangents of all ids, inputs first, for the output's cotangent `c`, by default 1. */
  backwardDense(inputs: readonly Numbers[], c?: Numbers): readonly Numbers[] {
    if (c === undefined) this.#checkScalar();
    else this.#checkArrays([c], [sizeOf(this.#signature.output)], "cotangent");
    return this.#runner.backwardDense(inputs, this.#formOf(inputs), this.#bound(), c);
  }

  /**
   * Returns the tangents of the output along tangents of the inputs, one array for each input. An array may
   * hold several tangents one after the other, equally many in each; so does the result.
   */
  jvp(inputs: readonly Numbers[], tangents: readonly Numbers[]): Numbers {
    const sizes = this.#sizes;
    // The first input that is not empty tells how many there are; misfits are found next.
    const first = sizes.findIndex((size, n) => size > 0 && n < tangents.length);
    const count = first < 0 ? 1 : Math.max(1, Math.floor(at(tangents, first).length / at(sizes, first)));
    this.#checkArrays(
      tangents,
      sizes.map((size) => size * count),
      "tangent",
    );
    return this.#runner.jvp(inputs, this.#formOf(inputs), this.#bound(), tangents, count);
  }

  /** Tells how the gradient is computed, and what it costs. */
  get report(): Report {
    return this.#runner.report;
  }

  #bound(): Bindings {
    if (this.#isUnbound && this.#bindings === noBindings) {
      throw new TypeError("the graph has an environment: call bind first.");
    }
    return this.#bindings;
  }

  #checkScalar(): void {
    const { output } = this.#signature;
    if (sizeOf(output) === 1) return;
    throw new TypeError(
      `the output has shape ${formatShape(output)}: a gradient is that of one number. Ask vjp, with a cotangent of that shape.`,
    );
  }

  /** Checks the inputs, and returns their form. */
  #formOf(arrays: readonly Numbers[]): Form {
    if (arrays.length === 1 && this.#sizes.length > 1) {
      this.#checkArrays(arrays, this.#total, "input");
      return "packed";
    }
    this.#checkArrays(arrays, this.#sizes, "input");
    return "each";
  }

  #checkArrays(arrays: readonly Numbers[], sizes: readonly number[], what: string): void {
    if (arrays.length !== sizes.length) {
      throw new TypeError(`${arrays.length} arrays, and the graph has ${sizes.length} ${what}s.`);
    }
    for (let n = 0; n < sizes.length; n++) {
      const array = arrays[n];
      // Comparing constructors comes first, because `instanceof` takes as long as a small gradient.
      if (array?.constructor !== this.#Type && !(array instanceof this.#Type)) {
        throw new TypeError(`${what} ${n} is not a ${this.#Type.name}.`);
      }
      if (array.length !== sizes[n]) {
        throw new TypeError(
          `${what} ${n} has ${counted(array.length, "element")}; the graph says ${sizes[n]}.`,
        );
      }
    }
  }
}

const noIndices: readonly Uint32Array[] = [];
