import { type BinaryName, type UnaryName, unaryFunctions } from "../../../spec/operators/index.ts";
import { type Ball, balls } from "../centre/index.ts";

const { one } = balls;

/** An operation has a slope by each of its operands. */
export type Slopes = readonly [Ball, Ball];

/**
 * Returns the slopes of a product between the true operands, in `x` and `y`, and an engine's, in `xHat` and
 * `yHat`: `x̂ŷ − xy = y (x̂ − x) + x̂ (ŷ − y)`.
 */
export function slopesOfProduct(_x: Ball, y: Ball, xHat: Ball): Slopes {
  return [y, xHat];
}

/** Returns those of a quotient: `x̂/ŷ − x/y = ((x̂ − x) − (x/y) (ŷ − y)) / ŷ`. */
export function slopesOfQuotient(quotient: Ball, yHat: Ball): Slopes {
  const slope = balls.divide(one, yHat);
  return [slope, balls.negative(balls.multiply(quotient, slope))];
}

/** Returns the slope of a function anywhere in `x`: the mean value theorem does not say where it takes it. */
export function slopeOf(name: UnaryName, x: Ball): Ball {
  const scaled = { times: (factor: Ball) => factor, over: (divisor: Ball) => balls.divide(one, divisor) };
  return unaryFunctions[name].scale(balls, scaled, { x, y: balls[name](x) });
}

/** These return slopes of functions of two operands, anywhere in `x` and `y`; not finite if unknown. */
export const slopesOf: { readonly [F in BinaryName]: (x: Ball, y: Ball) => Slopes } = {
  pow: (x, y) => {
    const power = balls.pow(x, y);
    return [balls.multiply(y, balls.divide(power, x)), balls.multiply(power, balls.log(x))];
  },
  atan2: (y, x) => {
    const square = balls.add(balls.multiply(x, x), balls.multiply(y, y));
    return [balls.divide(x, square), balls.negative(balls.divide(y, square))];
  },
  hypot: (x, y) => {
    const length = balls.hypot(x, y);
    return [balls.divide(x, length), balls.divide(y, length)];
  },
};
