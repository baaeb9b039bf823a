import { forUnary, unaryFunctions } from "../../spec/operators/index.ts";
import {
  type Additive,
  type Algebra,
  type Field,
  InvariantError,
  type Ordered,
  type OrderedReal,
  type Real,
  type Ring,
  type Semiring,
} from "../../spec/shapes/index.ts";

/** `c₀ + c₁t + c₂t² + …`, a function along a line: its derivatives divided by factorials. */
export type Series<S> = readonly [S, ...S[]];

/**
 * Makes the algebra of power series over an algebra, truncated after `t^order`. A graph evaluated at x + ẋt
 * has all derivatives along ẋ up to the order in one run, so nested derivatives are compared with it.
 * Comparisons look at values. Functions are integrated from the slopes in spec/operators/elementary.ts: y' =
 * f'(x) x', by coefficients.
 * Source: Griewank and Walther, Evaluating Derivatives, 2nd edition, chapter 13. Cost: quadratic in the order
 * for a product, quartic for a function. Throws {@link InvariantError} if the order is no natural number.
 */
export function series<S, B>(base: Algebra<S, B>, order: number): Algebra<Series<S>, B> {
  if (!Number.isSafeInteger(order) || order < 0) throw new InvariantError(`${order} is no order of a series`);
  const additive = seriesAdditive(base.additive, order);
  const { semiring, ring, field, real, ordered, orderedField, orderedReal } = base.levels;
  return {
    name: `series(${base.name},${order})`,
    additive,
    levels: {
      additive,
      semiring: semiring && seriesSemiring(semiring, order),
      ring: ring && seriesRing(ring, order),
      field: field && seriesField(field, order),
      real: real && seriesReal(real, order),
      ordered: ordered && seriesOrdered(ordered, order),
      orderedField: orderedField && {
        ...seriesOrdered(orderedField, order),
        ...seriesField(orderedField, order),
      },
      orderedReal: orderedReal && {
        ...seriesOrdered(orderedReal, order),
        ...seriesReal(orderedReal, order),
        pow: seriesPow(orderedReal, order),
      },
    },
    isSame: (x, y) => x.every((c, k) => base.isSame(c, nth(y, k))),
    format: (x) => `(${x.map(base.format).join(";")})`,
    parse: (text) => {
      const plain = base.parse(text);
      if (plain !== undefined) return constantSeries(base.additive, plain, order);
      if (!text.startsWith("(") || !text.endsWith(")")) return undefined;
      const parts = text.slice(1, -1).split(";").map(base.parse);
      const known = parts.filter((part) => part !== undefined);
      return known.length === order + 1 && parts.length === known.length ? seriesOf(known) : undefined;
    },
  };
}

/** Returns a series of at least one coefficient. */
export function seriesOf<S>(coefficients: readonly S[]): Series<S> {
  const [value, ...rest] = coefficients;
  if (value === undefined) throw new InvariantError("a series has a value");
  return [value, ...rest];
}

/** Returns the coefficient of tᵏ. */
function nth<S>(x: readonly S[], k: number): S {
  const c = x[k];
  if (c === undefined) throw new InvariantError(`a series of ${x.length} coefficients has none at ${k}`);
  return c;
}

function constantSeries<S>({ zero }: Additive<S>, x: S, order: number): Series<S> {
  return [x, ...Array.from({ length: order }, () => zero)];
}

function written<S>(order: number, coefficient: (k: number) => S): Series<S> {
  return seriesOf(Array.from({ length: order + 1 }, (_, k) => coefficient(k)));
}

function seriesAdditive<S>(a: Additive<S>, order: number): Additive<Series<S>> {
  return {
    zero: constantSeries(a, a.zero, order),
    add: (x, y) => written(order, (k) => a.add(nth(x, k), nth(y, k))),
    detach: ([x]) => constantSeries(a, a.detach(x), order),
  };
}

function seriesSemiring<S>(a: Semiring<S>, order: number): Semiring<Series<S>> {
  return {
    ...seriesAdditive(a, order),
    one: constantSeries(a, a.one, order),
    multiply: (x, y) => written(order, (k) => convolution(a, k, x, y)),
    literal: (x) => constantSeries(a, a.literal(x), order),
  };
}

/** Returns Σ xⱼ yₖ₋ⱼ. */
function convolution<S>(a: Semiring<S>, k: number, x: readonly S[], y: readonly S[]): S {
  let total = a.multiply(nth(x, 0), nth(y, k));
  for (let j = 1; j <= k; j++) total = a.add(total, a.multiply(nth(x, j), nth(y, k - j)));
  return total;
}

function seriesRing<S>(a: Ring<S>, order: number): Ring<Series<S>> {
  return { ...seriesSemiring(a, order), negative: (x) => written(order, (k) => a.negative(nth(x, k))) };
}

