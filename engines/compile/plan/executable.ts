import type { LoopProgram } from "./program.ts";
import type { Regime } from "./rewrite.ts";

/** The numbers of a program, in its precision. */
export type Numbers = Float64Array<ArrayBufferLike> | Float32Array<ArrayBufferLike>;

/** The precisions that the compiled engines have. */
export type Precision = "float64" | "float32";

/** Places of the instructions' values in one arena, in elements; values of disjoint lives may share one. */
export interface Layout {
  /** The place of the instruction with this number (not value id). A value of no element has place 0. */
  readonly places: readonly number[];
  /** Elements of the arena. */
  readonly length: number;
}

/** A backend compiles this. */
export interface Order {
  readonly program: LoopProgram;
  readonly layout: Layout;
  readonly precision: Precision;
  readonly regime: Regime;
}

/** Machine code of a program, with its memory. */
export interface Executable {
  /**
   * Computes all results. `sources[n]` has the size of the program's source `n`, and its precision.
   * Sources are never written. The caller has checked sizes, and that indices are in range.
   */
  run(sources: readonly Numbers[], indices: readonly Uint32Array[]): void;
  /** The results, as views that stay the same objects; the next run overwrites them. */
  readonly results: readonly Numbers[];
  /** Bytes of numbers, tables and copies of sources; code is not counted. */
  readonly bytes: number;
}

/** Turns a program into machine code. */
export interface Backend {
  readonly name: string;
  build(order: Order): Executable;
}
