import {
  notReal,
  positValue,
  type Rational,
  rational,
  rationalFromNumber,
  roundToPosit,
} from "../../reference/index.ts";
import { parsePosit } from "../../reference/numerics/index.ts";
import { present } from "../../spec/shapes/index.ts";
import {
  type FloatFormat,
  floatTypes,
  formats,
  type PositFormat,
  parseFloat64,
  positFormatNamed,
  positName,
} from "../../spec/wire/index.ts";
import { allowance, magnitudeOf, type RunningError } from "./running_error.ts";
import { leanNumber } from "./scalars.ts";

const field = present(rational.levels.field, "the rational numbers");

/** An engine whose numbers are fractions computes in this: `Adjudge.Arithmetic`. */
export interface Arithmetic {
  /** Traces have this name. */
  readonly name: string;
  /** Returns the number that a text of a trace stands for, `undefined` if the format does not have it. */
  read(text: string): Rational | undefined;
  /** Returns the number of the format that a text stands for, rounded. */
  nearest(text: string): Rational | undefined;
  /** Tells whether a number is one of the format's. */
  has(x: Rational): boolean;
  /** Returns the number that an attribute stands for. */
  literal(x: number): Rational;
  /** Bounds the distance of `y` from the exact sum of what the engine was given. */
  distance(x: RunningError, y: Rational): Rational;
  /** This Lean term denotes it. */
  readonly lean: string;
}

/** Returns the float64 that a number is, exactly; `undefined` if it is none. */
export function float64Of(x: Rational): number | undefined {
  if (x.numerator === 0n) return 0;
  const lowest = x.numerator & -x.numerator;
  const exponent = lowest.toString(2).length - x.denominator.toString(2).length;
  const own = Number(x.numerator / lowest) * 2 ** exponent;
  return rational.isSame(x, rationalFromNumber(own)) ? own : undefined;
}

/** Names of posits whose sums are taken in a quire end so. */
const QUIRE = "(quire)";

/** Names posits whose sums are taken in a quire, as traces do. */
export function quireName(format: PositFormat): string {
  return `${positName(format)}${QUIRE}`;
}

/** Returns the arithmetic of a trace's algebra, if its numbers are rounded and the kernel can follow how. */
export function arithmeticOf(algebra: string): Arithmetic | undefined {
  const precision = floatTypes.find((name) => name === algebra);
  if (precision !== undefined) return floatArithmetic(precision, formats[precision]);
  const posits = algebra.endsWith(QUIRE) ? positFormatNamed(algebra.slice(0, -QUIRE.length)) : undefined;
  return posits?.ok === true ? positArithmetic(algebra, posits.value) : undefined;
}

/** Floats, each operation rounded, sums in whatever order. */
function floatArithmetic(name: string, format: FloatFormat): Arithmetic {
  const number = (text: string): number => parseFloat64(text) ?? Number.NaN;
  const finite = (x: number): Rational | undefined =>
    Number.isFinite(x) ? rationalFromNumber(x) : undefined;
  const [unit, smallest] = [format.unitRoundoff, format.smallest].map((x) =>
    leanNumber(rationalFromNumber(x)),
  );
  return {
    name,
    read: (text) => (format.round(number(text)) === number(text) ? finite(number(text)) : undefined),
    nearest: (text) => finite(format.round(number(text))),
    has: (x) => {
      const own = float64Of(x);
      return own !== undefined && format.round(own) === own;
    },
    literal: (x) => rationalFromNumber(format.round(x)),
    distance: (x) => allowance(format, x),
    lean: `.float (${unit}) (${smallest})`,
  };
}

/** Posits, every sum in a quire. How far a number is from the exact sum is known: it is that, rounded. */
function positArithmetic(name: string, format: PositFormat): Arithmetic {
  const nearest = (text: string): Rational | undefined => {
    const code = parsePosit(format, text);
    return code === undefined || code === notReal(format) ? undefined : positValue(format, code);
  };
  return {
    name,
    read: (text) => (text.startsWith("0x") ? nearest(text) : undefined),
    nearest,
    has: (x) => rational.isSame(x, positValue(format, roundToPosit(format, x))),
    literal: (x) => positValue(format, roundToPosit(format, rationalFromNumber(x))),
    distance: (x, y) => magnitudeOf(field.add(y, field.negative(x.exact))),
    lean: `.posit ⟨${format.width}, ${format.regimeBits}, ${format.exponentBits}⟩`,
  };
}
