import type { DataType, Description } from "../../../engines/index.ts";
import type { AttributesOf, FlatTensor, OperatorName } from "../../../spec/index.ts";

/** What each operator is applied to: one tensor per parent, in order. */
export interface OperandsOf<T> {
  readonly constant: readonly [];
  readonly full: readonly [];
  readonly iota: readonly [];
  readonly bernoulli_mask: readonly [];
  readonly stop_gradient: readonly [T];
  readonly negative: readonly [T];
  readonly exp: readonly [T];
  readonly log: readonly [T];
  readonly sin: readonly [T];
  readonly cos: readonly [T];
  readonly tanh: readonly [T];
  readonly sqrt: readonly [T];
  readonly relu: readonly [T];
  readonly expm1: readonly [T];
  readonly log1p: readonly [T];
  readonly log2: readonly [T];
  readonly tan: readonly [T];
  readonly asin: readonly [T];
  readonly acos: readonly [T];
  readonly atan: readonly [T];
  readonly sinh: readonly [T];
  readonly cosh: readonly [T];
  readonly asinh: readonly [T];
  readonly acosh: readonly [T];
  readonly atanh: readonly [T];
  readonly erf: readonly [T];
  readonly floor: readonly [T];
  readonly add: readonly [T, T];
  readonly subtract: readonly [T, T];
  readonly multiply: readonly [T, T];
  readonly divide: readonly [T, T];
  readonly maximum: readonly [T, T];
  readonly less: readonly [T, T];
  readonly equal: readonly [T, T];
  readonly pow: readonly [T, T];
  readonly atan2: readonly [T, T];
  readonly hypot: readonly [T, T];
  readonly where: readonly [T, T, T];
  readonly sum: readonly [T];
  readonly broadcast_to: readonly [T];
  readonly reshape: readonly [T];
  readonly permute_dims: readonly [T];
  readonly concat: readonly [T, ...T[]];
  readonly take: readonly [T];
  readonly slice: readonly [T];
  readonly pad: readonly [T];
  readonly take_along_axis: readonly [T];
  readonly gather: readonly [T];
  readonly scatter_add: readonly [T, T];
  readonly cumulative_sum: readonly [T];
  readonly matmul: readonly [T, T];
  readonly solve: readonly [T, T];
  readonly det: readonly [T];
}

/** The operands of an operator; one or more where nothing closer is said above. */
export type OperandsFor<T, K extends OperatorName> = K extends keyof OperandsOf<T>
  ? OperandsOf<T>[K]
  : readonly [T, ...T[]];

/**
 * How a library computes each operator: attributes, operands, and for `take` the indices by name.
 * What is left out is answered `unsupported`. `constant` needs no entry: the kit makes the tensor itself.
 */
export type EagerOperators<T> = {
  readonly [K in OperatorName]?: (
    attributes: AttributesOf[K],
    operands: OperandsFor<T, K>,
    indices: (name: string) => Int32Array<ArrayBuffer>,
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

/** Thrown by an adapter where its library does not have what is asked: no accusation, a reason. */
export class Unsupported extends Error {
  override readonly name = "Unsupported";
}
