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

/** The cotangent of what was taken last, where it was taken more than once. */
function overwriting<A>(right: Rule<"additive", A>): Rule<"additive", A> {
  return pulling(right, (application, c) =>
    right.vjp({ ...application, algebra: { ...application.algebra, add: (_x, y) => y } }, c),
  );
}

/** Rules with one fault each, by what is wrong: the mistakes one makes. */
export const wrongRules: {
  readonly [K in PrimitiveName]: Readonly<Record<string, RuleOf<K>>>;
} = {
  // These have no operand, so nothing they could pull back would be looked at.
  constant: {},
  full: {},
  iota: {},
  bernoulli_mask: {},
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
  floor: { "passes the cotangent": pulling(rules.floor, (_application, c) => [c]) },
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
  less: { "passes the cotangent": pulling(rules.less, (_application, c) => [c, undefined]) },
  equal: { "passes the cotangent": pulling(rules.equal, (_application, c) => [undefined, c]) },
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
    "overwrites at a repeated index": overwriting(rules.take),
  },
  slice: {
    "puts the cotangents at the front": unmoved(rules.slice),
    "puts them in the other order": reversing(rules.slice),
  },
  pad: {
    "reads the cotangents from the front": unmoved(rules.pad),
    "forgets the gaps": pulling(rules.pad, ({ attributes, ...application }, c) => {
      const interior = attributes.interior.map(() => 0);
      return rules.pad.vjp({ ...application, attributes: { ...attributes, interior } }, c);
    }),
    "swaps the sides": pulling(rules.pad, ({ attributes, ...application }, c) => {
      const { low, high } = attributes;
      return rules.pad.vjp({ ...application, attributes: { ...attributes, low: high, high: low } }, c);
    }),
  },
  take_along_axis: {
    "puts the cotangents where they stand": unmoved(rules.take_along_axis),
    "overwrites at a repeated index": overwriting(rules.take_along_axis),
  },
  gather: {
    "puts the cotangents where they stand": unmoved(rules.gather),
    "overwrites at a repeated row": overwriting(rules.gather),
  },
  scatter_add: {
    "forgets x": pulling(rules.scatter_add, (application, c) => [
      undefined,
      ...rules.scatter_add.vjp(application, c).slice(1),
    ]),
    "forgets the updates": pulling(rules.scatter_add, (_application, c) => [c, undefined]),
    "reads the updates' cotangents from the front": unmoved(rules.scatter_add),
    "clears x where it is updated": pulling(rules.scatter_add, (application, c) => {
      const [, updates] = rules.scatter_add.vjp(application, c);
      const kept = rules.scatter_add.forward({
        ...application,
        operands: [c, operand(application, 1)],
        algebra: { ...application.algebra, add: () => application.algebra.zero },
      });
      return [kept, updates];
    }),
  },
  cumulative_sum: {
    "does not sum": pulling(rules.cumulative_sum, (_application, c) => [c]),
    "sums upwards once more": pulling(rules.cumulative_sum, (application, c) => [
      rules.cumulative_sum.forward({ ...application, operands: [c] }),
    ]),
    "leaves the element itself out": pulling(rules.cumulative_sum, (application, c) => {
      const [bar = c] = rules.cumulative_sum.vjp(application, c);
      const along = application.shape[application.attributes.axis] ?? 0;
      const inner = sizeOf(application.shape.slice(application.attributes.axis + 1));
      return [
        tensor(bar.shape, (position) =>
          Math.floor(position / inner) % along === along - 1
            ? application.algebra.zero
            : (bar.data[position + inner] ?? application.algebra.zero),
        ),
      ];
    }),
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
  solve: {
    "does not transpose": pulling(rules.solve, (application, c) => {
      const [aBar] = rules.solve.vjp(application, c);
      return [aBar, rules.solve.forward({ ...application, operands: [operand(application, 0), c] })];
    }),
    "loses the sign": pulling(rules.solve, (application, c) => {
      const [aBar, bBar] = rules.solve.vjp(application, c);
      return [aBar && rules.negative.forward({ ...application, operands: [aBar] }), bBar];
    }),
    "pulls back to the right-hand side only": pulling(rules.solve, (application, c) => [
      undefined,
      rules.solve.vjp(application, c)[1],
    ]),
  },
  det: {
    "takes the adjugate for the cofactors": pulling(rules.det, (application, c) => {
      const { shape } = operand(application, 0);
      const axes = [...shape.keys()];
      const swapped = [...axes.slice(0, -2), axes.length - 1, axes.length - 2];
      return rules.det.vjp(application, c).map(
        (bar) =>
          bar &&
          rules.permute_dims.forward({
            ...application,
            attributes: { axes: swapped },
            operands: [bar],
            shape,
          }),
      );
    }),
    "forgets the cotangent": pulling(rules.det, (application, c) =>
      rules.det.vjp(application, { shape: c.shape, data: c.data.map(() => application.algebra.one) }),
    ),
    "has its elements last first": reversing(rules.det),
  },
};
