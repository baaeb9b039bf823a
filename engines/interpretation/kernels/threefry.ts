import { integerAt } from "../../../spec/shapes/index.ts";

/** The rotations of four rounds, the first in the last byte; and those of the next four. */
const ROTATIONS = 0x061a0f0d;
const OTHER_ROTATIONS = 0x18101d11;

/** The results of the last rounds are kept here, so that a number allocates nothing. */
const words = new Int32Array(2);

/**
 * Returns 32 random bits for a key and a counter: the xor of both words of Threefry-2x32 after 20 rounds
 * [Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011].
 */
export function randomBits(k0: number, k1: number, high: number, low: number): number {
  mix(k0, k1, high, low);
  return (integerAt(words, 0) ^ integerAt(words, 1)) >>> 0;
}

/** Returns both words of Threefry-2x32 after 20 rounds, as a new key. */
export function randomKey(k0: number, k1: number, high: number, low: number): readonly [number, number] {
  mix(k0, k1, high, low);
  return [integerAt(words, 0) >>> 0, integerAt(words, 1) >>> 0];
}

function mix(k0: number, k1: number, high: number, low: number): void {
  let x = (high + k0) | 0;
  let y = (low + k1) | 0;
  // The words of the key and their parity are added in turn.
  let next = k1 | 0;
  let second = k0 ^ k1 ^ 0x1bd11bda;
  let third = k0 | 0;
  for (let turn = 1; turn <= 5; turn++) {
    // JavaScript takes the last five bits of a shift's distance.
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
