import { type Shape, sizeOf } from "../../spec/shapes/index.ts";
import type { TorchLeanNode } from "../../spec/wire/index.ts";

const WORD = 64;

/**
 * Mixes a word of 64 bits. Source: G. Steele et al., "Fast Splittable Pseudorandom Number Generators", 2014.
 */
export function splitmix64(word: bigint): bigint {
  const first = BigInt.asUintN(WORD, word + 0x9e3779b97f4a7c15n);
  const second = BigInt.asUintN(WORD, (first ^ (first >> 30n)) * 0xbf58476d1ce4e5b9n);
  const third = BigInt.asUintN(WORD, (second ^ (second >> 27n)) * 0x94d049bb133111ebn);
  return third ^ (third >> 31n);
}

/**
 * Returns the numbers of TorchLean's generator in [0, 1): multiples of 2⁻³² that the seed, the counter and
 * an element's position fix. Cost: linear in the elements.
 */
export function uniform(seed: number, counter: number, shape: Shape): Float64Array {
  const key = splitmix64(BigInt(seed) + BigInt(counter));
  const draw = (_: unknown, position: number): number =>
    Number(BigInt.asUintN(32, splitmix64(key + BigInt(position)))) / 2 ** 32;
  return Float64Array.from({ length: sizeOf(shape) }, draw);
}

/**
 * Returns the counter of each node: its id in the graph that TorchLean makes of a file, where a reduction is
 * a node for each axis, and another that puts the axis back if `keepdim` says so.
 */
export function countersOf(nodes: readonly TorchLeanNode[]): readonly number[] {
  const counters: number[] = [];
  let next = 0;
  for (const { kind, axes, keepdim } of nodes) {
    counters.push(next);
    const isSplit = kind === "reduce_sum" || kind === "reduce_mean";
    next += isSplit ? (axes ?? []).length * (keepdim === true ? 2 : 1) : 1;
  }
  return counters;
}
