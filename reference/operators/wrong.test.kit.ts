import {
  isSameShape,
  type Levels,
  type Need,
  type NoAttributes,
  type PrimitiveName,
  sizeOf,
} from "../../spec/index.ts";
import { tensor, zeros, zip } from "../tensor.ts";
import type { RuleOf } from "./apply.test.kit.ts";
import { rules } from "./index.ts";
import { binary, operand, type Rule, unary } from "./rule.ts";

/** The right `forward` with another `vjp`. */
function pulling<N extends Need, A>(right: Rule<N, A>, vjp: Rule<N, A>["vjp"]): Rule<N, A> {
  return { ...right, vjp };
}

/** The rule of an elementwise function with a wrong derivative. */
const derived = <N extends Need>(
  right: Rule<N, NoAttributes>,
  bar: <S, B>(a: Levels<S, B>[N], x: S, c: S) => S,
): Rule<N, NoAttributes> => pulling(right, unary<N>((_a, x) => x, bar).vjp);

type Bar<N extends Need> = Parameters<typeof binary<N>>[1];

/** The rule of an elementwise function of two operands with wrong derivatives. */
const derivedTwice = <N extends Need>(
  right: Rule<N, NoAttributes>,
  xBar: Bar<N>,
  yBar: Bar<N>,
): Rule<N, NoAttributes> => pulling(right, binary<N>((_a, x) => x, xBar, yBar).vjp);

/** The right cotangents with their elements last first, as a rule has them that mixes up positions. */
function reversing<N extends Need, A>(right: Rule<N, A>): Rule<N, A> {
  return pulling(right, (application, c) =>
    right.vjp(application, c).map((bar) => bar && { shape: bar.shape, data: bar.data.toReversed() }),
  );
}

/** Cotangents of the operands' shapes whose elements are the cotangent's, from the first on, round and round. */
function unmoved<A>(right: Rule<"additive", A>): Rule<"additive", A> {
  return pulling(right, ({ operands, algebra }, c) =>
    operands.map(({ shape }) =>
      tensor(shape, (position) => c.data[position % Math.max(c.data.length, 1)] ?? algebra.zero),
    ),
  );
}

