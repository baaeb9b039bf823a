/**
 * Float64 as text, exactly [SEMANTICS §8]. The form is C's `%a`: the significand in hexadecimal and the
 * exponent of two in decimal, so that no digit is ever rounded and the eye still sees sign and magnitude.
 */

const bits: DataView = new DataView(new ArrayBuffer(8));

/** `powersOfTwo[e + 1074]` is 2ᵉ for every e that a float64 can be, −1074 … 1023. */
const powersOfTwo: Float64Array = new Float64Array(1023 + 1074 + 1);
for (let e = -1074, power = Number.MIN_VALUE; e <= 1023; e++, power *= 2) powersOfTwo[e + 1074] = power;

function powerOfTwo(exponent: number): number {
  return powersOfTwo[exponent + 1074] ?? Number.NaN;
}

/**
 * Returns the one canonical text of `x` [SEMANTICS §8.2]: `0x1.8p+1`, `-0x0p+0`, `inf`, `-inf`, `nan`; a
 * subnormal keeps the smallest normal exponent, `0x0.0000000000001p-1022`, as glibc prints it.
 * Law: `Object.is(parseFloat64(formatFloat64(x)), x)`; every NaN is `nan`, so signs and payloads of NaNs are
 * lost. Python reads it with `float.fromhex`, C with `strtod`.
 */
export function formatFloat64(x: number): string {
  if (Number.isNaN(x)) return "nan";
  if (x === Number.POSITIVE_INFINITY) return "inf";
  if (x === Number.NEGATIVE_INFINITY) return "-inf";
  bits.setFloat64(0, x);
  const high = bits.getUint32(0);
  const sign = high >>> 31 === 1 ? "-" : "";
  const biased = (high >>> 20) & 0x7ff;
  const fraction = formatFraction(high & 0xfffff, bits.getUint32(4));
  if (biased === 0 && fraction === "") return `${sign}0x0p+0`;
  const lead = biased === 0 ? 0 : 1;
  const exponent = Math.max(biased, 1) - 1023;
  return `${sign}0x${lead}${fraction}p${exponent < 0 ? "" : "+"}${exponent}`;
}

/** Returns the 52 fraction bits as `.` and hexadecimal digits without trailing zeros; nothing if all 0. */
function formatFraction(high: number, low: number): string {
  if (low === 0) {
    return high === 0 ? "" : `.${high.toString(16).padStart(5, "0").replace(/0+$/, "")}`;
  }
  const digits = high.toString(16).padStart(5, "0") + low.toString(16).padStart(8, "0");
  return `.${digits.replace(/0+$/, "")}`;
}

const hexadecimal = /^([+-]?)0x([0-9a-f]*)(?:\.([0-9a-f]*))?(?:p([+-]?[0-9]+))?$/i;
const decimal = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i;
const named = /^([+-]?)(?:(inf|infinity)|nan)$/i;

/**
 * Reads a hexadecimal float, a decimal number, or `inf`, `infinity`, `nan` with an optional sign (C prints
 * `-nan`); letters of either case, no spaces [SEMANTICS §8.3]. `undefined` if `text` is none of these.
 * However many digits there are, the result is the float64 nearest to the number written, ties to even;
 * what is too large becomes an infinity.
 * Cost: linear in the length of `text`.
 */
export function parseFloat64(text: string): number | undefined {
  const hex = hexadecimal.exec(text);
  if (hex !== null) {
    const [, sign = "", whole = "", fraction = "", exponent = "0"] = hex;
    if (whole === "" && fraction === "") return undefined;
    const magnitude = scale(whole + fraction, Number(exponent) - 4 * fraction.length);
    return sign === "-" ? -magnitude : magnitude;
  }
  // ECMAScript lets an engine round after the 20th digit; V8 does not, and float.test.ts holds it to that.
  if (decimal.test(text)) return Number(text);
  const word = named.exec(text);
  if (word === null) return undefined;
  if (word[2] === undefined) return Number.NaN;
  return word[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

/** Returns the float64 nearest to the integer `digits` (hexadecimal) times 2ᵉ. */
function scale(digits: string, exponent: number): number {
  const significant = digits.replace(/^0+/, "");
  if (significant === "") return 0;
  if (significant.length <= 14 && exponent >= -1074 && exponent <= 1023) {
    const integer = Number.parseInt(significant, 16);
    // Both factors are exact, so the product is rounded once. All of formatFloat64's texts end here.
    if (Number.isSafeInteger(integer)) return integer * powerOfTwo(exponent);
  }
  return roundScaled(significant, exponent);
}

/** Is {@link scale} for what does not fit two floats. `significant` does not start with 0. */
function roundScaled(significant: string, exponent: number): number {
  // 16 digits hold at least 61 bits: more than the result needs. One more bit says whether anything follows.
  const kept = significant.slice(0, 16);
  const dropped = significant.length - kept.length;
  const sticky = /[^0]/.test(significant.slice(16)) ? 1n : 0n;
  const integer = (BigInt(`0x${kept}`) << 1n) | sticky;
  const unit = exponent + 4 * dropped - 1;
  const top = unit + integer.toString(2).length - 1;
  if (top > 1023) return Number.POSITIVE_INFINITY;
  if (top < -1075) return 0;
  const lastPlace = Math.max(top - 52, -1074);
  if (lastPlace <= unit) return Number(integer << BigInt(unit - lastPlace)) * powerOfTwo(lastPlace);
  const shift = BigInt(lastPlace - unit);
  const half = 1n << (shift - 1n);
  const rest = integer & ((1n << shift) - 1n);
  const floor = integer >> shift;
  const isUp = rest > half || (rest === half && (floor & 1n) === 1n);
  return Number(isUp ? floor + 1n : floor) * powerOfTwo(lastPlace);
}
