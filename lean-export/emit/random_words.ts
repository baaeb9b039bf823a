/** The rounds of Threefry-2x32 rotate by these: by four, then by the other four, and so on. */
const rotations = [
  [13n, 15n, 26n, 6n],
  [17n, 29n, 16n, 24n],
] as const;

const WORD = 1n << 32n;

/**
 * Returns the random word of an element: both words of Threefry-2x32-20 of the key and the counter (0,
 * position), by exclusive or. Written from the paper (Salmon et al., SC 2011) over whole numbers, not from
 * the reference.
 */
function randomWord([k0, k1]: readonly [bigint, bigint], position: bigint): bigint {
  const keys = [k0, k1, k0 ^ k1 ^ 0x1bd11bdan] as const;
  let [a, b] = [k0, (position + k1) % WORD];
  for (const [group, quarter] of [0, 1, 0, 1, 0].entries()) {
    for (const bits of rotations[quarter === 0 ? 0 : 1]) {
      a = (a + b) % WORD;
      b = (((b << bits) % WORD) + (b >> (32n - bits))) ^ a;
    }
    const turn = group + 1;
    a = (a + (keys[turn % 3] ?? 0n)) % WORD;
    b = (b + (keys[(turn + 1) % 3] ?? 0n) + BigInt(turn)) % WORD;
  }
  return a ^ b;
}

/** 1 where the word of an element, as a fraction of 2³², is at least the rate. */
export function maskOf(key: readonly [number, number], rate: number, count: number): readonly number[] {
  const words = [BigInt(key[0]), BigInt(key[1])] as const;
  // The product with a power of two is exact.
  const least = BigInt(Math.ceil(rate * 2 ** 32));
  return Array.from({ length: count }, (_, position) =>
    randomWord(words, BigInt(position)) >= least ? 1 : 0,
  );
}
