import { step, type Tensor, tensor } from "../../../reference/index.ts";
import { at, floatAt, type Semiring, type Shape } from "../../../spec/shapes/index.ts";
import { binadeOf, formats } from "../../../spec/wire/index.ts";
import { type Centre, UNDERFLOWS, UPWARDS } from "../centre/index.ts";
import { forwardUlps, type Standard } from "../standard/index.ts";
import { grainOf, holding } from "./bounded.ts";
import { type Bounded, radius, sizeOfBall } from "./radius.ts";

/*
 * Sums of products have the bounds here that the algebra of bounds gives them, to the bit, but the exact
 * numbers between are not computed. A bound depends on an exact number by the float next to it and by whether
 * it is that float. Both are told by sums of floats without rounding: each product and its error, the running
 * sum, what is left of it, and the total of what was dropped (Dekker, "A floating-point technique for
 * extending the available precision", 1971). Where these do not decide, the algebra computes the element.
 */

/** Products of numbers between these, and their errors, are far from the ends of the range. */
const [LEAST, MOST] = [2 ** -200, 2 ** 200];

/** By this constant a float is split in halves, of which products are exact. */
const SPLIT = 2 ** 27 + 1;

/** This factor covers the roundings of a sum of what was dropped. */
const WIDENED = 1 + 2 ** -40;

/** A stack of matrices is laid out by rows, with what their products need to know of each number. */
export interface Rows<C> {
  readonly rows: number;
  readonly length: number;
  readonly elements: readonly Bounded<C>[];
  readonly values: Float64Array;
  /** These are the upper halves of the values' digits. */
  readonly halves: Float64Array;
  readonly sizes: Float64Array;
  readonly radii: Float64Array;
}

/** A sum runs over products of a row of the first with a row of the second. */
export type Factors<C> = readonly [Rows<C>, Rows<C>];

/**
 * Lays a stack of matrices out by rows, or by columns. There is no such layout if a number is no float, has
 * no bound or is very large or small.
 */
export function rowsOf<C>(
  centre: Centre<C>,
  standard: Standard,
  { shape, data }: Tensor<Bounded<C>>,
  by: "rows" | "columns",
): Rows<C> | undefined {
  const [height = 1, width = 1] = shape.slice(-2);
  const [rows, length] = by === "rows" ? [height, width] : [width, height];
  const floats = (): Float64Array => new Float64Array(data.length);
  const [values, halves, sizes, radii] = [floats(), floats(), floats(), floats()];
  const elements: Bounded<C>[] = [];
  for (let place = 0; place < data.length; place++) {
    const inside = place % (rows * length);
    const turned = place - inside + (inside % length) * rows + Math.floor(inside / length);
    const x = at(data, by === "rows" ? place : turned);
    const off = radius(centre, standard, x);
    if (x.terms === 0 && off === 0) {
      // A literal zero times any of these is a literal zero, which sums leave out.
      elements.push(x);
      values[place] = Number.NaN;
      continue;
    }
    const ball = centre.ball(x.centre);
    const size = Math.abs(ball.value);
    if (ball.slack !== 0 || !(off < MOST) || (size !== 0 && !(size > LEAST && size < MOST))) return undefined;
    const high = ball.value * SPLIT;
    elements.push(x);
    values[place] = ball.value;
    halves[place] = high - (high - ball.value);
    sizes[place] = sizeOfBall(ball);
    radii[place] = off;
  }
  return { rows, length, elements, values, halves, sizes, radii };
}

/**
 * Returns the sums of products over rows: of every row of the first factors with every one of the second, in
 * each matrix of a stack. Several products at a place are one term, as they are in a tangent.
 * Law: each is what the algebra gives, up to how the centre represents numbers.
 * Cost: some tens of float operations a product.
 */
export function sumsOfProducts<C>(
  centre: Centre<C>,
  late: NonNullable<Centre<C>["late"]>,
  algebra: Semiring<Bounded<C>>,
  standard: Standard,
  isSequential: boolean,
  shape: Shape,
  factors: readonly Factors<C>[],
): Tensor<Bounded<C>> {
  const [first, second] = at(factors, 0);
  const sum = new Sum(standard, isSequential);
  return tensor(shape, (position) => {
    const row = Math.floor(position / second.rows);
    const column = Math.floor(row / first.rows) * second.rows + (position % second.rows);
    const [from, to] = [row * first.length, column * second.length];
    step(first.length);
    if (!sum.over(factors, from, to)) return summed(algebra, (x) => x, factors, from, to);
    if (sum.terms === 0) return algebra.zero;
    const { value, slack, error, magnitude, terms, grain } = sum;
    const exactly = (): C => summed(centre.field, (x) => x.centre, factors, from, to);
    return { centre: late({ value, slack }, exactly), error, magnitude, terms, grain };
  });
}

/** Sums the products up over an algebra, of what `of` takes of each number. */
function summed<C, S>(
  { zero, multiply, add }: Semiring<S>,
  of: (x: Bounded<C>) => S,
  factors: readonly Factors<C>[],
  from: number,
  to: number,
): S {
  let total = zero;
  for (let k = 0; k < at(factors, 0)[0].length; k++) {
    const products = factors.map(([x, y]) =>
      multiply(of(at(x.elements, from + k)), of(at(y.elements, to + k))),
    );
    total = add(total, products.reduce(add));
  }
  return total;
}

/** A sum of products runs in floats; its fields are those of the bounded number, and of its centre's ball. */
class Sum {
  value = 0;
  slack = 0;
  error = 0;
  magnitude = 0;
  terms = 0;
  grain = 0;
  readonly #standard: Standard;
  readonly #isSequential: boolean;
  /** A product is off by so many units of `u`: an ulp is two. */
  readonly #units: number;

