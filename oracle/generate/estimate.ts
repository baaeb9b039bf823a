import { float64 } from "../../reference/index.ts";
import type { OperatorName } from "../../spec/composites/index.ts";
import { type NodeOutline, shapesOf } from "../../spec/expansion/index.ts";
import { isPrimitiveNode, type Node, type NodeOf } from "../../spec/graph/index.ts";
import {
  forUnary,
  MARGIN,
  type PrimitiveAttributes,
  type PrimitiveName,
  type UnaryName,
  unaryFunctions,
} from "../../spec/operators/index.ts";
import { present, type Shape, sizeOf } from "../../spec/shapes/index.ts";
import {
  type Definiteness,
  definitenessOf,
  definitenessOfNode,
  unknownDefiniteness,
} from "./definiteness.ts";
import { type Dominance, dominanceOf, dominanceOfNode, unknownDominance } from "./dominance.ts";

/**
 * A growing graph estimates each value without computing it, by an interval that holds every element (for
 * scalars a single number, up to rounding) and the size of its exact form. It guides drawing and proves
 * nothing.
 */
export interface Estimate {
  readonly least: number;
  readonly greatest: number;
  /** The longest product in the value, as a polynomial or quotient, multiplies this many inputs. */
  readonly degree: number;
  /** A sum keeps the denominator; false once something was divided. */
  readonly isDyadic: boolean;
  /** The value is likely computed without rounding: dyadic, of few factors. The length of sums is ignored. */
  readonly isExact: boolean;
  readonly shape: Shape;
  readonly dominance: Dominance;
  readonly definiteness: Definiteness;
}

/** The operator table knows the shape, and other rules the distance from singular matrices. */
type Magnitude = Omit<Estimate, "shape" | "dominance" | "definiteness">;

/** This stands for no number: an operand leaves the domain, or comes where the derivative is unbounded. */
const nowhere: Magnitude = {
  least: Number.NaN,
  greatest: Number.NaN,
  degree: 1,
  isDyadic: true,
  isExact: false,
};

/** An absent operand is estimated so; well-typed nodes have all of theirs. */
const absent: Estimate = estimated(nowhere, []);

/** Completes an estimate where nothing is known of matrices. */
function estimated(magnitude: Magnitude, shape: Shape): Estimate {
  return { ...magnitude, shape, dominance: unknownDominance, definiteness: unknownDefiniteness };
}

/** Up to this degree a product of five-bit numbers, and a short sum of such, fits float32. */
const EXACT_DEGREE = 3;

/** Estimates an irrational function by its interval; its digits do not grow with the graph. */
function real(least: number, greatest: number): Magnitude {
  return { least, greatest, degree: 1, isDyadic: true, isExact: false };
}

/** Returns the distances from 0 of the interval and of its farther end. */
function sizes({ least, greatest }: Estimate): readonly [number, number] {
  const nearest = least <= 0 && greatest >= 0 ? 0 : Math.min(Math.abs(least), Math.abs(greatest));
  return [nearest, Math.max(Math.abs(least), Math.abs(greatest))];
}

/** Bounds a function that takes its extremes at the corners of the rectangle of two intervals. */
function cornered(x: Estimate, y: Estimate, f: (x: number, y: number) => number): Magnitude {
  const corners = [
    f(x.least, y.least),
    f(x.least, y.greatest),
    f(x.greatest, y.least),
    f(x.greatest, y.greatest),
  ];
  return real(Math.min(...corners), Math.max(...corners));
}

/** Estimates a power of a positive base; larger exponents are refused, since they only test overflow. */
function power(x: Estimate, y: Estimate): Magnitude {
  const isTame = x.least >= MARGIN && sizes(y)[1] <= 16;
  return isTame ? cornered(x, y, (a, b) => a ** b) : nowhere;
}

/** Estimates the angle of points that stay off the origin and the cut along the negative x axis. */
function angle(y: Estimate, x: Estimate): Magnitude {
  const isClear = x.least >= MARGIN || y.least >= MARGIN || y.greatest <= -MARGIN;
  return isClear ? cornered(y, x, Math.atan2) : nowhere;
}

function hypotenuse(x: Estimate, y: Estimate): Magnitude {
  const [[nearX, farX], [nearY, farY]] = [sizes(x), sizes(y)];
  const least = Math.hypot(nearX, nearY);
  return least >= MARGIN ? real(least, Math.hypot(farX, farY)) : nowhere;
}

const reals = present(float64.levels.real, "the elementary functions of float64");

