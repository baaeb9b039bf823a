import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { FlatTensor } from "../../spec/wire/index.ts";

/** Numbers repeat after this many, so that people can read them and products stay small. */
const PERIOD = 8;

/** Returns the plainest number for element `i` of a point: 2, 3, 4, …; 0 and 1 hide sums and products. */
export function idealElement(i: number): number {
  return 2 + (i % PERIOD);
}

/** Returns the plainest number for element `i` of tangents or cotangents: 3, 5, 7, …, never all ones. */
export function idealCotangent(i: number): number {
  return 3 + 2 * (i % PERIOD);
}

/** Makes a cotangent of plain numbers. */
export function idealCotangents(shape: Shape): FlatTensor {
  return { shape, data: Float64Array.from({ length: sizeOf(shape) }, (_, i) => idealCotangent(i)) };
}

/** Measures how far an element is from its plainest form (0). Zeros and infinities are special: last. */
export function oddness(x: number, ideal: number): number {
  if (x === ideal) return 0;
  if (Object.is(x, -0)) return 6;
  if (x === 0) return 5;
  if (!Number.isFinite(x)) return 7;
  if (Number.isInteger(x) && Math.abs(x) <= 16) return x > 0 ? 1 : 2;
  return Math.abs(x) <= 32 && Number.isInteger(8 * x) ? 3 : 4;
}

/** Lists plainer numbers to try for an element, the plainest first. */
export function plainer(x: number, ideal: number): readonly number[] {
  const whole = Math.min(Math.max(Math.round(Math.abs(x)), 1), 16);
  const eighths = Math.round(8 * x) / 8;
  // The last try turns −0 into 0.
  const tries = Number.isFinite(x) ? [ideal, whole, -whole, eighths, x + 0] : [ideal];
  return tries.filter((y) => oddness(y, ideal) < oddness(x, ideal));
}
