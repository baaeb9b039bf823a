import {
  type Application,
  type Dual,
  dual,
  type Rule,
  rules,
  type Tensor,
  tensor,
  zip,
} from "../../../reference/index.ts";
import {
  type Algebra,
  isSameShape,
  type Levels,
  type Need,
  type NeedOf,
  type NoAttributes,
  type PrimitiveAttributes,
  type PrimitiveName,
  present,
  sizeOf,
} from "../../../spec/index.ts";
import { type Forward, rightForward } from "./sides.ts";

/** A planted-wrong variant of an operator: of its pullback, or of how tangents go through it. */
export interface Fault<N extends Need, A> {
  readonly name: string;
  /** What is wrong, in a few words that follow the operator's name. */
  readonly says: string;
  readonly vjp?: Rule<N, A>["vjp"];
  readonly forward?: Forward;
}

type Slope<N extends Need> = <S, B>(a: Levels<S, B>[N], x: S, c: S) => S;
type SlopeOfTwo<N extends Need> = <S, B>(a: Levels<S, B>[N], x: S, y: S, c: S) => S;

function operandAt<S>({ operands }: { readonly operands: readonly Tensor<S>[] }, place: number): Tensor<S> {
  return present(operands[place], "an operand");
}

/** A wrong derivative of an elementwise operator. */
function slope<N extends Need>(name: string, says: string, bar: Slope<N>): Fault<N, NoAttributes> {
  return {
    name,
    says,
    vjp: (application, c) => [
      zip(operandAt(application, 0), c, (x, cotangent) => bar(application.algebra, x, cotangent)),
    ],
  };
}

/** Wrong derivatives of an elementwise operator of two operands. */
function slopes<N extends Need>(
  name: string,
  says: string,
  xBar: SlopeOfTwo<N>,
  yBar: SlopeOfTwo<N>,
): Fault<N, NoAttributes> {
  return {
    name,
    says,
    vjp: (application, c) => {
      const [x, y] = [operandAt(application, 0), operandAt(application, 1)];
      return [xBar, yBar].map((bar) =>
        tensor(c.shape, (position) =>
          bar(
            application.algebra,
            present(x.data[position], "an element"),
            present(y.data[position], "an element"),
            present(c.data[position], "an element"),
          ),
        ),
      );
    },
  };
}

/** Cotangents with their elements last first. */
function turned<N extends Need, A>(right: Rule<N, A>): Fault<N, A> {
  return {
    name: "turns-round",
    says: "has its cotangents last first",
    vjp: (application, c) =>
      right.vjp(application, c).map((bar) => bar && { shape: bar.shape, data: bar.data.toReversed() }),
  };
}

/** Cotangents of the operands' shapes that hold the result's from the first on, round and round. */
function unmoved<A>(): Fault<"additive", A> {
  return {
    name: "moves-nothing",
    says: "leaves the cotangents where they stand",
    vjp: ({ operands, algebra }, c) =>
      operands.map(({ shape }) =>
        tensor(shape, (position) => c.data[position % Math.max(c.data.length, 1)] ?? algebra.zero),
      ),
  };
}

/** The cotangent that came last, where several come to one element. */
function overwriting<A>(right: Rule<"additive", A>): Fault<"additive", A> {
  return {
    name: "overwrites",
    says: "keeps the last of several cotangents",
    vjp: (application, c) =>
      right.vjp({ ...application, algebra: { ...application.algebra, add: (_x, y) => y } }, c),
  };
}

/** The operands themselves instead of cotangents: a fault where there is no cotangent too. */
function operandsThemselves<N extends Need, A>(): Fault<N, A> {
  return {
    name: "returns-operands",
    says: "returns its operands for cotangents",
    vjp: ({ operands }) => operands,
  };
}

/** The cotangent itself for the first operand of its shape, where none is to pass. */
function passing<N extends Need>(): Fault<N, NoAttributes> {
  return {
    name: "passes-cotangent",
    says: "passes the cotangent on",
    vjp: ({ operands }, c) => operands.map((_, place) => (place === 0 ? c : undefined)),
  };
}

