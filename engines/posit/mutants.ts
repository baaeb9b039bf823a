import { boundedPosit, oneBitMore, type PositFormat, standardPosit } from "../../spec/wire/index.ts";
import { type PositArithmetic, type PositCode, positArithmetic } from "./arithmetic.ts";
import { fusedDotProduct } from "./quire.ts";

/** Computes with posits of one format: field operations, and dot products in a quire. */
export interface PositEngine extends PositArithmetic {
  dot(xs: readonly PositCode[], ys: readonly PositCode[]): PositCode;
}

/** A planted fault of engines for posits. */
export interface PositMutant {
  readonly name: string;
  readonly fault: string;
  /** The entry of the catalogue of defects that real engines have had. */
  readonly entry?: string;
  readonly engine: PositEngine;
}

/** Makes the engine without a fault. */
export function positEngine(format: PositFormat): PositEngine {
  const posits = positArithmetic(format);
  return { ...posits, dot: (xs, ys) => fusedDotProduct(posits, xs, ys) };
}

/** Positive posits' codes become numbers, and numbers codes, by these functions. */
interface Manner {
  /** Returns the number of a code of any format. */
  value(format: PositFormat, code: PositCode): number;
  /** Returns what separates a code from the next. */
  threshold(format: PositFormat, lower: PositCode): number;
  /** Says whether a number on the threshold goes up. */
  tieGoesUp(lower: PositCode): boolean;
  /** Returns what numbers below the least, or above the greatest, become. */
  tooSmall(size: number, least: number): PositCode;
  tooLarge(greatest: PositCode): PositCode;
}

/** Returns the value of a code; `endOf` says how many bits end a run, of which the longest needs none. */
function numberOf(
  { width, regimeBits, exponentBits }: PositFormat,
  code: PositCode,
  endOf = (run: number): number => (run < regimeBits ? 1 : 0),
): number {
  const bits = code.toString(2).padStart(width - 1, "0");
  const isLarge = bits.startsWith("1");
  const equal = (isLarge ? `${bits}0` : `${bits}1`).indexOf(isLarge ? "0" : "1");
  const run = Math.min(equal, regimeBits);
  const rest = bits.slice(run + endOf(run));
  const exponent = Number.parseInt(`0${rest.slice(0, exponentBits).padEnd(exponentBits, "0")}`, 2);
  const fraction = rest.slice(exponentBits);
  const scale = 2 ** exponentBits * (isLarge ? run - 1 : -run) + exponent;
  return Number.parseInt(`1${fraction}`, 2) * 2 ** (scale - fraction.length);
}

const standard: Manner = {
  value: (format, code) => numberOf(format, code),
  threshold: (format, lower) => numberOf(oneBitMore(format), 2 * lower + 1),
  tieGoesUp: (lower) => lower % 2 === 1,
  tooSmall: () => 1,
  tooLarge: (greatest) => greatest,
};

/** Rounds by a manner, up to 16 bits: by bisecting the codes. */
function rounding(format: PositFormat, manner: Manner): (x: number) => PositCode {
  const greatest = 2 ** (format.width - 1) - 1;
  const size = (x: number): PositCode => {
    if (x < manner.value(format, 1)) return manner.tooSmall(x, manner.value(format, 1));
    if (x > manner.value(format, greatest)) return manner.tooLarge(greatest);
    let [lower, upper] = [1, greatest + 1];
    while (upper - lower > 1) {
      const middle = (lower + upper) >> 1;
      if (manner.value(format, middle) <= x) lower = middle;
      else upper = middle;
    }
    if (lower === greatest || manner.value(format, lower) === x) return lower;
    const threshold = manner.threshold(format, lower);
    return x > threshold || (x === threshold && manner.tieGoesUp(lower)) ? lower + 1 : lower;
  };
  return (x) => {
    if (!Number.isFinite(x)) return -(2 ** (format.width - 1));
    return x === 0 ? 0 : x > 0 ? size(x) : -size(-x);
  };
}

