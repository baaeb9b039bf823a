import type { Choices, NoAttributes } from "../../spec/operators/index.ts";
import type { Ordered } from "../../spec/shapes/index.ts";
import { map, zip } from "../tensor.ts";
import { binary, operand, type Rule, type RulesOf, unary } from "./rule.ts";

/** These operators compare their operands, element by element. */
export const choices: RulesOf<keyof Choices> = {
  /** x where x > 0, NaN of a NaN, else 0. The derivative is 0 at and below 0. */
  relu: unary<"ordered">(
    (a, x) => a.select(a.less(a.zero, x), x, a.select(a.less(x, a.zero), a.zero, a.add(a.detach(x), a.zero))),
    (a, x, c) => a.select(a.less(a.zero, x), c, a.zero),
  ),
  /** ⌊x⌋; nothing is differentiated. */
  floor: {
    forward: (application) => map(operand(application, 0), (x) => application.algebra.floor(x)),
    vjp: () => [undefined],
  },
  /** The larger of x and y, NaN being larger than anything. At a tie x gets the cotangent. */
  maximum: binary<"ordered">(
    (a, x, y) => ofLarger(a, x, y, x, y),
    (a, x, y, c) => ofLarger(a, x, y, c, a.zero),
    (a, x, y, c) => ofLarger(a, x, y, a.zero, c),
  ),
  /** 1 where x < y, else 0; nothing is differentiated. */
  less: comparison((a, x, y) => a.less(x, y)),
  /** 1 where x = y, else 0; nothing is differentiated. */
  equal: comparison((a, x, y) => a.equal(x, y)),
  /** x where the condition is not zero, else y; the condition is not differentiated. */
  where: {
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
  },
};

/**
 * Returns `first` if x is the larger or y is not, `second` if y is the larger or NaN. NaN is known by not
 * equalling itself, which is asked last, since what is known up to an error may not surely equal itself.
 */
function ofLarger<S, B>(a: Ordered<S, B>, x: S, y: S, first: S, second: S): S {
  const unordered = a.select(a.equal(y, y), first, second);
  return a.select(a.less(x, y), second, a.select(a.less(y, x), first, unordered));
}

/** Makes a comparison's rule: a number whose tangent is zero even where an operand has no value. */
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
