import { type Algebra, formatFloat64, type OrderedReal, parseFloat64 } from "../../spec/index.ts";

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
