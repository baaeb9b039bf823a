import { expand, indexLimitsOf, shapesOf } from "../../spec/expansion/index.ts";
import { entriesNamedBy, type Node, type PrimitiveGraph } from "../../spec/graph/index.ts";
import type { View } from "../../spec/programs/index.ts";
import { type Algebra, at, quote, type Shape } from "../../spec/shapes/index.ts";
import { entry } from "../context.ts";
import type { Environment } from "../environment.ts";
import type { GraphData } from "../graph.ts";
import { interpret } from "../interpret.ts";
import { bernoulliMask } from "../operators/index.ts";
import { evaluate } from "../sweep.ts";
import type { Tensor } from "../tensor.ts";
import type { Differentiable, Differentiation, Domain, Key, Surroundings } from "./domain.ts";
import { cannot, StateFault } from "./fault.ts";
import { type Memory, readMemory, writeMemory } from "./memory.ts";
import { Recorder } from "./recorder.ts";

/** A node's meaning, with its operands as inputs. */
interface Meaning<S> {
  readonly graph: GraphData<S>;
  /** This id has the memory's value. */
  readonly value: number;
}

/** The machine has tensors over an algebra, and overwrites memories. It owns what it found of nodes. */
export class Machine<S, B> implements Domain<S, Tensor<S>, Memory<S>> {
  readonly #algebra: Algebra<S, B>;
  readonly #surroundings: Surroundings<S>;
  readonly #meanings: WeakMap<Node, Meaning<S>> = new WeakMap();

  constructor(algebra: Algebra<S, B>, surroundings: Surroundings<S>) {
    this.#algebra = algebra;
    this.#surroundings = surroundings;
  }

  apply(node: Node, operands: readonly Tensor<S>[]): Tensor<S> {
    const known = this.#meanings.get(node);
    const meaning =
      known ??
      this.#meaningOf(
        node,
        operands.map(({ shape }) => shape),
      );
    if (known === undefined) this.#meanings.set(node, meaning);
    return entry(evaluate(meaning.graph, operands, this.#surroundings.values), meaning.value);
  }

  constant(tensor: Tensor<S>): Tensor<S> {
    return tensor;
  }

  received(tensor: Tensor<S>): Tensor<S> {
    return tensor;
  }

  mask(key: Key, rate: number, shape: Shape): Tensor<S> {
    const { semiring } = this.#algebra.levels;
    if (semiring === undefined) return cannot("a mask", this.#algebra.name);
    return bernoulliMask.forward({
      algebra: semiring,
      attributes: { shape, key: "key", rate },
      operands: [],
      environment: new Map([["key", { kind: "index", shape: [2], indices: key }]]),
      shape,
    });
  }

  allocate(value: Tensor<S>): Memory<S> {
    return [...value.data];
  }

  read(memory: Memory<S>, view: View): Tensor<S> {
    return readMemory(memory, view);
  }

  write(memory: Memory<S>, view: View, value: Tensor<S>): void {
    writeMemory(memory, view, value);
  }

  copied(value: Tensor<S>): Tensor<S> {
    return value;
  }

  known(tensor: Tensor<S>): Tensor<S> {
    return tensor;
  }

  index(tensor: Tensor<S>): Tensor<S> {
    return tensor;
  }

  condition(value: Tensor<S>): Tensor<S> {
    return value;
  }

  enter(): void {
    // A machine does not look back.
  }

  retain(): void {
    // A machine computes no cotangents: who asks for them records the run.
  }

  /** The procedure is recorded, and the derivative of its graph evaluated. */
  differentiate(
    derivative: Differentiation,
    operands: readonly Tensor<S>[],
    run: Differentiable<S>,
  ): Tensor<S> {
    const recorder = new Recorder(this, this.#surroundings);
    const inputs = operands.map((operand, place) =>
      recorder.input(`operand ${place}`, operand.shape, operand),
    );
    const value = recorder.differentiate(derivative, inputs, run);
    return value.tensor ?? cannot("a derivative of what is not known", this.#algebra.name);
  }

  #meaningOf(node: Node, operands: readonly Shape[]): Meaning<S> {
    const inputs = operands.map((shape, place) => ({ name: `operand ${place}`, shape }));
    const environment = entriesNamedBy(node, this.#surroundings.declared);
    const { graph, ids } = expand({ format: "adjudge.graph.v1", inputs, environment, nodes: [node] });
    const meant = interpret(graph, this.#algebra);
    if (!meant.ok) return cannot(node.op, this.#algebra.name);
    checkIndices(graph, this.#surroundings.values);
    return { graph: meant.value, value: ids.at(-1) ?? 0 };
  }
}

/** Checks that Δ's indices are within their axes, and keys are words. Throws {@link StateFault}. */
function checkIndices<S>(graph: PrimitiveGraph, environment: Environment<S>): void {
  for (const [name, limits] of indexLimitsOf(graph, shapesOf(graph))) {
    const entry = environment.get(name);
    if (entry?.kind !== "index") continue;
    const isBelow = (index: number, i: number): boolean =>
      Number.isSafeInteger(index) && index >= 0 && index < at(limits, i % limits.length);
    const odd = entry.indices.findIndex((index, i) => !isBelow(index, i));
    if (odd < 0) continue;
    throw new StateFault(
      "point/index",
      `element ${odd} of ${quote(name)} is ${entry.indices[odd]}, which is beyond its axis.`,
      "indices count from 0 and stay below the extent of the axis they are taken along",
    );
  }
}
