import type { Graph } from "../../spec/graph/index.ts";
import { type NodeId, present } from "../../spec/shapes/index.ts";
import { Compilation } from "./compilation.ts";
import { CompiledFunction } from "./compiled_function.ts";
import { LoopRunner } from "./loop_runner.ts";
import { type Backend, type Precision, type Regime, writtenOut } from "./plan/index.ts";
import { type ScalarBackend, tableOf } from "./plan/scalar/index.ts";
import { ScalarRunner } from "./scalar_runner.ts";

/** A graph is compiled with these options; `E` names the engines there are. */
export interface CompileOptions<E extends string> {
  readonly engine?: E;
  /** The precision of all numbers; float64 by default. */
  readonly dtype?: Precision;
  /** The regime; `fast` by default. `bit_exact` gives the reference's bits. */
  readonly regime?: Regime;
  /** The id whose value the function computes; the last one by default. */
  readonly output?: NodeId | number;
  /** Bytes for values at a time; others are computed again. A call throws `RangeError` if too few. */
  readonly memory?: number;
}

/** Compiles a well-formed graph. */
export type Compile<E extends string> = (graph: Graph, options?: CompileOptions<E>) => CompiledFunction;

/** The parts of a compiled engine. */
export interface CompiledEngine {
  readonly loops: Backend;
  readonly scalars: ScalarBackend;
  /** From so many nodes on, runs and steps were measured to be as fast as loops, or faster. */
  readonly manyScalars: number;
}

/** Makes `compile` for these engines; `usual` is the default. */
export function compilerFor<E extends string>(
  engines: Readonly<Record<E, CompiledEngine>>,
  usual: NoInfer<E>,
): Compile<E> {
  return (graph, { engine = usual, dtype = "float64", regime = "fast", output, memory } = {}) => {
    if (!Object.hasOwn(engines, engine)) {
      throw new TypeError(`no engine "${engine}"; there is ${Object.keys(engines).join(", ")}.`);
    }
    const { loops, scalars, manyScalars } = engines[engine];
    const table = memory === undefined && graph.nodes.length >= manyScalars ? tableOf(graph) : undefined;
    if (table !== undefined) {
      const last = table.codes.length - 1;
      const place = output ?? last;
      if (!(place in table.codes))
        throw new RangeError(`no id ${place} to compute; the last one is ${last}.`);
      const runner = new ScalarRunner(table, scalars, { precision: dtype, regime }, place);
      return new CompiledFunction({ graph, output: [], precision: dtype }, runner);
    }
    const { graph: expanded, ids, output: place } = writtenOut(graph, regime, output);
    const compilation = new Compilation(expanded, {
      backend: loops,
      precision: dtype,
      regime,
      ...(memory === undefined ? {} : { memory }),
    });
    const shape = present(compilation.shapes[place], "shape of the output");
    return new CompiledFunction(
      { graph: expanded, output: shape, precision: dtype },
      new LoopRunner(compilation, place, ids),
    );
  };
}