function seriesField<S>(a: Field<S>, order: number): Field<Series<S>> {
  return {
    ...seriesRing(a, order),
    // q y = x, coefficient by coefficient.
    divide: (x, y) => {
      const q: S[] = [];
      for (let k = 0; k <= order; k++) {
        let rest = nth(x, k);
        for (let j = 0; j < k; j++) rest = a.add(rest, a.negative(a.multiply(nth(q, j), nth(y, k - j))));
        q.push(a.divide(rest, nth(y, 0)));
      }
      return seriesOf(q);
    },
  };
}

/** The slope along one operand, from the coefficients of the operands and the value that are known. */
interface Slope<S> {
  readonly along: Series<S>;
  at(order: number, value: Series<S>): Series<S>;
}

/** Returns the series whose derivative is Σ slope times derivative of operand: k yₖ = Σ j xⱼ gₖ₋ⱼ. */
function integrated<S>(a: Field<S>, order: number, value: S, slopes: readonly Slope<S>[]): Series<S> {
  const y: [S, ...S[]] = [value];
  for (let k = 1; k <= order; k++) {
    let total = a.zero;
    for (const { along, at: slopeAt } of slopes) {
      const g = slopeAt(k - 1, y);
      for (let j = 1; j <= k; j++) {
        total = a.add(total, a.multiply(a.multiply(a.literal(j), nth(along, j)), nth(g, k - j)));
      }
    }
    y.push(a.divide(total, a.literal(k)));
  }
  return y;
}

function cut<S>(x: readonly S[], order: number): Series<S> {
  return seriesOf(x.slice(0, order + 1));
}

function seriesReal<S>(a: Real<S>, order: number): Real<Series<S>> {
  return {
    ...seriesField(a, order),
    ...forUnary((name) => (x: Series<S>): Series<S> => {
      const slope = (below: number, y: Series<S>): Series<S> => {
        const lower = seriesReal(a, below);
        const place = { x: cut(x, below), y: cut(y, below) };
        const unit = {
          times: (factor: Series<S>) => factor,
          over: (by: Series<S>) => lower.divide(lower.one, by),
        };
        return unaryFunctions[name].scale(lower, unit, place);
      };
      return integrated(a, order, a[name](x[0]), [{ along: x, at: slope }]);
    }),
    atan2: (y, x) => {
      const turn =
        (part: Series<S>, sign: 1 | -1) =>
        (below: number): Series<S> => {
          const lower = seriesReal(a, below);
          const h = lower.hypot(cut(x, below), cut(y, below));
          const slope = lower.divide(lower.divide(cut(part, below), h), h);
          return sign === 1 ? slope : lower.negative(slope);
        };
      return integrated(a, order, a.atan2(y[0], x[0]), [
        { along: y, at: turn(x, 1) },
        { along: x, at: turn(y, -1) },
      ]);
    },
    hypot: (x, y) => {
      const part =
        (operand: Series<S>) =>
        (below: number, h: Series<S>): Series<S> =>
          seriesField(a, below).divide(cut(operand, below), cut(h, below));
      return integrated(a, order, a.hypot(x[0], y[0]), [
        { along: x, at: part(x) },
        { along: y, at: part(y) },
      ]);
    },
  };
}

/** d(x^y) = y x^(y−1) dx + x^y ln x dy, with the conventions of dual numbers. */
function seriesPow<S, B>(a: OrderedReal<S, B>, order: number): OrderedReal<Series<S>, B>["pow"] {
  return (x, y) => {
    const byX = (below: number): Series<S> => {
      const lower = seriesField(a, below);
      const exponent = lower.add(cut(y, below), lower.negative(lower.one));
      const slope = lower.multiply(cut(y, below), seriesPow(a, below)(cut(x, below), exponent));
      const isCorner = a.equal(x[0], a.zero);
      return written(below, (k) => {
        const c = nth(slope, k);
        return a.select(a.equal(y[0], a.zero), a.select(isCorner, a.zero, c), c);
      });
    };
    const byY = (below: number, value: Series<S>): Series<S> => {
      const lower = seriesReal(a, below);
      const logarithm = lower.log(cut(x, below));
      const spared = written(below, (k) => a.select(a.equal(x[0], a.zero), a.zero, nth(logarithm, k)));
      const turning = lower.multiply(cut(value, below), spared);
      // Along a fixed exponent there is a derivative where x is negative.
      const isFixed = y.slice(1).map((c) => a.equal(c, a.zero));
      return written(below, (k) => {
        const still = isFixed.reduceRight((held, holds) => a.select(holds, held, nth(turning, k)), a.zero);
        return a.select(a.less(x[0], a.zero), still, nth(turning, k));
      });
    };
    return integrated(a, order, a.pow(x[0], y[0]), [
      { along: x, at: byX },
      { along: y, at: byY },
    ]);
  };
}

function seriesOrdered<S, B>(a: Ordered<S, B>, order: number): Ordered<Series<S>, B> {
  return {
    ...seriesRing(a, order),
    less: (x, y) => a.less(x[0], y[0]),
    equal: (x, y) => a.equal(x[0], y[0]),
    select: (condition, x, y) => written(order, (k) => a.select(condition, nth(x, k), nth(y, k))),
    floor: ([x]) => constantSeries(a, a.floor(x), order),
  };
}
