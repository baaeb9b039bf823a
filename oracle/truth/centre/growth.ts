import type { BinaryName, UnaryName } from "../../../spec/operators/index.ts";

/**
 * A growth bounds how far a function moves: it is at least `|f(a) − f(b)|` for every `a` within `reach − dx`
 * and `b` within `reach` of `x` that are at most `dx` apart, and NaN where `b` may leave the domain. It
 * follows from the mean value theorem with the steepest slope in reach, or from a sharper identity where the
 * slope has no bound. It is rounded to nearest: multiply it by `UPWARDS`.
 */
export type Growth = (x: number, dx: number, reach: number) => number;

/** These are the least and the greatest size of a number within `reach` of `x`. */
const least = (x: number, reach: number): number => Math.max(0, Math.abs(x) - reach);
const most = (x: number, reach: number): number => Math.abs(x) + reach;

/** This factor covers the rounding of a difference from which another is still to be taken. */
const DOWNWARDS = 1 - 2 ** -52;

/** Returns the least of `a − bound` for `a` in reach; NaN unless it is positive. */
function above(bound: number, x: number, reach: number): number {
  const left = (x - bound) * DOWNWARDS - reach;
  return left > 0 ? left : Number.NaN;
}

/** Returns the least of `1 − |a|` for `a` in reach; NaN unless it is positive. */
function room(x: number, reach: number): number {
  return above(-1, -Math.abs(x), reach);
}

const exp: Growth = (x, dx, reach) => Math.exp(x) * Math.exp(reach) * -Math.expm1(-dx);

/** asin and acos have the slope 1/√(1 − t²), but for its sign. */
const arc: Growth = (x, dx, reach) => dx / Math.sqrt(room(x, reach) * (1 + least(x, reach)));

/** This is at least the error of `Math.sin` and `Math.cos`. */
const WAVE_ERROR = 2 ** -51;

/** The slope of sin or cos is the other of them, which changes by no more than the argument. */
function wave(slope: (x: number) => number): Growth {
  return (x, dx, reach) => Math.min(dx * Math.min(1, Math.abs(slope(x)) + WAVE_ERROR + reach), 2);
}

/** These are the growths of the functions of one argument. */
export const growths: { readonly [F in UnaryName]: Growth } = {
  exp,
  expm1: exp,
  log: (x, dx, reach) => dx / above(0, x, reach),
  log1p: (x, dx, reach) => dx / above(-1, x, reach),
  log2: (x, dx, reach) => (dx / above(0, x, reach)) * Math.LOG2E,
  sin: wave(Math.cos),
  cos: wave(Math.sin),
  // |tan a − tan b| = |sin(a − b)| / |cos a cos b|, and |cos| loses at most `reach`.
  tan: (x, dx, reach) => dx / above(0, Math.abs(Math.cos(x)) - WAVE_ERROR, reach) ** 2,
  asin: arc,
  acos: arc,
  atan: (x, dx, reach) => dx / (1 + least(x, reach) ** 2),
  sinh: (x, dx, reach) => dx * Math.cosh(most(x, reach)),
  cosh: (x, dx, reach) => dx * Math.sinh(most(x, reach)),
  tanh: (x, dx, reach) => dx / Math.cosh(least(x, reach)) / Math.cosh(least(x, reach)),
  asinh: (x, dx, reach) => dx / Math.hypot(1, least(x, reach)),
  acosh: (x, dx, reach) => dx / Math.sqrt(above(1, x, reach) * (1 + Math.max(1, x - reach))),
  atanh: (x, dx, reach) => dx / (room(x, reach) * (1 + least(x, reach))),
  erf: (x, dx, reach) => ((dx * 2) / Math.sqrt(Math.PI)) * Math.exp(-(least(x, reach) ** 2)),
  sqrt: (x, dx, reach) => dx / (Math.sqrt(above(0, x, reach - dx)) + Math.sqrt(above(0, x, reach))),
};

/** The growth of a function of two arguments has a distance and a reach for each. */
export type BinaryGrowth = (
  x: number,
  y: number,
  dx: number,
  dy: number,
  xReach: number,
  yReach: number,
) => number;

/** These are the growths of the functions of two arguments. */
export const binaryGrowths: { readonly [F in BinaryName]: BinaryGrowth } = {
  pow: (x, y, dx, dy, xReach, yReach) => {
    if (yReach === 0 && Number.isInteger(y) && y >= 1) return y * most(x, xReach) ** (y - 1) * dx;
    // Elsewhere |x|ʸ = exp(y ln |x|), and the sign is certain only where y is an exact integer.
    if (x < 0 && (yReach > 0 || !Number.isInteger(y))) return Number.NaN;
    const [low, high] = [above(0, Math.abs(x), xReach), most(x, xReach)];
    const logarithm = Math.max(Math.abs(Math.log(low)), Math.abs(Math.log(high)));
    const moved = (most(y, yReach) * dx) / low + logarithm * dy;
    const [under, over] = [y - yReach, y + yReach];
    const size = Math.max(low ** under, low ** over, high ** under, high ** over);
    return size * -Math.expm1(-moved * (1 + 2 ** -48));
  },
  // The angle turns by at most distance over radius; on the cut the sign of a zero decides, and no bound is
  // known.
  atan2: (y, x, dy, dx, yReach, xReach) => {
    const radius = Math.hypot(least(x, xReach), least(y, yReach));
    const crossesCut = x - xReach <= 0 && least(y, yReach) === 0;
    return crossesCut || radius === 0 ? Number.NaN : Math.min(Math.hypot(dx, dy) / radius, 2 * Math.PI);
  },
  hypot: (_x, _y, dx, dy) => Math.hypot(dx, dy),
};
