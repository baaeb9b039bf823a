import { pair } from "../../../../spec/shapes/index.ts";
import { HALF_PI, SHORT_HALF_PI } from "../../coefficients.ts";
import { formats } from "./format.ts";
import { Lanes, type VectorDefinition } from "./lanes.ts";
import type { Value } from "./library.ts";
import { polynomial } from "./polynomial.ts";
import { quarterTurns } from "./quarter_turns.ts";

/** The parts of `x = quarters · π/2 + remainder`. */
interface Reduced {
  /** The remainder is at most π/4, or a little more where the quotient was rounded. */
  readonly remainder: Value;
  /** Its lowest two bits are those of the number of quarter turns. */
  readonly quarters: Value;
}

/** Up to here quarter turns have 20 bits, and their products with the parts of π/2 are exact. */
const BORDER = 2 ** 20;

/** The bytes of the lower, and of the upper, double of two vectors. */
const LOWER = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];
const UPPER = LOWER.map((byte) => byte + 8);

/** The lower words of the four doubles of two vectors. */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24, 25, 26, 27];

/** Computes how often π/2 fits, as a number and in the lowest bits of another. */
function quotient(lanes: Lanes, x: Value): { readonly count: Value; readonly countBits: Value } {
  const rounder = lanes.number(1.5 * 2 ** lanes.format.fraction);
  const countBits = lanes.add(lanes.multiply(x, lanes.number(2 / Math.PI)), rounder);
  return { count: lanes.subtract(countBits, rounder), countBits };
}

/** Reduces doubles up to the border [Cody and Waite]; the last part gets what the third subtraction lost. */
function reduceDoubles(lanes: Lanes, x: Value): Reduced {
  const { count, countBits } = quotient(lanes, x);
  const part = (number: number): Value => lanes.multiply(count, lanes.number(number));
  const exact = lanes.subtract(lanes.subtract(x, part(HALF_PI[0])), part(HALF_PI[1]));
  const third = part(HALF_PI[2]);
  const rounded = lanes.subtract(exact, third);
  const lost = lanes.subtract(lanes.subtract(exact, rounded), third);
  const remainder = lanes.add(rounded, lanes.subtract(lost, part(HALF_PI[3])));
  return { remainder, quarters: countBits };
}

/** Reduces doubles that are float32 numbers. */
function reduceShort(lanes: Lanes, x: Value): Reduced {
  const { count, countBits } = quotient(lanes, x);
  const part = (number: number): Value => lanes.multiply(count, lanes.number(number));
  const remainder = lanes.subtract(lanes.subtract(x, part(SHORT_HALF_PI[0])), part(SHORT_HALF_PI[1]));
  return { remainder, quarters: countBits };
}

/** Reduces any doubles, one by one. */
function reduceEach(lanes: Lanes, x: Value): Reduced {
  const { library } = lanes.writer;
  const [first, second] = pair(
    ([0, 1] as const).map((lane) =>
      lanes.keep(library.call(quarterTurns, library.module.f64x2.extract_lane(lanes.get(x), lane))),
    ),
  );
  return {
    remainder: lanes.shuffle(first, second, LOWER),
    quarters: lanes.shuffle(first, second, UPPER),
  };
}

type Reduction = (lanes: Lanes, x: Value) => Reduced;

/** Extends a reduction of doubles to the format: float32 numbers are reduced as doubles, and rounded. */
function forFormat(reduction: Reduction): Reduction {
  return (lanes, x) => {
    if (lanes.format.precision === "float64") return reduction(lanes, x);
    const { module } = lanes.writer.library;
    const doubles = new Lanes(lanes.writer, formats.float64);
    const halves = [x, lanes.shuffle(x, x, UPPER)].map((half) =>
      reduction(doubles, doubles.keep(module.f64x2.promote_low_f32x4(doubles.get(half)))),
    );
    const [low, high] = pair(
      halves.map(({ remainder, quarters }) => ({
        remainder: lanes.keep(module.f32x4.demote_f64x2_zero(lanes.get(remainder))),
        quarters,
      })),
    );
    return {
      remainder: lanes.shuffle(low.remainder, high.remainder, LOWER),
      quarters: lanes.shuffle(low.quarters, high.quarters, LOW_WORDS),
    };
  };
}

/** Computes `sin r` and `cos r` for |r| ≤ π/4; the last rounding is that of `r + …` and `1 − …`. */
function sinAndCos(lanes: Lanes, r: Value): { readonly sin: Value; readonly cos: Value } {
  const terms = lanes.format.coefficients;
  const square = lanes.multiply(r, r);
  const cube = lanes.multiply(square, r);
  const half = lanes.multiply(square, lanes.number(0.5));
  const fourth = lanes.multiply(square, square);
  const tail = lanes.multiply(fourth, polynomial(lanes, terms.cos, square));
  return {
    sin: lanes.add(r, lanes.multiply(cube, polynomial(lanes, terms.sin, square))),
    cos: lanes.subtract(lanes.number(1), lanes.subtract(half, tail)),
  };
}

/** Computes the sine in a quadrant: odd quadrants take the cosine, the last two the other sign. */
function ofQuadrant(lanes: Lanes, remainder: Value, quadrant: Value): Value {
  const { sin, cos } = sinAndCos(lanes, remainder);
  const one = lanes.word(1n);
  const isEven = lanes.subtractWords(lanes.and(quadrant, one), one);
  const sign = lanes.and(lanes.shiftLeft(quadrant, lanes.format.width - 2), lanes.sign());
  return lanes.xor(lanes.select(isEven, sin, cos), sign);
}

type Circular = (lanes: Lanes, x: Value, reduction: Reduction) => Value;

/** Computes `sin |x|` with the sign of `x`, which keeps −0. */
function sinWith(lanes: Lanes, x: Value, reduction: Reduction): Value {
  const { remainder, quarters } = reduction(lanes, lanes.absolute(x));
  return lanes.xor(ofQuadrant(lanes, remainder, quarters), lanes.and(x, lanes.sign()));
}

function cosWith(lanes: Lanes, x: Value, reduction: Reduction): Value {
  const { remainder, quarters } = reduction(lanes, lanes.absolute(x));
  return ofQuadrant(lanes, remainder, lanes.addWords(quarters, lanes.word(1n)));
}

/** Says where the fast reduction is accurate. */
function isModerate(lanes: Lanes, x: Value): Value {
  return lanes.lessOrEqual(lanes.absolute(x), lanes.number(BORDER));
}

function circular(name: "sin" | "cos", value: Circular): VectorDefinition {
  const whole: VectorDefinition = {
    name,
    write(lanes, x) {
      const reduction = lanes.format.precision === "float64" ? reduceDoubles : reduceShort;
      return lanes.ifAll(
        isModerate(lanes, x),
        () => value(lanes, x, forFormat(reduction)),
        () => lanes.call(wide, x),
      );
    },
  };
  // Moderate numbers take the usual branch, because a result must not depend on the other lanes.
  const wide: VectorDefinition = {
    name: `${name}_wide`,
    write(lanes, x) {
      const inside = isModerate(lanes, x);
      const result = value(lanes, x, forFormat(reduceEach));
      return lanes.select(inside, lanes.call(whole, lanes.and(x, inside)), result);
    },
  };
  return whole;
}

/** The sine. */
export const sin: VectorDefinition = circular("sin", sinWith);

/** The cosine. */
export const cos: VectorDefinition = circular("cos", cosWith);
