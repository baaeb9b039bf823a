import { type Builder, GraphError, type Value } from "../../../spec/builder/index.ts";
import { formatShape, type Shape, wellFormedShape } from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import { type Known, type Live, uniform } from "./operand.ts";
import type { Limits } from "./tensor.ts";

/**
 * All constants of a model together have at most so many elements: twice as many make a file of JSON that
 * nobody reads again.
 */
export const MAXIMUM_NUMBERS = 6_000_000;

/** A graph that is being written, with the numbers of its entries of Δ. */
export class Workshop {
  readonly builder: Builder;
  readonly environment: Map<string, FlatTensor> = new Map();
  readonly #names: Set<string>;
  readonly #values = new Map<Known, Value>();
  readonly #inputs: ReadonlyMap<Known, Value>;
  readonly limits: Limits;
  #numbers = 0;

  constructor(
    builder: Builder,
    limits: Limits,
    names: Iterable<string> = [],
    inputs: ReadonlyMap<Known, Value> = new Map(),
  ) {
    this.builder = builder;
    this.limits = limits;
    this.#names = new Set(names);
    this.#inputs = inputs;
  }

  /** Returns an operand as a value: a constant as an entry of Δ, or as one number everywhere. */
  value(operand: Known | Live): Value {
    if (operand.kind === "live") return operand.value;
    const made = this.#inputs.get(operand) ?? this.#values.get(operand) ?? this.#made(operand);
    this.#values.set(operand, made);
    return made;
  }

  #made(constant: Known): Value {
    const { name, shape, data, isStored = false } = constant;
    const number = isStored && shape.length > 0 ? undefined : uniform(constant);
    if (number !== undefined) return this.builder.full({ shape, value: number });
    return this.builder.parameter(this.#declared(name ?? "constant", shape, data), shape);
  }

  /** Declares indices, and returns their name. */
  index(name: string, shape: Shape, data: readonly number[] | Float64Array): string {
    return this.builder.indices(this.#declared(`${name}_indices`, shape, data), shape);
  }

  #declared(wanted: string, shape: Shape, data: readonly number[] | Float64Array): string {
    this.#numbers += data.length;
    if (this.#numbers > MAXIMUM_NUMBERS) {
      throw new GraphError(wanted, {
        code: "onnx/too-large",
        message: `the constants have over ${MAXIMUM_NUMBERS} elements in all.`,
        hint: "import a smaller model, or the part of it that you doubt",
      });
    }
    const name = this.unused(wanted);
    this.environment.set(name, { shape: [...shape], data: Float64Array.from(data) });
    return name;
  }

  /** Returns a name that nothing has, and takes it. */
  unused(wanted: string): string {
    const base = wanted.slice(0, 240) || "value";
    let name = base;
    for (let count = 2; this.#names.has(name); count++) name = `${base}_${count}`;
    this.#names.add(name);
    return name;
  }

  /** Refuses shapes that no tensor may have. */
  fitting(shape: Shape): Shape {
    const fits = wellFormedShape(shape);
    if (fits.ok) return shape;
    throw new GraphError(formatShape(shape), fits.error);
  }
}
