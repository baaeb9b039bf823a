import { Random } from "fast-check";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";

/** Spreads a 32-bit word: each input bit changes about half of the output bits (MurmurHash3's finaliser). */
export function scramble(word: number): number {
  const first = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return second ^ (second >>> 16);
}

/** Makes a generator for each pair of numbers; those of neighbouring indices have nothing in common. */
export function randomAt(seed: number, index: number): Random {
  const words = [seed, Math.floor(seed / 2 ** 32), index, Math.floor(index / 2 ** 32)];
  const state: number[] = [];
  let mixed = 0x9e3779b9;
  for (let round = 0; round < 2; round++) {
    for (const [i, word] of words.entries()) {
      mixed = scramble((mixed ^ word) + Math.imul(i + 1, 0x9e3779b9));
      state[i] = mixed;
    }
  }
  // xoroshiro never leaves the state of all zeros, and no other.
  state[3] = mixed | 1;
  return new Random(xoroshiro128plusFromState(state));
}
