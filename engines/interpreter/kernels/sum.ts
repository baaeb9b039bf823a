import { stridesOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute } from "../machine.ts";
import { positionsOf } from "../positions.ts";

/** Adds each element of the operand to its place in the result, in row-major order, from +0. */
function gatherSums(arena: Arena, { out, size, x, table }: Step): void {
  clear(arena, out, size);
  for (let i = 0; i < table.length; i++) {
    const position = out + (table[i] ?? 0);
    arena[position] = (arena[position] ?? 0) + (arena[x + i] ?? 0);
  }
}

/** Table: for each element of the operand, the element of the result that it is part of. */
export const sum: Kernel<"sum"> = {
  firstReceiver: 0,
  prepare({ attributes: { axes }, parents: [x = []] }) {
    const kept = stridesOf(x.map((extent, axis) => (axes.includes(axis) ? 1 : extent)));
    return positionsOf(
      x,
      kept.map((stride, axis) => (axes.includes(axis) ? 0 : stride)),
    );
  },
  forward({ values }, step) {
    gatherSums(values, step);
  },
  jvp({ tangents }, step) {
    gatherSums(tangents, step);
  },
  vjp(machine, { out, xBar, table }) {
    for (let i = 0; i < table.length; i++) {
      contribute(machine, xBar + i, machine.cotangents[out + (table[i] ?? 0)] ?? 0);
    }
  },
};
