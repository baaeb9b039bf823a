import { type CompositeRows, composites } from "../../spec/composites/index.ts";
import { indexLimitsOf } from "../../spec/expansion/index.ts";
import type { Point, PrimitiveGraph, Seed } from "../../spec/graph/index.ts";
import { at, fail, type NodeId, ok, present, type Result } from "../../spec/shapes/index.ts";
import type { DataType, FlatTensor } from "../../spec/wire/index.ts";
import { type AllLimits, type Misfit, misfitOfInputs, misfitOfPoint, misfitOfSeeds } from "../fit.ts";
import type { KernelTable } from "./kernel.ts";
import { kernels } from "./kernels/table.ts";
import { type Layout, layOut, sizeAt } from "./layout.ts";
import { type Arena, allocate, type Machine } from "./machine.ts";
import { type Reverse, reverse, runForward, runTangents } from "./sweeps.ts";

/** The parts of an interpreter; a mutant exchanges one. */
export interface Parts {
  readonly kernels: KernelTable;
  readonly reverse: Reverse;
  readonly allocate: typeof allocate;
  /** The expansions of composites. */
  readonly composites: CompositeRows;
}

/** The parts of the interpreter itself. */
export const soundParts: Parts = { kernels, reverse, allocate, composites };

/** The values of all ids and of Δ at a point. */
export interface RunValues {
  readonly values: Arena;
  readonly indices: Uint32Array;
}

/** Gets an id whose cotangent is complete; the array may be read until it returns. */
export type Settled = (id: NodeId, cotangent: Arena) => void;

/** Tensors in the interpretation's own memory, until its next call; or a sentence on what did not fit. */
export type Answer = Result<readonly Arena[], string>;

/**
 * A graph in memory, ready to be computed repeatedly. An answer's arrays are views of its buffers, the same
 * objects at every call, and the next call overwrites them. A sweep allocates nothing. Every call is a
 * function of its arguments alone.
 */
export class Interpretation {
  readonly layout: Layout;
  readonly #machine: Machine;
  readonly #reverse: Reverse;
  readonly #limits: AllLimits;
  #values: Answer | undefined;
  #tangents: Answer | undefined;
  #inputCotangents: Answer | undefined;
  #cotangents: Answer | undefined;

  /** Is called by {@link interpret}. */
  constructor(graph: PrimitiveGraph, dtype: DataType, parts: Parts) {
    this.layout = layOut(graph, parts.kernels);
    this.#machine = parts.allocate(this.layout.extents, dtype);
    this.#reverse = parts.reverse;
    this.#limits = indexLimitsOf(graph, this.layout.shapes);
  }

  /** Computes the value of every node, in order. */
  evaluate(point: Point): Answer {
    const misfit = this.#forward(point);
    if (misfit !== undefined) return fail(misfit);
    this.#values ??= ok(this.#views(this.#machine.values, this.layout.graph.inputs.length));
    return this.#values;
  }

  /** Computes the tangent of every node along one tangent per input. */
  jvp(point: Point, tangents: readonly FlatTensor[]): Answer {
    const { graph, steps } = this.layout;
    const misfit = misfitOfInputs(graph.inputs, tangents, "tangent") ?? this.#forward(point);
    if (misfit !== undefined) return fail(misfit);
    this.#writeInputs(this.#machine.tangents, tangents);
    runTangents(this.#machine, steps);
    this.#tangents ??= ok(this.#views(this.#machine.tangents, graph.inputs.length));
    return this.#tangents;
  }

  /** Returns all that a sweep reads of the run at a point. Fails with what did not fit. */
  record(point: Point): Result<RunValues, string> {
    const misfit = this.#forward(point);
    if (misfit !== undefined) return fail(misfit);
    const { values, indices } = this.#machine;
    return ok({ values: values.slice(), indices: indices.slice() });
  }

  /** Sweeps a recorded run from fitting seeds to all inputs. `settled` may read each complete cotangent. */
  sweep({ values, indices }: RunValues, seeds: readonly Seed[], settled?: Settled): Answer {
    this.#machine.values.set(values);
    this.#machine.indices.set(indices);
    const { offsets } = this.layout;
    this.#sweepBack(
      seeds,
      settled && ((id) => settled(id, this.#view(this.#machine.cotangents, offsets, id))),
    );
    return this.#inputViews();
  }

  /** Computes the cotangent of every input. */
  vjp(point: Point, seeds: readonly Seed[]): Answer {
    const misfit = this.#backward(point, seeds);
    return misfit === undefined ? this.#inputViews() : fail(misfit);
  }

  /** Computes the cotangent of every id, each including its own seed; +0 where nothing arrived. */
  backwardDense(point: Point, seeds: readonly Seed[]): Answer {
    const misfit = this.#backward(point, seeds);
    if (misfit !== undefined) return fail(misfit);
    this.#cotangents ??= ok(this.#views(this.#machine.cotangents, 0));
    return this.#cotangents;
  }

  #forward(point: Point): Misfit {
    const misfit = misfitOfPoint(this.layout.graph, this.#limits, point);
    if (misfit !== undefined) return misfit;
    const { graph, places, steps } = this.layout;
    const { values, indices } = this.#machine;
    this.#writeInputs(values, point.inputs);
    for (const { name, kind } of graph.environment) {
      const { data } = present(point.environment.get(name), name);
      (kind === "real" ? values : indices).set(data, present(places.get(name), name));
    }
    runForward(this.#machine, steps);
    return undefined;
  }

  #backward(point: Point, seeds: readonly Seed[]): Misfit {
    const misfit = misfitOfSeeds(this.layout.shapes, seeds) ?? this.#forward(point);
    if (misfit === undefined) this.#sweepBack(seeds);
    return misfit;
  }

  #sweepBack(seeds: readonly Seed[], settled?: (id: NodeId) => void): void {
    this.#reverse.empty(this.#machine, this.layout);
    this.#reverse.plant(this.#machine, this.layout, seeds);
    this.#reverse.sweep(this.#machine, this.layout, settled);
    this.#reverse.finish(this.#machine, this.layout);
  }

  #inputViews(): Answer {
    this.#inputCotangents ??= ok(this.#views(this.#machine.cotangents, 0, this.layout.graph.inputs.length));
    return this.#inputCotangents;
  }

  #writeInputs(arena: Arena, tensors: readonly FlatTensor[]): void {
    let offset = 0;
    for (const { data } of tensors) {
      arena.set(data, offset);
      offset += data.length;
    }
  }

  #views(arena: Arena, from: number, to: number = this.layout.shapes.length): Arena[] {
    const { offsets } = this.layout;
    const views: Arena[] = [];
    for (let id = from; id < to; id++) views.push(this.#view(arena, offsets, id));
    return views;
  }

  #view(arena: Arena, offsets: Layout["offsets"], id: number): Arena {
    const offset = at(offsets, id);
    return arena.subarray(offset, offset + sizeAt(offsets, id));
  }
}

/**
 * Lays out a well-formed graph for a precision.
 * Fails: `RangeError` where the graph needs more memory than there is.  Cost: linear in nodes and elements.
 */
export function interpret(graph: PrimitiveGraph, dtype: DataType, parts: Parts = soundParts): Interpretation {
  return new Interpretation(graph, dtype, parts);
}
