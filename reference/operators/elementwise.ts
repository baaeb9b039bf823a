import type { NoAttributes, Ordered } from "../../spec/index.ts";
import { map, zip } from "../tensor.ts";
import { binary, operand, type Rule, unary } from "./rule.ts";

/** −x */
export const negative: Rule<"ring", NoAttributes> = unary<"ring">(
  (a, x) => a.negative(x),
  (a, _x, c) => a.negative(c),
);

/** eˣ, its own derivative. */
export const exp: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.exp(x),
  (a, x, c) => a.multiply(c, a.exp(x)),
);

/** ln x, with derivative 1/x. */
export const log: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.log(x),
  (a, x, c) => a.divide(c, x),
);

/** sin x, with derivative cos x. */
export const sin: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.sin(x),
  (a, x, c) => a.multiply(c, a.cos(x)),
);

/** cos x, with derivative −sin x. */
export const cos: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.cos(x),
  (a, x, c) => a.negative(a.multiply(c, a.sin(x))),
);

/** tanh x, with derivative 1 − tanh² x. */
export const tanh: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.tanh(x),
  (a, x, c) => {
    const t = a.tanh(x);
    return a.multiply(c, a.add(a.one, a.negative(a.multiply(t, t))));
  },
);

/** √x, with derivative 1/(√x + √x). */
export const sqrt: Rule<"real", NoAttributes> = unary<"real">(
  (a, x) => a.sqrt(x),
  (a, x, c) => {
    const s = a.sqrt(x);
    return a.divide(c, a.add(s, s));
  },
);

/** x where x > 0, else 0, but NaN of a NaN, which is neither above nor below 0; the derivative at 0, and there, is 0. */
export const relu: Rule<"ordered", NoAttributes> = unary<"ordered">(
  (a, x) => a.select(a.less(a.zero, x), x, a.select(a.less(x, a.zero), a.zero, a.add(a.detach(x), a.zero))),
  (a, x, c) => a.select(a.less(a.zero, x), c, a.zero),
);

/** ⌊x⌋; nothing is differentiated. */
export const floor: Rule<"ordered", NoAttributes> = {
  forward: (application) => map(operand(application, 0), (x) => application.algebra.floor(x)),
  vjp: () => [undefined],
};

/** x + y */
export const add: Rule<"additive", NoAttributes> = binary<"additive">(
  (a, x, y) => a.add(x, y),
  (_a, _x, _y, c) => c,
  (_a, _x, _y, c) => c,
);

/** x + (−y), which in IEEE arithmetic is x − y to the bit. */
export const subtract: Rule<"ring", NoAttributes> = binary<"ring">(
  (a, x, y) => a.add(x, a.negative(y)),
  (_a, _x, _y, c) => c,
  (a, _x, _y, c) => a.negative(c),
);

/** x · y */
export const multiply: Rule<"semiring", NoAttributes> = binary<"semiring">(
  (a, x, y) => a.multiply(x, y),
  (a, _x, y, c) => a.multiply(c, y),
  (a, x, _y, c) => a.multiply(c, x),
);

/** q = x / y, with derivatives 1/y and −q/y. */
export const divide: Rule<"field", NoAttributes> = binary<"field">(
  (a, x, y) => a.divide(x, y),
  (a, _x, y, c) => a.divide(c, y),
  (a, x, y, c) => a.negative(a.divide(a.multiply(c, a.divide(x, y)), y)),
);

/** The larger of x and y; at a tie it is x to which the cotangent goes, and a NaN is larger than anything. */
export const maximum: Rule<"ordered", NoAttributes> = binary<"ordered">(
  (a, x, y) => ofLarger(a, x, y, x, y),
  (a, x, y, c) => ofLarger(a, x, y, c, a.zero),
  (a, x, y, c) => ofLarger(a, x, y, a.zero, c),
);

/** 1 where x < y, else 0; nothing is differentiated. */
export const less: Rule<"ordered", NoAttributes> = comparison((a, x, y) => a.less(x, y));

/** 1 where x = y, else 0; nothing is differentiated. */
export const equal: Rule<"ordered", NoAttributes> = comparison((a, x, y) => a.equal(x, y));

/**
 * `first` where x is the larger or y is not, `second` where y is the larger or NaN. A NaN is known by not being equal to
 * itself; that is asked last, since what is known only up to an error is not for certain equal to itself either.
 */
function ofLarger<S, B>(a: Ordered<S, B>, x: S, y: S, first: S, second: S): S {
  const unordered = a.select(a.equal(y, y), first, second);
  return a.select(a.less(x, y), second, a.select(a.less(y, x), first, unordered));
}

/** x where the condition is not zero, else y; the condition is not differentiated. */
export const where: Rule<"ordered", NoAttributes> = {
  forward(application) {
    const { algebra: a } = application;
    const choices = zip(operand(application, 1), operand(application, 2), (x, y) => ({ x, y }));
    return zip(operand(application, 0), choices, (condition, { x, y }) =>
      a.select(a.equal(condition, a.zero), y, x),
    );
  },
  vjp(application, cotangent) {
    const { algebra: a } = application;
    const conditions = operand(application, 0);
    return [
      undefined,
      zip(conditions, cotangent, (condition, c) => a.select(a.equal(condition, a.zero), a.zero, c)),
      zip(conditions, cotangent, (condition, c) => a.select(a.equal(condition, a.zero), c, a.zero)),
    ];
  },
};

/** x; no cotangent passes. */
export const stopGradient: Rule<"additive", NoAttributes> = {
  forward: (application) => map(operand(application, 0), (x) => application.algebra.detach(x)),
  vjp: () => [undefined],
};

/** The truth of a comparison as a number, whose tangent is zero even where an operand has no value. */
function comparison(holds: <S, B>(a: Ordered<S, B>, x: S, y: S) => B): Rule<"ordered", NoAttributes> {
  return {
    forward(application) {
      const { algebra: a } = application;
      return zip(operand(application, 0), operand(application, 1), (x, y) =>
        a.detach(a.select(holds(a, x, y), a.one, a.zero)),
      );
    },
    vjp: () => [undefined, undefined],
  };
}
