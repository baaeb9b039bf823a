/**
 * Returns 32 random bits: the xor of both words of Threefry-2x32 with 20 rounds, for a key and a counter.
 * Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
 */
export function threefryBits(k0: number, k1: number, c0: number, c1: number): number {
  const k2 = k0 ^ k1 ^ 0x1bd11bda;
  let x = (c0 + k0) | 0;
  let y = (c1 + k1) | 0;
  for (let round = 0; round < 5; round++) {
    const isEven = (round & 1) === 0;
    // A round has four rotations of one of two alternating sets, then adds the next two words of the key.
    x = (x + y) | 0;
    y = rotated(y, isEven ? 13 : 17) ^ x;
    x = (x + y) | 0;
    y = rotated(y, isEven ? 15 : 29) ^ x;
    x = (x + y) | 0;
    y = rotated(y, isEven ? 26 : 16) ^ x;
    x = (x + y) | 0;
    y = rotated(y, isEven ? 6 : 24) ^ x;
    const turn = round % 3;
    x = (x + (turn === 0 ? k1 : turn === 1 ? k2 : k0)) | 0;
    y = (y + (turn === 0 ? k2 : turn === 1 ? k0 : k1) + round + 1) | 0;
  }
  return (x ^ y) >>> 0;
}

function rotated(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits));
}
