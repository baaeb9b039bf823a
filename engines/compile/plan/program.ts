import { at, type Shape } from "../../../spec/shapes/index.ts";
import type { Expression } from "./expression.ts";

/**
 * The engines' own language: tensors in static single assignment, each made by one loop nest. The lowering
 * turns a graph with its forward, tangent and reverse computation into one; passes rewrite it; backends
 * compile it. All tensors are row-major. A program has one precision for all its numbers.
 */
export interface LoopProgram {
  /** The tensors that the caller hands in, with the ids from 0 on. */
  readonly sources: readonly Source[];
  /** Integers that the caller hands in and has checked, by number; they have no value id. */
  readonly indexSources: readonly IndexSource[];
  /** Each makes the value with the next id, and reads earlier ids only. */
  readonly instructions: readonly Instruction[];
  /** The caller gets these values of instructions, never sources; one value may occur twice. */
  readonly results: readonly ValueId[];
}

/** A position in `sources ++ instructions`. */
export type ValueId = number;

/** A tensor that the caller hands in. */
export interface Source {
  readonly origin: /** The input of this number; of `Γ`. */
    | { readonly kind: "input"; readonly position: number }
    /** A real entry of Δ. */
    | { readonly kind: "environment"; readonly name: string }
    /** The tangents of an input, one after the other: the shape has one more axis in front. */
    | { readonly kind: "tangent"; readonly position: number }
    /** The cotangent of an id. */
    | { readonly kind: "seed"; readonly id: number };
  readonly shape: Shape;
}

/** An index entry of Δ, as 32-bit words. */
export interface IndexSource {
  readonly name: string;
  readonly size: number;
}

/**
 * Finds an element of a tensor for the index `i` of a loop nest, at `offset + Σ strides[axis] · i[axis]`,
 * plus `scale · index[offset + Σ strides[axis] · i[axis]]` for each indirection. There is one stride per axis
 * of the nest; a stride of 0 repeats. It is never out of range.
 */
export interface Access {
  readonly offset: number;
  readonly strides: readonly number[];
  readonly indirections: readonly Indirection[];
}

/** A part of a position that is looked up in an index source. */
export interface Indirection {
  /** Number of the index source. */
  readonly index: number;
  readonly offset: number;
  readonly strides: readonly number[];
  readonly scale: number;
}

/** An element of an earlier value. */
export interface Read extends Access {
  readonly value: ValueId;
}

/** A body computes this for one index of a loop nest. */
export interface Body {
  readonly reads: readonly Read[];
  readonly expression: Expression;
}

/** `out[i] = body(i)` for all `i` of `shape`, in any order. */
export interface MapInstruction extends Body {
  readonly kind: "map";
  readonly shape: Shape;
}

/**
 * `out[i] = initial ⊕ body(i, r₀) ⊕ body(i, r₁) ⊕ …`, from the left, with `r` row-major over `over`. Strides
 * have an entry per axis of `shape`, then one per axis of `over`. `add` begins with +0; `maximum` begins with
 * −∞, and its `x ⊕ y` is `y` if `x < y` or `y` is NaN, else `x`.
 */
export interface FoldInstruction extends Body {
  readonly kind: "fold";
  readonly operation: "add" | "maximum";
  readonly shape: Shape;
  readonly over: Shape;
}

/** Puts pieces into a tensor, which begins as +0 unless they cover it. Their places do not overlap. */
export interface AssembleInstruction {
  readonly kind: "assemble";
  readonly shape: Shape;
  readonly isCovered: boolean;
  readonly pieces: readonly Piece[];
}

/** A loop nest over `shape` that writes to `place` of the result, which has no indirections. */
export interface Piece extends Body {
  readonly shape: Shape;
  readonly place: Access;
}

/**
 * Begins with `base` (of the result's shape), or with +0, and adds the body at its place for each index of
 * `over`. Places may meet: the additions happen one by one, in row-major order.
 */
export interface ScatterInstruction extends Body {
  readonly kind: "scatter";
  readonly shape: Shape;
  readonly base: ValueId | undefined;
  readonly over: Shape;
  readonly place: Access;
}

/** `out[i] = out[i − direction along axis] + body(i)`, the first one `+0 + body(i)`. */
export interface ScanInstruction extends Body {
  readonly kind: "scan";
  readonly shape: Shape;
  readonly axis: number;
  readonly direction: 1 | -1;
}

/** A computation that is no loop nest; the host does it on whole tensors. */
export interface RoutineInstruction {
  readonly kind: "routine";
  readonly shape: Shape;
  readonly routine: Routine;
  /** Whole values, row-major. */
  readonly operands: readonly ValueId[];
}

/**
 * A routine computes one of these, with sums and products in the reference's order; leading axes of matrices
 * are a batch: `bernoulli` reads its key from an index source.
 */
export type Routine =
  | { readonly kind: "determinant" | "cofactors" | "determinant_tangent"; readonly n: number }
  | {
      readonly kind: "solution" | "solution_tangent" | "solution_cotangent";
      readonly n: number;
      readonly m: number;
    }
  | { readonly kind: "bernoulli"; readonly index: number; readonly rate: number };

/** One step of a program, which makes one tensor. */
export type Instruction =
  | MapInstruction
  | FoldInstruction
  | AssembleInstruction
  | ScatterInstruction
  | ScanInstruction
  | RoutineInstruction;

/** Returns the shape of a value. */
export function shapeOfValue(program: LoopProgram, value: ValueId): Shape {
  const { sources, instructions } = program;
  return value < sources.length ? at(sources, value).shape : at(instructions, value - sources.length).shape;
}

/** Returns the bodies of an instruction with the extents of their nests; none for a routine. */
export function bodiesOf(
  instruction: Instruction,
): readonly { readonly extents: Shape; readonly body: Body }[] {
  switch (instruction.kind) {
    case "map":
    case "scan":
      return [{ extents: instruction.shape, body: instruction }];
    case "fold":
      return [{ extents: [...instruction.shape, ...instruction.over], body: instruction }];
    case "scatter":
      return [{ extents: instruction.over, body: instruction }];
    case "assemble":
      return instruction.pieces.map((piece) => ({ extents: piece.shape, body: piece }));
    case "routine":
      return [];
  }
}

/** Lists the values that an instruction reads, with repetitions. */
export function operandsOf(instruction: Instruction): readonly ValueId[] {
  if (instruction.kind === "routine") return instruction.operands;
  const operands: ValueId[] = [];
  eachOperand(instruction, (value) => operands.push(value));
  return operands;
}

/** Tells of each value that an instruction reads, with repetitions, in the order of {@link operandsOf}. */
export function eachOperand(instruction: Instruction, hear: (value: ValueId) => unknown): void {
  switch (instruction.kind) {
    case "scatter":
      if (instruction.base !== undefined) hear(instruction.base);
      for (const { value } of instruction.reads) hear(value);
      return;
    case "map":
    case "fold":
    case "scan":
      for (const { value } of instruction.reads) hear(value);
      return;
    case "assemble":
      for (const { reads } of instruction.pieces) for (const { value } of reads) hear(value);
      return;
    case "routine":
      for (const value of instruction.operands) hear(value);
  }
}
