import {
  accurateSlopes,
  forUnary,
  hasAccurateSlope,
  type PrimitiveName,
  type UnaryName,
  unaryFunctions,
} from "../../../spec/operators/index.ts";
import type { Algebra, OrderedField, OrderedReal } from "../../../spec/shapes/index.ts";

/**
 * An operator of one operand is known by its value, its tangent, and what it hands back of a cotangent: these
 * are the reference's formulas, with the value handed in where they compute it again.
 */
interface One<S> {
  readonly value: (x: S) => S;
  /** Returns the tangent where the value is `y`. */
  readonly tangent: (x: S, xDot: S, y: S) => S;
  readonly bar?: (x: S, c: S, y: S) => S;
}

/** An operator of two operands is known by the same; `z` is its value. */
interface Two<S> {
  readonly value: (x: S, y: S) => S;
  readonly tangent: (x: S, y: S, xDot: S, yDot: S, z: S) => S;
  readonly bars?: readonly [Bar<S>, Bar<S>];
}

type Bar<S> = (x: S, y: S, c: S, z: S) => S;

/** `where` chooses by its first operand, through which no cotangent passes. */
interface Choice<S> {
  readonly value: (condition: S, x: S, y: S) => S;
  readonly bars: readonly [(condition: S, c: S) => S, (condition: S, c: S) => S];
}

/** These operators work element by element; `where` is missing where nothing is compared. */
export interface Elementwise<S> {
  readonly one: { readonly [P in PrimitiveName]?: One<S> };
  readonly two: { readonly [P in PrimitiveName]?: Two<S> };
  readonly where: Choice<S> | undefined;
}

function rational<S, B>(a: OrderedField<S, B>): Elementwise<S> {
  const zero = (): S => a.zero;
  const minus = (x: S, y: S): S => a.add(x, a.negative(y));
  const larger = (x: S, y: S, first: S, second: S): S => {
    const unordered = a.select(a.equal(y, y), first, second);
    return a.select(a.less(x, y), second, a.select(a.less(y, x), first, unordered));
  };
  const comparing = (holds: (x: S, y: S) => B): Two<S> => ({
    value: (x, y) => a.detach(a.select(holds(x, y), a.one, a.zero)),
    tangent: zero,
  });
  const positive = (x: S, above: S, atZero: S): S =>
    a.select(a.less(a.zero, x), above, a.select(a.less(x, a.zero), a.zero, a.add(atZero, a.zero)));
  return {
    one: {
      stop_gradient: { value: (x) => a.detach(x), tangent: zero },
      floor: { value: (x) => a.floor(x), tangent: zero },
      negative: {
        value: (x) => a.negative(x),
        tangent: (_x, xDot) => a.negative(xDot),
        bar: (_x, c) => a.negative(c),
      },
      relu: {
        value: (x) => positive(x, x, a.detach(x)),
        tangent: (x, xDot) => positive(x, xDot, a.zero),
        bar: (x, c) => a.select(a.less(a.zero, x), c, a.zero),
      },
    },
    two: {
      add: {
        value: (x, y) => a.add(x, y),
        tangent: (_x, _y, xDot, yDot) => a.add(xDot, yDot),
        bars: [(_x, _y, c) => c, (_x, _y, c) => c],
      },
      subtract: {
        value: minus,
        tangent: (_x, _y, xDot, yDot) => minus(xDot, yDot),
        bars: [(_x, _y, c) => c, (_x, _y, c) => a.negative(c)],
      },
      multiply: {
        value: (x, y) => a.multiply(x, y),
        tangent: (x, y, xDot, yDot) => a.add(a.multiply(xDot, y), a.multiply(x, yDot)),
        bars: [(_x, y, c) => a.multiply(c, y), (x, _y, c) => a.multiply(c, x)],
      },
      divide: {
        value: (x, y) => a.divide(x, y),
        tangent: (_x, y, xDot, yDot, q) => a.divide(minus(xDot, a.multiply(q, yDot)), y),
        bars: [(_x, y, c) => a.divide(c, y), (_x, y, c, q) => a.negative(a.divide(a.multiply(c, q), y))],
      },
      maximum: {
        value: (x, y) => larger(x, y, x, y),
        tangent: larger,
        bars: [(x, y, c) => larger(x, y, c, a.zero), (x, y, c) => larger(x, y, a.zero, c)],
      },
      less: comparing((x, y) => a.less(x, y)),
      equal: comparing((x, y) => a.equal(x, y)),
    },
    where: {
      value: (condition, x, y) => a.select(a.equal(condition, a.zero), y, x),
      bars: [
        (condition, c) => a.select(a.equal(condition, a.zero), a.zero, c),
        (condition, c) => a.select(a.equal(condition, a.zero), c, a.zero),
      ],
    },
  };
}

