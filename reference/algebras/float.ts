import { type Algebra, formatFloat64, type OrderedReal, parseFloat64 } from "../../spec/index.ts";
import { erf } from "./erf.ts";

/** IEEE 754 binary64. `eval` and the reference order of accumulation define one bit pattern [SEMANTICS §7]. */
export const float64: Algebra<number, boolean> = {
  name: "float64",
  ...offering({
    zero: 0,
    one: 1,
    add: (x, y) => x + y,
    detach: (x) => x,
    multiply: (x, y) => x * y,
    literal: (x) => x,
    negative: (x) => -x,
    divide: (x, y) => x / y,
    exp: Math.exp,
    log: Math.log,
    sin: Math.sin,
    cos: Math.cos,
    tanh: Math.tanh,
    sqrt: Math.sqrt,
    expm1: Math.expm1,
    log1p: Math.log1p,
    log2: Math.log2,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
    sinh: Math.sinh,
    cosh: Math.cosh,
    asinh: Math.asinh,
    acosh: Math.acosh,
    atanh: Math.atanh,
    erf,
    atan2: Math.atan2,
    hypot: Math.hypot,
    pow,
    less: (x, y) => x < y,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: Math.floor,
  }),
  isSame: Object.is,
  format: formatFloat64,
  parse: parseFloat64,
};

/**
 * IEEE 754 binary32: every operation is computed in binary64 and rounded once more. For + − × ÷ √ that is
 * the correctly rounded result (Figueroa, "When is double rounding innocuous?", 1995).
 * A decimal is read as float64 first; write a hex float where the last bit of a tie matters.
 */
export const float32: Algebra<number, boolean> = {
  name: "float32",
  ...offering({
    zero: 0,
    one: 1,
    add: (x, y) => Math.fround(x + y),
    detach: (x) => x,
    multiply: (x, y) => Math.fround(x * y),
    literal: Math.fround,
    negative: (x) => -x,
    divide: (x, y) => Math.fround(x / y),
    exp: (x) => Math.fround(Math.exp(x)),
    log: (x) => Math.fround(Math.log(x)),
    sin: (x) => Math.fround(Math.sin(x)),
    cos: (x) => Math.fround(Math.cos(x)),
    tanh: (x) => Math.fround(Math.tanh(x)),
    sqrt: (x) => Math.fround(Math.sqrt(x)),
    expm1: (x) => Math.fround(Math.expm1(x)),
    log1p: (x) => Math.fround(Math.log1p(x)),
    log2: (x) => Math.fround(Math.log2(x)),
    tan: (x) => Math.fround(Math.tan(x)),
    asin: (x) => Math.fround(Math.asin(x)),
    acos: (x) => Math.fround(Math.acos(x)),
    atan: (x) => Math.fround(Math.atan(x)),
    sinh: (x) => Math.fround(Math.sinh(x)),
    cosh: (x) => Math.fround(Math.cosh(x)),
    asinh: (x) => Math.fround(Math.asinh(x)),
    acosh: (x) => Math.fround(Math.acosh(x)),
    atanh: (x) => Math.fround(Math.atanh(x)),
    erf: (x) => Math.fround(erf(x)),
    atan2: (y, x) => Math.fround(Math.atan2(y, x)),
    hypot: (x, y) => Math.fround(Math.hypot(x, y)),
    pow: (x, y) => Math.fround(pow(x, y)),
    less: (x, y) => x < y,
    equal: (x, y) => x === y,
    select: (condition, x, y) => (condition ? x : y),
    floor: Math.floor,
  }),
  isSame: Object.is,
  format: formatFloat64,
  parse: (text) => {
    const x = parseFloat64(text);
    return x === undefined ? undefined : Math.fround(x);
  },
};

/** IEEE 754's `pow`. ECMAScript's is NaN for 1 and −1 to an infinite power and for 1 to NaN; IEEE's is 1. */
function pow(x: number, y: number): number {
  const isOne = x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY);
  return isOne ? 1 : x ** y;
}

function offering(all: OrderedReal<number, boolean>): Pick<Algebra<number, boolean>, "additive" | "levels"> {
  return {
    additive: all,
    levels: {
      additive: all,
      semiring: all,
      ring: all,
      field: all,
      real: all,
      ordered: all,
      orderedField: all,
      orderedReal: all,
    },
  };
}
