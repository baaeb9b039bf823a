/** Bits of 2/π after the point: for the largest exponent, and the words after it. */
export const DEPTH = 1168;

/** Numbers from ¾ on need at most so many zeros before the point, because loads take 64 bits. */
const LEAD = 128;

/** Computes `⌊π 2^bits⌋`, or a few units less: `16 arctan(1/5) − 4 arctan(1/239)`. */
function piScaled(bits: bigint): bigint {
  const arctanOfReciprocal = (n: bigint): bigint => {
    let power = (1n << bits) / n;
    let sum = 0n;
    for (let i = 1n; power !== 0n; i += 2n) {
      sum += (i % 4n === 1n ? power : -power) / i;
      power /= n * n;
    }
    return sum;
  };
  return 16n * arctanOfReciprocal(5n) - 4n * arctanOfReciprocal(239n);
}

/** Returns the bits of 2/π as the bytes of a large integer, lowest first. */
export function twoOverPi(): Uint8Array {
  const guard = 64n;
  const bits = (1n << (2n * (BigInt(DEPTH) + guard) + 1n)) / piScaled(BigInt(DEPTH) + guard);
  const integer = bits >> guard;
  return Uint8Array.from({ length: (DEPTH + LEAD) / 8 }, (_, byte) =>
    Number((integer >> BigInt(8 * byte)) & 255n),
  );
}
