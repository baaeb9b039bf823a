import { map, type Node, type Tensor } from "../../../reference/index.ts";
import type { CompositeName } from "../../../spec/composites/index.ts";
import type { Application } from "../../../spec/expansion/index.ts";
import { at, type NodeId } from "../../../spec/shapes/index.ts";
import { type Bounded, hasBound, radius } from "../bound/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import { compositeUlps, declaredExcess, forwardUlps, type Standard } from "../standard/index.ts";

/** An element's value is known up to its slack; an engine's is within the bound, and of at most the size. */
interface Known {
  readonly value: number;
  readonly slack: number;
  readonly bound: number;
  readonly size: number;
}

/** A score of a query and a key is known up to its slack, and an engine's is within the bound. */
interface Score {
  readonly value: number;
  readonly slack: number;
  readonly bound: number;
}

/** A query sees these keys, each with a weight, and with the errors of {@link withAttentionBound}. */
interface Row {
  readonly keys: readonly number[];
  readonly weights: readonly number[];
  /** These bound |δ|. */
  readonly growths: readonly number[];
  /** These bound |a| and |b|, and `common` |c|. */
  readonly ofValue: readonly number[];
  readonly ofSum: readonly number[];
  readonly common: number;
}

const attending: readonly CompositeName[] = [
  "scaled_dot_product_attention",
  "multi_head_attention",
  "transformer_block",
];

/**
 * Returns the last node of attention with a bound that sees that weights add up to 1. An honest engine has
 *
 *     ŷ = (1 + c) Σ w e^δ (1 + a)(v + ν) / Σ w e^δ (1 + b),
 *
 * where the scores are off by δ, the same in the value and in the sum of powers, and the other errors are
 * roundings. As Σ w (v − y) is 0, so is what δ makes of it where all v are alike, or one weight is 1:
 *
 *     |ŷ − y| ≤ (1 + c) Σ w ((e^|δ| − 1)|v − y| + e^|δ| (a|v| + (1 + a)|ν| + b|y|)) / W + c|y|,
 *     W = Σ w e^−|δ| (1 − b).
 *
 * It counts the roundings of every published algorithm: scores that are scaled before or after the product,
 * powers of 2, one pass and blocks that rescale (FlashAttention), and exp(x − l).
 */
export function withAttentionBound<C>(
  node: Node<Bounded<C>>,
  { node: { op, attributes, parents } }: Application,
  centre: Centre<C>,
  standard: Standard,
): Node<Bounded<C>> {
  if (op !== "scaled_dot_product_attention" || !isPlain(standard)) return node;
  const { causal } = attributes;
  return {
    ...node,
    forward: (context, environment) => {
      const value = node.forward(context, environment);
      const operands = parents.map((id: NodeId) => known(at(context, id), centre, standard));
      const ys = known(value, centre, standard);
      const bounds = boundsOf(operands, ys, causal, standard);
      return map(value, (x, place) => {
        const bound = bounds(place);
        if (!hasBound(x) || Number.isNaN(bound)) return x;
        const magnitude = (at(ys.data, place).size + bound) * UPWARDS;
        return { centre: x.centre, error: bound, magnitude, terms: 1, grain: 0 };
      });
    },
  };
}

/** Tells whether nothing is declared of an engine that is off by more than the default. */
function isPlain(standard: Standard): boolean {
  const plain = ["matmul", "add", "subtract", "sum"] as const;
  const rounded = ["multiply", "divide", "sqrt"] as const;
  return (
    attending.every((op) => compositeUlps(standard, op) === 2) &&
    plain.every((op) => declaredExcess(standard, op) === 0) &&
    rounded.every((op) => forwardUlps(standard, op) <= 0.5)
  );
}

function known<C>(x: Tensor<Bounded<C>>, centre: Centre<C>, standard: Standard): Tensor<Known> {
  return map(x, (element) => {
    const [value, slack] = [centre.approximate(element.centre), centre.slack(element.centre)];
    const bound = element.infinity === undefined ? radius(centre, standard, element) : 0;
    return { value, slack, bound, size: (Math.abs(value) + slack + bound) * UPWARDS };
  });
}

/** Returns the bound of the value at a place; NaN where this tells none. */
function boundsOf(
  [q, k, v, mask]: readonly Tensor<Known>[],
  y: Tensor<Known>,
  causal: boolean,
  standard: Standard,
): (place: number) => number {
  if (q === undefined || k === undefined || v === undefined) return () => Number.NaN;
  const [queries, depth] = [q.shape.at(-2) ?? 0, q.shape.at(-1) ?? 1];
  const [keys, width] = [k.shape.at(-2) ?? 0, v.shape.at(-1) ?? 0];
  const masked = mask && spread(mask, [...q.shape.slice(0, -1), keys]);
  const rows = new Map<number, Row | undefined>();
  const rowAt = (row: number): Row | undefined => {
    const batch = Math.floor(row / queries);
    const seen = causal ? Math.min(keys, (row % queries) + 1) : keys;
    const scores = Array.from({ length: seen }, (_, key) =>
      scoreOf(
        q.data.slice(row * depth, (row + 1) * depth),
        k.data.slice((batch * keys + key) * depth, (batch * keys + key + 1) * depth),
        masked?.(row * keys + key),
        standard,
      ),
    );
    return rowOf(scores, depth, standard);
  };
  return (place) => {
    const row = Math.floor(place / width);
    if (!rows.has(row)) rows.set(row, rowAt(row));
    const found = rows.get(row);
    if (found === undefined) return Number.NaN;
    const start = Math.floor(row / queries) * keys;
    const values = found.keys.map((key) => at(v.data, (start + key) * width + (place % width)));
    return boundOf(found, values, at(y.data, place), standard);
  };
}