/** Maps an interval inside {@link unaryFunctions drawnFrom} by the course of the function. */
function image(name: UnaryName): (operands: readonly Estimate[]) => Magnitude {
  const { course, drawnFrom } = unaryFunctions[name];
  const [from, to] = drawnFrom;
  const f = reals[name];
  return ([x = absent]) => {
    if (!(x.least >= from && x.greatest <= to)) return nowhere;
    switch (course) {
      case "increasing":
      case "between poles":
        return real(f(x.least), f(x.greatest));
      case "decreasing":
        return real(f(x.greatest), f(x.least));
      case "even": {
        const [near, far] = sizes(x);
        return real(f(near), f(far));
      }
      // A single number has a single image; else the wave fills [−1, 1].
      case "wave":
        return x.least === x.greatest ? real(f(x.least), f(x.least)) : real(-1, 1);
    }
  };
}

function hull(operands: readonly Estimate[]): Magnitude {
  const [first = absent, ...others] = operands;
  return others.reduce<Magnitude>(
    (joined, x) => ({
      least: Math.min(joined.least, x.least),
      greatest: Math.max(joined.greatest, x.greatest),
      degree: Math.max(joined.degree, x.degree),
      isDyadic: joined.isDyadic && x.isDyadic,
      isExact: joined.isExact && x.isExact,
    }),
    first,
  );
}

/** Adds two intervals; fractions get a common denominator, so their degrees add. */
function plus(x: Estimate, least: number, greatest: number, y: Estimate): Magnitude {
  const isDyadic = x.isDyadic && y.isDyadic;
  return {
    least: x.least + least,
    greatest: x.greatest + greatest,
    degree: isDyadic ? Math.max(x.degree, y.degree) : x.degree + y.degree,
    isDyadic,
    isExact: x.isExact && y.isExact,
  };
}

function product(x: Estimate, y: Estimate): Magnitude {
  const a = x.least * y.least;
  const b = x.least * y.greatest;
  const c = x.greatest * y.least;
  const d = x.greatest * y.greatest;
  const degree = x.degree + y.degree;
  return {
    least: Math.min(a, b, c, d),
    greatest: Math.max(a, b, c, d),
    degree,
    isDyadic: x.isDyadic && y.isDyadic,
    isExact: x.isExact && y.isExact && degree <= EXACT_DEGREE,
  };
}

/** A square is not negative, which `product` does not see. */
function square(x: Estimate): Magnitude {
  const any = product(x, x);
  return { ...any, least: Math.max(any.least, 0) };
}

function quotient(x: Estimate, y: Estimate): Magnitude {
  if (!(y.least >= MARGIN || y.greatest <= -MARGIN)) return nowhere;
  return {
    ...product(x, { ...y, least: 1 / y.greatest, greatest: 1 / y.least }),
    isDyadic: false,
    isExact: false,
  };
}

/** Estimates the sum of `count` values like `x`. */
function total(x: Magnitude, count: number): Magnitude {
  const degree = x.isDyadic ? x.degree : x.degree * Math.max(count, 1);
  if (count === 0) return { least: 0, greatest: 0, degree: 1, isDyadic: true, isExact: true };
  return { ...x, least: x.least * count, greatest: x.greatest * count, degree };
}

/** No element of A⁻¹B exceeds the largest of B divided by the dominance of A. */
function solution(a: Estimate, b: Estimate): Magnitude {
  if (!(a.dominance >= MARGIN)) return nowhere;
  const size = Math.max(Math.abs(b.least), Math.abs(b.greatest)) / a.dominance;
  const degree = a.degree * Math.max(a.shape.at(-1) ?? 0, 1) + b.degree;
  return { least: -size, greatest: size, degree, isDyadic: false, isExact: false };
}

/** The determinant sums n! products of n entries. */
function determinant(x: Estimate, order: number): Magnitude {
  const size = Math.max(Math.abs(x.least), Math.abs(x.greatest));
  if (order === 0) return { least: 1, greatest: 1, degree: 1, isDyadic: true, isExact: true };
  let most = 1;
  for (let row = 1; row <= order; row++) most *= row * size;
  const degree = order * x.degree;
  const isExact = x.isExact && degree <= EXACT_DEGREE;
  if (order === 1) return { ...x, degree, isExact };
  return { least: -most, greatest: most, degree, isDyadic: x.isDyadic, isExact };
}

