import { integerAt } from "../../../spec/shapes/index.ts";

/** By how much four rounds rotate, the first in the last byte; and the four after them. */
const ROTATIONS = 0x061a0f0d;
const OTHER_ROTATIONS = 0x18101d11;

/** The words that came of the last rounds: nothing is allocated for a number. */
const words = new Int32Array(2);

/**
 * 32 random bits for a key and a counter of two words each: those of Threefry-2x32 after 20 rounds, one xor the other [Salmon,
 * Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011].
 */
export function randomBits(k0: number, k1: number, high: number, low: number): number {
  mix(k0, k1, high, low);
  return (integerAt(words, 0) ^ integerAt(words, 1)) >>> 0;
}

/** Both words of Threefry-2x32 after 20 rounds: a key of their own. */
export function randomKey(k0: number, k1: number, high: number, low: number): readonly [number, number] {
  mix(k0, k1, high, low);
  return [integerAt(words, 0) >>> 0, integerAt(words, 1) >>> 0];
}

function mix(k0: number, k1: number, high: number, low: number): void {
  let x = (high + k0) | 0;
  let y = (low + k1) | 0;
  // The words of the key and their parity come in again in turn.
  let next = k1 | 0;
  let second = k0 ^ k1 ^ 0x1bd11bda;
  let third = k0 | 0;
  for (let turn = 1; turn <= 5; turn++) {
    // Of a shift's distance JavaScript takes the last five bits.
    let distances = turn % 2 === 1 ? ROTATIONS : OTHER_ROTATIONS;
    for (let round = 0; round < 4; round++) {
      x = (x + y) | 0;
      y = ((y << distances) | (y >>> -distances)) ^ x;
      distances >>= 8;
    }
    x = (x + next) | 0;
    y = (y + second + turn) | 0;
    const used = next;
    next = second;
    second = third;
    third = used;
  }
  words[0] = x;
  words[1] = y;
}
