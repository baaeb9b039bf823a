import { placeAt } from "./walk.ts";

function isPrime(n: number): boolean {
  for (let divisor = 2; divisor * divisor <= n; divisor++) if (n % divisor === 0) return false;
  return true;
}

/**
 * Returns block number `turn` of some things: a line of the affine plane of the least prime order that has a
 * point for each of them. So any two things share exactly one of all blocks, and a block has about as many as
 * the square root of their number. Turns walk evenly through the blocks. Cost: linear in the block.
 */
export function blockAt<T>(things: readonly T[], turn: number): readonly T[] {
  let order = 2;
  while (order * order < things.length || !isPrime(order)) order += 1;
  const line = placeAt(turn, order * (order + 1));
  const [slope, start] = [Math.floor(line / order), line % order];
  const places = Array.from({ length: order }, (_, x) =>
    slope === order ? start * order + x : x * order + ((slope * x + start) % order),
  );
  return places.flatMap((place) => things.slice(place, place + 1));
}
