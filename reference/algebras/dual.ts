import { forUnary, unaryFunctions } from "../../spec/operators/index.ts";
import type {
  Additive,
  Algebra,
  Field,
  Ordered,
  OrderedReal,
  Real,
  Ring,
  Semiring,
} from "../../spec/shapes/index.ts";

/** `x + ẋε` with `ε² = 0`: a value and its tangent. */
export interface Dual<S> {
  readonly x: S;
  readonly xDot: S;
}

/**
 * Makes the algebra of dual numbers over an algebra: it offers what `base` offers. Evaluating a graph over it
 * is forward mode; over `dual(dual(a))`, second order. Comparisons look at the values alone.
 */
export function dual<S, B>(base: Algebra<S, B>): Algebra<Dual<S>, B> {
  const additive = dualAdditive(base.additive);
  const made: Algebra<Dual<S>, B> = {
    name: `dual(${base.name})`,
    additive,
    levels: { additive, ...dualLevels(base.levels, duals.has(base)) },
    isSame: (a, b) => base.isSame(a.x, b.x) && base.isSame(a.xDot, b.xDot),
    format: ({ x, xDot }) => `(${base.format(x)};${base.format(xDot)})`,
    parse: (text) => parseDual(base, text),
  };
  duals.add(made);
  return made;
}

/**
 * The algebras of dual numbers. Over one of these the parts of a value are derivatives already, and two rules
 * are written otherwise, equal in a field, so that no part that a higher derivative needs is lost.
 */
const duals = new WeakSet<object>();

function dualLevels<S, B>(
  { semiring, ring, field, real, ordered, orderedField, orderedReal }: Algebra<S, B>["levels"],
  isNested: boolean,
): Omit<Algebra<Dual<S>, B>["levels"], "additive"> {
  return {
    semiring: semiring && dualSemiring(semiring),
    ring: ring && dualRing(ring),
    field: field && dualField(field, isNested),
    real: real && dualReal(real, isNested),
    ordered: ordered && dualOrdered(ordered),
    orderedField: orderedField && { ...dualOrdered(orderedField), ...dualField(orderedField, isNested) },
    orderedReal: orderedReal && dualOrderedReal(orderedReal, isNested),
  };
}

/** Returns `x` as a constant: its tangent is zero. */
export function constantDual<S>(base: Additive<S>, x: S): Dual<S> {
  return { x, xDot: base.zero };
}

function dualAdditive<S>(a: Additive<S>): Additive<Dual<S>> {
  return {
    zero: { x: a.zero, xDot: a.zero },
    add: (p, q) => ({ x: a.add(p.x, q.x), xDot: a.add(p.xDot, q.xDot) }),
    detach: ({ x }) => ({ x: a.detach(x), xDot: a.zero }),
    ...summing(a),
  };
}

/** Sums of dual numbers over an algebra that has sums of its own: of the values, and of the tangents. */
function summing<S>({ sum }: Additive<S>): Pick<Additive<Dual<S>>, "sum"> {
  if (sum === undefined) return {};
  return { sum: (terms) => ({ x: sum(terms.map(({ x }) => x)), xDot: sum(terms.map(({ xDot }) => xDot)) }) };
}

/** Sums of products likewise: the tangent is one sum of twice as many products. */
function multiplying<S>({ dot }: Semiring<S>): Pick<Semiring<Dual<S>>, "dot"> {
  if (dot === undefined) return {};
  return {
    dot: (ps, qs) => {
      const [xs, ys] = [ps.map(({ x }) => x), qs.map(({ x }) => x)];
      const xDot = dot([...ps.map((p) => p.xDot), ...xs], [...ys, ...qs.map((q) => q.xDot)]);
      return { x: dot(xs, ys), xDot };
    },
  };
}

function dualSemiring<S>(a: Semiring<S>): Semiring<Dual<S>> {
  return {
    ...dualAdditive(a),
    one: { x: a.one, xDot: a.zero },
    multiply: (p, q) => ({
      x: a.multiply(p.x, q.x),
      xDot: a.add(a.multiply(p.xDot, q.x), a.multiply(p.x, q.xDot)),
    }),
    literal: (x) => ({ x: a.literal(x), xDot: a.zero }),
    ...multiplying(a),
  };
}

function dualRing<S>(a: Ring<S>): Ring<Dual<S>> {
  return { ...dualSemiring(a), negative: ({ x, xDot }) => ({ x: a.negative(x), xDot: a.negative(xDot) }) };
}

/**
 * The tangent of q = x/y is (ẋ − q ẏ)/y; nested, it is (ẋ − x (ẏ/y))/y, since q's derivative beside its value
 * may have underflowed though its product with ẏ is not small, as in a/(1 + aε₁ + bε₂), which has −2a² b.
 */
