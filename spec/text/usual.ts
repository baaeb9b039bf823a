import { type Shape, sizeOf } from "../shapes/index.ts";

/** A question without a clause tests that gradients are what SEMANTICS says. */
export const USUAL_CLAUSE = "3.2";

/** Numbers that differ from each other and from those of another input: 1.5, −2.5, 3.5, … for the first. */
export function generic(shape: Shape, start: number): number[] {
  return Array.from({ length: sizeOf(shape) }, (_, i) => (i % 2 === 0 ? 1 : -1) * (start + i + 0.5));
}

/**
 * The first odd primes, as many as a tensor has elements: cotangents that differ from each other and from 1.
 */
export function oddPrimes(shape: Shape): number[] {
  const primes: number[] = [];
  const size = sizeOf(shape);
  for (let n = 3; primes.length < size; n += 2) if (isPrime(n, primes)) primes.push(n);
  return primes;
}

function isPrime(n: number, primes: readonly number[]): boolean {
  for (const p of primes) {
    if (p * p > n) return true;
    if (n % p === 0) return false;
  }
  return true;
}

/** A question of tapes without a clause tests how tapes are recorded, swept and released. */
export const USUAL_TAPE_CLAUSE = "4.10";
