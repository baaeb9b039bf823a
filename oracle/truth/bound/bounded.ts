import { type Tensor, tensor } from "../../../reference/index.ts";
import { at } from "../../../spec/shapes/index.ts";
import { binadeOf, formats } from "../../../spec/wire/index.ts";
import { type Centre, UPWARDS } from "../centre/index.ts";
import type { Standard } from "../standard/index.ts";
import { infinite } from "./infinities.ts";
import { loosenedOrigin, settledSum } from "./noted.ts";
import { type Bounded, isHeld, radius, roundingOf, sizeOf, sizeOfBall } from "./radius.ts";

/** Returns the bounded value of a number that an engine is given, and may have to round first. */
export function given<C>(centre: Centre<C>, standard: Standard, x: number): Bounded<C> {
  if (Math.abs(x) === Number.POSITIVE_INFINITY && standard.taper === undefined)
    return infinite(centre, x < 0 ? -1 : 1);
  const rounded = formats[standard.dtype].round(x);
  const flushed = standard.flushesSubnormals && Math.abs(rounded) < standard.underflow ? Math.abs(x) : 0;
  // A number that the precision makes infinite has no bound.
  const error = Number.isFinite(rounded) ? Math.abs(rounded - x) + flushed : Number.NaN;
  const grain = error === 0 ? grainOf(x) : 0;
  const literal = {
    centre: centre.field.literal(x),
    error,
    magnitude: Math.abs(x) + error,
    terms: x === 0 ? 0 : 1,
    grain,
  };
  return standard.taper === undefined ? literal : { ...literal, isRoundedOnce: true };
}

/** Returns the place value of the last digit of `x`; 0 is a multiple of everything. */
export function grainOf(x: number): number {
  if (x === 0) return Number.POSITIVE_INFINITY;
  let grain = binadeOf(x);
  while (!Number.isInteger(x / grain) && grain > 0) grain /= 2;
  return grain;
}

/** Returns `grain` if sums of its multiples up to `magnitude` are numbers of the precision; else 0. */
export function holding(
  { unitRoundoff, underflow, taper }: Standard,
  grain: number,
  magnitude: number,
): number {
  // Where neighbours are no further apart than a power of two, its multiples are numbers of the format.
  if (taper !== undefined) return taper.gapUpTo(magnitude) <= grain ? grain : 0;
  return grain >= underflow && magnitude * unitRoundoff <= grain ? grain : 0;
}

/** Tells whether the terms of `x`, `by` a power of two, and all their sums are numbers of the precision. */
export function isExact<C>(standard: Standard, { grain, magnitude }: Bounded<C>, by: number = 1): boolean {
  return magnitude / by <= standard.largest && holding(standard, grain / by, magnitude / by) > 0;
}

/** Returns `x` as one rounded number: its pending additions are done. */
export function settle<C>(centre: Centre<C>, standard: Standard, x: Bounded<C>): Bounded<C> {
  if (x.terms < 2) return x;
  const error = radius(centre, standard, x);
  const magnitude = (sizeOf(centre, x.centre) + error) * UPWARDS;
  const sum = { centre: x.centre, error, magnitude, terms: 1, grain: x.grain };
  const isRoundedOnce = standard.taper !== undefined && x.terms === 2 && x.error === 0;
  return settledSum(centre, standard, isRoundedOnce ? { ...sum, isRoundedOnce } : sum, x);
}

/** Rounds `x`, a number or two that meet of the precision `wide`, to the standard's, once or both before. */
export function narrowed<C>(
  centre: Centre<C>,
  standard: Standard,
  wide: Standard,
  x: Bounded<C>,
  meets: boolean,
): Bounded<C> {
  if (x.terms === 0 || x.infinity !== undefined) return x;
  if (isExact(standard, x)) return settle(centre, wide, x);
  const error = radius(centre, wide, x);
  if (!meets) return rounded(centre, standard, x.centre, error, 1);
  const size = (x.magnitude + error) * UPWARDS;
  const both = size > standard.largest ? Number.NaN : bothRoundings(standard, size);
  return rounded(centre, standard, x.centre, (error + both) * UPWARDS, 1);
}

/** Returns `x` as one number that is moved by at most `by` more, and not rounded again. */
export function displaced<C>(centre: Centre<C>, standard: Standard, x: Bounded<C>, by: number): Bounded<C> {
  return x.terms === 0 && by === 0
    ? x
    : rounded(centre, standard, x.centre, radius(centre, standard, x) + by, 0);
}

