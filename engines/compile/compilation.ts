import { type CompositeRows, composites, type Shape, shapesOf, sizeOf } from "../../spec/browser.ts";
import type { Backend, Executable, Precision } from "../plan/executable.ts";
import { type LoweredGraph, type LoweringParts, lower, type Request } from "../plan/lower/index.ts";
import { lowerings } from "../plan/lower/table.ts";
import { type Passes, type Planned, plan, soundPasses } from "../plan/planned.ts";
import type { Regime } from "../plan/rewrite.ts";

/** What a compilation is made of. A mutant is one with a part exchanged. */
export interface CompilationParts extends LoweringParts {
  readonly passes: Passes;
  /** What composites expand to. */
  readonly composites: CompositeRows;
}

/** The parts of the compiled engines themselves. */
export const soundCompilation: CompilationParts = { lowerings, passes: soundPasses, composites };

/** How a graph is compiled. */
export interface CompilationOptions {
  readonly backend: Backend;
  readonly precision: Precision;
  readonly regime: Regime;
  /** Bytes that values may take at a time; what does not fit is computed again. */
  readonly memory?: number;
  readonly parts?: CompilationParts;
}

/** An executable, and the plan that it was made from. */
export interface Compiled {
  readonly executable: Executable;
  readonly plan: Planned;
}

/** A graph, and machine code for what was asked of it so far. */
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

  /** Machine code for a request; made when it is first asked for. Throws `RangeError` where memory would not do. */
  compiledFor(request: Request): Compiled {
    const key = JSON.stringify(request);
    const known = this.#made.get(key);
    if (known !== undefined) return known;
    const { backend, precision, regime, memory, parts = soundCompilation } = this.options;
    const program = lower(this.graph, request, regime, parts);
    const planned = plan(program, {
      precision,
      regime,
      passes: parts.passes,
      ...(memory === undefined ? {} : { budgetBytes: memory }),
    });
    const executable = backend.build({ ...planned, precision, regime });
    const made = { executable, plan: planned };
    this.#made.set(key, made);
    return made;
  }
}
