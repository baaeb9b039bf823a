import { mersenne } from "pure-rand/generator/mersenne";

/**
 * Draws as NumPy's `random.seed(seed)` and `random.rand` do, from the number at `first` on: the points of
 * GradBench's evaluations. Two words of the Mersenne Twister make the 53 bits of a number in [0, 1). Source:
 * Matsumoto and Nishimura, mt19937ar.c, `genrand_res53`.
 */
export function numpyUniform(seed: number, first: number, count: number): Float64Array {
  const generator = mersenne(seed);
  const next = (): number => {
    const [high, low] = [generator.next() >>> 5, generator.next() >>> 6];
    return (high * 2 ** 26 + low) / 2 ** 53;
  };
  for (let skipped = 0; skipped < first; skipped++) next();
  return Float64Array.from({ length: count }, next);
}

/** Every evaluation has this seed. */
export const EVALUATION_SEED = 31337;