/** Some of the right cotangents, in another order or left out. */
function rearranged<N extends Need, A>(
  right: Rule<N, A>,
  name: string,
  says: string,
  arrange: <S>(
    bars: readonly (Tensor<S> | undefined)[],
    shapes: Application<N, A, S, unknown>["operands"],
  ) => readonly (Tensor<S> | undefined)[],
): Fault<N, A> {
  return { name, says, vjp: (application, c) => arrange(right.vjp(application, c), application.operands) };
}

/** Literals with a tangent of one, as if they were inputs. */
const movingLiterals: Fault<"semiring", unknown> = {
  name: "moves-literals",
  says: "has a tangent of 1 for every literal",
  forward: { ...rightForward, dual: movingDual },
};

function movingDual<S, B>(base: Algebra<S, B>): Algebra<Dual<S>, B> {
  const right = dual(base);
  const { semiring } = base.levels;
  const moving = right.levels.semiring;
  if (semiring === undefined || moving === undefined) return right;
  const literal = (x: number): Dual<S> => ({ x: semiring.literal(x), xDot: semiring.one });
  const wrong = { ...moving, literal, one: literal(1), zero: literal(0) };
  return { ...right, levels: { ...right.levels, semiring: wrong } };
}

/** Δ differentiated as if it were an input. */
const movingEnvironment: Fault<"additive", unknown> = {
  name: "moves-environment",
  says: "has tangents in the environment",
  forward: { ...rightForward, environmentMoves: true },
};

