import { expandedIndexLimitsOf, shapesOf } from "../../spec/expansion/index.ts";
import type { Graph } from "../../spec/graph/index.ts";
import { InvariantError, type NodeId, nodeId, present, sizeOf } from "../../spec/shapes/index.ts";
import { checkRange, unread } from "./binding.ts";
import { type Numbers, type Precision, plan, type Regime, type Source, writtenOut } from "./plan/index.ts";
import { lower } from "./plan/lower/index.ts";
import { startBatch } from "./wasm/index.ts";

/** A batch is compiled with these options. */
export interface GradientBatchOptions {
  /** The most items at a time. */
  readonly capacity: number;
  readonly threads: number;
  /** Inputs and real entries of Δ, by name, that all items share; index entries always are shared. */
  readonly common?: readonly string[];
  readonly dtype?: Precision;
  readonly regime?: Regime;
  readonly output?: NodeId | number;
}

/** Values and gradients of one function for many inputs, in several threads. */
export interface GradientBatch extends Disposable {
  /** The caller writes these, by name: `capacity` items one after the other, or one item if all share it. */
  readonly inputs: ReadonlyMap<string, Numbers | Uint32Array>;
  /** The caller reads these: `capacity` values. */
  readonly values: Numbers;
  /** The caller reads these: for each input, `capacity` derivatives, even if the input is shared. */
  readonly gradients: readonly Numbers[];
  /** Computes the first `count` items, one call at a time. Rejects, for good, if a thread fails. */
  run(count: number): Promise<void>;
}

/**
 * Compiles a graph to WebAssembly once, and starts threads that compute its value and gradient for many
 * inputs. A page must be cross-origin isolated. The bits do not depend on the number of threads. Throws
 * `TypeError` for an unknown name or an output of several numbers, and `RangeError`, in `run`, for an index
 * out of range.
 */
export function startGradientBatch(graph: Graph, options: GradientBatchOptions): GradientBatch {
  const { capacity, threads, common = [], dtype: precision = "float64", regime = "fast" } = options;
  const { graph: lowered, output } = writtenOut(graph, regime, options.output);
  if (sizeOf(present(shapesOf(lowered)[output], "shape of the output")) !== 1) {
    throw new TypeError("a gradient is that of one number.");
  }
  const ids = lowered.inputs.map((_, position) => nodeId(position));
  const cotangents = { ids, seeds: [{ id: output, from: "ones" as const }] };
  const program = lower(lowered, { values: [output], cotangents }, regime);
  const names = program.sources.map(({ origin }) =>
    origin.kind === "environment" ? origin.name : present(nameOf(lowered, origin), "an input"),
  );
  const unknown = common.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(`the graph has no "${unknown}" that items could share.`);
  const batch = startBatch(
    { ...plan(program, { precision, regime }), precision, regime },
    { capacity, threads, common: common.map((name) => names.indexOf(name)) },
  );
  const [values, ...gradients] = batch.results;
  if (values === undefined) throw new InvariantError("a batch without values");
  const indexNames = program.indexSources.map(({ name }) => name);
  const limits = expandedIndexLimitsOf(graph);
  return {
    inputs: new Map<string, Numbers | Uint32Array>([
      ...names.map((name, n) => [name, present(batch.inputs[n], name)] as const),
      ...indexNames.map((name, n) => [name, present(batch.indexInputs[n], name)] as const),
    ]),
    values,
    gradients,
    async run(count) {
      for (const [n, name] of indexNames.entries()) {
        checkRange(name, present(batch.indexInputs[n], name), limits.get(name) ?? unread);
      }
      await batch.run(count);
    },
    [Symbol.dispose]: () => batch[Symbol.dispose](),
  };
}

/** Returns the name of an input; a gradient from one has no seeds and no tangents among its sources. */
function nameOf({ inputs }: Graph, origin: Source["origin"]): string | undefined {
  return origin.kind === "input" ? inputs[origin.position]?.name : undefined;
}
