import type { AttributesOf, NodeOf, OperatorName, Shape } from "../../spec/index.ts";
import { sizeOf } from "../../spec/index.ts";
import { type Dominance, dominanceOf, dominanceOfNode, unknownDominance } from "./dominance.ts";

/**
 * What a growing graph knows of a value without computing it: an interval that holds every element (for scalars
 * a single number, up to rounding) and the size of its exact form. A guide for drawing graphs, not a bound to
 * prove anything by.
 */
export interface Estimate {
  readonly least: number;
  readonly greatest: number;
  /** How many inputs are multiplied in the longest product of the value as a polynomial or quotient. */
  readonly degree: number;
  /** Whether a sum keeps the denominator: false once something was divided. */
  readonly isDyadic: boolean;
  /** Whether it is likely computed without a rounding: a dyadic number of few factors. Ignores how long sums grow. */
  readonly isExact: boolean;
  readonly shape: Shape;
  readonly dominance: Dominance;
}

/** An estimate but for the shape, which the operator table knows, and for what is said of matrices. */
type Magnitude = Omit<Estimate, "shape" | "dominance">;

/** No number: an operand outside the operator's domain, or where its derivative is out of hand. */
const nowhere: Magnitude = {
  least: Number.NaN,
  greatest: Number.NaN,
  degree: 1,
  isDyadic: true,
  isExact: false,
};

/** What an absent operand is taken for; well-typed nodes have all of theirs. */
const absent: Estimate = { ...nowhere, shape: [], dominance: unknownDominance };

/** The margin kept from the poles of `log`, `sqrt` and `divide`. */
const MARGIN = 2 ** -6;

/** The degree up to which a product of five-bit numbers, and a short sum of such, fits float32. */
const EXACT_DEGREE = 3;

/** The interval of an irrational function of `x`; its digits do not grow with the graph. */
function real(least: number, greatest: number): Magnitude {
  return { least, greatest, degree: 1, isDyadic: true, isExact: false };
}

/** An increasing function on `[from, to]`. */
function increasing(x: Estimate, f: (x: number) => number, from: number, to: number): Magnitude {
  return x.least >= from && x.greatest <= to ? real(f(x.least), f(x.greatest)) : nowhere;
}

/** A function into `[−1, 1]`, exact where the operand is a single number. */
function periodic(x: Estimate, f: (x: number) => number): Magnitude {
  if (!(Math.abs(x.least) <= 256 && Math.abs(x.greatest) <= 256)) return nowhere;
  return x.least === x.greatest ? real(f(x.least), f(x.least)) : real(-1, 1);
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

/** The sum of two intervals; fractions are brought to a common denominator, so their degrees add. */
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

/** Not negative, which an interval forgets when it is multiplied by itself. */
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

/** The sum of `count` values like `x`. */
function total(x: Magnitude, count: number): Magnitude {
  const degree = x.isDyadic ? x.degree : x.degree * Math.max(count, 1);
  if (count === 0) return { least: 0, greatest: 0, degree: 1, isDyadic: true, isExact: true };
  return { ...x, least: x.least * count, greatest: x.greatest * count, degree };
}

/** No element of A⁻¹ B exceeds the largest of B divided by the dominance of A. */
function solution(a: Estimate, b: Estimate): Magnitude {
  if (!(a.dominance >= MARGIN)) return nowhere;
  const size = Math.max(Math.abs(b.least), Math.abs(b.greatest)) / a.dominance;
  const degree = a.degree * Math.max(a.shape.at(-1) ?? 0, 1) + b.degree;
  return { least: -size, greatest: size, degree, isDyadic: false, isExact: false };
}

/** The sum of n! products of n entries. */
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
 * Whether `x` is 0 up to rounding: one engine will see it above, another below. A branch on it is a jump that no bound
 * can cover, and no verdict comes of what depends on it.
 */
function isDoubtful({ least, greatest, isExact }: Estimate): boolean {
  return !isExact && least > -(2 ** -10) && greatest < 2 ** -10;
}

/** One of the branches where the condition's sign is known, else both. */
function branch(condition: Estimate, x: Estimate, y: Estimate): Magnitude {
  if (isDoubtful(condition)) return nowhere;
  if (condition.least > 0 || condition.greatest < 0) return x;
  return condition.least === 0 && condition.greatest === 0 ? y : hull([x, y]);
}

type Estimators = {
  readonly [K in OperatorName]: (
    operands: readonly Estimate[],
    attributes: AttributesOf[K],
    entry: Magnitude,
  ) => Magnitude;
};

const same = ([x = absent]: readonly Estimate[]): Magnitude => x;

const estimators: Estimators = {
  constant: (_operands, _attributes, entry) => entry,
  stop_gradient: same,
  negative: ([x = absent]) => ({ ...x, least: -x.greatest, greatest: -x.least }),
  exp: ([x = absent]) => increasing(x, Math.exp, -10, 10),
  log: ([x = absent]) => increasing(x, Math.log, MARGIN, Number.MAX_VALUE),
  sin: ([x = absent]) => periodic(x, Math.sin),
  cos: ([x = absent]) => periodic(x, Math.cos),
  tanh: ([x = absent]) => increasing(x, Math.tanh, -16, 16),
  sqrt: ([x = absent]) => increasing(x, Math.sqrt, MARGIN, Number.MAX_VALUE),
  relu: ([x = absent]) =>
    isDoubtful(x) ? nowhere : { ...x, least: Math.max(x.least, 0), greatest: Math.max(x.greatest, 0) },
  add: ([x = absent, y = absent]) => plus(x, y.least, y.greatest, y),
  subtract: ([x = absent, y = absent]) => plus(x, -y.greatest, -y.least, y),
  multiply: ([x = absent, y = absent]) => (x === y ? square(x) : product(x, y)),
  divide: ([x = absent, y = absent]) => quotient(x, y),
  maximum: ([x = absent, y = absent]) => ({
    ...hull([x, y]),
    least: Math.max(x.least, y.least),
  }),
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
  matmul: ([x = absent, y = absent]) => total(product(x, y), x.shape.at(-1) ?? 0),
  solve: ([a = absent, b = absent]) => solution(a, b),
  det: ([x = absent]) => determinant(x, x.shape.at(-1) ?? 0),
};

/** The estimate of a node's value from its operands'; `entry` is that of the constant it reads, if it reads one. */
export function estimateNode<K extends OperatorName>(
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
  return { least, greatest, degree, isDyadic, isExact, shape, dominance };
}

/** The estimate of numbers that are at hand. */
export function estimateElements(elements: Float64Array, shape: Shape): Estimate {
  let least = sizeOf(shape) === 0 ? 0 : Number.POSITIVE_INFINITY;
  let greatest = -least;
  for (const element of elements) {
    if (element < least) least = element;
    if (element > greatest) greatest = element;
  }
  const dominance = dominanceOf(elements, shape);
  return { least, greatest, degree: 1, isDyadic: true, isExact: true, shape, dominance };
}
