import { type Shape, sizeOf } from "../shapes/index.ts";

/** A question without a clause tests that gradients are what SEMANTICS says. */
export const USUAL_CLAUSE = "3.2";

/** A vector without a note has this one, which is not written. */
export const USUAL_NOTE = "as expected";

/** Of a program, that its derivative is that of the graph which its run writes. */
export const USUAL_PROGRAM_CLAUSE = "10.4";

/** Numbers that differ from each other and from those of another input: 1.5, −2.5, 3.5, … for the first. */
export function generic(shape: Shape, start: number): number[] {
  return Array.from({ length: sizeOf(shape) }, (_, i) => (i % 2 === 0 ? 1 : -1) * (start + i + 0.5));
}

/** Primes get slow to find. */
const MOST_PRIMES = 1000;

/** The cotangent of the last id where none is given: odd primes, or {@link generic} numbers if many. */
export function usualCotangent(shape: Shape): number[] {
  const size = sizeOf(shape);
  if (size > MOST_PRIMES) return generic(shape, 1);
  const primes: number[] = [];
  for (let n = 3; primes.length < size; n += 2) if (primes.every((p) => n % p !== 0)) primes.push(n);
  return primes;
}

/** A question of tapes without a clause tests how tapes are recorded, swept and released. */
export const USUAL_TAPE_CLAUSE = "4.10";
