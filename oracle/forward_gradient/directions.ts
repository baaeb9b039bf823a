import { at } from "../../spec/shapes/index.ts";
import { type DataType, formats } from "../../spec/wire/index.ts";

/**
 * An estimate `(∇f · v) v` tells its direction `v` up to a sign: the size of each number, between two bounds,
 * and its sign relative to the others', 0 where rounding hides it.
 */
export interface Revealed {
  readonly low: readonly number[];
  readonly high: readonly number[];
  readonly signs: readonly number[];
}

/** A number of a direction is taken to be smaller: a normal one of 8 comes once in 10¹⁵. */
export const LARGEST = 8;

/** Covers the roundings of the sums and quotients that follow, of fewer than 2²⁰ terms. */
const OUTWARDS = 2 ** -30;

/**
 * Returns what an estimate tells, of the first `most` numbers of its direction. `∇f · g` is the square of the
 * slope, so `|vᵢ| = |gᵢ| / √(∇f · g)`. Each number of the estimate, and of the gradient, is within `within`
 * of the true one.
 */
export function revealed(
  estimate: readonly number[],
  gradient: readonly number[],
  within: number,
  most: number,
): Revealed {
  let [square, sizes] = [0, 0];
  for (const [place, g] of estimate.entries()) {
    const slope = at(gradient, place);
    square += slope * g;
    sizes += (Math.abs(slope) + Math.abs(g) + within) * within + OUTWARDS * Math.abs(slope * g);
  }
  const [least, greatest] = [Math.max(square - sizes, 0), Math.max(square + sizes, 0)];
  const told = estimate.slice(0, most);
  const low = told.map((g) =>
    greatest > 0 ? (Math.max(Math.abs(g) - within, 0) / Math.sqrt(greatest)) * (1 - OUTWARDS) : 0,
  );
  const high = told.map((g) =>
    Math.min(least > 0 ? ((Math.abs(g) + within) / Math.sqrt(least)) * (1 + OUTWARDS) : LARGEST, LARGEST),
  );
  const signs = told.map((g) => (Math.abs(g) > within ? Math.sign(g) : 0));
  return { low, high, signs };
}

/** Says whether directions in a precision obey the law itself: with fewer digits they obey one nearby. */
export function hasLaw(dtype: DataType): boolean {
  return formats[dtype].unitRoundoff <= 2 ** -20;
}

/** Widens what was told by the rounding of a drawn number to a precision. */
function unrounded({ low, high, signs }: Revealed, dtype: DataType): Revealed {
  const { unitRoundoff, smallest, taper } = formats[dtype];
  const moved = (size: number): number => taper?.errorUpTo(size) ?? 2 * unitRoundoff * size + smallest;
  return {
    low: low.map((size) => Math.max(size - moved(size), 0)),
    high: high.map((size) => size + moved(size)),
    signs,
  };
}

/** A statistic of directions that does not fit their law. */
export interface Misfit {
  /** The number of a direction that it is of; all together if there is none. */
  readonly place?: number;
  /** This says in words what is compared. */
  readonly of: string;
  readonly found: number;
  readonly expected: number;
  readonly within: number;
}

/** Says which numbers of directions of signs are not 1: no chance is taken. */
function notOne(directions: readonly Revealed[]): Misfit[] {
  for (const { low, high } of directions)
    for (const [place, least] of low.entries()) {
      const most = at(high, place);
      if (least <= 1 && most >= 1) continue;
      const found = least > 1 ? least : most;
      return [{ place, of: "the size of a direction's number", found, expected: 1, within: 0 }];
    }
  return [];
}

/** Each direction's number at a place, or all numbers. */
interface Sizes {
  readonly place?: number;
  readonly low: readonly number[];
  readonly high: readonly number[];
}

function sizesOf(directions: readonly Revealed[], numbers: number): readonly Sizes[] {
  const places = Array.from({ length: numbers }, (_, place) => ({
    place,
    low: directions.map(({ low }) => at(low, place)),
    high: directions.map(({ high }) => at(high, place)),
  }));
  if (numbers === 1) return places;
  return [{ low: places.flatMap(({ low }) => low), high: places.flatMap(({ high }) => high) }, ...places];
}

