import { zip } from "../../tensor.ts";
import { operand } from "../rule.ts";
import { rules } from "../rules.ts";
import type { plantedArrays } from "./arrays.ts";
import { ENOUGH, type PlantedRules, passing, rearranged, slope, slopes, turned } from "./rule.ts";

/** Wrong slopes, and cotangents where none are to pass. */
export const plantedElementwise: Omit<PlantedRules, keyof typeof plantedArrays> = {
  // These have no operand, so nothing they could pull back would be looked at.
  constant: [],
  full: [],
  iota: [],
  bernoulli_mask: [],
  stop_gradient: [passing()],
  negative: [slope<"ring">("loses-sign", "loses its sign", (_a, _x, c) => c), turned(rules.negative)],
  exp: [
    slope<"real">("multiplies-by-x", "multiplies by x", (a, x, c) => a.multiply(c, x)),
    { ...slope<"real">("forgets-cotangent", "forgets the cotangent", (a, x) => a.exp(x)), unasked: ENOUGH },
  ],
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
    {
      ...slope<"real">("takes-argument", "takes the argument for the value", (a, x, c) =>
        a.multiply(c, a.add(a.one, a.multiply(x, x))),
      ),
      unasked: ENOUGH,
    },
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
    {
      ...slope<"real">("is-asinh", "is that of asinh", (a, x, c) => a.divide(c, a.hypot(a.one, x))),
      unasked: ENOUGH,
    },
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
  equal: [
    passing(),
    {
      name: "passes-to-second",
      says: "passes the cotangent to its second operand",
      vjp: (_application, c) => [undefined, c],
      unasked: ENOUGH,
    },
  ],
  pow: [
    rearranged(rules.pow, "fixes-exponent", "holds its exponent fixed", (bars) => bars.slice(0, 1)),
    {
      name: "keeps-exponent",
      says: "does not lower the exponent",
      vjp: (application, c) => {
        const [xBar, yBar] = rules.pow.vjp(application, c);
        const { algebra: a } = application;
        return [xBar && zip(xBar, operand(application, 0), (bar, x) => a.multiply(bar, x)), yBar];
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
    rearranged(rules.where, "differentiates-condition", "differentiates its condition", ([, x, y], c) => [
      c,
      x,
      y,
    ]),
  ],
};