/** Makes an engine of up to 16 bits with another codec; operations of doubles suffice there. */
function coded(
  format: PositFormat,
  manner: Partial<Manner>,
  through = (x: number): number => x,
): PositEngine {
  const right = positEngine(format);
  const all = { ...standard, ...manner };
  const round = rounding(format, all);
  const fromNumber = (x: number): PositCode => round(through(x));
  const toNumber = (x: PositCode): number => {
    if (x === right.notReal) return Number.NaN;
    return x === 0 ? 0 : x > 0 ? all.value(format, x) : -all.value(format, -x);
  };
  return {
    ...right,
    toNumber,
    fromNumber,
    add: (x, y) => fromNumber(toNumber(x) + toNumber(y)),
    subtract: (x, y) => fromNumber(toNumber(x) - toNumber(y)),
    multiply: (x, y) => fromNumber(toNumber(x) * toNumber(y)),
    divide: (x, y) => fromNumber(toNumber(x) / toNumber(y)),
    sqrt: (x) => fromNumber(Math.sqrt(toNumber(x))),
  };
}

/** A quire in one big integer, of up to 16 bits, whose parts can be exchanged. */
interface BigQuire {
  /** Returns a product in units of the last place 2^(16 − 8n). */
  product(x: number, y: number): bigint;
  entered(sum: bigint): bigint;
  left(sum: bigint): bigint;
}

function withQuire(width: number, planted: Partial<BigQuire>): PositEngine {
  const right = positEngine(standardPosit(width));
  const unit = 2 ** (8 * width - 16);
  const exactly = (x: number): bigint => BigInt(x * unit);
  const whole: BigQuire = {
    product: (x, y) => exactly(x * y),
    entered: (sum) => sum,
    left: (sum) => sum,
    ...planted,
  };
  const toPosit = (sum: bigint): PositCode => {
    // These are 50 bits, more than any threshold has; the last says whether there are others.
    const size = sum < 0n ? -sum : sum;
    const over = Math.max(0, size.toString(2).length - 50);
    const cut = size >> BigInt(over);
    const odd = cut << BigInt(over) === size ? cut : cut | 1n;
    return right.fromNumber(((sum < 0n ? -1 : 1) * Number(odd) * 2 ** over) / unit);
  };
  return {
    ...right,
    dot: (xs, ys) => {
      let sum = 0n;
      for (const [place, x] of xs.entries()) {
        const [a, b] = [right.toNumber(x), right.toNumber(ys[place] ?? 0)];
        if (Number.isNaN(a * b)) return right.notReal;
        sum = whole.entered(sum + whole.product(a, b));
      }
      return toPosit(whole.left(sum));
    },
  };
}

const [posit8, posit16, bposit16] = [standardPosit(8), standardPosit(16), boundedPosit(16)];
const [right8, right16] = [positEngine(posit8), positEngine(posit16)];

/** Says whether an operand is NaR, at which some mutants differ. */
const whereNaR = (x: PositCode, y: PositCode): boolean => x === right8.notReal || y === right8.notReal;

/** Rounds a double to so many bits. */
const shortened =
  (bits: number) =>
  (x: number): number => {
    const wide = x * (2 ** (53 - bits) + 1);
    return wide - (wide - x);
  };

/** Cuts a double to so many bits, towards zero. */
const cutTo =
  (bits: number) =>
  (x: number): number => {
    if (x === 0 || !Number.isFinite(x)) return x;
    const unit = 2 ** (Math.floor(Math.log2(Math.abs(x))) - bits + 1);
    return Math.trunc(x / unit) * unit;
  };

const masked =
  (places: bigint) =>
  (sum: bigint): bigint => {
    const size = sum < 0n ? -sum : sum;
    const kept = (size >> places) << places;
    return sum < 0n ? -kept : kept;
  };

