import {
  type Context,
  type Environment,
  float64,
  map,
  type Node,
  type SparseContext,
  type Tensor,
} from "../../../reference/index.ts";
import type { PrimitiveNode } from "../../../spec/graph/index.ts";
import { type PrimitiveName, type UnaryName, unaryFunctions } from "../../../spec/operators/index.ts";
import { type NodeId, present } from "../../../spec/shapes/index.ts";
import { lazily } from "../lazily.ts";
import {
  anything,
  between,
  type FloatSet,
  floatSet,
  mayBe,
  ofKinds,
  union,
  withoutSigns,
} from "../sets/float_set.ts";
import { hasNoPower, settled } from "../sets/set_algebra.ts";
import { isZero, type Operations } from "./composite.ts";
import { specialTerm, type Term } from "./special_slopes.ts";

/** Returns `c` times the derivative by the operand at `position`; `undefined` if it is not singular. */
type Slope = (
  a: Operations,
  c: FloatSet,
  operands: readonly FloatSet[],
  position: number,
) => FloatSet | undefined;

const zeros: FloatSet = ofKinds("0", "-0");

/** Beyond a domain a slope is NaN, or nothing where an engine masks. */
const noSlope: FloatSet = ofKinds("nan", "0", "-0");

function isAt(p: FloatSet, ...places: readonly number[]): boolean {
  return p.pieces.every(({ low, high }) => low === high && places.includes(low));
}

/**
 * Returns `c` times an infinite slope: an infinity, NaN where `c` is 0, or 0 from an engine that leaves
 * singular places out. At −0 the formula decides the slope's sign (`c / √x` or `c x^(−½)`).
 */
function infinite(a: Operations, c: FloatSet, x: FloatSet): FloatSet {
  const infinity = a.divide(c, x);
  return union(infinity, zeros, ...(mayBe(x, "-0") ? [a.negative(infinity)] : []));
}

/** This slope is infinite at 0, like 1/x and 1/√x. */
const atZero: Slope = (a, c, [x = zeros]) => (isZero(x) ? infinite(a, c, x) : undefined);

/** Returns a slope that is infinite at these places, like 1/√((1 − x)(1 + x)), in which 1 − x is +0. */
function at(...places: readonly number[]): Slope {
  return (a, c, [x = zeros]) => (isAt(x, ...places) ? infinite(a, c, ofKinds("0")) : undefined);
}

/** Returns a hull around 0 of the sizes that `c` may have. */
function hull({ up, down }: FloatSet, factor: number): FloatSet {
  const size = Math.max(up, down) * factor;
  return floatSet(between(-size, size));
}

/**
 * Engines hand these on where an operator has no derivative: its subdifferential, the infinite limit, and
 * what published conventions have besides [docs/truth.md].
 */
const slopes: { readonly [P in PrimitiveName]?: Slope } = {
  sqrt: atZero,
  log: atZero,
  log2: atZero,
  log1p: at(-1),
  asin: at(-1, 1),
  acos: (a, c, operands, position) => {
    const slope = at(-1, 1)(a, c, operands, position);
    return slope && a.negative(slope);
  },
  acosh: at(1),
  atanh: at(-1, 1),
  /** The slopes are 1/y and −x/y², in which the sign of y's zero does not matter. */
  divide: (a, c, [x = zeros, y = zeros], position) => {
    if (!isZero(y)) return undefined;
    if (position === 0) return union(a.divide(c, y), zeros);
    if (mayBe(x, "nan", "inf", "-inf", "far", "-far")) return undefined;
    return union(a.negative(a.divide(a.multiply(c, x), ofKinds("0"))), zeros);
  },
  /** x/h is between −1 and 1 wherever it is defined. */
  hypot: (_a, c, operands) => (operands.every(isZero) ? union(hull(c, 1), ofKinds("nan")) : undefined),
  /** The slopes grow without bound around the origin, and there 0 or 0/0 is taken. */
  atan2: (_a, _c, operands) => (operands.every(isZero) ? union(zeros, ofKinds("nan")) : undefined),
  pow: (_a, c, [x = zeros, y = zeros], position) => {
    const [exponent] = y.pieces;
    if (exponent === undefined || y.pieces.length > 1 || exponent.low !== exponent.high) return undefined;
    const power = exponent.low;
    // x⁰ is 1 for every x.
    if (isZero(x) && position === 0 && power === 0) return zeros;
    const isInfinite = isZero(x) && (position === 0 ? power < 1 : power <= 0);
    // y x^(y−1) is infinite at 0, or 0/0 as y x^y / x; xʸ ln x is ∞ · −∞, or ∞ times what stands for ln 0.
    if (isInfinite) return ofKinds("nan", "inf", "-inf", "0", "-0");
    const [base] = x.pieces;
    // y x^(y−1) and y x^y / x have no value below 0 either: NaN, or nothing of a mask.
    if (position === 0) return x.pieces.every((one) => hasNoPower(one, exponent)) ? noSlope : undefined;
    if (x.pieces.length > 1 || base?.kind !== "-" || base.low !== base.high) return undefined;
    // ln x has no value below 0: NaN, nothing, or the real part of the complex logarithm.
    const size = Math.abs(base.low) ** power * Math.abs(Math.log(-base.low)) * (1 + 2 ** -7);
    return Number.isFinite(size) ? union(hull(c, size), ofKinds("nan")) : undefined;
  },
};

