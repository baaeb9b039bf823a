import { isBounded, oneBitMore, type PositFormat, positReach } from "../../../spec/wire/index.ts";
import { literalWord as literal } from "../execution/index.ts";
import type { Bits } from "./law.ts";

/** Posits of a format as integers in units of 2^−places, in words of so many bits. */
export interface FixedPoint {
  readonly format: PositFormat;
  readonly places: number;
  readonly bits: number;
}

/** Returns fixed point in which every posit of a format is an integer, and as much room beyond. */
export function fixedPointOf(format: PositFormat, least: number = 0): FixedPoint {
  const places = Math.max(least, positReach(format) + format.width);
  return { format, places, bits: places + positReach(format) + 4 };
}

/** So many bits are more than those of fixed point, so that no shift in it loses any. */
const SPARE = 8;

/** Returns the bits of the shifts that {@link standardDefinition} defines. */
export function shiftBits({ bits }: FixedPoint): number {
  return bits + SPARE;
}

/**
 * Defines the number that a word of the format's width stands for, as the standard's formula has it, which
 * reads the bits of negative words as they are: with regime r, exponent e and fraction f behind the sign s,
 * `((1 − 3s) + f) · 2^((1 − 2s) (2^eS r + e + s))` [Posit Standard (2022), 3.3]. Where regimes are bounded
 * negative words are negated before. 0 and NaR are 0. `NAME_significand` is the part in parentheses as an
 * integer, and NAME is that, shifted by `NAME_shift`.
 */
export function standardDefinition(name: string, { format, places, bits }: FixedPoint): string {
  const { width, regimeBits, exponentBits } = format;
  const body = width - 1;
  const wide = bits + SPARE;
  const word = isBounded(format) ? `(ite (bvslt w ${literal(0n, width)}) (bvneg w) w)` : "w";
  const sign = `(= ((_ extract ${width - 1} ${width - 1}) s) #b1)`;
  const extended = (term: string, from: number): string => `((_ zero_extend ${wide - from}) ${term})`;
  // The bits behind the sign that are like the first one are zeros here.
  const runs = Array.from({ length: regimeBits }, (_, before) => before + 1).filter((run) => run <= body);
  const isRun = (run: number): string =>
    run >= body ? "true" : `(= ((_ extract ${body - run - 1} ${body - run - 1}) z) #b1)`;
  const chosen = (of: (run: number) => string): string =>
    runs.reduceRight((rest, run) => (rest === "" ? of(run) : `(ite ${isRun(run)} ${of(run)} ${rest})`), "");
  const used = (run: number): number => Math.min(body, run < regimeBits ? run + 1 : run);
  const rest = chosen((run) => `(bvshl b ${literal(BigInt(used(run)), body)})`);
  const regime = (isOnes: boolean): string =>
    chosen((run) => literal(BigInt((isOnes ? run - 1 : -run) * 2 ** exponentBits), wide));
  const exponent =
    exponentBits === 0
      ? literal(0n, wide)
      : exponentBits <= body
        ? extended(`((_ extract ${body - 1} ${body - exponentBits}) rest)`, exponentBits)
        : extended(`(concat rest ${literal(0n, exponentBits - body)})`, exponentBits);
  const fraction = `(bvshl rest ${literal(BigInt(Math.min(exponentBits, body)), body)})`;
  const parts = (sort: number, suffix: string, of: string): string =>
    [
      `(define-fun ${name}${suffix} ((w (_ BitVec ${width}))) (_ BitVec ${sort})`,
      `  (let ((s ${word}))`,
      `  (let ((b ((_ extract ${body - 1} 0) s)))`,
      `  (let ((ones (= ((_ extract ${body - 1} ${body - 1}) b) #b1)))`,
      `  (let ((z (ite ones (bvnot b) b)))`,
      `  (let ((rest ${rest}) (regime (ite ones ${regime(true)} ${regime(false)})))`,
      `  (let ((fraction ${fraction}) (scale (bvadd regime ${exponent})))`,
      `    ${of})))))))`,
    ].join("\n");
  const top = isBounded(format) ? "#b01" : `(ite ${sign} #b10 #b01)`;
  const size = `(concat ${top} fraction)`;
  const isNegative = `(bvslt w ${literal(0n, width)})`;
  const isNothing = `(or (= w ${literal(0n, width)}) (= w ${literal(-(1n << BigInt(width - 1)), width)}))`;
  const signed = isBounded(format) ? `(ite ${isNegative} (bvneg ${size}) ${size})` : size;
  const significand = `(ite ${isNothing} ${literal(0n, body + 2)} ${signed})`;
  const scale = isBounded(format) ? "scale" : `(ite ${sign} (bvnot scale) scale)`;
  const whole = `(bvshl ((_ sign_extend ${wide - body - 2}) (${name}_significand w)) (${name}_shift w))`;
  return [
    parts(body + 2, "_significand", significand),
    parts(wide, "_shift", `(bvadd ${scale} ${literal(BigInt(places - body), wide)})`),
    `(define-fun ${name} ((w (_ BitVec ${width}))) (_ BitVec ${bits}) ((_ extract ${bits - 1} 0) ${whole}))`,
  ].join("\n");
}

