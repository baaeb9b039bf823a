import { derivatives } from "../../../../spec/derivatives/index.ts";
import type { plantedArrays } from "./arrays.ts";
import { operand, type PlantedDerivatives, passing, rearranged, slope } from "./rule.ts";

/** Slopes are wrong, or cotangents pass where none should. */
export const plantedElementwise: Omit<PlantedDerivatives, keyof typeof plantedArrays> = {
  // These have no operand, so their rules are never asked.
  constant: [],
  full: [],
  iota: [],
  bernoulli_mask: [],
  stop_gradient: [passing()],
  negative: [slope("loses-sign", "loses its sign", (_at, c) => c)],
  exp: [slope("multiplies-by-x", "multiplies by x", (at, c) => c.multiply(operand(at)))],
  log: [slope("multiplies-by-x", "multiplies by x", (at, c) => c.multiply(operand(at)))],
  sin: [slope("is-itself", "is its own derivative", (at, c) => c.multiply(at.value))],
  cos: [slope("loses-sign", "loses its sign", (at, c) => c.multiply(operand(at).sin()))],
  tanh: [
    slope("does-not-square", "does not square tanh x", (at, c) => c.multiply(at.scope.subtract(1, at.value))),
  ],
  sqrt: [slope("does-not-halve", "does not halve", (at, c) => c.divide(at.value))],
  relu: [
    slope("opens-at-0", "has slope 1 at 0", (at, c) => at.scope.where(operand(at).less(0), 0, c)),
    slope("asks-cotangent", "looks at the cotangent", (at, c) => at.scope.where(at.scope.less(0, c), c, 0)),
  ],
  floor: [passing()],
  expm1: [slope("is-itself", "is its own derivative", (at, c) => c.multiply(at.value))],
  log1p: [slope("forgets-1", "forgets the 1", (at, c) => c.divide(operand(at)))],
  log2: [slope("is-natural", "is to base e", (at, c) => c.divide(operand(at)))],
  tan: [slope("does-not-square", "does not square tan x", (at, c) => c.multiply(at.value.add(1)))],
  asin: [
    slope("forgets-root", "forgets the root", (at, c) => {
      const x = operand(at);
      return c.divide(at.scope.subtract(1, x).multiply(x.add(1)));
    }),
  ],
  acos: [
    slope("loses-sign", "loses its sign", (at, c) => {
      const x = operand(at);
      return c.divide(at.scope.subtract(1, x).multiply(x.add(1)).sqrt());
    }),
  ],
  atan: [slope("does-not-square", "does not square x", (at, c) => c.divide(operand(at).add(1)))],
  sinh: [slope("is-itself", "is its own derivative", (at, c) => c.multiply(at.value))],
  cosh: [
    slope("is-cos", "changes the sign, as cos does", (at, c) => c.multiply(operand(at).sinh()).negative()),
  ],
  asinh: [
    slope("forgets-root", "forgets the root", (at, c) => c.divide(operand(at).multiply(operand(at)).add(1))),
  ],
  acosh: [
    slope("forgets-root", "forgets the second root", (at, c) => c.divide(operand(at).subtract(1).sqrt())),
  ],
  atanh: [
    slope("does-not-square", "does not square x", (at, c) => c.divide(at.scope.subtract(1, operand(at)))),
  ],
  erf: [
    slope("forgets-factor", "forgets 2/√π", (at, c) =>
      c.multiply(operand(at).multiply(operand(at)).negative().exp()),
    ),
  ],
  add: [
    rearranged(derivatives.add, "drops-operand", "drops its second operand", (pulls) => pulls.slice(0, 1)),
  ],
  subtract: [{ name: "adds", says: "is that of add", cotangents: (_at, c) => [() => c, () => c] }],
  multiply: [rearranged(derivatives.multiply, "swaps", "swaps its operands", (pulls) => pulls.toReversed())],
  divide: [
    {
      name: "loses-sign",
      says: "loses the sign of the second slope",
      cotangents: (at, c) => [
        () => c.divide(operand(at, 1)),
        () => c.multiply(at.value).divide(operand(at, 1)),
      ],
    },
  ],
  maximum: [
    {
      name: "ties-to-second",
      says: "gives a tie to its second operand",
      cotangents: (at, c) => {
        const isFirst = operand(at, 1).less(operand(at));
        return [() => at.scope.where(isFirst, c, 0), () => at.scope.where(isFirst, 0, c)];
      },
    },
  ],
  less: [passing()],
  equal: [passing()],
  pow: [
    rearranged(derivatives.pow, "fixes-exponent", "holds its exponent fixed", (pulls) => pulls.slice(0, 1)),
    rearranged(derivatives.pow, "keeps-exponent", "does not lower the exponent", ([pull, ...others], at) => [
      pull && (() => pull().multiply(operand(at))),
      ...others,
    ]),
  ],
  atan2: [rearranged(derivatives.atan2, "swaps", "swaps its operands", (pulls) => pulls.toReversed())],
  hypot: [
    {
      name: "is-square",
      says: "is that of the square",
      cotangents: (at, c) => at.operands.map((x) => () => c.multiply(x.add(x))),
    },
  ],
  where: [
    rearranged(derivatives.where, "swaps", "swaps its sides", ([condition, x, y]) => [condition, y, x]),
    {
      name: "asks-nothing",
      says: "does not ask the condition",
      cotangents: (_at, c) => [undefined, () => c, () => c],
    },
  ],
};