/** These formulas of slopes have numbers outside the domains of their functions. */
const formulas: { readonly [P in PrimitiveName]?: (a: Operations, c: FloatSet, x: FloatSet) => FloatSet } = {
  log: (a, c, x) => a.divide(c, x),
  log2: (a, c, x) => a.divide(c, a.multiply(x, a.literal(Math.LN2))),
  log1p: (a, c, x) => a.divide(c, a.add(a.one, x)),
  // At −1 the radicand is 0 as x² − 1, and −0 as (x − 1)(x + 1).
  acosh: (a, c, x) =>
    a.divide(c, a.sqrt(withoutSigns(a.multiply(a.add(x, a.negative(a.one)), a.add(x, a.one))))),
  atanh: (a, c, x) => a.divide(c, a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x))),
};

function isUnaryName(op: PrimitiveName): op is UnaryName {
  return Object.hasOwn(unaryFunctions, op);
}

/** This is about 1, since engines write the formulas in different ways. */
const about: FloatSet = floatSet(between(1 - 2 ** -6, 1 + 2 ** -6));

/** Returns what is handed on where a function has no value: beyond an end of its domain. */
function outside(a: Operations, op: UnaryName, c: FloatSet, x: FloatSet): FloatSet | undefined {
  const f = present(float64.levels.orderedReal, "the elementary functions of float64")[op];
  const isOutside = x.pieces.every(
    ({ kind, low, high }) => kind !== "nan" && Number.isNaN(f(low)) && Number.isNaN(f(high)),
  );
  if (!isOutside) return undefined;
  const formula = formulas[op]?.(a, c, x);
  return formula === undefined ? noSlope : union(noSlope, a.multiply(formula, about));
}

/** Returns `c` times a slope that is singular, at which {@link slopes} has one, or of what is no number. */
function singularSlope(a: Operations, term: Term): FloatSet | undefined {
  const { op, c, operands, position } = term;
  const [x] = operands;
  if (operands.some((p) => p.pieces.length === 0)) return undefined;
  const beyond = (of: FloatSet): FloatSet | undefined =>
    isUnaryName(op) ? outside(a, op, of, present(x, "operand")) : undefined;
  const singular = (of: FloatSet): FloatSet | undefined =>
    beyond(of) ?? slopes[op]?.(a, of, operands, position);
  const special = specialTerm(a, term);
  if (!mayBe(c, "nan", "inf", "-inf", "far", "-far")) return singular(c) ?? special;
  return special && singular(a.one) ? union(special, zeros, beyond(c) ?? zeros) : special;
}

/** Returns the reference's formula of an elementwise node's terms, computed when it is first asked for. */
function formulaOf(
  node: Node<FloatSet>,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
  c: Tensor<FloatSet>,
): (parent: NodeId, element: number) => FloatSet | undefined {
  const handed = lazily(() => node.vjp(context, environment, c));
  return (parent, element) => {
    const found = handed().get(parent)?.data[element];
    return found && settled(found);
  };
}

/** Returns the elements of a node's tangent that are sums of singular slopes times its operands' tangents. */
export function singularTangents(
  a: Operations,
  node: Node<FloatSet>,
  { op, parents }: PrimitiveNode,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
  tangents: Context<FloatSet>,
): (position: number) => FloatSet | undefined {
  const isReadTwice = new Set(parents).size < parents.length;
  const formulas = parents.map((parent) =>
    formulaOf(node, context, environment, present(tangents[parent], "a tangent")),
  );
  return (position) => {
    const operands = parents.map((parent) => context[parent]?.data[position] ?? anything);
    const parts = parents.map((parent, place) =>
      singularSlope(a, {
        op,
        c: tangents[parent]?.data[position] ?? anything,
        operands,
        position: place,
        formula: () => (isReadTwice ? undefined : formulas[place]?.(parent, position)),
      }),
    );
    return parts.reduce<FloatSet | undefined>(
      (total, part) => (total === undefined || part === undefined ? undefined : a.add(total, part)),
      a.zero,
    );
  };
}

/** Returns what a node hands to its parents by singular slopes; `c` is its cotangent. */
export function singularCotangents(
  a: Operations,
  node: Node<FloatSet>,
  { op, parents }: PrimitiveNode,
  context: Context<FloatSet>,
  environment: Environment<FloatSet>,
  c: Tensor<FloatSet>,
): SparseContext<FloatSet> {
  // An operand that is read twice gets a sum of two slopes, which may be written as one.
  if (new Set(parents).size < parents.length) return new Map<NodeId, Tensor<FloatSet>>();
  const operandsAt = (position: number): FloatSet[] =>
    parents.map((parent) => context[parent]?.data[position] ?? anything);
  const formula = formulaOf(node, context, environment, c);
  return new Map(
    parents.map((parent, place) => [
      parent,
      map(
        c,
        (bar, element) =>
          singularSlope(a, {
            op,
            c: bar,
            operands: operandsAt(element),
            position: place,
            formula: () => formula(parent, element),
          }) ?? anything,
      ),
    ]),
  );
}