  constructor(standard: Standard, isSequential: boolean) {
    this.#standard = standard;
    this.#isSequential = isSequential;
    this.#units = 2 * forwardUlps(standard, "multiply");
  }

  /** Sums the products of two rows up, and tells whether all is known that a bound depends on. */
  over<C>(factors: readonly Factors<C>[], from: number, to: number): boolean {
    const standard = this.#standard;
    const { dtype, largest, unitRoundoff, underflow } = standard;
    const { round } = formats[dtype];
    const units = this.#units;
    const isSequential = this.#isSequential;
    const [first, second] = at(factors, 0);
    const [third, fourth] = factors[1] ?? [undefined, second];
    const length = first.length;
    // The sum is that of the first two, up to what was dropped.
    let value = 0;
    let rest = 0;
    let dropped = 0;
    let error = 0;
    let magnitude = 0;
    let terms = 0;
    let grain = 0;
    for (let k = 0; k < length; k++) {
      let termError = 0;
      let termMagnitude = 0;
      let termCount = 0;
      let termGrain = 0;
      const i = from + k;
      const j = to + k;
      for (let x: Rows<C> | undefined = first; x !== undefined; x = x === first ? third : undefined) {
        const y = x === first ? second : fourth;
        const a = floatAt(x.values, i);
        const b = floatAt(y.values, j);
        const product = a * b + 0;
        if (Number.isNaN(product)) continue;
        const aHigh = floatAt(x.halves, i);
        const bHigh = floatAt(y.halves, j);
        const aLow = a - aHigh;
        const bLow = b - bHigh;
        const tail = aLow * bLow - (product - aHigh * bHigh - aLow * bHigh - aHigh * bLow);
        // Each sum and what it leaves are exact together: the product's, the tails', and theirs.
        const sum = value + product;
        const left = leftOf(value, product, sum);
        const tails = rest + tail;
        const lower = left + tails;
        dropped += Math.abs(leftOf(rest, tail, tails)) + Math.abs(leftOf(left, tails, lower));
        value = sum + lower;
        rest = leftOf(sum, lower, value);
        const slack = tail === 0 ? 0 : Math.abs(product) * 2 ** -50 + UNDERFLOWS;
        const size = (Math.abs(product) + slack) * UPWARDS;
        const xRadius = floatAt(x.radii, i);
        const yRadius = floatAt(y.radii, j);
        const propagated =
          xRadius === 0 && yRadius === 0
            ? 0
            : floatAt(x.sizes, i) * yRadius + floatAt(y.sizes, j) * xRadius + xRadius * yRadius;
        let productError = 0;
        let productMagnitude = size;
        let productGrain = 0;
        if (propagated === 0 && units <= 1 && slack === 0 && round(product) === product) {
          productGrain = holding(standard, grainOf(product), size);
        } else {
          const rounding =
            units * unitRoundoff * binadeOf(size + propagated * UPWARDS) + underflow + UNDERFLOWS;
          productError = (propagated + rounding) * UPWARDS;
          productMagnitude = (size + productError) * UPWARDS;
          if (!(productMagnitude <= largest)) return false;
        }
        if (termCount === 0) {
          termError = productError;
          termMagnitude = productMagnitude;
          termGrain = productGrain;
        } else {
          termMagnitude = (termMagnitude + productMagnitude) * UPWARDS;
          termError = (termError + productError) * UPWARDS;
          const common = Math.min(termGrain, productGrain);
          termGrain = common === 0 ? 0 : holding(standard, common, termMagnitude);
        }
        termCount += 1;
      }
      if (termCount === 0) continue;
      if (terms === 0) {
        error = termError;
        magnitude = termMagnitude;
        grain = termGrain;
      } else {
        magnitude = (magnitude + termMagnitude) * UPWARDS;
        error = (error + termError) * UPWARDS;
        const common = Math.min(grain, termGrain);
        grain = common === 0 ? 0 : holding(standard, common, magnitude);
      }
      if (!(magnitude <= largest)) return false;
      terms += termCount;
      if (isSequential && terms === 2) {
        // The sum is rounded before the next term is added to it, as `settle` does.
        const slack = slackOf(value, rest, dropped);
        if (Number.isNaN(slack)) return false;
        const size = (Math.abs(value) + slack) * UPWARDS;
        const isExact = grain > 0 || (error === 0 && slack === 0 && round(value) === value);
        if (!isExact) error = (error + unitRoundoff * binadeOf(size + error * UPWARDS)) * UPWARDS;
        magnitude = (size + error) * UPWARDS;
        terms = 1;
      }
    }
    this.value = value;
    this.slack = slackOf(value, rest, dropped);
    this.error = error;
    this.magnitude = magnitude;
    this.terms = terms;
    this.grain = grain;
    return !Number.isNaN(this.slack);
  }
}

/** Returns what the sum of `x` and `y` leaves of them: a float (Knuth, TAOCP 2, §4.2.2, theorem B). */
function leftOf(x: number, y: number, sum: number): number {
  const back = sum - x;
  return x - (sum - back) + (y - back);
}

/**
 * Returns how far the float next to a sum is from it, as the exact centre tells it; NaN if the float next to
 * it, or whether the sum is that, is not known for certain.
 */
function slackOf(value: number, rest: number, dropped: number): number {
  if (rest === 0 && dropped === 0) return 0;
  const least = dropped * WIDENED;
  const most = (Math.abs(rest) + least) * WIDENED;
  const isNext = Math.abs(rest) > least && value + most === value && value - most === value;
  return isNext ? Math.abs(value) * 2 ** -50 + UNDERFLOWS : Number.NaN;
}
