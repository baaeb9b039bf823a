import { bitsOfPower } from "./format.ts";
import type { Lanes, VectorDefinition } from "./lanes.ts";
import type { Value } from "./library.ts";
import { polynomial } from "./polynomial.ts";

/** The parts of `x = count · ln 2 + remainder + lost`. */
interface Halvings {
  readonly count: Value;
  /** Its lowest bits are those of the count. */
  readonly countBits: Value;
  /** The remainder is at most ½ ln 2. */
  readonly remainder: Value;
  /** Rounding took this from the remainder. */
  readonly lost: Value;
}

/**
 * Reduces `x` [Cody and Waite]: the product with the high part of ln 2 and its subtraction are exact. Adding
 * a number whose lowest bit is worth 1 rounds the quotient to an integer, and shows its bits.
 */
function halvings(lanes: Lanes, x: Value): Halvings {
  const { fraction, coefficients } = lanes.format;
  const [high, low] = coefficients.ln2;
  const rounder = lanes.number(1.5 * 2 ** fraction);
  const countBits = lanes.add(lanes.multiply(x, lanes.number(Math.LOG2E)), rounder);
  const count = lanes.subtract(countBits, rounder);
  const rough = lanes.subtract(x, lanes.multiply(count, lanes.number(high)));
  const rest = lanes.multiply(count, lanes.number(low));
  const remainder = lanes.subtract(rough, rest);
  return { count, countBits, remainder, lost: lanes.subtract(lanes.subtract(rough, remainder), rest) };
}

/** Computes `eʳ − 1 − r` for |r| ≤ ½ ln 2. */
function tailOfExp(lanes: Lanes, r: Value): Value {
  const terms = polynomial(lanes, [0.5, ...lanes.format.coefficients.exp], r);
  return lanes.multiply(lanes.multiply(r, r), terms);
}

/** Computes `eʳ` for |r| ≤ ½ ln 2. */
function expOfRemainder(lanes: Lanes, r: Value): Value {
  return lanes.add(lanes.add(r, tailOfExp(lanes, r)), lanes.number(1));
}

/** Makes `2ᵏ` from the lowest bits of a number, where it is normal. */
function powerOfTwo(lanes: Lanes, countBits: Value): Value {
  const shifted = lanes.shiftLeft(countBits, lanes.format.fraction);
  return lanes.addWords(shifted, lanes.word(bitsOfPower(lanes.format, 0)));
}

/** Computes `exp` where it and the power of 2 next to it are normal; NaN of NaN. */
export function moderateExp(lanes: Lanes, x: Value): Value {
  const { countBits, remainder } = halvings(lanes, x);
  return lanes.multiply(expOfRemainder(lanes, remainder), powerOfTwo(lanes, countBits));
}

/** Scales in two steps, of which the second may overflow, or round to a subnormal number. */
const expWide: VectorDefinition = {
  name: "exp_wide",
  write(lanes, x) {
    const [least, greatest] = lanes.format.coefficients.expRange;
    const inside = lanes.atLeast(lanes.atMost(x, lanes.number(greatest)), lanes.number(least));
    const { count, remainder } = halvings(lanes, inside);
    const half = lanes.nearest(lanes.multiply(count, lanes.number(0.5)));
    const rounder = lanes.number(1.5 * 2 ** lanes.format.fraction);
    const power = (exponent: Value): Value => powerOfTwo(lanes, lanes.add(exponent, rounder));
    const once = lanes.multiply(expOfRemainder(lanes, remainder), power(half));
    return lanes.multiply(once, power(lanes.subtract(count, half)));
  },
};

/** Says where only the usual branch of a function is needed. */
function isModerate(lanes: Lanes, x: Value): Value {
  return lanes.lessOrEqual(lanes.absolute(x), lanes.number(lanes.format.coefficients.expNormal));
}

/** `exp` is `2ᵏ eʳ`; but for underflow, its last rounding is that of `1 + (r + …)`. */
export const exp: VectorDefinition = {
  name: "exp",
  write: (lanes, x) =>
    lanes.ifAll(
      isModerate(lanes, x),
      () => {
        const { countBits, remainder } = halvings(lanes, x);
        const exponent = lanes.shiftLeft(countBits, lanes.format.fraction);
        return lanes.addWords(expOfRemainder(lanes, remainder), exponent);
      },
      () => lanes.call(expWide, x),
    ),
};

/** Here `eˣ` is so large that the 1 is lost, or so small that nothing else is left. */
const expm1Wide: VectorDefinition = {
  name: "expm1_wide",
  write(lanes, x) {
    const result = lanes.subtract(lanes.call(expWide, x), lanes.number(1));
    const inside = isModerate(lanes, x);
    // Moderate numbers take the usual branch: a result must not depend on the other lanes.
    return lanes.select(inside, lanes.call(expm1, lanes.and(x, inside)), result);
  },
};

/** `expm1` is `(2ᵏ − 1 + 2ᵏ r) + 2ᵏ (eʳ − 1 − r)`; the last term gets what was lost before. */
export const expm1: VectorDefinition = {
  name: "expm1",
  write: (lanes, x) =>
    lanes.ifAll(
      isModerate(lanes, x),
      () => {
        const { countBits, remainder, lost } = halvings(lanes, x);
        const power = powerOfTwo(lanes, countBits);
        const whole = lanes.subtract(power, lanes.number(1));
        const part = lanes.multiply(power, remainder);
        const sum = lanes.add(whole, part);
        const lostOfSum = lanes.add(lanes.subtract(whole, sum), part);
        const tail = lanes.multiply(power, lanes.add(tailOfExp(lanes, remainder), lost));
        const result = lanes.add(sum, lanes.add(lostOfSum, tail));
        return lanes.select(lanes.equal(x, lanes.number(0)), x, result);
      },
      () => lanes.call(expm1Wide, x),
    ),
};
