import { at } from "../../spec/shapes/index.ts";

/** A word of 32 bits, as a non-negative integer. */
type Word = number;

/** The rounds rotate by so many bits, one after the other and then again from the first. */
const rotations: readonly number[] = [13, 15, 26, 6, 17, 29, 16, 24];

/** The parity that makes the third word of the key schedule, so that no key gives a schedule of zeros. */
const PARITY = 0x1bd11bda;

/**
 * Computes Threefry-2x32-20: a pair of words that looks random, for each key and counter. Source: Salmon,
 * Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011; Skein's Threefish has the
 * constants.
 */
export function threefry2x32(
  key: readonly [Word, Word],
  counter: readonly [Word, Word],
): readonly [Word, Word] {
  const schedule: readonly Word[] = [key[0], key[1], (key[0] ^ key[1] ^ PARITY) >>> 0];
  const word = (i: number): Word => at(schedule, i % 3);
  let [x, y] = [sum(counter[0], word(0)), sum(counter[1], word(1))];
  for (let round = 0; round < 20; round++) {
    x = sum(x, y);
    y = (rotated(y, at(rotations, round % 8)) ^ x) >>> 0;
    // After every fourth round the key comes in again, and the number of times it has.
    if (round % 4 === 3) {
      const injection = (round + 1) / 4;
      x = sum(x, word(injection));
      y = sum(y, sum(word(injection + 1), injection));
    }
  }
  return [x, y];
}

/** Returns the sum modulo 2³². */
function sum(a: Word, b: Word): Word {
  return (a + b) % 2 ** 32;
}

function rotated(x: Word, bits: number): Word {
  return ((x << bits) | (x >>> (32 - bits))) >>> 0;
}