function dualField<S>(a: Field<S>, isNested: boolean): Field<Dual<S>> {
  return {
    ...dualRing(a),
    divide: (p, q) => {
      const x = a.divide(p.x, q.x);
      const moved = isNested ? a.multiply(p.x, a.divide(q.xDot, q.x)) : a.multiply(x, q.xDot);
      return { x, xDot: a.divide(a.add(p.xDot, a.negative(moved)), q.x) };
    },
  };
}

function dualReal<S>(a: Real<S>, isNested: boolean): Real<Dual<S>> {
  return {
    ...dualField(a, isNested),
    ...forUnary((name) => ({ x, xDot }: Dual<S>): Dual<S> => {
      const y = a[name](x);
      const along = { times: (slope: S) => a.multiply(slope, xDot), over: (by: S) => a.divide(xDot, by) };
      return { x: y, xDot: unaryFunctions[name].scale(a, along, { x, y }) };
    }),
    atan2: (q, p) => {
      const h = a.hypot(p.x, q.x);
      const along = a.multiply(a.divide(p.x, h), q.xDot);
      const turned = a.add(along, a.negative(a.multiply(a.divide(q.x, h), p.xDot)));
      return { x: a.atan2(q.x, p.x), xDot: a.divide(turned, h) };
    },
    hypot: (p, q) => {
      const h = a.hypot(p.x, q.x);
      const xDot = a.add(a.multiply(a.divide(p.x, h), p.xDot), a.multiply(a.divide(q.x, h), q.xDot));
      return { x: h, xDot };
    },
  };
}

function dualOrderedReal<S, B>(a: OrderedReal<S, B>, isNested: boolean): OrderedReal<Dual<S>, B> {
  return { ...dualOrdered(a), ...dualReal(a, isNested), pow: dualPow(a, isNested) };
}

/**
 * Returns `d(x^y) = y x^(y−1) dx + x^y ln x dy`, with 0 for the first factor where `y` is 0, and for `ln x`
 * where `x` is. For negative `x`, `ln x` has no value but a fixed exponent has a derivative, so a tangent of
 * zero takes nothing from there. Nested, the first factor is y x^(y−1) where `y` alone is 0: it has a
 * derivative by `y`.
 */
function dualPow<S, B>(a: OrderedReal<S, B>, isNested: boolean): OrderedReal<Dual<S>, B>["pow"] {
  return ({ x, xDot }, { x: y, xDot: yDot }) => {
    const value = a.pow(x, y);
    const slope = a.multiply(y, a.pow(x, a.add(y, a.negative(a.one))));
    const risen = a.multiply(slope, xDot);
    const atRest = isNested ? a.select(a.equal(x, a.zero), a.zero, risen) : a.zero;
    const alongX = a.select(a.equal(y, a.zero), atRest, risen);
    const logarithm = a.select(a.equal(x, a.zero), a.zero, a.log(x));
    const turning = a.multiply(a.multiply(value, logarithm), yDot);
    const still = a.select(a.equal(yDot, a.zero), a.zero, turning);
    return { x: value, xDot: a.add(alongX, a.select(a.less(x, a.zero), still, turning)) };
  };
}

function dualOrdered<S, B>(a: Ordered<S, B>): Ordered<Dual<S>, B> {
  return {
    ...dualRing(a),
    less: (p, q) => a.less(p.x, q.x),
    equal: (p, q) => a.equal(p.x, q.x),
    select: (condition, p, q) => ({
      x: a.select(condition, p.x, q.x),
      xDot: a.select(condition, p.xDot, q.xDot),
    }),
    floor: ({ x }) => ({ x: a.floor(x), xDot: a.zero }),
  };
}

/** Reads `(x;ẋ)`, nested ones too, and a plain `x` as a constant. */
function parseDual<S, B>(base: Algebra<S, B>, text: string): Dual<S> | undefined {
  const plain = base.parse(text);
  if (plain !== undefined) return constantDual(base.additive, plain);
  if (!text.startsWith("(") || !text.endsWith(")")) return undefined;
  const inner = text.slice(1, -1);
  const middle = topLevelSemicolon(inner);
  if (middle < 0) return undefined;
  const x = base.parse(inner.slice(0, middle));
  const xDot = base.parse(inner.slice(middle + 1));
  return x === undefined || xDot === undefined ? undefined : { x, xDot };
}

function topLevelSemicolon(text: string): number {
  const { position } = [...text].reduce(
    (state, character, index) => ({
      depth: state.depth + (character === "(" ? 1 : character === ")" ? -1 : 0),
      position: state.position < 0 && state.depth === 0 && character === ";" ? index : state.position,
    }),
    { depth: 0, position: -1 },
  );
  return position;
}
