import { stridesOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute } from "../machine.ts";
import { positionsOf } from "../positions.ts";

function repeat(arena: Arena, { out, size, x, table }: Step): void {
  for (let i = 0; i < size; i++) arena[out + i] = arena[x + (table[i] ?? 0)] ?? 0;
}

/** Table: for each element of the result, the element of the operand that it repeats. */
export const broadcastTo: Kernel<"broadcast_to"> = {
  firstReceiver: 0,
  prepare({ parents: [x = []], shape }) {
    const lead = shape.length - x.length;
    const strides = stridesOf(x);
    return positionsOf(
      shape,
      shape.map((_, axis) => (x[axis - lead] === 1 ? 0 : (strides[axis - lead] ?? 0))),
    );
  },
  forward({ values }, step) {
    repeat(values, step);
  },
  jvp({ tangents }, step) {
    repeat(tangents, step);
  },
  /** The sums over repeated elements are finished in the work space before the slot sees them. */
  vjp(machine, { out, size, xSize, xBar, table }) {
    const { cotangents, work } = machine;
    clear(cotangents, work, xSize);
    for (let i = 0; i < size; i++) contribute(machine, work + (table[i] ?? 0), cotangents[out + i] ?? 0);
    for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
  },
};
