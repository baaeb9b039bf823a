import { interpret } from "../../../engines/interpretation/index.ts";
import { type Builder, GraphError, graph, type Value } from "../../../spec/builder/index.ts";
import { expand } from "../../../spec/expansion/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import {
  formatShape,
  nodeId,
  present,
  type Shape,
  sizeOf,
  wellFormedShape,
} from "../../../spec/shapes/index.ts";
import type { FlatTensor } from "../../../spec/wire/index.ts";
import type { Call, Results, Rule } from "./call.ts";
import { isFloat, type Known, known, type Live, type Operand, uniform } from "./operand.ts";
import type { Limits } from "./tensor.ts";

/**
 * All constants of a model together have at most so many elements: twice as many make a file of JSON that
 * nobody reads again.
 */
export const MAXIMUM_NUMBERS = 6_000_000;

/** A constant is computed now if it gets no larger than this, or than its operands are. */
const MAXIMUM_FOLDED = 2 ** 16;

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
    const { name, shape, data } = constant;
    const number = name === undefined || shape.length === 0 ? uniform(constant) : undefined;
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

  /** Applies a rule; where all operands are known, and it rounds nothing, now. */
  apply(rule: Rule, call: Call): readonly Operand[] {
    const operands = call.operands.filter((operand) => operand !== undefined);
    const isKnown = operands.every((operand) => operand.kind === "known");
    const isOfFloats = operands.some((operand) => operand.kind !== "absent" && isFloat(operand.type));
    if (!isKnown || rule.folds === undefined || (rule.folds === "integers" && isOfFloats))
      return typed(rule.apply(call), call);
    return this.#folded(rule, call, operands) ?? typed(rule.apply(call), call);
  }

  /** Computes a rule's results from constants. Returns nothing where they would be large. */
  #folded(rule: Rule, call: Call, operands: readonly Known[]): readonly Operand[] | undefined {
    const most = Math.max(MAXIMUM_FOLDED, ...operands.map(({ data }) => data.length));
    const outcome: { results?: readonly Operand[]; environment?: ReadonlyMap<string, FlatTensor> } = {};
    const written = graph((builder) => {
      const workshop = new Workshop(builder, this.limits);
      outcome.results = typed(rule.apply(call.in(workshop)), call);
      outcome.environment = workshop.environment;
    });
    const { results = [], environment = new Map() } = outcome;
    const live = results.filter((result) => result.kind === "live");
    if (live.length === 0) return results;
    if (live.some(({ value }) => sizeOf(value.shape) > most)) return undefined;
    const values = valuesOf(written, environment);
    return results.map((result) => {
      if (result.kind !== "live") return result;
      const data = present(values[result.value.id], "a folded value");
      if (!isFloat(result.type) && !data.every((x) => Number.isSafeInteger(x)))
        return call.refuse("an integer is beyond 2⁵³.", "use smaller integers");
      return known(result.type, result.value.shape, data);
    });
  }
}

/** Computes all values of a graph without inputs. */
function valuesOf(written: Graph, environment: ReadonlyMap<string, FlatTensor>): readonly Float64Array[] {
  const { graph: primitive, ids } = expand(written);
  const answer = interpret(primitive, "float64").evaluate({ inputs: [], environment });
  if (!answer.ok)
    throw new GraphError("constant", { code: "onnx/constant", message: answer.error, hint: "report it" });
  return ids.map((id) => Float64Array.from(answer.value[nodeId(Number(id))] ?? []));
}

/** Gives each result its type: the first operand's, unless the rule says another. */
function typed(results: Results, call: Call): readonly Operand[] {
  const all: readonly (Value | Operand)[] = isList(results) ? results : [results];
  return all.map((result) =>
    isOperand(result) ? result : { kind: "live", type: call.type(), value: result },
  );
}

function isList(results: Results): results is readonly (Value | Operand)[] {
  return Array.isArray(results);
}

function isOperand(result: Value | Operand): result is Operand {
  return Object.hasOwn(result, "kind");
}
