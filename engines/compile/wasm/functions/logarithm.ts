import { bitsOf, bitsOfPower } from "./format.ts";
import type { Lanes, VectorDefinition } from "./lanes.ts";
import type { Value } from "./library.ts";
import { polynomial } from "./polynomial.ts";

/** The parts of `x = 2ᵏ · significand`, with the significand in [√½, √2). */
interface Parts {
  readonly exponent: Value;
  /** The bits of `k` in the position of the exponent. */
  readonly exponentBits: Value;
  readonly significand: Value;
}

/** Splits positive normal numbers. An exponent becomes a number as the lowest bits of a large one. */
function partsOf(lanes: Lanes, x: Value): Parts {
  const { format } = lanes;
  const { fraction, bias } = format;
  const least = bitsOf(format, Math.SQRT1_2);
  const distance = lanes.subtractWords(x, lanes.word(least));
  // Adding a whole range of exponents keeps negative ones from becoming large.
  const biased = lanes.shiftRight(lanes.addWords(distance, lanes.word(bitsOfPower(format, 1))), fraction);
  const large = lanes.or(biased, lanes.word(bitsOfPower(format, fraction)));
  const fractionMask = (1n << BigInt(fraction)) - 1n;
  const significand = lanes.addWords(lanes.and(distance, lanes.word(fractionMask)), lanes.word(least));
  return {
    exponent: lanes.subtract(large, lanes.number(2 ** fraction + bias + 1)),
    exponentBits: lanes.subtractWords(x, significand),
    significand,
  };
}

/**
 * Computes `exponent · ln 2 + log(1 + f)` for `1 + f` in [√½, √2]: with `s = f / (2 + f)` and `R = 2
 * artanh(s)/s − 2`, `log(1 + f) = 2 artanh(s) = f − s (f − R)`. The exponent times the high part of ln 2 is
 * exact, as is `f`; at most a fifth of `f` is subtracted from it.
 */
function logOf(lanes: Lanes, exponent: Value, f: Value): Value {
  const { ln2, log: terms } = lanes.format.coefficients;
  const s = lanes.divide(f, lanes.add(f, lanes.number(2)));
  const square = lanes.multiply(s, s);
  const rest = lanes.multiply(square, polynomial(lanes, terms, square));
  const bend = lanes.multiply(s, lanes.subtract(f, rest));
  const low = lanes.multiply(exponent, lanes.number(ln2[1]));
  const high = lanes.multiply(exponent, lanes.number(ln2[0]));
  return lanes.add(high, lanes.subtract(f, lanes.subtract(bend, low)));
}

/** Says where a number is normal, positive, and below `end`. */
function isNormalBelow(lanes: Lanes, x: Value, end: number): Value {
  const least = lanes.number(2 ** (1 - lanes.format.bias));
  return lanes.and(lanes.lessOrEqual(least, x), lanes.less(x, lanes.number(end)));
}

/** Completes a logarithm for arguments `x` that are not positive and finite. */
function withSpecials(lanes: Lanes, x: Value, result: Value): Value {
  const infinity = lanes.number(Number.POSITIVE_INFINITY);
  const zero = lanes.number(0);
  const below = lanes.select(lanes.equal(x, zero), lanes.number(Number.NEGATIVE_INFINITY), result);
  const above = lanes.select(lanes.equal(x, infinity), infinity, below);
  return lanes.select(lanes.lessOrEqual(zero, x), above, lanes.number(Number.NaN));
}

/** Subnormal numbers are made normal first. */
const logWide: VectorDefinition = {
  name: "log_wide",
  write(lanes, x) {
    const { fraction, bias } = lanes.format;
    const isSmall = lanes.less(x, lanes.number(2 ** (1 - bias)));
    const scaled = lanes.multiply(x, lanes.number(2 ** (fraction + 1)));
    const { exponent, significand } = partsOf(lanes, lanes.select(isSmall, scaled, x));
    const correction = lanes.and(isSmall, lanes.number(fraction + 1));
    const f = lanes.subtract(significand, lanes.number(1));
    return withSpecials(lanes, x, logOf(lanes, lanes.subtract(exponent, correction), f));
  },
};

/** The logarithm of `2ᵏ (1 + f)`. */
export const log: VectorDefinition = {
  name: "log",
  write: (lanes, x) =>
    lanes.ifAll(
      isNormalBelow(lanes, x, Number.POSITIVE_INFINITY),
      () => {
        const { exponent, significand } = partsOf(lanes, x);
        return logOf(lanes, exponent, lanes.subtract(significand, lanes.number(1)));
      },
      () => lanes.call(logWide, x),
    ),
};

/** Adds 1 to a number, and returns what the sum loses, exactly, whichever is larger. */
function onePlus(lanes: Lanes, x: Value): readonly [sum: Value, lost: Value] {
  const one = lanes.number(1);
  const sum = lanes.add(one, x);
  const ofX = lanes.subtract(sum, one);
  const ofOne = lanes.subtract(sum, ofX);
  return [sum, lanes.add(lanes.subtract(one, ofOne), lanes.subtract(x, ofX))];
}

/** Computes `log(1 + x)` where that sum is positive; what it loses is scaled alike, and added to `f`. */
function logOfOnePlus(lanes: Lanes, x: Value, sum: Value, lost: Value): Value {
  const { exponent, exponentBits, significand } = partsOf(lanes, sum);
  const scale = lanes.subtractWords(lanes.number(1), exponentBits);
  const f = lanes.add(lanes.subtract(significand, lanes.number(1)), lanes.multiply(lost, scale));
  return lanes.select(lanes.equal(x, lanes.number(0)), x, logOf(lanes, exponent, f));
}

/** From here on the 1 is lost, and a negative power of 2 may not be normal. */
function largeSum(lanes: Lanes): number {
  return 2 ** (lanes.format.bias - 1);
}

/** A sum with 1 is never subnormal. */
const log1pWide: VectorDefinition = {
  name: "log1p_wide",
  write(lanes, x) {
    const [sum, lost] = onePlus(lanes, x);
    const isLarge = lanes.lessOrEqual(lanes.number(largeSum(lanes)), sum);
    const result = lanes.select(isLarge, lanes.call(log, sum), logOfOnePlus(lanes, x, sum, lost));
    return withSpecials(lanes, sum, result);
  },
};

/** The logarithm of 1 + x. */
export const log1p: VectorDefinition = {
  name: "log1p",
  write(lanes, x) {
    const [sum, lost] = onePlus(lanes, x);
    return lanes.ifAll(
      isNormalBelow(lanes, sum, largeSum(lanes)),
      () => logOfOnePlus(lanes, x, sum, lost),
      () => lanes.call(log1pWide, x),
    );
  },
};
