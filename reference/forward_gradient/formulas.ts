import { at, type Field } from "../../spec/shapes/index.ts";
import { scaled, squaredNorm, sumOf, type Vector, zipVectors } from "./vector.ts";

/*
 * Variances of estimates in closed form, for directions of independent numbers with mean 0, variance 1 and
 * fourth moment κ (Rademacher 1, Gauss 3): E vⱼ vₖ vₗ vₘ = [jk][lm] + [jl][km] + [jm][kl] + (κ − 3)[jklm].
 */

/** Returns `Var gᵢ = ‖∇f‖² + (κ − 2)(∂ᵢf)²` of one direction. */
export function varianceOfOne<S>(field: Field<S>, gradient: Vector<S>, kurtosis: S): Vector<S> {
  const norm = squaredNorm(field, gradient);
  const excess = field.add(kurtosis, field.literal(-2));
  return gradient.map((g) => field.add(norm, field.multiply(excess, field.multiply(g, g))));
}

/** Returns `(d + κ − 2) ‖∇f‖²` of one direction: the sum of {@link varianceOfOne}. */
export function totalOfOne<S>(field: Field<S>, gradient: Vector<S>, kurtosis: S): S {
  const factor = field.add(kurtosis, field.literal(gradient.length - 2));
  return field.multiply(factor, squaredNorm(field, gradient));
}

/** Returns `(1/pᵢ − 1)(∂ᵢf)²` of one coordinate, by their weights. */
export function varianceOfCoordinates<S>(
  field: Field<S>,
  gradient: Vector<S>,
  weights: readonly number[],
): Vector<S> {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return zipVectors(gradient, weights, (g, weight) => {
    const odds = field.divide(field.literal(total - weight), field.literal(weight));
    return field.multiply(odds, field.multiply(g, g));
  });
}

/** `(d/k − 1) ‖∇f‖²`, for k orthogonal directions of squared length d, whatever else their law is. */
export function totalOfFrame<S>(field: Field<S>, gradient: Vector<S>, directions: number): S {
  const left = field.divide(field.literal(gradient.length - directions), field.literal(directions));
  return field.multiply(left, squaredNorm(field, gradient));
}

/** Returns {@link varianceOfOne} of each block alone. */
export function varianceOfBlocks<S>(
  field: Field<S>,
  gradient: Vector<S>,
  blocks: readonly number[],
  kurtosis: S,
): Vector<S> {
  let from = 0;
  return blocks.flatMap((size) => {
    const own = gradient.slice(from, from + size);
    from += size;
    return varianceOfOne(field, own, kurtosis);
  });
}

/**
 * Returns `(1 − a)² ‖∇f‖²` and `a²` times an unbiased estimate's variance: what is a times that estimate is
 * off in its mean, squared, and round its mean. Their sum, `E ‖g − ∇f‖²`, is least for the variance V at
 * `a = ‖∇f‖² / (‖∇f‖² + V)`, which is 1/d of one direction of signs: the direction divided by its length.
 */
export function errorOfShrunk<S>(
  field: Field<S>,
  gradient: Vector<S>,
  factor: S,
  total: S,
): { readonly bias: S; readonly variance: S } {
  const left = field.add(field.one, field.negative(factor));
  return {
    bias: field.multiply(field.multiply(left, left), squaredNorm(field, gradient)),
    variance: field.multiply(field.multiply(factor, factor), total),
  };
}

/**
 * `‖δ‖² tr M + δᵀMδ + (κ − 3) Σ δⱼ² Mⱼⱼ`, with M = AᵀA, for the estimate `A((δ · u) u)`. A pulls the
 * perturbed values' cotangents δ to what is wanted; `columns[j]` is `A eⱼ`. A = 1 is {@link totalOfOne}.
 */
export function totalOfPulled<S>(
  field: Field<S>,
  cotangents: Vector<S>,
  columns: readonly Vector<S>[],
  kurtosis: S,
): S {
  const norms = columns.map((column) => squaredNorm(field, column));
  const squares = cotangents.map((c) => field.multiply(c, c));
  const pulled = zipVectors(columns, cotangents, (column, c) => scaled(field, c, column));
  const gradient = at(columns, 0).map((_, row) =>
    sumOf(
      field,
      pulled.map((column) => column[row] ?? field.zero),
    ),
  );
  const own = sumOf(field, zipVectors(norms, squares, field.multiply));
  return sumOf(field, [
    field.multiply(sumOf(field, squares), sumOf(field, norms)),
    squaredNorm(field, gradient),
    field.multiply(field.add(kurtosis, field.literal(-3)), own),
  ]);
}