/** These faults concern how numbers are rounded and read. */
const roundings: readonly PositMutant[] = [
  {
    name: "arithmetic_mean",
    fault: "neighbours are parted by their mean, where the regime or the exponent is cut too",
    entry: "P03",
    engine: coded(posit8, {
      threshold: (format, lower) => (numberOf(format, lower) + numberOf(format, lower + 1)) / 2,
    }),
  },
  { name: "ties_up", fault: "ties go away from zero", engine: coded(posit8, { tieGoesUp: () => true }) },
  { name: "ties_down", fault: "ties go towards zero", engine: coded(posit8, { tieGoesUp: () => false }) },
  {
    name: "ties_odd",
    fault: "ties go to the odd code",
    engine: coded(posit8, { tieGoesUp: (lower) => lower % 2 === 0 }),
  },
  {
    name: "truncation",
    fault: "what does not fit is cut off",
    engine: coded(posit8, { threshold: () => Number.POSITIVE_INFINITY }),
  },
  { name: "flush_to_zero", fault: "less than the least is 0", engine: coded(posit8, { tooSmall: () => 0 }) },
  {
    name: "half_flush",
    fault: "less than half the least is 0",
    engine: coded(posit8, { tooSmall: (size, least) => (size < least / 2 ? 0 : 1) }),
  },
  {
    name: "overflow",
    fault: "more than the greatest is NaR",
    engine: coded(posit8, { tooLarge: () => -128 }),
  },
  {
    name: "sticky_dropped",
    fault: "of a result ten bits are looked at, and none after them",
    engine: coded(posit16, {}, cutTo(14)),
  },
  {
    name: "rounded_twice",
    fault: "results are rounded to a format with some bits more first",
    engine: coded(posit8, {}, (x) => right16.toNumber(right16.fromNumber(shortened(9)(x)))),
  },
  { name: "draft_8", fault: "posit8 has no exponent bits, as in drafts", engine: coded(posit8, es(0)) },
  { name: "draft_16", fault: "posit16 has one exponent bit, as in drafts", engine: coded(posit16, es(1)) },
  {
    name: "short_exponent",
    fault: "an exponent cut to one bit is read as the low one",
    engine: coded(posit8, {
      value: (format, code) => numberOf(format, code) / (isCutExponent(format, code) ? 2 : 1),
    }),
  },
];

function es(exponentBits: number): Partial<Manner> {
  return readAs((format) => ({ ...format, exponentBits }));
}

/** Reads codes as those of another format of the same width. */
function readAs(other: (format: PositFormat) => PositFormat): Partial<Manner> {
  return {
    value: (format, code) => numberOf(other(format), code),
    threshold: (format, lower) => numberOf(oneBitMore(other(format)), 2 * lower + 1),
  };
}

/** These faults concern the length of regimes, where it is bounded. */
const regimes: readonly PositMutant[] = [
  {
    name: "unbounded_regime",
    fault: "the regime of a bposit16 is as long as its equal bits are",
    engine: coded(
      bposit16,
      readAs((format) => ({ ...format, regimeBits: format.width - 1 })),
    ),
  },
  {
    name: "ended_regime",
    fault: "a bit is taken for the end of the longest regime of a bposit16, too",
    engine: coded(bposit16, {
      value: (format, code) => numberOf(format, code, () => 1),
      threshold: (format, lower) => numberOf(oneBitMore(format), 2 * lower + 1, () => 1),
    }),
  },
  {
    name: "longer_regime",
    fault: "the regime of a bposit16 has up to seven bits",
    engine: coded(
      bposit16,
      readAs((format) => ({ ...format, regimeBits: 7 })),
    ),
  },
  {
    name: "four_exponent_bits",
    fault: "a bposit16 has four exponent bits",
    engine: coded(bposit16, es(4)),
  },
];

/** Says whether there is room for one bit of exponent, and it is set. */
function isCutExponent({ width }: PositFormat, code: PositCode): boolean {
  const bits = code.toString(2).padStart(width - 1, "0");
  return /^(?:0+1|1+0)1$/.test(bits);
}

