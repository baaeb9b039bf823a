import type { Variants } from "./variants.ts";

/** The operands of each slot. */
export interface Operands {
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** Empty if nothing has a third. */
  readonly z: Int32Array;
}

/** Where contributions go when they must be added in the order of the reference although they are made in another. */
export interface Staging {
  /** Slots behind the values' own: each takes the contribution of one node. */
  readonly extra: number;
  /** The target of each operand's contribution, by slot of the node: the operand's slot, or an extra one. */
  readonly xBar: Int32Array;
  readonly yBar: Int32Array;
  readonly zBar: Int32Array;
  /** Rows of three: a slot, and the extra slots from … to that are added to it from the left. By slot. */
  readonly sums: Int32Array;
}

/** Contributions go to the operands themselves. */
export function unstaged({ x, y, z }: Operands): Staging {
  return { extra: 0, xBar: x, yBar: y, zBar: z, sums: new Int32Array(0) };
}

/**
 * Gives an extra slot to each contribution to a slot that gets more than two. Two are the same sum either way round, and the slot begins at
 * −0, which is neutral; of three the order tells, and the reference adds the one of the later node first [SEMANTICS §3].
 * A node that contributes twice to one slot does it once, with a sum.
 * Cost: linear. `slotOf` maps ids to slots, −1 for none.
 */
export function stagingOf(
  { x, y, z }: Operands,
  variants: Uint8Array,
  { list }: Variants,
  slotOf: Int32Array,
): Staging {
  const slots = variants.length;
  const counts = new Int32Array(slots);
  const operands = [x, y, z];
  const contributionsOf = (variant: number): number[] => {
    const { receives = 0, isFolded = false } = list[variant] ?? {};
    const all = [0, 1, 2].filter((position) => (receives & (1 << position)) !== 0);
    return isFolded ? all.slice(0, 1) : all;
  };
  const contributions = list.map((_, variant) => contributionsOf(variant));
  for (let slot = 0; slot < slots; slot++) {
    for (const position of contributions[variants[slot] ?? 0] ?? []) {
      const parent = operands[position]?.[slot] ?? 0;
      counts[parent] = (counts[parent] ?? 0) + 1;
    }
  }
  const next = new Int32Array(slots);
  const sums: number[] = [];
  let end = slots;
  for (let slot = 0; slot < slots; slot++) {
    const count = counts[slot] ?? 0;
    if (count <= 2) continue;
    next[slot] = end;
    sums.push(slot, end, end + count);
    end += count;
  }
  const bars = operands.map((operand) => Int32Array.from(operand));
  for (let id = slotOf.length - 1; id >= 0; id--) {
    const slot = slotOf[id] ?? -1;
    if (slot < 0) continue;
    for (const position of contributions[variants[slot] ?? 0] ?? []) {
      const parent = operands[position]?.[slot] ?? 0;
      const at = next[parent] ?? 0;
      const bar = bars[position];
      if (at === 0 || bar === undefined) continue;
      bar[slot] = at;
      next[parent] = at + 1;
    }
  }
  const [xBar = x, yBar = y, zBar = z] = bars;
  return { extra: end - slots, xBar, yBar, zBar, sums: Int32Array.from(sums) };
}
