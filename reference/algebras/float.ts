import { type BinaryName, type Elementary, elementary, type UnaryName } from "../../spec/operators/index.ts";
import { type Algebra, everyLevel, type OrderedReal, present } from "../../spec/shapes/index.ts";
import {
  type DataType,
  type FloatFormat,
  type FloatType,
  formatFloat64,
  formats,
  type PositType,
  parseFloat64,
  positFormats,
} from "../../spec/wire/index.ts";
import { erf } from "./erf.ts";
import { dyadicOf, notReal, roundToPosit } from "./posit_format.ts";
import { compareRationals, type Rational, rational, rationalFromNumber } from "./rational.ts";

/** The host's functions, and ours where it has none that is right. */
const functions: Elementary<number> = {
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
  pow,
  atan2: Math.atan2,
  hypot: Math.hypot,
};

/** These need no rounding in any format: comparison, signs, integers. */
const exact = {
  zero: 0,
  one: 1,
  detach: (x: number) => x,
  negative: (x: number) => -x,
  less: (x: number, y: number) => x < y,
  equal: (x: number, y: number) => x === y,
  select: (condition: boolean, x: number, y: number) => (condition ? x : y),
  floor: Math.floor,
};

/** IEEE 754 binary64. `eval` and the order of accumulation define one bit pattern [SEMANTICS §7.2]. */
export const float64: Algebra<number, boolean> = {
  name: "float64",
  ...offering({
    ...exact,
    ...functions,
    add: (x, y) => x + y,
    multiply: (x, y) => x * y,
    literal: (x) => x,
    divide: (x, y) => x / y,
  }),
  isSame: Object.is,
  format: formatFloat64,
  parse: parseFloat64,
};

/**
 * IEEE 754 binary32: every operation is computed in binary64 and rounded once more. For + − × ÷ √ that is the
 * correctly rounded result, because 53 ≥ 2 · 24 + 2: an exact result of two 24-bit operands is either a tie
 * of that format itself or further from one than binary64's rounding moves it (Figueroa, "When is double
 * rounding innocuous?", 1995). The elementary functions are rounded twice.
 */
export const float32: Algebra<number, boolean> = narrow("float32");

/** IEEE 754 binary16, as {@link float32} and for the same reason: 53 ≥ 2 · 11 + 2. */
export const float16: Algebra<number, boolean> = narrow("float16");

/** bfloat16 with subnormals and ties to even, as {@link float32} and for the same reason: 53 ≥ 2 · 8 + 2. */
export const bfloat16: Algebra<number, boolean> = narrow("bfloat16");

/** The reference's arithmetic in each precision. */
export const floats: { readonly [T in DataType]: Algebra<number, boolean> } = {
  float64,
  float32,
  float16,
  bfloat16,
  posit32: positNumbers("posit32"),
  posit16: positNumbers("posit16"),
  posit8: positNumbers("posit8"),
  bposit32: positNumbers("bposit32"),
  bposit16: positNumbers("bposit16"),
};

/**
 * The posits that are float64s. NaN is NaR, equal to itself and below all others; there is no −0. + × ÷ and
 * ⌊·⌋ round once. Elementary functions are the host's, rounded once more; they saturate.
 */
