import { byteAt, integerAt } from "../../../../spec/shapes/index.ts";
import type { Variant, Variants } from "./variants.ts";

/** The operands of each slot. */
export interface Operands {
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** This is empty if no operator has a third operand. */
  readonly z: Int32Array;
}

/** Contributions wait here if they are made in another order than the reference adds them in. */
export interface Staging {
  /** The number of extra slots after those of values; each takes the contribution of one node. */
  readonly extra: number;
  /** The target of each contribution, by slot of the node: the operand's slot, or an extra one. */
  readonly xBar: Int32Array;
  readonly yBar: Int32Array;
  readonly zBar: Int32Array;
  /** Rows of three, by slot: a slot, and the extra slots from … to that are added to it from the left. */
  readonly sums: Int32Array;
}

/** Sends contributions to the operands themselves. */
export function unstaged({ x, y, z }: Operands): Staging {
  return { extra: 0, xBar: x, yBar: y, zBar: z, sums: new Int32Array(0) };
}

/**
 * Gives an extra slot to each contribution to a slot that gets more than two. Two have the same sum either
 * way, as the slot begins with the neutral −0; among three, the reference adds the later node's first
 * [SEMANTICS §3]. A node that contributes twice to one slot contributes the sum once.
 * Cost: linear. `slotOf` maps ids to slots, −1 for none.
 */
export function stagingOf(
  { x, y, z }: Operands,
  variants: Uint8Array,
  { list }: Variants,
  slotOf: Int32Array,
): Staging {
  const slots = variants.length;
  const masks = Uint8Array.from(list, contributionsOf);
  const counts = new Int32Array(slots);
  const count = (operand: number): void => {
    counts[operand] = integerAt(counts, operand) + 1;
  };
  for (let slot = 0; slot < slots; slot++) {
    const mask = byteAt(masks, byteAt(variants, slot));
    if ((mask & 1) !== 0) count(integerAt(x, slot));
    if ((mask & 2) !== 0) count(integerAt(y, slot));
    if ((mask & 4) !== 0) count(integerAt(z, slot));
  }
  const { next, end, sums } = extraSlots(counts);
  const bars = { x: x.slice(), y: y.slice(), z: z.slice() };
  const take = (operand: number): number => {
    const place = integerAt(next, operand);
    if (place === 0) return operand;
    next[operand] = place + 1;
    return place;
  };
  for (let id = slotOf.length - 1; id >= 0; id--) {
    const slot = integerAt(slotOf, id);
    if (slot < 0) continue;
    const mask = byteAt(masks, byteAt(variants, slot));
    if ((mask & 1) !== 0) bars.x[slot] = take(integerAt(x, slot));
    if ((mask & 2) !== 0) bars.y[slot] = take(integerAt(y, slot));
    if ((mask & 4) !== 0) bars.z[slot] = take(integerAt(z, slot));
  }
  return { extra: end - slots, xBar: bars.x, yBar: bars.y, zBar: bars.z, sums };
}

/** Returns a bit for each operand to which a node of the variant contributes; the first of two equal ones. */
function contributionsOf({ receives, isFolded }: Variant): number {
  return isFolded ? receives & -receives : receives;
}

/** Numbers the extra slots of each slot with more than two contributions; `next` is 0 for others. */
function extraSlots(counts: Int32Array): { next: Int32Array; end: number; sums: Int32Array } {
  const slots = counts.length;
  const next = new Int32Array(slots);
  const sums: number[] = [];
  let end = slots;
  for (let slot = 0; slot < slots; slot++) {
    const count = integerAt(counts, slot);
    if (count <= 2) continue;
    next[slot] = end;
    sums.push(slot, end, end + count);
    end += count;
  }
  return { next, end, sums: Int32Array.from(sums) };
}