function smooth<S, B>(a: OrderedReal<S, B>, isAccurate: boolean): Omit<Elementwise<S>, "where"> {
  const minus = (x: S, y: S): S => a.add(x, a.negative(y));
  const one = (name: UnaryName): One<S> => {
    const value = (x: S): S => a[name](x);
    if (isAccurate && hasAccurateSlope(name)) {
      const scaled = (x: S, by: S): S => a.multiply(by, accurateSlopes[name](a, x));
      return { value, tangent: scaled, bar: scaled };
    }
    const { scale } = unaryFunctions[name];
    return {
      value,
      tangent: (x, xDot, y) => {
        const along = { times: (slope: S) => a.multiply(slope, xDot), over: (by: S) => a.divide(xDot, by) };
        return scale(a, along, { x, y });
      },
      bar: (x, c, y) => {
        const back = { times: (slope: S) => a.multiply(c, slope), over: (by: S) => a.divide(c, by) };
        return scale(a, back, { x, y });
      },
    };
  };
  const slope = (x: S, y: S): S => a.multiply(y, a.pow(x, a.add(y, a.negative(a.one))));
  const logarithm = (x: S): S => a.select(a.equal(x, a.zero), a.zero, a.log(x));
  return {
    one: forUnary(one),
    two: {
      pow: {
        value: (x, y) => a.pow(x, y),
        tangent: (x, y, xDot, yDot, z) => {
          const alongX = a.select(a.equal(y, a.zero), a.zero, a.multiply(slope(x, y), xDot));
          const turning = a.multiply(a.multiply(z, logarithm(x)), yDot);
          const still = a.select(a.equal(yDot, a.zero), a.zero, turning);
          return a.add(alongX, a.select(a.less(x, a.zero), still, turning));
        },
        bars: [
          (x, y, c) => a.multiply(c, a.select(a.equal(y, a.zero), a.zero, slope(x, y))),
          (x, _y, c, z) => a.multiply(c, a.multiply(z, logarithm(x))),
        ],
      },
      atan2: {
        value: (y, x) => a.atan2(y, x),
        tangent: (y, x, yDot, xDot) => {
          const h = a.hypot(x, y);
          const along = a.multiply(a.divide(x, h), yDot);
          return a.divide(minus(along, a.multiply(a.divide(y, h), xDot)), h);
        },
        bars: [
          (y, x, c) => {
            const h = a.hypot(x, y);
            return a.multiply(c, a.divide(a.divide(x, h), h));
          },
          (y, x, c) => {
            const h = a.hypot(x, y);
            return a.negative(a.multiply(c, a.divide(a.divide(y, h), h)));
          },
        ],
      },
      hypot: {
        value: (x, y) => a.hypot(x, y),
        tangent: (x, y, xDot, yDot, h) =>
          a.add(a.multiply(a.divide(x, h), xDot), a.multiply(a.divide(y, h), yDot)),
        bars: [
          (x, _y, c, h) => a.multiply(c, a.divide(x, h)),
          (_x, y, c, h) => a.multiply(c, a.divide(y, h)),
        ],
      },
    },
  };
}

/** Returns the operators that work element by element over an algebra, and have one operand or two. */
export function elementwiseOver<S, B>(
  { levels: { orderedField, orderedReal } }: Algebra<S, B>,
  isAccurate: boolean,
): Elementwise<S> {
  const field = orderedField && rational(orderedField);
  const real = orderedReal && smooth(orderedReal, isAccurate);
  return {
    one: { ...field?.one, ...real?.one },
    two: { ...field?.two, ...real?.two },
    where: field?.where,
  };
}
