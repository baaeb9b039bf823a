import type { ScalarFunction } from "../../../engines/compile/plan/index.ts";
import { InvariantError } from "../../../spec/shapes/index.ts";
import type { Arithmetic } from "./arithmetic.ts";

/** Statements about IEEE arithmetic are proved in these formats. */
export type FormatName = "float10" | "float16" | "float32" | "float64";

/** A format has any widths, counted as SMT-LIB does. */
export interface AnyFormat {
  readonly exponent: number;
  readonly significand: number;
}

/** A format has widths of exponent and significand (with its hidden bit), and rounds doubles to it. */
interface Format extends AnyFormat {
  round(x: number): number;
}

/** The first ten bits of float16 have its exponents; Z3 adds and divides nothing that has fewer digits. */
const ten: AnyFormat = { exponent: 5, significand: 5 };

/** These are formats as IEEE 754 has them; JavaScript itself rounds to all but the first. */
export const formats: Readonly<Record<FormatName, Format>> = {
  float10: { ...ten, round: (x) => roundedTo(ten, x) },
  float16: { exponent: 5, significand: 11, round: Math.f16round },
  float32: { exponent: 8, significand: 24, round: Math.fround },
  float64: { exponent: 11, significand: 53, round: (x) => x },
};

/** Rounds to a format, to nearest, ties to even. Exact for formats of less than half of float64's bits. */
export function roundedTo({ exponent, significand }: AnyFormat, x: number): number {
  if (x === 0 || !Number.isFinite(x)) return x;
  const greatest = 2 ** (exponent - 1) - 1;
  const scale = Math.max(Math.floor(Math.log2(Math.abs(x))), 1 - greatest);
  const unit = 2 ** (scale - significand + 1);
  const whole = Math.floor(x / unit);
  const part = x / unit - whole;
  const isUp = part > 0.5 || (part === 0.5 && whole % 2 !== 0);
  const rounded = (isUp ? whole + 1 : whole) * unit;
  return Math.abs(rounded) >= 2 ** (greatest + 1)
    ? Math.sign(x) * Infinity
    : rounded === 0
      ? 0 * Math.sign(x)
      : rounded;
}

/**
 * Makes a format's arithmetic on JavaScript's numbers: the operation in float64, then rounded. Rounding twice
 * does no harm, since float64 has more than twice the bits of the others and two (Figueroa). The exponential
 * is the host's, rounded. Throws {@link InvariantError} for unused functions; a product and a sum rounded
 * once are for all but float64.
 */
export function arithmeticIn(name: FormatName): Arithmetic<number> {
  const { round } = formats[name];
  return {
    literal: round,
    apply: (operation, operands) => round(applied(operation, operands)),
  };
}

function applied(operation: ScalarFunction, [x = 0, y = 0, z = 0]: readonly number[]): number {
  switch (operation) {
    case "negative":
      return -x;
    case "sqrt":
      return Math.sqrt(x);
    case "exp":
      return Math.exp(x);
    case "floor":
      return Math.floor(x);
    case "add":
      return x + y;
    case "subtract":
      return x - y;
    case "multiply":
      return x * y;
    case "divide":
      return x / y;
    case "less":
      return x < y ? 1 : 0;
    case "equal":
      return x === y ? 1 : 0;
    case "select":
      return x === 0 ? z : y;
    case "multiply_add":
      return toOdd(x * y, z);
    default:
      throw new InvariantError(`no arithmetic for ${operation}`);
  }
}

/**
 * Adds a product of two float32 or float16, which a double holds, and a third, rounded to odd: rounded again,
 * to such a format, it is the exact sum rounded once (Boldo and Melquiond). The error of a sum of doubles is
 * a double (Knuth).
 */
function toOdd(product: number, z: number): number {
  const sum = product + z;
  const back = sum - product;
  const error = product - (sum - back) + (z - back);
  if (!Number.isFinite(sum) || error === 0 || Number.isNaN(error)) return sum;
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, sum);
  const bits = bytes.getBigInt64(0);
  if ((bits & 1n) === 1n) return sum;
  bytes.setBigInt64(0, bits + (sum > 0 === error > 0 ? 1n : -1n));
  return bytes.getFloat64(0);
}

/** Tells whether the bits of a format's number are the first ones that float16 has for it. */
function isHalf(name: FormatName): boolean {
  return name === "float10" || name === "float16";
}

/** Returns the bits of a number of a format, sign first. */
export function bitsOf(name: FormatName, value: number): string {
  const { exponent, significand } = formats[name];
  const bytes = new DataView(new ArrayBuffer(8));
  if (isHalf(name)) bytes.setFloat16(0, value);
  else if (name === "float32") bytes.setFloat32(0, value);
  else bytes.setFloat64(0, value);
  return bytes
    .getBigUint64(0)
    .toString(2)
    .padStart(64, "0")
    .slice(0, exponent + significand);
}

/** Writes a number of a format in SMT-LIB. Throws `RangeError` if the format does not have it. */
export function floatConstant(name: FormatName, value: number): string {
  const { exponent, significand, round } = formats[name];
  if (!Object.is(round(value), value)) throw new RangeError(`${value} is no ${name}`);
  if (Number.isNaN(value)) return `(_ NaN ${exponent} ${significand})`;
  const bits = bitsOf(name, value);
  return `(fp #b${bits[0]} #b${bits.slice(1, 1 + exponent)} #b${bits.slice(1 + exponent)})`;
}

/** Reads the number that a solver prints for a format. Throws {@link InvariantError} for other text. */
export function floatOf(name: FormatName, text: string): number {
  const special = /^\(_ (\+zero|-zero|\+oo|-oo|NaN) \d+ \d+\)$/.exec(text)?.[1];
  switch (special) {
    case "+zero":
      return 0;
    case "-zero":
      return -0;
    case "+oo":
      return Infinity;
    case "-oo":
      return -Infinity;
    case "NaN":
      return Number.NaN;
  }
  const [, ...fields] = /^\(fp (#[bx]\w+) (#[bx]\w+) (#[bx]\w+)\)$/.exec(text) ?? [];
  if (fields.length !== 3) throw new InvariantError(`no float: ${text}`);
  const bits = fields.map(bitsOfConstant).join("").padEnd(64, "0");
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setBigUint64(0, BigInt(`0b${bits}`));
  if (isHalf(name)) return bytes.getFloat16(0);
  return name === "float32" ? bytes.getFloat32(0) : bytes.getFloat64(0);
}

/** Returns the binary digits of `#b…` or `#x…`. */
function bitsOfConstant(text: string): string {
  const digits = text.slice(2);
  if (text[1] === "b") return digits;
  return [...digits].map((digit) => Number.parseInt(digit, 16).toString(2).padStart(4, "0")).join("");
}