/**
 * Compares sizes with a distribution function by Kolmogorov and Smirnov's distance. A right drawer's is
 * greater than `√(ln(2/alarm) / 2n)` with a probability of at most `alarm`; of sizes between bounds only
 * what holds wherever they lie is told. Source: Massart, The Tight Constant in the
 * Dvoretzky-Kiefer-Wolfowitz Inequality (1990).
 */
function farFrom(
  cdf: (x: number) => number,
  { place, low, high }: Sizes,
  alarm: number,
  slack: number,
): Misfit[] {
  const count = low.length;
  const within = Math.sqrt(Math.log(2 / alarm) / (2 * count)) + slack;
  let found = 0;
  // Before the k-th lower bound at most k sizes lie; up to the k-th upper bound at least k + 1 do.
  for (const [k, x] of low.toSorted(ascending).entries()) found = Math.max(found, cdf(x) - k / count);
  for (const [k, x] of high.toSorted(ascending).entries()) found = Math.max(found, (k + 1) / count - cdf(x));
  const of = "the Kolmogorov–Smirnov distance of sizes";
  return found <= within ? [] : [{ ...placed(place), of, found, expected: 0, within }];
}

/**
 * Compares the mean of squares of normal numbers with 1. The sum of n is χ², and its mean exceeds 1 + t, or
 * is less, with a probability of at most `exp(−n (t − ln(1 + t)) / 2)` [Chernoff, 1952].
 */
function farFromOne({ place, low, high }: Sizes, alarm: number): Misfit[] {
  const mean = (of: readonly number[]): number => of.reduce((sum, x) => sum + x ** 2, 0) / of.length;
  const reach = (2 * Math.log(2 / alarm)) / low.length;
  const [least, most] = [1 + edgeOf(reach, -1), 1 + edgeOf(reach, 1)];
  const [above, below] = [mean(low), mean(high)];
  const told = (found: number, within: number): Misfit[] => [
    { ...placed(place), of: "the mean of squared numbers of directions", found, expected: 1, within },
  ];
  if (above > most) return told(above, most - 1);
  return below < least ? told(below, 1 - least) : [];
}

/** Solves `t − ln(1 + t) = reach` on one side of 0, a little further out, by bisection. */
function edgeOf(reach: number, side: 1 | -1): number {
  let [near, far] = [0, side === 1 ? 2 * reach + 2 * Math.sqrt(reach) : -1];
  for (let steps = 0; steps < 60; steps++) {
    const middle = (near + far) / 2;
    if (middle - Math.log1p(middle) < reach) near = middle;
    else far = middle;
  }
  return far;
}

/** Some signs, an even number of them, and some sizes, of which it is asked if they are above the median. */
export interface Product {
  readonly signs: readonly number[];
  readonly sizes: readonly number[];
}

/** So many products are compared, which is every one where there are few numbers. */
const MOST_PRODUCTS = 512;

/**
 * Lists products of fair signs: all where there are few numbers, else those of two neighbours, two further
 * apart and so on, and drawn ones with four signs.
 */