/** These faults concern single operations, most of them with NaR. */
const operations: readonly PositMutant[] = [
  {
    name: "nar_is_zero",
    fault: "NaR is a 0 in sums",
    engine: { ...right8, add: (x, y) => (whereNaR(x, y) ? (x === -128 ? y : x) : right8.add(x, y)) },
  },
  {
    name: "nar_times_zero",
    fault: "0 · NaR is 0",
    engine: { ...right8, multiply: (x, y) => (x === 0 || y === 0 ? 0 : right8.multiply(x, y)) },
  },
  {
    name: "quotient_by_zero",
    fault: "x / 0 is the greatest posit",
    engine: { ...right8, divide: (x, y) => (y === 0 && x > 0 ? 127 : right8.divide(x, y)) },
  },
  {
    name: "root_of_negative",
    fault: "the root of −x is −√x",
    engine: { ...right8, sqrt: (x) => (x < 0 && x !== -128 ? -right8.sqrt(-x) : right8.sqrt(x)) },
  },
  {
    name: "negated_nar",
    fault: "−NaR is the greatest posit",
    engine: { ...right8, negative: (x) => (x === -128 ? 127 : -x) },
  },
  {
    name: "floor_towards_zero",
    fault: "floor cuts the fraction off",
    engine: { ...right8, floor: (x) => right8.fromNumber(Math.trunc(right8.toNumber(x))) },
  },
  {
    name: "reciprocal",
    fault: "x / y is x · (1/y), rounded twice",
    engine: { ...right8, divide: (x, y) => right8.multiply(x, right8.divide(0x40, y)) },
  },
];

/** These faults concern quires. */
const quires: readonly PositMutant[] = [
  {
    name: "quire_sticky",
    fault: "rounding a quire does not look at its lower words",
    entry: "P01",
    engine: withQuire(8, {
      left: (sum) => masked(BigInt(Math.max(0, (sum < 0n ? -sum : sum).toString(2).length - 12)))(sum),
    }),
  },
  {
    name: "far_addend",
    fault: "a term far below the sum is cut off when it enters",
    entry: "P02",
    engine: withQuire(16, {
      entered: (sum) => masked(BigInt(Math.max(0, (sum < 0n ? -sum : sum).toString(2).length - 28)))(sum),
    }),
  },
  {
    name: "rounded_terms",
    fault: "the sum is rounded after each term, as by fused multiply-adds",
    entry: "P05",
    engine: { ...right16, dot: chained },
  },
  {
    name: "rounded_products",
    fault: "products are rounded before they enter",
    engine: withQuire(16, {
      product: (x, y) => BigInt(right16.toNumber(right16.fromNumber(x * y)) * 2 ** 112),
    }),
  },
  {
    name: "draft_quire",
    fault: "posit16 has a quire of 128 bits, as in drafts, whose last place is 2⁻⁵⁶",
    engine: withQuire(16, { entered: (sum) => BigInt.asIntN(128, masked(56n)(sum) >> 56n) << 56n }),
  },
  {
    name: "no_guard",
    fault: "there is no carry guard: the greatest product is the greatest sum",
    engine: withQuire(8, { entered: (sum) => BigInt.asIntN(98, sum) }),
  },
  {
    name: "lost_sign",
    fault: "the sign of the second factor is lost",
    engine: withQuire(16, { product: (x, y) => BigInt(x * Math.abs(y) * 2 ** 112) }),
  },
  {
    name: "one_too_many",
    fault: "the last product is added twice",
    engine: { ...right16, dot: (xs, ys) => right16.dot([...xs, ...xs.slice(-1)], [...ys, ...ys.slice(-1)]) },
  },
  {
    name: "nar_forgotten",
    fault: "products with NaR are left out",
    engine: {
      ...right16,
      dot: (xs, ys) => {
        const isReal = (x: PositCode | undefined): boolean => x !== right16.notReal;
        const real = [...xs.keys()].filter((place) => isReal(xs[place]) && isReal(ys[place]));
        return right16.dot(
          real.map((place) => xs[place] ?? 0),
          real.map((place) => ys[place] ?? 0),
        );
      },
    },
  },
];

/** Makes a chain of fused multiply-adds: each exact sum of a posit and a product is rounded. */
function chained(xs: readonly PositCode[], ys: readonly PositCode[]): PositCode {
  return xs.reduce((sum, x, place) => right16.dot([sum, x], [0x4000, ys[place] ?? 0]), 0);
}

/** Engines with a fault, each told from the right one by the laws of `mutants.test.ts`. */
export const positMutants: readonly PositMutant[] = [...roundings, ...regimes, ...operations, ...quires];
