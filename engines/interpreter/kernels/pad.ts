import { stridesOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute } from "../machine.ts";
import { positionsOf } from "../positions.ts";

function spread(arena: Arena, { out, size, x, table }: Step): void {
  clear(arena, out, size);
  for (let i = 0; i < table.length; i++) arena[out + (table[i] ?? 0)] = arena[x + i] ?? 0;
}

/** Table: for each element of the operand, the element of the result that it becomes. */
export const pad: Kernel<"pad"> = {
  firstReceiver: 0,
  prepare({ attributes: { low, interior }, parents: [x = []], shape }) {
    const strides = stridesOf(shape);
    const first = low.reduce((sum, before, axis) => sum + before * (strides[axis] ?? 0), 0);
    // Where an axis has one element, its gap may be too long for a table.
    const moves = x.map((extent, axis) =>
      extent > 1 ? (strides[axis] ?? 0) * (1 + (interior[axis] ?? 0)) : 0,
    );
    return positionsOf(x, moves).map((position) => first + position);
  },
  forward({ values }, step) {
    spread(values, step);
  },
  jvp({ tangents }, step) {
    spread(tangents, step);
  },
  vjp(machine, { out, xBar, table }) {
    for (let i = 0; i < table.length; i++) {
      contribute(machine, xBar + i, machine.cotangents[out + (table[i] ?? 0)] ?? 0);
    }
  },
};