/** Computes the same with big integers. */
export function standardValue({ format, places }: Omit<FixedPoint, "bits">, word: bigint): bigint {
  const { width, regimeBits, exponentBits } = format;
  if (word === 0n || word === -(1n << BigInt(width - 1))) return 0n;
  if (word < 0n && isBounded(format)) return -standardValue({ format, places }, -word);
  const text = BigInt.asUintN(width, word).toString(2).padStart(width, "0");
  const body = text.slice(1);
  const first = body.charAt(0);
  let run = 1;
  while (run < Math.min(regimeBits, body.length) && body.charAt(run) === first) run += 1;
  const rest = body.slice(run < regimeBits ? run + 1 : run).padEnd(exponentBits, "0");
  const regime = first === "1" ? run - 1 : -run;
  const scale = regime * 2 ** exponentBits + Number.parseInt(`0${rest.slice(0, exponentBits)}`, 2);
  const fraction = rest.slice(exponentBits);
  const size = BigInt(fraction.length);
  const significand = (word < 0n ? -2n << size : 1n << size) + BigInt(`0b0${fraction}`);
  const exponent = (word < 0n ? -(scale + 1) : scale) - fraction.length + places;
  return exponent >= 0 ? significand << BigInt(exponent) : significand >> BigInt(-exponent);
}

/** Writes a word in so many bits: its sign is extended, or its lowest bits are taken. */
export function sized({ text, bits }: Bits, to: number): string {
  if (bits === to) return text;
  return bits < to ? `((_ sign_extend ${to - bits}) ${text})` : `((_ extract ${to - 1} 0) ${text})`;
}

/**
 * Claims that a code is that of the posit to which a number of so many places is rounded. The thresholds
 * beside a code c are posits of one bit more, 2c − 1 and 2c + 1. A code is right if the number lies between
 * them, or on one and the code is even; nothing is beyond the greatest, and of numbers only 0 becomes 0.
 * `side` is the sign of what is left out of the number and too little to be seen.
 */
export function nearestClaim(
  { format, thresholds }: { readonly format: PositFormat; readonly thresholds: FixedPoint },
  { number, places }: { readonly number: Bits; readonly places: number },
  code: Bits,
): string {
  const { width } = format;
  const scaled = number.bits + thresholds.places - places;
  const bits = Math.max(thresholds.bits, scaled) + 1;
  const x = `(bvshl ${sized(number, bits)} ${literal(BigInt(thresholds.places - places), bits)})`;
  const c = sized(code, width + 1);
  const beside = (by: bigint): string =>
    `((_ sign_extend ${bits - thresholds.bits}) (threshold (bvadd (bvshl ${c} ${literal(1n, width + 1)}) ${literal(by, width + 1)})))`;
  const is = (value: bigint): string => `(= ${c} ${literal(value, width + 1)})`;
  const greatest = (1n << BigInt(width - 1)) - 1n;
  const isEven = `(= ((_ extract 0 0) ${c}) #b0)`;
  const zero = literal(0n, bits);
  return [
    `(let ((x ${x}) (below ${beside(-1n)}) (above ${beside(1n)}) (even ${isEven}))`,
    `(and (= ${is(0n)} (= x ${zero})) (not ${is(-greatest - 1n)})`,
    `(= (bvslt ${zero} x) (bvslt ${literal(0n, width + 1)} ${c}))`,
    `(or (= x ${zero}) ${is(1n)} ${is(-greatest)} (bvslt below x) (and even (= below x)))`,
    `(or (= x ${zero}) ${is(-1n)} ${is(greatest)} (bvslt x above) (and even (= x above)))))`,
  ].join("\n  ");
}

/** Tells whether {@link nearestClaim} is true of a number and a code; both are integers. */
export function isNearest(format: PositFormat, x: bigint, places: number, code: bigint): boolean {
  const greatest = (1n << BigInt(format.width - 1)) - 1n;
  if (code < -greatest || code > greatest) return false;
  if (x === 0n || code === 0n) return x === 0n && code === 0n;
  if (x > 0n !== code > 0n) return false;
  const fixed = fixedPointOf(oneBitMore(format), places);
  const threshold = (by: bigint): bigint =>
    standardValue({ ...fixed, format: oneBitMore(format) }, 2n * code + by);
  const at = x << BigInt(fixed.places - places);
  const isEven = code % 2n === 0n;
  const [below, above] = [threshold(-1n), threshold(1n)];
  const isAbove = code === 1n || code === -greatest || below < at || (isEven && below === at);
  const isBelow = code === -1n || code === greatest || at < above || (isEven && above === at);
  return isAbove && isBelow;
}