/** Returns what rounding two numbers of at most this total size may lose. */
function bothRoundings({ unitRoundoff, underflow, taper }: Standard, size: number): number {
  return taper === undefined ? unitRoundoff * size + 2 * underflow : 2 * taper.errorUpTo(size);
}

/** Returns `x`, of which nothing is known any more. */
export function withoutBound<C>({ centre, magnitude }: Bounded<C>): Bounded<C> {
  return { centre, error: Number.NaN, magnitude, terms: 1, grain: 0 };
}

/** Returns `x` if it is finite; of an infinity nothing is known any more. */
export function finiteOnly<C>(x: Bounded<C>): Bounded<C> {
  return x.infinity === undefined ? x : withoutBound(x);
}

/** Returns `x` with a relative error of `ulps` more, on every term. */
export function loosened<C>(standard: Standard, x: Bounded<C>, ulps: number): Bounded<C> {
  if (ulps === 0 || x.terms === 0 || x.infinity !== undefined) return x;
  // No term is moved further than one of the size of all of them.
  const extra =
    2 *
    ulps *
    (standard.taper === undefined
      ? standard.unitRoundoff * x.magnitude
      : x.terms * standard.taper.errorUpTo(x.magnitude));
  const [error, magnitude] = [(x.error + extra) * UPWARDS, (x.magnitude + extra) * UPWARDS];
  const loose = { centre: x.centre, error, magnitude, terms: x.terms, grain: 0 };
  return x.origin === undefined ? loose : { ...loose, ...loosenedOrigin(x, extra * UPWARDS) };
}

/**
 * Returns the result of one operation: the error that its operands pass on, then a rounding of `units` times
 * `u` in the binade of the result. It has no bound where an engine may overflow.
 */
export function rounded<C>(
  centre: Centre<C>,
  standard: Standard,
  value: C,
  propagated: number,
  units: number,
): Bounded<C> {
  const ball = centre.ball(value);
  const size = sizeOfBall(ball);
  if (propagated === 0 && units <= 1 && isHeld(standard, ball)) {
    const grain = holding(standard, grainOf(ball.value), size);
    return { centre: value, error: 0, magnitude: size, terms: 1, grain };
  }
  // Both parts are rounded up, or the sum may fall short of a power of two that the result reaches.
  const reach = size + propagated * UPWARDS;
  const error = (propagated + roundingOf(standard, reach, units)) * UPWARDS;
  const magnitude = (size + error) * UPWARDS;
  const known = magnitude <= standard.largest ? error : Number.NaN;
  const result = { centre: value, error: known, magnitude, terms: 1, grain: 0 };
  const isRoundedOnce = standard.taper !== undefined && propagated === 0 && units <= 1;
  return isRoundedOnce ? { ...result, isRoundedOnce } : result;
}

/** Returns `x` with an absolute error of `by` more. */
export function enlarged<C>(x: Bounded<C>, by: number): Bounded<C> {
  return {
    centre: x.centre,
    error: (x.error + by) * UPWARDS,
    magnitude: (x.magnitude + by) * UPWARDS,
    terms: Math.max(1, x.terms),
    grain: 0,
  };
}

/**
 * Returns ours with the wider of two bounds: its own, and that of another way to compute the same, which may
 * be off by `ulps` more. Both enclose one true value. Another way that has no bound here (det A · A⁻¹ at a
 * singular A) does not count.
 */
export function allowing<C>(
  centre: Centre<C>,
  standard: Standard,
  ours: Tensor<Bounded<C>>,
  others: Tensor<Bounded<C>>,
  ulps: number = 1,
): Tensor<Bounded<C>> {
  return tensor(ours.shape, (position) => {
    const [x, y] = [at(ours.data, position), at(others.data, position)];
    const theirs = radius(centre, standard, loosened(standard, y, ulps));
    if (!(theirs > radius(centre, standard, x))) return x;
    // It has as many terms as ours, since what comes of several readers is added to other numbers one by one.
    return {
      centre: x.centre,
      error: theirs,
      magnitude: (x.magnitude + theirs) * UPWARDS,
      terms: Math.max(1, x.terms),
      grain: 0,
    };
  });
}
