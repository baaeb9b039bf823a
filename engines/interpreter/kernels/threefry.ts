import { integerAt } from "../../../spec/index.ts";

/** By how much each of eight rounds rotates; the ninth begins again. */
const rotations = Uint32Array.of(13, 15, 26, 6, 17, 29, 16, 24);

/** The three words that are added in turn: those of the key, and their parity with a constant. */
export function keyOf(first: number, second: number): Uint32Array {
  return Uint32Array.of(first, second, first ^ second ^ 0x1bd11bda);
}

/**
 * 32 random bits for a counter of two words: those of Threefry-2x32 after 20 rounds, one xor the other [Salmon, Moraes,
 * Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011].
 */
export function randomBits(key: Uint32Array, high: number, low: number): number {
  let x = (high + integerAt(key, 0)) | 0;
  let y = (low + integerAt(key, 1)) | 0;
  for (let round = 1; round <= 20; round++) {
    const bits = integerAt(rotations, (round - 1) % 8);
    x = (x + y) | 0;
    y = ((y << bits) | (y >>> (32 - bits))) ^ x;
    if (round % 4 > 0) continue;
    const turn = round / 4;
    x = (x + integerAt(key, turn % 3)) | 0;
    y = (y + integerAt(key, (turn + 1) % 3) + turn) | 0;
  }
  return (x ^ y) >>> 0;
}