function positNumbers(name: PositType): Algebra<number, boolean> {
  const format = positFormats[name];
  const { round } = formats[name];
  const field = present(rational.levels.orderedField, "the rational numbers");
  const once = (x: Rational): number => {
    const code = roundToPosit(format, x);
    if (code === notReal(format)) return Number.NaN;
    const { significand, exponent } = dyadicOf(format, code);
    return Number(significand) * 2 ** exponent;
  };
  const exactly = (x: number, y: number, f: (x: Rational, y: Rational) => Rational): number =>
    Number.isFinite(x) && Number.isFinite(y)
      ? once(f(rationalFromNumber(x), rationalFromNumber(y)))
      : Number.NaN;
  const rounded = (x: number): number => round(x) + 0;
  return {
    name,
    ...offering({
      ...exact,
      ...elementary(
        (f) => (x) => rounded(saturated(f, [x], functions[f](x), formats[name])),
        (f) => (x, y) => rounded(saturated(f, [x, y], functions[f](x, y), formats[name])),
      ),
      add: (x, y) => exactly(x, y, field.add),
      multiply: (x, y) => exactly(x, y, field.multiply),
      divide: (x, y) => exactly(x, y, field.divide),
      literal: rounded,
      negative: (x) => 0 - x,
      less: (x, y) => x < y || (Number.isNaN(x) && !Number.isNaN(y)),
      equal: (x, y) => x === y || (Number.isNaN(x) && Number.isNaN(y)),
      floor: (x) => rounded(Math.floor(x)),
    }),
    isSame: Object.is,
    format: formatFloat64,
    parse: (text) => {
      const x = rational.parse(text);
      return x === undefined ? (/^nar$/i.test(text) ? Number.NaN : undefined) : once(x);
    },
  };
}

/** Functions that leave float64's range where they have a value. */
const growing: ReadonlySet<UnaryName | BinaryName> = new Set(["exp", "expm1", "sinh", "cosh", "pow"]);

/** Returns a function's float64 as a posit: NaN without value, the range's end beyond float64's. */
function saturated(
  name: UnaryName | BinaryName,
  operands: readonly number[],
  value: number,
  { smallest, largest }: FloatFormat,
): number {
  if (operands.some(Number.isNaN)) return Number.NaN;
  if (name !== "hypot" && operands.length === 2 && operands.every((x) => x === 0)) return Number.NaN;
  if (!growing.has(name)) return value;
  const isPole = name === "pow" && operands[0] === 0;
  if (!(Number.isFinite(value) || Number.isNaN(value))) return isPole ? value : Math.sign(value) * largest;
  return value === 0 && (name === "exp" || (name === "pow" && !isPole)) ? smallest : value;
}

function narrow(name: Exclude<FloatType, "float64">): Algebra<number, boolean> {
  const { round } = formats[name];
  return {
    name,
    ...offering({
      ...exact,
      ...elementary(
        (f) => (x) => round(functions[f](x)),
        (f) => (x, y) => round(functions[f](x, y)),
      ),
      add: (x, y) => round(x + y),
      multiply: (x, y) => round(x * y),
      literal: round,
      divide: (x, y) => round(x / y),
    }),
    isSame: Object.is,
    format: formatFloat64,
    parse: (text) => {
      const x = parseToOdd(text);
      return x === undefined ? undefined : round(x);
    },
  };
}

/** Returns IEEE 754's `pow`. ECMAScript's is NaN for ±1 to an infinite power and 1 to NaN; IEEE's is 1. */
function pow(x: number, y: number): number {
  const isOne = x === 1 || (x === -1 && Math.abs(y) === Number.POSITIVE_INFINITY);
  return isOne ? 1 : x ** y;
}

/**
 * The float64 next to the number written whose last bit is odd, unless the number is a float64 itself.
 * Rounding that once more, to a format of at most 51 bits, is rounding the number written (Boldo and
 * Melquiond, "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", 2008).
 */
function parseToOdd(text: string): number | undefined {
  const nearest = parseFloat64(text);
  const written = rational.parse(text);
  if (nearest === undefined || written === undefined || nearest === 0 || !Number.isFinite(nearest)) {
    return nearest;
  }
  const order = compareRationals(written, rationalFromNumber(nearest));
  if (order === 0 || order === undefined) return nearest;
  bits.setFloat64(0, nearest);
  const pattern = bits.getBigInt64(0);
  if (pattern % 2n !== 0n) return nearest;
  bits.setBigInt64(0, pattern + (order > 0 === nearest > 0 ? 1n : -1n));
  return bits.getFloat64(0);
}

const bits: DataView = new DataView(new ArrayBuffer(8));

function offering(all: OrderedReal<number, boolean>): Pick<Algebra<number, boolean>, "additive" | "levels"> {
  return {
    additive: all,
    levels: everyLevel(all),
  };
}