export function productsOf(numbers: number, hasSizes: boolean): readonly Product[] {
  const bits = hasSizes ? 2 * numbers : numbers;
  const split = (chosen: readonly number[]): Product => ({
    signs: chosen.filter((bit) => bit < numbers),
    sizes: chosen.filter((bit) => bit >= numbers).map((bit) => bit - numbers),
  });
  const isTold = ({ signs, sizes }: Product): boolean =>
    signs.length % 2 === 0 && signs.length + sizes.length > 0 && (signs.length > 0 || sizes.length > 1);
  if (2 ** (bits - 1) <= MOST_PRODUCTS)
    return Array.from({ length: 2 ** bits }, (_, set) =>
      split(Array.from({ length: bits }, (_bit, bit) => bit).filter((bit) => (set >> bit) & 1)),
    ).filter(isTold);
  const products: Product[] = [];
  const [pairs, fours] = [MOST_PRODUCTS / 2, MOST_PRODUCTS / 4];
  for (let apart = 1; apart < numbers && products.length < pairs; apart++)
    for (let first = 0; first + apart < numbers && products.length < pairs; first++) {
      const both = [first, first + apart];
      products.push({ signs: both, sizes: [] });
      if (hasSizes) products.push({ signs: [], sizes: both });
    }
  for (let n = 0, state = 1; n < fours; n++) {
    const chosen = new Set<number>();
    while (chosen.size < Math.min(4, numbers - (numbers % 2))) {
      state = (state * 48_271) % 2_147_483_647;
      chosen.add(state % numbers);
    }
    products.push({ signs: [...chosen], sizes: [] });
  }
  return products;
}

/** Half of all normal numbers are smaller. */
const MEDIAN = 0.674_489_750_196_081_7;

/**
 * Compares the means of products of fair signs with 0, from which a right drawer's differ by more than
 * `√(2 ln(2/alarm) / n)` with a probability of at most `alarm`, each [Hoeffding, 1963].
 */
function unfair(directions: readonly Revealed[], products: readonly Product[], alarm: number): Misfit[] {
  const count = directions.length;
  const within = Math.sqrt((2 * Math.log((2 * products.length) / alarm)) / count);
  const bits = directions.map(({ low, high, signs }) => [
    ...signs,
    ...low.map((least, place) => (least > MEDIAN ? 1 : at(high, place) < MEDIAN ? -1 : 0)),
  ]);
  for (const { signs, sizes } of products) {
    const chosen = [...signs, ...sizes.map((place) => place + (bits[0]?.length ?? 0) / 2)];
    let [sum, unknown] = [0, 0];
    for (const own of bits) {
      let product = 1;
      for (const bit of chosen) product *= own[bit] ?? 0;
      sum += product;
      if (product === 0) unknown += 1;
    }
    const found = Math.sign(sum) * Math.max(Math.abs(sum) - unknown, 0);
    if (Math.abs(found) / count <= within) continue;
    const of = `the mean of products of ${[...signs.map((n) => `sign ${n}`), ...sizes.map((n) => `side ${n}`)].join(", ")}`;
    return [{ of, found: found / count, expected: 0, within }];
  }
  return [];
}

const ascending = (x: number, y: number): number => x - y;

const placed = (place: number | undefined): Pick<Misfit, "place"> => (place === undefined ? {} : { place });

/**
 * Tells where directions do not obey their law. Signs have the size 1; normal numbers the distribution
 * function, and the variance, at each place and together; and products of signs, and of sides of the median,
 * are fair. A right drawer is accused with a probability of at most `alarm` in all. `erf` is the error
 * function. Cost: `n log n` for each number, and 512 products of each direction.
 */
export function misfitsOf(
  law: "rademacher" | "gaussian",
  directions: readonly Revealed[],
  dtype: DataType,
  erf: (x: number) => number,
  alarm: number,
): readonly Misfit[] {
  const numbers = directions[0]?.signs.length ?? 0;
  if (law === "rademacher")
    return [...notOne(directions), ...unfair(directions, productsOf(numbers, false), alarm)];
  const drawn = directions.map((one) => unrounded(one, dtype));
  const sizes = sizesOf(drawn, numbers);
  const cdf = (x: number): number => erf(x / Math.SQRT2);
  // Half of a third is for all numbers together, half for each by itself.
  const share = ({ place }: Sizes): number => alarm / (6 * (place === undefined ? 1 : numbers));
  return [
    // Uniform numbers, of which normal ones are made, have as many digits.
    ...sizes.flatMap((some) => farFrom(cdf, some, share(some), 8 * formats[dtype].unitRoundoff)),
    ...sizes.flatMap((some) => farFromOne(some, share(some))),
    ...unfair(drawn, productsOf(numbers, true), alarm / 3),
  ];
}