/** Returns a tensor's element at a position of a shape that it broadcasts to. */
function spread({ shape, data }: Tensor<Known>, wide: readonly number[]): (position: number) => Known {
  return (position) => {
    let [rest, from, stride] = [position, 0, 1];
    for (let axis = wide.length - 1; axis >= 0; axis--) {
      const extent = wide[axis] ?? 1;
      const own = shape[axis - wide.length + shape.length] ?? 1;
      if (own > 1) from += (rest % extent) * stride;
      stride *= own;
      rest = Math.floor(rest / extent);
    }
    return at(data, from);
  };
}

/**
 * Returns a score. Its terms q k are scaled by 1/√d before or after, or both factors by a root of that, and
 * by log₂ e: that is no more than nine roundings beside the d of the product. The mask has three, and the
 * sum of both two.
 */
function scoreOf(
  q: readonly Known[],
  k: readonly Known[],
  mask: Known | undefined,
  { unitRoundoff, underflow }: Standard,
): Score {
  const depth = q.length;
  let [value, size, bound, slack, tiny] = [0, 0, 0, 0, 0];
  for (const [place, x] of q.entries()) {
    const other = at(k, place);
    value += x.value * other.value;
    size += x.size * other.size;
    bound += x.size * other.bound + other.size * x.bound;
    slack += x.size * other.slack + other.size * x.slack;
    tiny += x.size + other.size + 4;
  }
  const root = Math.sqrt(depth);
  const [products, hidden] = [size / root, mask?.size ?? 0];
  const roundings = (depth + 11) * products + 5 * hidden;
  return {
    value: value / root + (mask?.value ?? 0),
    slack: slack / root + (mask?.slack ?? 0) + (depth + 4) * 2 ** -52 * (products + hidden),
    bound: bound / root + (mask?.bound ?? 0) + roundings * unitRoundoff * MORE + tiny * underflow,
  };
}

/** Returns what is known of a row whose scores these are. What −∞ hides is left out. */
function rowOf(all: readonly Score[], depth: number, standard: Standard): Row | undefined {
  const { unitRoundoff: u } = standard;
  const keys = [...all.keys()].filter((key) => all[key]?.value !== Number.NEGATIVE_INFINITY);
  const scores = keys.map((key) => at(all, key));
  const n = scores.length;
  const greatest = Math.max(...scores.map(({ value }) => value));
  const size = Math.max(...scores.map(({ value, slack, bound }) => Math.abs(value) + slack + bound));
  const slack = Math.max(...scores.map((score) => score.slack));
  // Else the products of roundings, which are left out, might count.
  if (!(n > 0 && (depth + 16 * n + 8 * size + 32) * u < 2 ** -6 && slack < 2 ** -6)) return undefined;
  const [exp, log] = [2 * forwardUlps(standard, "exp"), 2 * forwardUlps(standard, "log")];
  const powers = scores.map(({ value }) => Math.exp(value - greatest));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const more = scores.map((score) => scores.filter((other) => mayBeGreater(other, score)).length);
  // Each greater element rescales: an exponential of a difference, and a product.
  const growths = scores.map(({ bound }, j) => bound + (at(more, j) + 2) * u * size * MORE);
  // Some subtract a greatest element that is up to log 2⁸ too low, and rescale where that is passed.
  const least = Math.min(2 * size, 6);
  const exponents = scores.map(({ value }) => Math.max(least, greatest - value + 2 * slack));
  const powersOff = exponents.map((exponent, j) => (exp + 1) * (at(more, j) + 1) + exponent + n);
  return {
    keys,
    weights: powers.map((power) => (power / total) * Math.exp(2 * slack) * (1 + (n + 4) * 2 ** -50)),
    growths,
    // A pass that computes the scores anew may leave two roundings out, and l is up to log n greater.
    ofValue: scores.map(
      ({ value }, j) => (at(powersOff, j) + 3 + Math.log(n) + 2 * Math.abs(value)) * u * MORE,
    ),
    ofSum: powersOff.map((units) => (units + 1) * u * MORE),
    // This is the quotient, or l = m + log Σ and m in powers of 2; and two ulps for the composite.
    common: (2 * size + (log + 1) * Math.log(n + 1) + 6) * u * MORE,
  };
}

function mayBeGreater(other: Score, score: Score): boolean {
  return other.value + other.slack + other.bound > score.value - score.slack - score.bound;
}

function boundOf(
  { weights, growths, ofValue, ofSum, common }: Row,
  values: readonly Known[],
  y: Known,
  { underflow }: Standard,
): number {
  const size = Math.abs(y.value) + y.slack;
  let [off, sum, tiny] = [0, 0, 0];
  for (const [j, v] of values.entries()) {
    const [w, growth, a, b] = [at(weights, j), at(growths, j), at(ofValue, j), at(ofSum, j)];
    const distance = Math.abs(v.value - y.value) + v.slack + y.slack;
    const more = Math.exp(growth);
    off += w * (Math.expm1(growth) * distance + more * (a * v.size + v.bound + b * size));
    sum += w * (1 - Math.exp(-growth) * (1 - b));
    tiny += 8 * (v.size + size + 1) * underflow * values.length;
  }
  const least = 1 - sum;
  return least > 0.5 ? ((off / least) * (1 + common) + common * size + tiny) * (1 + 2 ** -40) : Number.NaN;
}

/** This covers products of roundings, which are no more than 2⁻⁶ in all. */
const MORE = 1 + 2 ** -5;
