import { at, type Shape } from "../../../spec/shapes/index.ts";
import type { Expression } from "./expression.ts";

/**
 * The engines' own language: tensors in static single assignment, each made by one loop nest. A graph with its forward, tangent and reverse
 * computation is lowered to one {@link LoopProgram}; rewrites map programs to programs; a backend turns one into machine code.
 * Row-major throughout. A program has one precision for all its numbers.
 */
export interface LoopProgram {
  /** What the caller hands in: values with the ids from 0 on. */
  readonly sources: readonly Source[];
  /** Integers that the caller hands in, by number; they have no value id. Already known to be in range. */
  readonly indexSources: readonly IndexSource[];
  /** Each makes the value with the next id; it reads earlier ids alone. */
  readonly instructions: readonly Instruction[];
  /** What the caller gets. Each is the value of an instruction, never a source; one value may be there twice. */
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
 * Where an element lies in a tensor, for the index `i` of a loop nest: at `offset + Σ strides[axis] · i[axis]`, and for each
 * indirection `scale · index[offset + Σ strides[axis] · i[axis]]` further. One stride per axis of the loop nest; a stride of 0
 * repeats. Never out of range.
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

/** What is computed for one index of a loop nest. */
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
 * `out[i] = initial ⊕ body(i, r₀) ⊕ body(i, r₁) ⊕ …`, `r` row-major over `over`, from the left. Strides have one entry per axis of
 * `shape` and then one per axis of `over`. For `add` the initial value is +0; for `maximum` it is −∞, and `x ⊕ y` is `y` if
 * `x < y` or `y` is NaN, else `x`.
 */
export interface FoldInstruction extends Body {
  readonly kind: "fold";
  readonly operation: "add" | "maximum";
  readonly shape: Shape;
  readonly over: Shape;
}

/** Starts as +0 everywhere, or as nothing if the pieces cover it; then each piece's elements are put in place. Places do not overlap. */
export interface AssembleInstruction {
  readonly kind: "assemble";
  readonly shape: Shape;
  readonly isCovered: boolean;
  readonly pieces: readonly Piece[];
}

/** A loop nest over `shape` that writes to `place` of the result. Its place has no indirections. */
export interface Piece extends Body {
  readonly shape: Shape;
  readonly place: Access;
}

/**
 * Starts as `base` (identity access, the shape of the result), or as +0 if there is none; then for each index of `over`, row-major,
 * the body is added at its place. Places may meet: the additions happen one by one in that order.
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

/** A computation that is no loop nest, carried out by the host on whole tensors. */
export interface RoutineInstruction {
  readonly kind: "routine";
  readonly shape: Shape;
  readonly routine: Routine;
  /** Whole values, row-major. */
  readonly operands: readonly ValueId[];
}

/**
 * What a routine does; the leading axes of matrices are a batch. Sums and products in the reference's order.
 * `determinant(A)`, `cofactors(A)`, `determinant_tangent(A, Ȧ)`, `solution(A, B)`, `solution_tangent(A, B, Ȧ, Ḃ)`,
 * `solution_cotangent(A, c)` which is the cotangent of B; `bernoulli` reads the key from an index source.
 */
export type Routine =
  | { readonly kind: "determinant" | "cofactors" | "determinant_tangent"; readonly n: number }
  | {
      readonly kind: "solution" | "solution_tangent" | "solution_cotangent";
      readonly n: number;
      readonly m: number;
    }
  | { readonly kind: "bernoulli"; readonly index: number; readonly rate: number };

/** One step of a program: makes one tensor. */
export type Instruction =
  | MapInstruction
  | FoldInstruction
  | AssembleInstruction
  | ScatterInstruction
  | ScanInstruction
  | RoutineInstruction;

/** The shape of a value. */
export function shapeOfValue(program: LoopProgram, value: ValueId): Shape {
  const { sources, instructions } = program;
  return value < sources.length ? at(sources, value).shape : at(instructions, value - sources.length).shape;
}

/** The bodies of an instruction with the extents of their loop nests; none for a routine. */
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

/** The values that an instruction reads, with repetitions. */
export function operandsOf(instruction: Instruction): readonly ValueId[] {
  if (instruction.kind === "routine") return instruction.operands;
  const read = bodiesOf(instruction).flatMap(({ body }) => body.reads.map(({ value }) => value));
  return instruction.kind === "scatter" && instruction.base !== undefined
    ? [instruction.base, ...read]
    : read;
}
