import { at, type Field, InvariantError, type Ring } from "../../spec/shapes/index.ts";
import type { Direction } from "./estimators.ts";
import { type MomentSequence, normalMoments } from "./polynomial.ts";
import { unitVector, type Vector } from "./vector.ts";

/** One of the outcomes of a {@link FiniteLaw}. */
export interface Outcome<S> {
  readonly probability: S;
  readonly directions: readonly Direction<S>[];
}

/** Directions that are drawn together, of which there are finitely many. */
export interface FiniteLaw<S> {
  readonly kind: "finite";
  outcomes(): Iterable<Outcome<S>>;
}

/** The law of one number: its moments, and its values where there are finitely many. */
export interface NumberLaw<S> {
  readonly moments: MomentSequence<S>;
  readonly values?: readonly { readonly value: S; readonly probability: S }[];
}

/** Directions that are made of independent numbers of one law. */
export interface IndependentLaw<S> {
  readonly kind: "independent";
  readonly numbers: NumberLaw<S>;
  readonly count: number;
  directions<T>(ring: Ring<T>, numbers: Vector<T>): readonly Direction<T>[];
}

/** Directions are drawn by a law: each has `E scale · v vᵀ = 1`, so estimates are unbiased. */
export type DirectionLaw<S> = FiniteLaw<S> | IndependentLaw<S>;

/** Returns a law by its values and their weights, which are whole numbers. */
export function numbersOf<S>(
  field: Field<S>,
  weighted: readonly (readonly [value: number, weight: number])[],
): NumberLaw<S> {
  const total = weighted.reduce((sum, [, weight]) => sum + weight, 0);
  const values = weighted.map(([value, weight]) => ({
    value: field.literal(value),
    probability: field.divide(field.literal(weight), field.literal(total)),
  }));
  const moments = (degree: number): S =>
    values.reduce((sum, { value, probability }) => {
      const power = Array.from({ length: degree }, () => value).reduce(field.multiply, probability);
      return field.add(sum, power);
    }, field.zero);
  return { moments, values };
}

/** Laws of numbers with mean 0 and variance 1, by name. Their fourth moments are 1, 3, 4 and 13/4. */
export const numberLaws = {
  /** A number is 1 or −1. Of all such laws it has the least fourth moment, so the least variance. */
  rademacher: <S>(field: Field<S>): NumberLaw<S> =>
    numbersOf(field, [
      [1, 1],
      [-1, 1],
    ]),
  gaussian: <S>(field: Field<S>): NumberLaw<S> => ({ moments: normalMoments(field) }),
  /** A number is 0 three times of four, or else 2 or −2: most of a direction is 0. */
  sparse: <S>(field: Field<S>): NumberLaw<S> =>
    numbersOf(field, [
      [0, 6],
      [2, 1],
      [-2, 1],
    ]),
  /** A number is 2 once of five times, or else −1/2: not symmetric. */
  skewed: <S>(field: Field<S>): NumberLaw<S> =>
    numbersOf(field, [
      [2, 1],
      [-0.5, 4],
    ]),
} as const;

/** Draws directions of `dimension` independent numbers each. */
export function independent<S>(numbers: NumberLaw<S>, dimension: number, directions = 1): IndependentLaw<S> {
  return {
    kind: "independent",
    numbers,
    count: dimension * directions,
    directions: (ring, drawn) =>
      Array.from({ length: directions }, (_, n) => ({
        scale: ring.one,
        entries: drawn.slice(n * dimension, (n + 1) * dimension),
      })),
  };
}

/** Returns a coordinate, drawn in proportion to its weight, a whole number ≥ 1: the n-th is `eₙ / √pₙ`. */
export function coordinates<S>(field: Field<S>, weights: readonly number[]): FiniteLaw<S> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = (a: number, b: number): S => field.divide(field.literal(a), field.literal(b));
  return {
    kind: "finite",
    outcomes: () =>
      weights.map((weight, n) => ({
        probability: share(weight, total),
        directions: [{ scale: share(total, weight), entries: unitVector(field, weights.length, n) }],
      })),
  };
}

/** Draws distinct coordinates, each set of them as probable as another: they are orthogonal. */
export function coordinateFrame<S>(field: Field<S>, dimension: number, directions: number): FiniteLaw<S> {
  const sets = subsets(dimension, directions);
  return {
    kind: "finite",
    outcomes: () =>
      sets.map((set) => ({
        probability: field.divide(field.one, field.literal(sets.length)),
        directions: set.map((n) => ({
          scale: field.literal(dimension),
          entries: unitVector(field, dimension, n),
        })),
      })),
  };
}

/**
 * Returns the first rows of a Hadamard matrix, each column with a random sign: orthogonal, each a Rademacher
 * one. Throws {@link InvariantError} if `dimension` is no power of two, or directions outnumber rows.
 */
export function hadamardFrame<S>(field: Field<S>, dimension: number, directions: number): IndependentLaw<S> {
  if (!isHadamard(dimension) || directions > dimension)
    throw new InvariantError(`${directions} rows of a Hadamard matrix of ${dimension}`);
  return {
    kind: "independent",
    numbers: numberLaws.rademacher(field),
    count: dimension,
    directions: (ring, signs) =>
      Array.from({ length: directions }, (_, row) => ({
        scale: ring.one,
        entries: signs.map((sign, column) => (oddOnes(row & column) ? ring.negative(sign) : sign)),
      })),
  };
}

/** Says whether Sylvester's construction (1867) gives a Hadamard matrix of this order: a power of 2. */
export function isHadamard(dimension: number): boolean {
  return dimension >= 1 && Number.isInteger(Math.log2(dimension));
}

/** Returns independent numbers' outcomes. Throws {@link InvariantError} if infinite. Cost: exponential. */
export function enumerated<S>(field: Field<S>, law: IndependentLaw<S>): FiniteLaw<S> {
  const { values } = law.numbers;
  if (values === undefined) throw new InvariantError("a law that has no list of values");
  return {
    kind: "finite",
    *outcomes() {
      const cases = values.length ** law.count;
      for (let n = 0; n < cases; n++) {
        const drawn = Array.from({ length: law.count }, (_, place) =>
          at(values, Math.floor(n / values.length ** place) % values.length),
        );
        yield {
          probability: drawn.reduce((p, { probability }) => field.multiply(p, probability), field.one),
          directions: law.directions(
            field,
            drawn.map(({ value }) => value),
          ),
        };
      }
    },
  };
}

function subsets(of: number, size: number, from = 0): readonly (readonly number[])[] {
  if (size === 0) return [[]];
  const first = Array.from({ length: Math.max(0, of - from - size + 1) }, (_, n) => from + n);
  return first.flatMap((n) => subsets(of, size - 1, n + 1).map((rest) => [n, ...rest]));
}

/** Says whether a number has an odd number of binary ones. */
function oddOnes(n: number): boolean {
  let [rest, odd] = [n, false];
  for (; rest > 0; rest &= rest - 1) odd = !odd;
  return odd;
}
