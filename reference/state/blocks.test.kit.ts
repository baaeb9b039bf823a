import fc from "fast-check";
import { type Block, meet } from "./storage_plan.ts";

/** Lists of at most this many blocks, some empty, with few steps and sizes, so that many meet. */
export function blockLists(most: number): fc.Arbitrary<readonly Block[]> {
  const block = fc
    .record({ born: fc.nat(12), length: fc.nat(6), elements: fc.nat(9) })
    .map(({ born, length, elements }) => ({ born, last: born + length, elements }));
  return fc.array(block, { minLength: 1, maxLength: most, size: "max" });
}

/**
 * The smallest peak there is, found by trying all orders: each block in its turn as low as it can lie. In the
 * order of the offsets of a best plan none comes to lie higher than it does there. Cost: factorial.
 */
export function smallestPeak(blocks: readonly Block[]): number {
  let best = Number.POSITIVE_INFINITY;
  const placed: (Block & { readonly from: number })[] = [];
  const place = (left: readonly Block[], peak: number): void => {
    if (peak >= best) return;
    if (left.length === 0) best = peak;
    for (const block of new Set(left)) {
      const from = lowest(block, placed);
      placed.push({ ...block, from });
      place(
        left.filter((other) => other !== block),
        Math.max(peak, from + block.elements),
      );
      placed.pop();
    }
  };
  place(blocks, 0);
  return best;
}

function lowest(block: Block, placed: readonly (Block & { readonly from: number })[]): number {
  let from = 0;
  for (const other of placed.filter((o) => meet(o, block)).toSorted((a, b) => a.from - b.from)) {
    if (other.from - from >= block.elements) break;
    from = Math.max(from, other.from + other.elements);
  }
  return from;
}
