import { type CompositeRows, composites } from "../../spec/composites/index.ts";
import { shapesOf } from "../../spec/expansion/index.ts";
import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import {
  type Backend,
  type Executable,
  type LoopProgram,
  type Passes,
  type Planned,
  type PlanOptions,
  type Precision,
  plan,
  planWithin,
  type Regime,
  soundPasses,
} from "./plan/index.ts";
import { type LoweredGraph, type LoweringParts, lower, lowerings, type Request } from "./plan/lower/index.ts";

/** The parts of a compilation; a mutant exchanges one. */
export interface CompilationParts extends LoweringParts {
  readonly passes: Passes;
  /** The expansions of composites. */
  readonly composites: CompositeRows;
}

/** The parts of the compiled engines themselves. */
export const soundCompilation: CompilationParts = { lowerings, passes: soundPasses, composites };

/** A graph is compiled with these options. */
export interface CompilationOptions {
  readonly backend: Backend;
  readonly precision: Precision;
  readonly regime: Regime;
  /** Bytes that values may take at a time, or as few as possible; other values are computed again. */
  readonly memory?: number | "least";
  readonly parts?: CompilationParts;
}

/** An executable, and the plan that it was made from. */
export interface Compiled {
  readonly executable: Executable;
  readonly plan: Planned;
}

/** A graph, and machine code for every request so far. */
export class Compilation {
  readonly graph: LoweredGraph;
  readonly shapes: readonly Shape[];
  /** Elements of each input. */
  readonly sizes: readonly number[];
  readonly options: CompilationOptions;
  /** The typed arrays of its precision. */
  readonly Type: typeof Float64Array | typeof Float32Array;
  readonly #made: Map<string, Compiled> = new Map();

  constructor(graph: LoweredGraph, options: CompilationOptions) {
    this.graph = graph;
    this.shapes = shapesOf(graph);
    this.sizes = graph.inputs.map(({ shape }) => sizeOf(shape));
    this.options = options;
    this.Type = options.precision === "float32" ? Float32Array : Float64Array;
  }

  /** Returns machine code for a request, made once. Throws `RangeError` if memory does not suffice. */
  compiledFor(request: Request): Compiled {
    const key = JSON.stringify(request);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const { backend, precision, regime, memory, parts = soundCompilation } = this.options;
    const program = lower(this.graph, request, regime, parts);
    const planned = plannedIn(memory, program, { precision, regime, passes: parts.passes });
    const executable = backend.build({ ...planned, precision, regime });
    const made = { executable, plan: planned };
    this.#made.set(key, made);
    return made;
  }
}

/** Plans a program within the memory that it is given. */
function plannedIn(
  memory: CompilationOptions["memory"],
  program: LoopProgram,
  options: Omit<PlanOptions, "budgetBytes">,
): Planned {
  if (memory === undefined) return plan(program, options);
  if (memory === "least") return plan(program, { ...options, budgetBytes: 0 });
  const planned = planWithin(program, { ...options, budgetBytes: memory });
  if (!planned.ok) throw new RangeError(`${planned.error.message} Hint: ${planned.error.hint}.`);
  return planned.value;
}