/** For each primitive the mistakes one makes. Each is tried at every use of the operator, and kept where it is one. */
export const faults: {
  readonly [K in PrimitiveName]: readonly Fault<NeedOf[K], PrimitiveAttributes[K]>[];
} = {
  constant: [movingEnvironment],
  full: [movingLiterals],
  iota: [movingLiterals],
  bernoulli_mask: [movingLiterals],
  stop_gradient: [passing()],
  negative: [slope<"ring">("loses-sign", "loses its sign", (_a, _x, c) => c), turned(rules.negative)],
  exp: [slope<"real">("multiplies-by-x", "multiplies by x", (a, x, c) => a.multiply(c, x))],
  log: [slope<"real">("multiplies-by-x", "multiplies by x", (a, x, c) => a.multiply(c, x))],
  sin: [slope<"real">("is-itself", "is its own derivative", (a, x, c) => a.multiply(c, a.sin(x)))],
  cos: [slope<"real">("loses-sign", "loses its sign", (a, x, c) => a.multiply(c, a.sin(x)))],
  tanh: [
    slope<"real">("does-not-square", "does not square tanh x", (a, x, c) =>
      a.multiply(c, a.add(a.one, a.negative(a.tanh(x)))),
    ),
  ],
  sqrt: [slope<"real">("does-not-halve", "does not halve", (a, x, c) => a.divide(c, a.sqrt(x)))],
  relu: [
    slope<"ordered">("opens-at-0", "has slope 1 at 0", (a, x, c) => a.select(a.less(x, a.zero), a.zero, c)),
    slope<"ordered">("asks-cotangent", "looks at the cotangent", (a, _x, c) =>
      a.select(a.less(a.zero, c), c, a.zero),
    ),
  ],
  floor: [passing()],
  expm1: [slope<"real">("is-itself", "is its own derivative", (a, x, c) => a.multiply(c, a.expm1(x)))],
  log1p: [slope<"real">("forgets-1", "forgets the 1", (a, x, c) => a.divide(c, x))],
  log2: [slope<"real">("is-natural", "is to base e", (a, x, c) => a.divide(c, x))],
  tan: [
    slope<"real">("does-not-square", "does not square tan x", (a, x, c) =>
      a.multiply(c, a.add(a.one, a.tan(x))),
    ),
  ],
  asin: [
    slope<"real">("forgets-root", "forgets the root", (a, x, c) =>
      a.divide(c, a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x))),
    ),
  ],
  acos: [
    slope<"real">("loses-sign", "loses its sign", (a, x, c) =>
      a.divide(c, a.sqrt(a.multiply(a.add(a.one, a.negative(x)), a.add(a.one, x)))),
    ),
  ],
  atan: [slope<"real">("does-not-square", "does not square x", (a, x, c) => a.divide(c, a.add(a.one, x)))],
  sinh: [slope<"real">("is-itself", "is its own derivative", (a, x, c) => a.multiply(c, a.sinh(x)))],
  cosh: [
    slope<"real">("is-cos", "changes the sign, as cos does", (a, x, c) =>
      a.negative(a.multiply(c, a.sinh(x))),
    ),
  ],
  asinh: [
    slope<"real">("forgets-root", "forgets the root", (a, x, c) =>
      a.divide(c, a.add(a.one, a.multiply(x, x))),
    ),
  ],
  acosh: [
    slope<"real">("forgets-root", "forgets the second root", (a, x, c) =>
      a.divide(c, a.sqrt(a.add(x, a.negative(a.one)))),
    ),
  ],
  atanh: [
    slope<"real">("does-not-square", "does not square x", (a, x, c) =>
      a.divide(c, a.add(a.one, a.negative(x))),
    ),
  ],
  erf: [
    slope<"real">("forgets-factor", "forgets 2/√π", (a, x, c) =>
      a.multiply(c, a.exp(a.negative(a.multiply(x, x)))),
    ),
  ],
  add: [rearranged(rules.add, "drops-operand", "drops its second operand", (bars) => bars.slice(0, 1))],
  subtract: [
    { name: "adds", says: "is that of add", vjp: (_application, c) => [c, c] },
    rearranged(rules.subtract, "swaps", "swaps its operands", (bars) => bars.toReversed()),
  ],
  multiply: [
    rearranged(rules.multiply, "swaps", "swaps its operands", (bars) => bars.toReversed()),
    turned(rules.multiply),
  ],
  divide: [
    slopes<"field">(
      "loses-sign",
      "loses the sign of the second slope",
      (a, _x, y, c) => a.divide(c, y),
      (a, x, y, c) => a.divide(a.multiply(c, a.divide(x, y)), y),
    ),
    slopes<"field">(
      "divides-once",
      "divides once",
      (a, _x, y, c) => a.divide(c, y),
      (a, x, y, c) => a.negative(a.divide(a.multiply(c, x), y)),
    ),
  ],
  maximum: [
    slopes<"ordered">(
      "ties-to-second",
      "gives a tie to its second operand",
      (a, x, y, c) => a.select(a.less(y, x), c, a.zero),
      (a, x, y, c) => a.select(a.less(y, x), a.zero, c),
    ),
    slopes<"ordered">(
      "ties-to-both",
      "gives a tie to both",
      (a, x, y, c) => a.select(a.less(x, y), a.zero, c),
      (a, x, y, c) => a.select(a.less(y, x), a.zero, c),
    ),
  ],
  less: [passing()],
  equal: [passing()],
  pow: [
    rearranged(rules.pow, "fixes-exponent", "holds its exponent fixed", (bars) => bars.slice(0, 1)),
    {
      name: "keeps-exponent",
      says: "does not lower the exponent",
      vjp: (application, c) => {
        const [xBar, yBar] = rules.pow.vjp(application, c);
        const { algebra: a } = application;
        return [xBar && zip(xBar, operandAt(application, 0), (bar, x) => a.multiply(bar, x)), yBar];
      },
    },
  ],
  atan2: [
    rearranged(rules.atan2, "swaps", "swaps its operands", (bars) => bars.toReversed()),
    slopes<"real">(
      "loses-sign",
      "loses the sign of the second slope",
      (a, y, x, c) => a.multiply(c, a.divide(a.divide(x, a.hypot(x, y)), a.hypot(x, y))),
      (a, y, x, c) => a.multiply(c, a.divide(a.divide(y, a.hypot(x, y)), a.hypot(x, y))),
    ),
  ],
  hypot: [
    rearranged(rules.hypot, "swaps", "swaps its operands", (bars) => bars.toReversed()),
    slopes<"real">(
      "is-square",
      "is that of the square",
      (a, x, _y, c) => a.multiply(c, a.add(x, x)),
      (a, _x, y, c) => a.multiply(c, a.add(y, y)),
    ),
  ],
  where: [
    rearranged(rules.where, "swaps", "swaps its sides", ([condition, x, y]) => [condition, y, x]),
    { name: "asks-nothing", says: "does not ask the condition", vjp: (_application, c) => [undefined, c, c] },
  ],
  sum: [unmoved(), turned(rules.sum), operandsThemselves()],
  broadcast_to: [unmoved(), turned(rules.broadcast_to), operandsThemselves()],
  reshape: [turned(rules.reshape), operandsThemselves()],
  permute_dims: [unmoved(), turned(rules.permute_dims), operandsThemselves()],
  concat: [
    unmoved(),
    turned(rules.concat),
    rearranged(rules.concat, "drops-last", "forgets the last part", (bars) => bars.slice(0, -1)),
  ],
  take: [overwriting(rules.take), unmoved(), turned(rules.take), operandsThemselves()],
  slice: [unmoved(), turned(rules.slice), operandsThemselves()],
  pad: [
    unmoved(),
    {
      name: "forgets-gaps",
      says: "forgets the gaps between elements",
      vjp: ({ attributes, ...application }, c) => {
        const interior = attributes.interior.map(() => 0);
        return rules.pad.vjp({ ...application, attributes: { ...attributes, interior } }, c);
      },
    },
    turned(rules.pad),
    operandsThemselves(),
  ],
  take_along_axis: [overwriting(rules.take_along_axis), unmoved(), turned(rules.take_along_axis)],
  gather: [overwriting(rules.gather), unmoved(), turned(rules.gather), operandsThemselves()],
  scatter_add: [
    rearranged(rules.scatter_add, "forgets-x", "forgets x", ([, updates]) => [undefined, updates]),
    rearranged(rules.scatter_add, "forgets-updates", "forgets the updates", ([x]) => [x, undefined]),
  ],
  cumulative_sum: [
    { name: "sums-not", says: "does not sum", vjp: (_application, c) => [c] },
    {
      name: "sums-upwards",
      says: "sums upwards again",
      vjp: (application, c) => [rules.cumulative_sum.forward({ ...application, operands: [c] })],
    },
    operandsThemselves(),
  ],
  matmul: [
    rearranged(rules.matmul, "swaps", "swaps its operands", (bars, operands) => {
      const [x, y] = operands;
      const fits = x !== undefined && y !== undefined && isSameShape(x.shape, y.shape);
      return fits ? bars.toReversed() : bars;
    }),
    turned(rules.matmul),
    rearranged(rules.matmul, "drops-operand", "drops its second operand", (bars) => bars.slice(0, 1)),
  ],
  solve: [
    {
      name: "does-not-transpose",
      says: "solves with the matrix as it stands",
      vjp: (application, c) => {
        const [aBar] = rules.solve.vjp(application, c);
        return [aBar, rules.solve.forward({ ...application, operands: [operandAt(application, 0), c] })];
      },
    },
    {
      name: "loses-sign",
      says: "loses the sign of the matrix's cotangent",
      vjp: (application, c) => {
        const [aBar, bBar] = rules.solve.vjp(application, c);
        const { negative } = application.algebra;
        return [aBar && { shape: aBar.shape, data: aBar.data.map((x) => negative(x)) }, bBar];
      },
    },
  ],
  det: [
    {
      name: "forgets-cotangent",
      says: "forgets the cotangent",
      vjp: (application, c) =>
        rules.det.vjp(application, { shape: c.shape, data: c.data.map(() => application.algebra.one) }),
    },
    {
      name: "takes-adjugate",
      says: "takes the adjugate for the cofactors",
      vjp: (application, c) => rules.det.vjp(application, c).map((bar) => bar && transposed(bar)),
    },
  ],
};

function transposed<S>(x: Tensor<S>): Tensor<S> {
  const order = x.shape.at(-1) ?? 0;
  return tensor(x.shape, (position) => {
    const [row, column] = [Math.floor(position / order) % order, position % order];
    const matrix = position - (position % sizeOf([order, order]));
    return present(x.data[matrix + column * order + row], "an entry");
  });
}
