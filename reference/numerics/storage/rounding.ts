/** A quotient is rounded to a code in one of these ways. */
export type CodeRounding =
  | { readonly kind: "half_away" }
  /** Draws are numbers from 0 to below 1, one for each element that is rounded, in storage order. */
  | { readonly kind: "stochastic"; readonly draw: () => number };

/** Rounds to the nearest integer, and from the middle away from 0, as C's `round` does. */
export const halfAway: CodeRounding = { kind: "half_away" };

/**
 * Rounds down or up so that the mean is the number: half away from 0 of x + u − 1/2, in float32. The draws u
 * are the upper 24 bits of Marsaglia's xorshift32 from `seed`, over 2²⁴ (Xorshift RNGs, 2003, 3). Seed 0 is
 * taken as 1.
 */
export function stochastic(seed: number): CodeRounding {
  let state = seed >>> 0 || 1;
  const draw = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return (state >>> 8) / 2 ** 24;
  };
  return { kind: "stochastic", draw };
}

/** Returns the integer that a float32 is rounded to; never −0. */
export function rounded(x: number, rounding: CodeRounding): number {
  const shifted =
    rounding.kind === "half_away" ? x : Math.fround(Math.fround(x + Math.fround(rounding.draw())) - 0.5);
  return Math.sign(shifted) * Math.floor(Math.abs(shifted) + 0.5) + 0;
}
