import type { AttributesOf, OperatorName } from "../../../spec/composites/index.ts";
import type { Description } from "../../../spec/contract/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeLife } from "../../../spec/wire/index.ts";
import type { OperandsOf } from "./arities.ts";

/** The numbers of an index entry, in row-major order, and its shape. */
export interface IndexEntry {
  readonly shape: Shape;
  readonly data: Int32Array<ArrayBuffer>;
}

/**
 * A library computes each operator from attributes, operands, index entries by name, and the precision, which
 * matters without operands. Missing operators are `unsupported`; the kit makes missing primitives without
 * operands.
 */
export type EagerOperators<T> = {
  readonly [K in OperatorName]?: (
    attributes: AttributesOf[K],
    operands: OperandsOf<T, K>,
    indices: (name: string) => IndexEntry,
    dtype: DataType,
  ) => T;
};

/** A function that a library can differentiate: pure, and run as often as the library likes. */
export type Differentiable<T> = (inputs: readonly T[]) => readonly T[];

/** An answer at once or later, as the library prefers. */
export type Answer<A> = A | Promise<A>;

/**
 * A library that computes at once (TensorFlow.js, jax-js, autograd) and differentiates functions: all that
 * the author of an adapter writes. `T` is the library's own tensor. Anything here may throw: the reply is
 * then an `error` with the message, or `unsupported` for an {@link Unsupported}.
 */
export interface EagerLibrary<T> {
  /** Operators and modes are missing here, because they follow from what the library has below. */
  readonly description: Omit<Description, "operators" | "modes">;
  readonly operators: EagerOperators<T>;
  /** Makes the library's tensor of these numbers. */
  tensor(flat: FlatTensor, dtype: DataType): T;
  /** Returns a tensor's numbers, and the shape that the library gives it. */
  read(tensor: T): Answer<FlatTensor>;
  /**
   * Returns the cotangent of each input for the `cotangents` of `f`'s results (at least one). `undefined` or
   * `null` stands for an input that the results do not depend on, and is reported as zero.
   */
  vjp?(
    f: Differentiable<T>,
    inputs: readonly T[],
    cotangents: readonly T[],
  ): Answer<readonly (T | undefined | null)[]>;
  /** Returns the tangents of `f`'s results along `tangents`, one per input. */
  jvp?(f: Differentiable<T>, inputs: readonly T[], tangents: readonly T[]): Answer<readonly T[]>;
  /** Is present if users of the library keep runs themselves, and pull back through them repeatedly. */
  readonly tapes?: LibraryTapes<T>;
  /**
   * Is true if `vjp` and `jvp` answer at once and may be nested. Then the kit makes `differentiate` of them,
   * as deep as graphs are. Without `jvp`, forward mode is the derivative of `vjp` by the cotangent.
   */
  readonly nests?: boolean;
  /**
   * If true, programs with memory are run, as users write them: with tensors that never change, and locations
   * that stand for another one after each write. The statements follow from operators, `vjp` and `nests`.
   * Conditions of branches are read with `read`, at once, in a run that nothing differentiates.
   */
  readonly programs?: boolean;
  /** Makes a place of the library's own for a persistent location; by default its numbers are kept. */
  place?(tensor: T): Place<T>;
  /**
   * `false` if `x + (−0)` differs from `x` in a bit, or its derivative from 1. Then the taps of
   * `backward_dense` would show, and that mode is not offered.
   */
  readonly exactTaps?: boolean;
  /**
   * Is for libraries whose functions consume their arguments. With it, a tensor handed to `read`, `vjp`,
   * `jvp`, an operator or the differentiated function belongs to the receiver.
   */
  readonly ownership?: {
    /** Makes a second claim on the same tensor. */
    share(tensor: T): T;
    /** Gives a claim up. */
    release(tensor: T): void;
  };
  /** Runs one request, after which what `body` left may be freed. Requests never overlap. */
  scope?<R>(body: () => Promise<R>): Promise<R>;
}

/** The library keeps a run through these. What it throws in a sweep is a refusal, in its words. */
export interface LibraryTapes<T> {
  readonly lives: readonly TapeLife[];
  /** Is true if the library itself refuses a sweep after {@link LibraryTape.release}; else none is asked. */
  readonly releases?: boolean;
  /** Runs `f`, and keeps what pulling back needs. */
  record(f: Differentiable<T>, inputs: readonly T[], life: TapeLife): Answer<LibraryTape<T>>;
}

/** A run that a library has kept. */
export interface LibraryTape<T> {
  /** Returns inputs' cotangents from those of all results, as `vjp` does; the library checks shapes. */
  sweep(cotangents: readonly T[]): Answer<readonly (T | undefined | null)[]>;
  /** Gives up what is kept, if the library can. Is called once. */
  release?(): void;
}

/** A persistent location between calls; within a call it is an ordinary tensor, assigned at the end. */
export interface Place<T> {
  /** Returns what it holds, for `vjp` to differentiate by. */
  tensor(): T;
  /** Holds this tensor, whose numbers are `flat`, from now on; the tensor stays the caller's. */
  assign(tensor: T, flat: FlatTensor): void;
  /** Frees it. */
  dispose(): void;
}

/** Is thrown by an adapter whose library lacks what is asked: a reason, not an accusation. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

/** One run of a graph in a library: the graph, its precision and environment, and the wanted ids. */
export interface Run<T> {
  readonly graph: Graph;
  readonly dtype: DataType;
  readonly environment: ReadonlyMap<string, FlatTensor>;
  /** The inputs, then either nothing or one tap per node. */
  readonly inputsAndTaps: readonly T[];
  /** The ids whose values are returned. */
  readonly ids: readonly number[];
}