/**
 * Tells whether `x` is 0 up to rounding, so that one engine sees it above and another below. No bound can
 * cover the jump of a branch on it, and what depends on it gets no verdict.
 */
function isDoubtful({ least, greatest, isExact }: Estimate): boolean {
  return !isExact && least > -(2 ** -10) && greatest < 2 ** -10;
}

/** Takes one branch where the condition's sign is known, else the hull of both. */
function branch(condition: Estimate, x: Estimate, y: Estimate): Magnitude {
  if (isDoubtful(condition)) return nowhere;
  if (condition.least > 0 || condition.greatest < 0) return x;
  return condition.least === 0 && condition.greatest === 0 ? y : hull([x, y]);
}

/** Estimates exact numbers in an interval. */
function numbers(least: number, greatest: number): Magnitude {
  return { least, greatest, degree: 1, isDyadic: true, isExact: true };
}

const zero: Magnitude = numbers(0, 0);

/** Estimates a literal: a short number, or one as long as a product of eleven five-bit numbers. */
function literal(value: number): Magnitude {
  const isShort = Math.fround(value) === value;
  return { ...numbers(value, value), degree: isShort ? 1 : 11, isExact: isShort };
}

/** The result is 0 or 1, or nowhere if the operands are equal up to rounding. */
function comparison(x: Estimate, y: Estimate): Magnitude {
  const gap = estimated(plus(x, -y.greatest, -y.least, y), x.shape);
  return isDoubtful(gap) ? nowhere : { ...numbers(0, 1), isExact: gap.isExact };
}

/** The result is whole, or nowhere if rounding may move a single number over a jump. */
function whole(x: Estimate): Magnitude {
  const margin = 2 ** -10;
  const isNarrow = x.greatest - x.least < margin;
  const crosses = Math.floor(x.least - margin) !== Math.floor(x.greatest + margin);
  if (!x.isExact && isNarrow && crosses) return nowhere;
  return { ...x, least: Math.floor(x.least), greatest: Math.floor(x.greatest), isDyadic: true };
}

/** Each element is one of x plus any of the updates. */
function scattered(x: Estimate, updates: Estimate): Magnitude {
  const all = total(updates, sizeOf(updates.shape));
  return plus(x, Math.min(all.least, 0), Math.max(all.greatest, 0), estimated(all, updates.shape));
}

/** Bounds the sums of 1, 2, … `count` values like `x`. */
function partialSums(x: Estimate, count: number): Magnitude {
  const all = total(x, count);
  return { ...all, least: Math.min(x.least, all.least), greatest: Math.max(x.greatest, all.greatest) };
}

type Estimators = {
  readonly [K in PrimitiveName]: (
    operands: readonly Estimate[],
    attributes: PrimitiveAttributes[K],
    entry: Magnitude,
  ) => Magnitude;
};

const same = ([x = absent]: readonly Estimate[]): Magnitude => x;

const estimators: Estimators = {
  constant: (_operands, _attributes, entry) => entry,
  full: (_operands, { value }) => literal(value),
  iota: (_operands, { shape, axis }) => numbers(0, Math.max((shape[axis] ?? 0) - 1, 0)),
  bernoulli_mask: () => numbers(0, 1),
  stop_gradient: same,
  ...forUnary(image),
  negative: ([x = absent]) => ({ ...x, least: -x.greatest, greatest: -x.least }),
  relu: ([x = absent]) =>
    isDoubtful(x) ? nowhere : { ...x, least: Math.max(x.least, 0), greatest: Math.max(x.greatest, 0) },
  floor: ([x = absent]) => whole(x),
  add: ([x = absent, y = absent]) => plus(x, y.least, y.greatest, y),
  subtract: ([x = absent, y = absent]) => plus(x, -y.greatest, -y.least, y),
  multiply: ([x = absent, y = absent]) => (x === y ? square(x) : product(x, y)),
  divide: ([x = absent, y = absent]) => quotient(x, y),
  maximum: ([x = absent, y = absent]) => ({
    ...hull([x, y]),
    least: Math.max(x.least, y.least),
  }),
  less: ([x = absent, y = absent]) => comparison(x, y),
  equal: ([x = absent, y = absent]) => comparison(x, y),
  pow: ([x = absent, y = absent]) => power(x, y),
  atan2: ([y = absent, x = absent]) => angle(y, x),
  hypot: ([x = absent, y = absent]) => hypotenuse(x, y),
  where: ([condition = absent, x = absent, y = absent]) => branch(condition, x, y),
  sum: ([x = absent], { axes }) =>
    total(
      x,
      axes.reduce((count, axis) => count * (x.shape[axis] ?? 1), 1),
    ),
  broadcast_to: same,
  reshape: same,
  permute_dims: same,
  concat: (operands) => hull(operands),
  take: same,
  slice: same,
  pad: ([x = absent]) => hull([x, estimated(zero, x.shape)]),
  take_along_axis: same,
  gather: same,
  scatter_add: ([x = absent, updates = absent]) => scattered(x, updates),
  cumulative_sum: ([x = absent], { axis }) => partialSums(x, x.shape[axis] ?? 0),
  matmul: ([x = absent, y = absent]) => total(product(x, y), x.shape.at(-1) ?? 0),
  solve: ([a = absent, b = absent]) => solution(a, b),
  det: ([x = absent]) => determinant(x, x.shape.at(-1) ?? 0),
};

