import { float64 } from "../../reference/index.ts";
import { binadeOf, type Field, InvariantError, type Real } from "../../spec/index.ts";
import type { UnaryName } from "./elementary.ts";
import { growths } from "./growth.ts";

/** The reference's float64 value of a real number, and how far the number may be from it. */
export interface Ball {
  readonly value: number;
  readonly slack: number;
}

/** Covers the roundings of a handful of float operations that compute a bound, */
export const UPWARDS: number = 1 + 2 ** -48;

/** and this their underflows. */
export const UNDERFLOWS: number = 4 * Number.MIN_VALUE;

const ROUNDOFF = 2 ** -53;

/**
 * Units in the last place by which V8's functions may be off. Its fdlibm ports promise less than 1 where 1 stands;
 * the others are twice what exhaustive searches have found (Gladman, Innocente, Mather and Zimmermann, "Accuracy
 * of Mathematical Functions in Single, Double, Double Extended, and Quadruple Precision", 2024), rounded up.
 */
const ownUlps: { readonly [F in UnaryName]: number } = {
  exp: 1,
  expm1: 1,
  log: 1,
  log1p: 1,
  log2: 4,
  sin: 1,
  cos: 1,
  tan: 3,
  asin: 2,
  acos: 2,
  atan: 2,
  sinh: 5,
  cosh: 5,
  tanh: 5,
  asinh: 4,
  acosh: 5,
  atanh: 4,
  erf: 3,
  sqrt: 0.5,
};

/** `value` with what its operands' slacks make of it, `propagated`, and a rounding of so many units of `u`. */
function rounded(value: number, propagated: number, units: number): Ball {
  return { value, slack: (propagated + units * ROUNDOFF * binadeOf(value * UPWARDS) + UNDERFLOWS) * UPWARDS };
}

const real64 = float64.levels.real;
if (real64 === undefined) throw new InvariantError("float64 has the elementary functions");

function unary(name: UnaryName, f: (x: number) => number): (x: Ball) => Ball {
  return (x) => {
    const propagated = x.slack === 0 ? 0 : growths[name](x.value, x.slack, x.slack);
    return rounded(f(x.value), propagated, 2 * ownUlps[name]);
  };
}

const field: Field<Ball> = {
  zero: { value: 0, slack: 0 },
  one: { value: 1, slack: 0 },
  add: (x, y) => {
    const value = x.value + y.value;
    // Sums do not underflow, and a sum with nothing is exact.
    const own = isExactly(0, x) || isExactly(0, y) ? 0 : ROUNDOFF * binadeOf(value);
    return { value, slack: (own + x.slack + y.slack) * UPWARDS };
  },
  detach: (x) => x,
  multiply: (x, y) => {
    const value = x.value * y.value;
    // Nothing times anything finite is nothing; otherwise NaN.
    if (isExactly(0, x) || isExactly(0, y)) return { value, slack: 0 * (x.slack + y.slack) };
    if (isExactly(1, x) || isExactly(1, y)) return { value, slack: x.slack + y.slack };
    const propagated =
      x.slack === 0 && y.slack === 0
        ? 0
        : Math.abs(x.value) * y.slack + Math.abs(y.value) * x.slack + x.slack * y.slack;
    return rounded(value, propagated, 1);
  },
  literal: (x) => ({ value: x, slack: 0 }),
  negative: (x) => ({ value: -x.value, slack: x.slack }),
  divide: (x, y) => {
    const value = x.value / y.value;
    if (x.slack === 0 && y.slack === 0) return rounded(value, 0, 1);
    const room = Math.abs(y.value) - y.slack;
    const propagated = room > 0 ? (x.slack + Math.abs(value) * UPWARDS * y.slack) / room : Number.NaN;
    return rounded(value, propagated, 1);
  },
};

function isExactly(size: number, { value, slack }: Ball): boolean {
  return slack === 0 && Math.abs(value) === size;
}

/** The reference's float64 arithmetic, with running error analysis of its own roundings. */
export const balls: Real<Ball> = {
  ...field,
  exp: unary("exp", real64.exp),
  log: unary("log", real64.log),
  sin: unary("sin", real64.sin),
  cos: unary("cos", real64.cos),
  tanh: unary("tanh", real64.tanh),
  sqrt: unary("sqrt", real64.sqrt),
};

/** The greatest integers that the numbers of `x` can have. */
export function floorOfBall({ value, slack }: Ball): Ball {
  const [low, high] = [Math.floor(value - slack * UPWARDS), Math.floor(value + slack * UPWARDS)];
  return low === high || slack === 0
    ? { value: Math.floor(value), slack: 0 }
    : { value: low, slack: high - low };
}
