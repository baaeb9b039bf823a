import type { Description } from "../../../spec/contract/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";
import type { AttributesOf, OperatorName } from "../../../spec/operators/index.ts";
import type { Shape } from "../../../spec/shapes/index.ts";
import type { DataType, FlatTensor, TapeLife } from "../../../spec/wire/index.ts";
import type { OperandsOf } from "./arities.ts";

/** The numbers of an index entry, in row-major order, and its shape. */
export interface IndexEntry {
  readonly shape: Shape;
  readonly data: Int32Array<ArrayBuffer>;
}

/**
 * How a library computes each operator: attributes, operands, index entries by name, and the precision, for what has no
 * operand to take it from.
 * What is left out is answered `unsupported`, but for primitives without operands: the kit makes those itself.
 */
export type EagerOperators<T> = {
  readonly [K in OperatorName]?: (
    attributes: AttributesOf[K],
    operands: OperandsOf<T, K>,
    indices: (name: string) => IndexEntry,
    dtype: DataType,
  ) => T;
};

/** A function a library can differentiate: pure, and it may be run as often as the library likes. */
export type Differentiable<T> = (inputs: readonly T[]) => readonly T[];

/** At once or later, as the library prefers. */
export type Answer<A> = A | Promise<A>;

/**
 * A library that computes at once (TensorFlow.js, jax-js, autograd) and differentiates functions: the one
 * page an adapter's author writes. `T` is the library's own tensor. Anything here may throw: the reply is then an
 * `error` with the message, or `unsupported` if what was thrown is an {@link Unsupported}.
 */
export interface EagerLibrary<T> {
  /** Operators and modes are not said here: they follow from what the library has below. */
  readonly description: Omit<Description, "operators" | "modes">;
  readonly operators: EagerOperators<T>;
  /** The library's tensor of these numbers. */
  tensor(flat: FlatTensor, dtype: DataType): T;
  /** The shape the library itself gives the tensor, and its numbers. */
  read(tensor: T): Answer<FlatTensor>;
  /**
   * The cotangent of each input when `cotangents` are those of `f`'s results (at least one). `undefined` or `null`
   * stands for an input the results do not depend on; it is reported as zero.
   */
  vjp?(
    f: Differentiable<T>,
    inputs: readonly T[],
    cotangents: readonly T[],
  ): Answer<readonly (T | undefined | null)[]>;
  /** The tangents of `f`'s results along `tangents`, one per input. */
  jvp?(f: Differentiable<T>, inputs: readonly T[], tangents: readonly T[]): Answer<readonly T[]>;
  /** Where users of the library keep a run themselves, and pull back through it as often as they like. */
  readonly tapes?: LibraryTapes<T>;
  /**
   * Whether `vjp` and `jvp` answer at once and may be called within a function that one of them differentiates. Then the kit
   * has `differentiate` of them, as deep as the graphs are. Without `jvp` forward mode is the derivative of `vjp` by the cotangent.
   */
  readonly nests?: boolean;
  /**
   * Whether programs with memory are run too, as the library's users write them: with tensors that never change, one of which a location stands for
   * until it is written to. Which statements there are follows from the operators, `vjp` and `nests`. What decides a branch is read with `read`, at
   * once, in a run that nothing differentiates.
   */
  readonly programs?: boolean;
  /** A place of the library's own that outlives a call, for a persistent location; without, its numbers are kept. */
  place?(tensor: T): Place<T>;
  /**
   * `false` if `x + (−0)` is not `x` to the bit, or its derivative not one. Then the taps of `backward_dense`
   * would be seen, and that mode is not offered.
   */
  readonly exactTaps?: boolean;
  /**
   * For libraries whose functions use their arguments up. With it, every tensor handed to `read`, `vjp`, `jvp`, an
   * operator or the differentiated function belongs to whom it was handed to.
   */
  readonly ownership?: {
    /** A second claim on the same tensor. */
    share(tensor: T): T;
    /** Gives a claim up. */
    release(tensor: T): void;
  };
  /** Runs one request; what `body` leaves behind may be freed afterwards. Requests never overlap. */
  scope?<R>(body: () => Promise<R>): Promise<R>;
}

/** How the library keeps a run. What it throws in a sweep is a refusal, in its words. */
export interface LibraryTapes<T> {
  readonly lives: readonly TapeLife[];
  /** Whether a sweep after {@link LibraryTape.release} is the library's to refuse. If not, nobody is asked for one. */
  readonly releases?: boolean;
  /** Runs `f`, and keeps what pulling back needs. */
  record(f: Differentiable<T>, inputs: readonly T[], life: TapeLife): Answer<LibraryTape<T>>;
}

/** A run that a library has kept. */
export interface LibraryTape<T> {
  /** The cotangent of each input from those of all of `f`'s results, as `vjp` has them. The shapes of `cotangents` are the library's to check. */
  sweep(cotangents: readonly T[]): Answer<readonly (T | undefined | null)[]>;
  /** Gives up what is kept, where the library has a word for it. Called once. */
  release?(): void;
}

/** A persistent location between calls. Within a call it is a tensor as any other, which is assigned when all is done. */
export interface Place<T> {
  /** What it holds, for `vjp` to differentiate with respect to it. */
  tensor(): T;
  /** Holds this tensor, whose numbers are `flat`, from now on; the tensor stays the caller's. */
  assign(tensor: T, flat: FlatTensor): void;
  /** Nobody asks for it any more. */
  dispose(): void;
}

/** Thrown by an adapter where its library does not have what is asked: no accusation, a reason. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}

/** One run of a graph in a library: which graph, in which precision and environment, and whose values are wanted. */
export interface Run<T> {
  readonly graph: Graph;
  readonly dtype: DataType;
  readonly environment: ReadonlyMap<string, FlatTensor>;
  /** The inputs, then either nothing or one tap per node. */
  readonly inputsAndTaps: readonly T[];
  /** The ids to return the values of. */
  readonly ids: readonly number[];
}