/** Estimates a primitive's value from its operands' estimates and that of the entry of Δ it reads. */
function estimatePrimitive<K extends PrimitiveName>(
  node: NodeOf<K>,
  operands: readonly Estimate[],
  shape: Shape,
  entry: Estimate | undefined,
): Estimate {
  const { least, greatest, degree, isDyadic, isExact } = estimators[node.op](
    operands,
    node.attributes,
    entry ?? nowhere,
  );
  const dominance = entry?.dominance ?? dominanceOfNode(node.op, operands, shape);
  const definiteness = entry?.definiteness ?? definitenessOfNode(node.op, operands);
  return { least, greatest, degree, isDyadic, isExact, shape, dominance, definiteness };
}

/** Weights lie between 0 and 1, and means by weights between the extremes, which intervals do not see. */
function estimateWeighted(
  op: OperatorName,
  [x = absent, , values = absent]: readonly Estimate[],
): Magnitude | undefined {
  const spread = x.greatest - x.least;
  if (!(spread < Number.POSITIVE_INFINITY)) return undefined;
  if (op === "softmax") return real(0, 1);
  if (op === "log_softmax") return real(-spread - Math.log(Math.max(sizeOf(x.shape), 1)), 0);
  return op === "scaled_dot_product_attention" ? real(values.least, values.greatest) : undefined;
}

/**
 * Intervals do not see that a pivot stays away from 0, so factors have rules of their own: no element of a
 * Cholesky factor exceeds the root of the diagonal's, and a triangle is as far from singular as its diagonal.
 */
function estimateFactor(
  op: OperatorName,
  [a = absent, b = absent]: readonly Estimate[],
): Magnitude | undefined {
  if (!(a.definiteness >= MARGIN)) return undefined;
  if (op === "cholesky") return real(-Math.sqrt(a.greatest), Math.sqrt(a.greatest));
  if (op !== "triangular_solve") return undefined;
  const size = Math.max(Math.abs(b.least), Math.abs(b.greatest)) / a.definiteness;
  const degree = b.degree + (a.shape.at(-1) ?? 0) * a.degree;
  return { least: -size, greatest: size, degree, isDyadic: false, isExact: false };
}

/** Estimates a node's value, a composite's through its expansion. */
export function estimateNode(
  node: Node,
  operands: readonly Estimate[],
  { shape, expansion }: NodeOutline,
  entry: Estimate | undefined,
): Estimate {
  if (isPrimitiveNode(node)) return estimatePrimitive(node, operands, shape, entry);
  const factor = estimateFactor(node.op, operands) ?? estimateWeighted(node.op, operands);
  if (factor !== undefined) return estimated(factor, shape);
  const written = present(expansion, "the expansion of a composite");
  const shapes = shapesOf(written);
  const estimates = [...operands];
  for (const inner of written.nodes) {
    const own = inner.parents.map((id) => present(estimates[id], "estimate of a parent"));
    estimates.push(estimatePrimitive(inner, own, shapes[estimates.length] ?? [], entry));
  }
  return present(estimates.at(-1), "estimate of a node");
}

/** Estimates given elements. */
export function estimateElements(elements: Float64Array, shape: Shape): Estimate {
  let least = sizeOf(shape) === 0 ? 0 : Number.POSITIVE_INFINITY;
  let greatest = -least;
  for (const element of elements) {
    if (element < least) least = element;
    if (element > greatest) greatest = element;
  }
  const dominance = dominanceOf(elements, shape);
  const definiteness = definitenessOf(elements, shape);
  return { least, greatest, degree: 1, isDyadic: true, isExact: true, shape, dominance, definiteness };
}
