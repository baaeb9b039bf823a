import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { Numbers, Precision } from "../../engines/compile/plan/executable.ts";
import {
  type ArrayFunctions,
  CAPACITY,
} from "../../engines/compile/wasm/functions/array_functions.test.kit.ts";
import type { VectorFunction } from "../../engines/compile/wasm/functions/index.ts";
import { type Address, Arena, DOWN, mpfr } from "../../reference/algebras/mpfr.ts";

/** The largest error of a function over some points. */
export interface WorstError {
  /** It is in ulps of the true value, or the least subnormal's; ∞ where NaN or a sign is wrong. */
  readonly error: number;
  /** The error was found here. */
  readonly at: number;
}

const formats = {
  float64: { fraction: 52, least: -1022, greatest: 1023 },
  float32: { fraction: 23, least: -126, greatest: 127 },
} as const;

/** Returns a unit in the last place of numbers like `x`. */
export function unit(precision: Precision, x: number): number {
  const { fraction, least, greatest } = formats[precision];
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const exponent = (view.getUint16(0) >> 4) & 2047;
  return 2 ** (Math.min(Math.max(exponent - 1023, least), greatest) - fraction);
}

/** A ruler holds MPFR numbers with enough bits for `x + 1`, a remainder of 2⁻⁶² and 60 bits more. */
class Ruler implements Disposable {
  readonly #arena = new Arena(200);
  readonly #operand: Address = this.#arena.fresh();
  readonly #truth: Address = this.#arena.fresh();
  readonly #claim: Address = this.#arena.fresh();

