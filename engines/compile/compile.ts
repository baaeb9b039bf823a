import { expandUnless, type Graph, InvariantError, type NodeId, type OperatorName } from "../../spec/core.ts";
import type { Backend, Precision } from "../plan/executable.ts";
import { isLoweredGraph, wholeNames } from "../plan/lower/index.ts";
import { allows, type Profile } from "../plan/rewrite.ts";
import { Compilation } from "./compilation.ts";
import { CompiledFunction } from "./compiled_function.ts";

/** How a graph is to be compiled; `E` are the engines there are. */
export interface CompileOptions<E extends string> {
  readonly engine?: E;
  /** The precision of all numbers; float64 if not said. */
  readonly dtype?: Precision;
  /** `fast`, if not said; `bit_exact` gives the reference's bits. */
  readonly profile?: Profile;
  /** The id whose value the function is; the last one, if not said. */
  readonly output?: NodeId | number;
  /** Bytes that values may take at a time; what does not fit is computed again. */
  readonly memory?: number;
}

/** Compiles a well-formed graph. */
export type Compile<E extends string> = (graph: Graph, options?: CompileOptions<E>) => CompiledFunction;

/** `compile` for these engines; the first named is the one that is taken if none is asked for. */
export function compilerFor<E extends string>(backends: Readonly<Record<E, Backend>>, usual: E): Compile<E> {
  return (graph, { engine = usual, dtype = "float64", profile = "fast", output, memory } = {}) => {
    if (!Object.hasOwn(backends, engine)) {
      throw new TypeError(`no engine "${engine}"; there is ${Object.keys(backends).join(", ")}.`);
    }
    const isKept = (op: OperatorName): boolean =>
      allows(profile, "whole_composites") && wholeNames.some((name) => name === op);
    const { graph: expanded, ids } = expandUnless(graph, isKept);
    if (!isLoweredGraph(expanded)) throw new InvariantError("a composite is left in an expansion");
    const out = output ?? ids.length - 1;
    const place = ids[out];
    if (place === undefined)
      throw new RangeError(`no id ${out} to compute; the last one is ${ids.length - 1}.`);
    const compilation = new Compilation(expanded, {
      backend: backends[engine],
      precision: dtype,
      profile,
      ...(memory === undefined ? {} : { memory }),
    });
    return new CompiledFunction(compilation, place, ids);
  };
}
