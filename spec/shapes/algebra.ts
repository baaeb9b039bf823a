import type { Elementary } from "../operators/index.ts";

/**
 * A graph is computed over an algebra. A graph has one meaning for every algebra that offers what its
 * operators need [SEMANTICS §6.1]: numbers, dual numbers, sparsity patterns, error bounds.
 */

/** A carrier with `+` and a `0`. Enough for every tape theorem [SEMANTICS §5]. */
export interface Additive<S> {
  readonly zero: S;
  add(x: S, y: S): S;
  /** Returns `x` as a constant: the identity, except over dual numbers, where the tangent is dropped. */
  detach(x: S): S;
  /**
   * Returns the sum of many terms, if the carrier does not take it one by one, as posits in a quire; 0 of no
   * terms [SEMANTICS §6.7]. Wherever the reference accumulates, it asks for this before it adds.
   */
  sum?(terms: readonly S[]): S;
}

/** `+` and `×` with their units, `×` distributing over `+`: enough for `dot` to mean something. */
export interface Semiring<S> extends Additive<S> {
  readonly one: S;
  multiply(x: S, y: S): S;
  /** Returns the element that a finite float64 denotes, rounded to the carrier if that does not hold it. */
  literal(x: number): S;
  /** Returns the sum of products, if there is {@link Additive.sum}, which they enter exactly as they are. */
  dot?(xs: readonly S[], ys: readonly S[]): S;
}

/** A semiring with additive inverses. `add(x, negative(y))` subtracts, exactly as in IEEE 754. */
export interface Ring<S> extends Semiring<S> {
  negative(x: S): S;
}

/** A ring with division. Division by zero is an element of the carrier, never an exception. */
export interface Field<S> extends Ring<S> {
  divide(x: S, y: S): S;
}

/**
 * A field with the elementary functions, whose table is spec/operators/elementary.ts. Outside a function's
 * domain the result is an element of the carrier.
 */
export interface Real<S> extends Field<S>, Omit<Elementary<S>, "pow"> {}

/**
 * A ring with comparison into truth values `B` (Booleans, solver terms, or yes/no/maybe), and `select` where
 * a program would branch [SEMANTICS §6.4]: `select(true, x, y)` is `x`.
 */
export interface Ordered<S, B> extends Ring<S> {
  less(x: S, y: S): B;
  equal(x: S, y: S): B;
  select(condition: B, x: S, y: S): S;
  /** Returns the greatest integer that is not greater than `x`. */
  floor(x: S): S;
}

/** Division and comparison. */
export interface OrderedField<S, B> extends Field<S>, Ordered<S, B> {}

/** The elementary functions, comparison, and `pow`, whose derivative has cases, so dual numbers compare. */
export interface OrderedReal<S, B> extends Real<S>, Ordered<S, B>, Pick<Elementary<S>, "pow"> {}

/** The interfaces by name; an operator says which one its rules need. */
export interface Levels<S, B> {
  readonly additive: Additive<S>;
  readonly semiring: Semiring<S>;
  readonly ring: Ring<S>;
  readonly field: Field<S>;
  readonly real: Real<S>;
  readonly ordered: Ordered<S, B>;
  readonly orderedField: OrderedField<S, B>;
  readonly orderedReal: OrderedReal<S, B>;
}

/** Returns the interfaces of a carrier that has every operation. */
export function everyLevel<S, B>(all: OrderedReal<S, B>): Levels<S, B> {
  return {
    additive: all,
    semiring: all,
    ring: all,
    field: all,
    real: all,
    ordered: all,
    orderedField: all,
    orderedReal: all,
  };
}

/** The name of an algebraic interface. */
export type Need = keyof Levels<unknown, unknown>;

/**
 * A carrier with the interfaces it offers; what it cannot offer is `undefined`. An algebra never throws: what
 * has no value (1/0 over the rationals) is an element of the carrier [SEMANTICS §6.2].
 */
export interface Algebra<S, B> {
  /** The name is for people and for traces, for example `rational` or `dual(float64)`. */
  readonly name: string;
  /** Every algebra has an additive structure. */
  readonly additive: Additive<S>;
  readonly levels: { readonly [N in Need]: Levels<S, B>[N] | undefined };
  /** Says whether `x` and `y` are the same element: for floats the same bits, all NaNs being one. */
  isSame(x: S, y: S): boolean;
  /** Returns the exact wire form of an element [SEMANTICS §8.1]. */
  format(x: S): string;
  /** Elements may be written so: a hint to who wrote something else. */
  readonly notation?: string;
  /** Reads {@link format}'s output and the decimal numbers people write; `undefined` if it is neither. */
  parse(text: string): S | undefined;
}