  /** Returns the error of the claim `y` for the function's value at `x`. */
  error(name: VectorFunction, precision: Precision, x: number, y: number): number {
    mpfr.mpfr_set_d(this.#operand, x, DOWN);
    mpfr[`mpfr_${name}`](this.#truth, this.#operand, DOWN);
    if (mpfr.mpfr_nan_p(this.#truth) !== 0) return Number.isNaN(y) ? 0 : Number.POSITIVE_INFINITY;
    const truth = mpfr.mpfr_get_d(this.#truth, DOWN);
    if (mpfr.mpfr_number_p(this.#truth) === 0) return y === truth ? 0 : Number.POSITIVE_INFINITY;
    if (Number.isNaN(y) || y === Number.NEGATIVE_INFINITY) return Number.POSITIVE_INFINITY;
    if (mpfr.mpfr_zero_p(this.#truth) !== 0 && y === 0)
      return Object.is(y, truth) ? 0 : Number.POSITIVE_INFINITY;
    const { greatest } = formats[precision];
    mpfr.mpfr_set_d(this.#claim, 2 ** greatest, DOWN);
    mpfr.mpfr_add(this.#claim, this.#claim, this.#claim, DOWN);
    const overflows = mpfr.mpfr_lessequal_p(this.#claim, this.#truth) !== 0;
    if (overflows) return y === Number.POSITIVE_INFINITY ? 0 : Number.POSITIVE_INFINITY;
    // A claim of ∞ is as far off as the least power of 2 that is out of range; no function here falls to −∞
    // gradually.
    if (y !== Number.POSITIVE_INFINITY) mpfr.mpfr_set_d(this.#claim, y, DOWN);
    mpfr.mpfr_sub(this.#claim, this.#claim, this.#truth, DOWN);
    const scale = unit(precision, truth);
    mpfr.mpfr_set_d(this.#operand, scale, DOWN);
    mpfr.mpfr_div(this.#claim, this.#claim, this.#operand, DOWN);
    return Math.abs(mpfr.mpfr_get_d(this.#claim, DOWN));
  }

  [Symbol.dispose](): void {
    this.#arena[Symbol.dispose]();
  }
}

/** Returns the largest error of a function at these points. */
export function worstError(
  functions: ArrayFunctions,
  name: VectorFunction,
  precision: Precision,
  points: Numbers,
): WorstError {
  using ruler = new Ruler();
  let worst: WorstError = { error: 0, at: 0 };
  for (let start = 0; start < points.length; start += CAPACITY) {
    const some = points.subarray(start, start + CAPACITY);
    functions.operands.fill(0, 0, some.length + 3);
    functions.operands.set(some);
    functions.run(name, Math.ceil(some.length / 4) * 4);
    for (const [index, at] of some.entries()) {
      const error = ruler.error(name, precision, at, functions.results[index] ?? Number.NaN);
      if (error > worst.error) worst = { error, at };
    }
  }
  return worst;
}

/** A terrain says where a function is interesting: intervals, and points that it is hard next to. */
interface Terrain {
  readonly intervals: readonly (readonly [number, number])[];
  readonly landmarks: readonly number[];
}

const thresholds = [
  709.782712893384, -708.3964185322641, -745.1332191019411, 708, -708, 88.72283905206835, -87.3365447505531,
  -103.97207708399179, 87, -87, 36.7, -36.7, 17.3, -17.3,
];

/** Points near multiples of π/2: few quarter turns, many, and 6381956970095103 · 2⁷⁹⁷, the closest double. */
const turns = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 355, 710, 2 ** 10, 2 ** 16, 2 ** 19 - 1, 667_543].map((k) => (k * Math.PI) / 2),
  6_381_956_970_095_103 * 2 ** 797,
];

/** Every function is asked for these. */
const specials = [
  ...[0, 1, 2 ** -149, 2 ** -126, 2 ** -1022, 2 ** -1074, 2 ** 127, 2 ** 1023, Number.MAX_VALUE],
  Number.POSITIVE_INFINITY,
].flatMap((x) => [x, -x]);

const terrains: Readonly<Record<VectorFunction, Terrain>> = {
  exp: {
    intervals: [
      [-1, 1],
      [-20, 20],
      [-750, 712],
      [-105, 90],
      [-745.2, -708],
    ],
    landmarks: thresholds,
  },
  expm1: {
    intervals: [
      [-1, 1],
      [-3, 3],
      [-40, 40],
      [-750, 712],
      [-105, 90],
    ],
    landmarks: thresholds,
  },
  log: {
    intervals: [
      [0.5, 2],
      [0.7, 1.5],
      [0, 10],
      [0, 1e6],
    ],
    landmarks: [1, Math.SQRT1_2, Math.SQRT2, 2, 0.5],
  },
  log1p: {
    intervals: [
      [-1, 1],
      [-0.3, 0.5],
      [-0.01, 0.01],
      [-1, 100],
    ],
    landmarks: [0, -1, 1, Math.SQRT1_2 - 1, Math.SQRT2 - 1],
  },
  sin: {
    intervals: [
      [-1, 1],
      [-10, 10],
      [-1000, 1000],
      [-(2 ** 20), 2 ** 20],
      [-1e15, 1e15],
    ],
    landmarks: [...turns, 2 ** 20],
  },
  cos: {
    intervals: [
      [-1, 1],
      [-10, 10],
      [-1000, 1000],
      [-(2 ** 20), 2 ** 20],
      [-1e15, 1e15],
    ],
    landmarks: [...turns, 2 ** 20],
  },
  tanh: {
    intervals: [
      [-0.6, 0.6],
      [0.5, 0.7],
      [-3, 3],
      [-25, 25],
    ],
    landmarks: [0.5625, -0.5625, 9.01, 19.06, 22],
  },
  erf: {
    intervals: [
      [-1, 1],
      [-6.5, 6.5],
      [0.99, 1.01],
    ],
    landmarks: [1, -1, 4, 5.94],
  },
};

/** Returns a number between 0 and 1, with 53 random bits. */
export function fraction(random: RandomGenerator): number {
  const bits = (count: number): number => random.next() >>> (32 - count);
  return (bits(26) * 2 ** 27 + bits(27)) / 2 ** 53;
}

/** Returns a number of the precision with random bits: any binade, subnormal numbers, infinities and NaN. */
export function anyBits(random: RandomGenerator, precision: Precision): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(0, random.next());
  view.setInt32(4, random.next());
  return precision === "float64" ? view.getFloat64(0) : view.getFloat32(0);
}

/** Returns a number next to a landmark, by up to a few thousand steps of its precision. */
function near(random: RandomGenerator, precision: Precision, landmark: number): number {
  const rounded = precision === "float32" ? Math.fround(landmark) : landmark;
  return rounded + (random.next() >> (19 + (random.next() & 7))) * unit(precision, landmark);
}

/**
 * Returns points for a function: special ones, then a third in its intervals, a third near its landmarks and
 * multiples of π/2, a third with random bits, half of these with an exponent near 0.
 */
export function accuracyPoints(
  name: VectorFunction,
  precision: Precision,
  count: number,
  random: RandomGenerator,
): Numbers {
  const { intervals, landmarks } = terrains[name];
  const pick = <T>(of: readonly T[], otherwise: T): T => of[(random.next() >>> 1) % of.length] ?? otherwise;
  const point = (index: number): number => {
    const special = specials[index];
    if (special !== undefined) return special;
    switch (index % 6) {
      case 0:
      case 1: {
        const [low, high] = pick(intervals, [0, 1]);
        return low + (high - low) * fraction(random);
      }
      case 2:
        return near(random, precision, pick(landmarks, 1));
      case 3:
        return ((random.next() >> (12 + (random.next() & 15))) * Math.PI) / 2;
      case 4:
        return anyBits(random, precision);
      default:
        return (
          (1 + fraction(random)) * 2 ** (random.next() >> 26) * (random.next() < 0 && name !== "log" ? -1 : 1)
        );
    }
  };
  const points = precision === "float64" ? new Float64Array(count) : new Float32Array(count);
  return points.map((_, index) => point(index));
}
