import type { Register, Summand } from "./register.ts";

/** A sum of so many summands, of which each lies between these two. */
export interface BoundedSum {
  readonly terms: number;
  readonly least: Summand;
  readonly greatest: Summand;
}

/** Returns the range of a sum of this many terms and all its partial sums, in units of the last place. */
export function reachOf(
  { units }: Register,
  { least, greatest }: Omit<BoundedSum, "terms">,
  count: bigint,
): readonly [low: bigint, high: bigint] {
  const [low, high] = [units(least), units(greatest)];
  return [low < 0n ? count * low : 0n, high > 0n ? count * high : 0n];
}

/**
 * Returns the bits that hold a sum and all its partial sums, with their sign. Law: a sum fits a register of
 * as many bits. If summands are below 2ᵉ and the count has L bits, e + L + 1 suffice, in units of the last
 * place.
 */
export function bitsNeeded(register: Register, sum: BoundedSum): number {
  const [low, high] = reachOf(register, sum, BigInt(sum.terms));
  // Where the least word is an error, both ends are alike.
  const below = register.hasNotReal ? -low : low < 0n ? -low - 1n : 0n;
  return 1 + bitLength(high > below ? high : below);
}

/** Returns the bits of a natural number; none of 0. */
export function bitLength(x: bigint): number {
  return x === 0n ? 0 : x.toString(2).length;
}
