import type { AttributesOf, NodeOf, OperatorName, Shape } from "../../spec/index.ts";
import { sizeOf } from "../../spec/index.ts";

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
  readonly shape: Shape;
}

/** An estimate but for the shape, which the operator table knows. */
export type Magnitude = Omit<Estimate, "shape">;

/** No number: an operand outside the operator's domain, or where its derivative is out of hand. */
const nowhere: Magnitude = { least: Number.NaN, greatest: Number.NaN, degree: 1, isDyadic: true };

/** What an absent operand is taken for; well-typed nodes have all of theirs. */
const absent: Estimate = { ...nowhere, shape: [] };

/** The margin kept from the poles of `log`, `sqrt` and `divide`. */
const margin = 2 ** -6;

/** The interval of an irrational function of `x`; its digits do not grow with the graph. */
function real(least: number, greatest: number): Magnitude {
  return { least, greatest, degree: 1, isDyadic: true };
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
    }),
    first,
  );
}

/** The degree of `x ± y`: fractions are brought to a common denominator first. */
function sumDegree(x: Estimate, y: Estimate): number {
  return x.isDyadic && y.isDyadic ? Math.max(x.degree, y.degree) : x.degree + y.degree;
}

function product(x: Estimate, y: Estimate): Magnitude {
  const a = x.least * y.least;
  const b = x.least * y.greatest;
  const c = x.greatest * y.least;
  const d = x.greatest * y.greatest;
  return {
    least: Math.min(a, b, c, d),
    greatest: Math.max(a, b, c, d),
    degree: x.degree + y.degree,
    isDyadic: x.isDyadic && y.isDyadic,
  };
}

/** Not negative, which an interval forgets when it is multiplied by itself. */
function square(x: Estimate): Magnitude {
  const any = product(x, x);
  return { ...any, least: Math.max(any.least, 0) };
}

function quotient(x: Estimate, y: Estimate): Magnitude {
  if (!(y.least >= margin || y.greatest <= -margin)) return nowhere;
  return {
    ...product(x, { ...y, least: 1 / y.greatest, greatest: 1 / y.least }),
    isDyadic: false,
  };
}

/** The sum of `count` values like `x`. */
function total(x: Magnitude, count: number): Magnitude {
  const degree = x.isDyadic ? x.degree : x.degree * Math.max(count, 1);
  if (count === 0) return { least: 0, greatest: 0, degree: 1, isDyadic: true };
  return { least: x.least * count, greatest: x.greatest * count, degree, isDyadic: x.isDyadic };
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
  negative: ([x = absent]) => ({
    least: -x.greatest,
    greatest: -x.least,
    degree: x.degree,
    isDyadic: x.isDyadic,
  }),
  exp: ([x = absent]) => increasing(x, Math.exp, -10, 10),
  log: ([x = absent]) => increasing(x, Math.log, margin, Number.MAX_VALUE),
  sin: ([x = absent]) => periodic(x, Math.sin),
  cos: ([x = absent]) => periodic(x, Math.cos),
  tanh: ([x = absent]) => increasing(x, Math.tanh, -16, 16),
  sqrt: ([x = absent]) => increasing(x, Math.sqrt, margin, Number.MAX_VALUE),
  relu: ([x = absent]) => ({
    least: Math.max(x.least, 0),
    greatest: Math.max(x.greatest, 0),
    degree: x.degree,
    isDyadic: x.isDyadic,
  }),
  add: ([x = absent, y = absent]) => ({
    least: x.least + y.least,
    greatest: x.greatest + y.greatest,
    degree: sumDegree(x, y),
    isDyadic: x.isDyadic && y.isDyadic,
  }),
  subtract: ([x = absent, y = absent]) => ({
    least: x.least - y.greatest,
    greatest: x.greatest - y.least,
    degree: sumDegree(x, y),
    isDyadic: x.isDyadic && y.isDyadic,
  }),
  multiply: ([x = absent, y = absent]) => (x === y ? square(x) : product(x, y)),
  divide: ([x = absent, y = absent]) => quotient(x, y),
  maximum: ([x = absent, y = absent]) => ({
    ...hull([x, y]),
    least: Math.max(x.least, y.least),
  }),
  where: ([_condition, x = absent, y = absent]) => hull([x, y]),
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
};

/** The estimate of a node's value from its operands'; `entry` is that of the constant it reads, if it reads one. */
export function estimateNode<K extends OperatorName>(
  node: NodeOf<K>,
  operands: readonly Estimate[],
  shape: Shape,
  entry: Magnitude | undefined,
): Estimate {
  const magnitude = estimators[node.op](operands, node.attributes, entry ?? nowhere);
  return {
    least: magnitude.least,
    greatest: magnitude.greatest,
    degree: magnitude.degree,
    isDyadic: magnitude.isDyadic,
    shape,
  };
}

/** The estimate of numbers that are at hand. */
export function estimateElements(elements: Float64Array, shape: Shape): Estimate {
  let least = sizeOf(shape) === 0 ? 0 : Number.POSITIVE_INFINITY;
  let greatest = -least;
  for (const element of elements) {
    if (element < least) least = element;
    if (element > greatest) greatest = element;
  }
  return { least, greatest, degree: 1, isDyadic: true, shape };
}