/** Rules with one fault each, by what is wrong: the mistakes one makes. */
export const wrongRules: {
  readonly [K in PrimitiveName]: Readonly<Record<string, RuleOf<K>>>;
} = {
  // It has no operand, so nothing it could pull back would be looked at.
  constant: {},
  stop_gradient: { "passes the cotangent": pulling(rules.stop_gradient, (_application, c) => [c]) },
  negative: { "loses the sign": derived<"ring">(rules.negative, (_a, _x, c) => c) },
  exp: {
    "multiplies by x": derived<"real">(rules.exp, (a, x, c) => a.multiply(c, x)),
    "forgets the cotangent": derived<"real">(rules.exp, (a, x) => a.exp(x)),
  },
  log: { "multiplies by x": derived<"real">(rules.log, (a, x, c) => a.multiply(c, x)) },
  sin: { "is its own derivative": derived<"real">(rules.sin, (a, x, c) => a.multiply(c, a.sin(x))) },
  cos: { "loses the sign": derived<"real">(rules.cos, (a, x, c) => a.multiply(c, a.sin(x))) },
  tanh: {
    "does not square": derived<"real">(rules.tanh, (a, x, c) =>
      a.multiply(c, a.add(a.one, a.negative(a.tanh(x)))),
    ),
  },
  sqrt: { "does not halve": derived<"real">(rules.sqrt, (a, x, c) => a.divide(c, a.sqrt(x))) },
  relu: {
    "is open at 0": derived<"ordered">(rules.relu, (a, x, c) => a.select(a.less(x, a.zero), a.zero, c)),
    "looks at the cotangent": derived<"ordered">(rules.relu, (a, _x, c) =>
      a.select(a.less(a.zero, c), c, a.zero),
    ),
  },
  expm1: { "is its own derivative": derived<"real">(rules.expm1, (a, x, c) => a.multiply(c, a.expm1(x))) },
  log1p: { "forgets the 1": derived<"real">(rules.log1p, (a, x, c) => a.divide(c, x)) },
  log2: { "is to base e": derived<"real">(rules.log2, (a, x, c) => a.divide(c, x)) },
  tan: {
    "does not square": derived<"real">(rules.tan, (a, x, c) => a.multiply(c, a.add(a.one, a.tan(x)))),
    "takes the argument for the value": derived<"real">(rules.tan, (a, x, c) =>
      a.multiply(c, a.add(a.one, a.multiply(x, x))),
    ),
  },
  asin: {
    "forgets the root": derived<"real">(rules.asin, (a, x, c) =>
      a.divide(c, a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x))),
    ),
  },
  acos: {
    "loses the sign": derived<"real">(rules.acos, (a, x, c) =>
      a.divide(c, a.sqrt(a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x)))),
    ),
  },
  atan: { "does not square": derived<"real">(rules.atan, (a, x, c) => a.divide(c, a.add(a.one, x))) },
  sinh: { "is its own derivative": derived<"real">(rules.sinh, (a, x, c) => a.multiply(c, a.sinh(x))) },
  cosh: {
    "changes the sign, as cos does": derived<"real">(rules.cosh, (a, x, c) =>
      a.negative(a.multiply(c, a.sinh(x))),
    ),
  },
  asinh: {
    "forgets the root": derived<"real">(rules.asinh, (a, x, c) =>
      a.divide(c, a.add(a.one, a.multiply(x, x))),
    ),
  },
  acosh: {
    "is asinh's": derived<"real">(rules.acosh, (a, x, c) => a.divide(c, a.hypot(a.one, x))),
  },
  atanh: {
    "does not square": derived<"real">(rules.atanh, (a, x, c) => a.divide(c, a.add(a.one, a.negative(x)))),
  },
  erf: {
    "forgets the factor": derived<"real">(rules.erf, (a, x, c) =>
      a.multiply(c, a.exp(a.negative(a.multiply(x, x)))),
    ),
  },
  add: { "drops an operand": pulling(rules.add, (_application, c) => [c, undefined]) },
  subtract: { adds: pulling(rules.subtract, (_application, c) => [c, c]) },
  multiply: {
    "swaps its operands": derivedTwice<"semiring">(
      rules.multiply,
      (a, x, _y, c) => a.multiply(c, x),
      (a, _x, y, c) => a.multiply(c, y),
    ),
  },
  divide: {
    "loses a sign": derivedTwice<"field">(
      rules.divide,
      (a, _x, y, c) => a.divide(c, y),
      (a, x, y, c) => a.divide(a.multiply(c, a.divide(x, y)), y),
    ),
    "divides once": derivedTwice<"field">(
      rules.divide,
      (a, _x, y, c) => a.divide(c, y),
      (a, x, y, c) => a.negative(a.divide(a.multiply(c, x), y)),
    ),
  },
  maximum: {
    "gives a tie to the second operand": derivedTwice<"ordered">(
      rules.maximum,
      (a, x, y, c) => a.select(a.less(y, x), c, a.zero),
      (a, x, y, c) => a.select(a.less(y, x), a.zero, c),
    ),
    "gives a tie to both": derivedTwice<"ordered">(
      rules.maximum,
      (a, x, y, c) => a.select(a.less(x, y), a.zero, c),
      (a, x, y, c) => a.select(a.less(y, x), a.zero, c),
    ),
  },
  pow: {
    "does not lower the exponent": pulling(rules.pow, (application, c) => {
      const [xBar, yBar] = rules.pow.vjp(application, c);
      const x = operand(application, 0);
      const { algebra: a } = application;
      return [xBar && zip(xBar, x, (bar, base) => a.multiply(bar, base)), yBar];
    }),
    "holds the exponent fixed": pulling(rules.pow, (application, c) => [
      rules.pow.vjp(application, c)[0],
      undefined,
    ]),
  },
  atan2: {
    "swaps its operands": derivedTwice<"real">(
      rules.atan2,
      (a, y, x, c) => a.negative(a.multiply(c, a.divide(a.divide(y, a.hypot(x, y)), a.hypot(x, y)))),
      (a, y, x, c) => a.multiply(c, a.divide(a.divide(x, a.hypot(x, y)), a.hypot(x, y))),
    ),
    "loses a sign": derivedTwice<"real">(
      rules.atan2,
      (a, y, x, c) => a.multiply(c, a.divide(a.divide(x, a.hypot(x, y)), a.hypot(x, y))),
      (a, y, x, c) => a.multiply(c, a.divide(a.divide(y, a.hypot(x, y)), a.hypot(x, y))),
    ),
  },
  hypot: {
    "is the square's": derivedTwice<"real">(
      rules.hypot,
      (a, x, _y, c) => a.multiply(c, a.add(x, x)),
      (a, _x, y, c) => a.multiply(c, a.add(y, y)),
    ),
    "swaps its operands": pulling(rules.hypot, (application, c) =>
      rules.hypot.vjp(application, c).toReversed(),
    ),
  },
  where: {
    "swaps the sides": pulling(rules.where, (application, c) => {
      const [, x, y] = rules.where.vjp(application, c);
      return [undefined, y, x];
    }),
    "does not ask the condition": pulling(rules.where, (_application, c) => [undefined, c, c]),
    "differentiates the condition": pulling(rules.where, (application, c) => [
      c,
      ...rules.where.vjp(application, c).slice(1),
    ]),
  },
  sum: {
    "does not repeat along the axis": unmoved(rules.sum),
    "repeats in another order": reversing(rules.sum),
    "is zero": pulling(rules.sum, ({ algebra, operands }) =>
      operands.map(({ shape }) => zeros(algebra, shape)),
    ),
  },
  broadcast_to: {
    "takes one of the repetitions": unmoved(rules.broadcast_to),
    "sums in other places": reversing(rules.broadcast_to),
  },
  reshape: { "turns the elements round": reversing(rules.reshape) },
  permute_dims: {
    "does not move the elements": unmoved(rules.permute_dims),
    "permutes once more instead of back": pulling(rules.permute_dims, (application, c) => {
      const { shape } = operand(application, 0);
      const fits = isSameShape(shape, c.shape);
      return fits
        ? [rules.permute_dims.forward({ ...application, operands: [c] })]
        : rules.permute_dims.vjp(application, c);
    }),
  },
  concat: {
    "begins every part at the front": unmoved(rules.concat),
    "cuts the parts in the wrong order": reversing(rules.concat),
    "forgets the last part": pulling(rules.concat, (application, c) =>
      rules.concat.vjp(application, c).slice(0, -1),
    ),
  },
  take: {
    "puts the cotangents where they stand": unmoved(rules.take),
    "overwrites at a repeated index": pulling(rules.take, (application, c) =>
      rules.take.vjp({ ...application, algebra: { ...application.algebra, add: (_x, y) => y } }, c),
    ),
  },
  matmul: {
    "swaps its operands": pulling(rules.matmul, (application, c) => {
      const [x, y] = application.operands;
      const [xBar, yBar] = rules.matmul.vjp(application, c);
      const fits = x !== undefined && y !== undefined && sizeOf(x.shape) === sizeOf(y.shape);
      return fits ? [yBar, xBar] : [xBar, yBar];
    }),
    "does not transpose": pulling(rules.matmul, (application, c) => {
      const [x, y] = application.operands;
      const [rows, columns] = c.shape.slice(-2);
      if (x === undefined || y === undefined || rows !== columns || sizeOf(x.shape) !== sizeOf(c.shape)) {
        return rules.matmul.vjp(application, c);
      }
      return [
        rules.matmul.forward({ ...application, operands: [c, y], shape: x.shape }),
        rules.matmul.forward({ ...application, operands: [x, c], shape: y.shape }),
      ];
    }),
    "has its elements last first": reversing(rules.matmul),
  },
};
