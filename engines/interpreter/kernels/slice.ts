import { type Shape, sliceAxis, stridesOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute } from "../machine.ts";
import { positionsOf } from "../positions.ts";

function pick(arena: Arena, { out, size, x, table }: Step): void {
  for (let i = 0; i < size; i++) arena[out + i] = arena[x + (table[i] ?? 0)] ?? 0;
}

/** Table: for each element of the result, the element of the operand that it is. */
export const slice: Kernel<"slice"> = {
  firstReceiver: 0,
  prepare({ attributes: { starts, stops, steps }, parents: [x = []], shape }) {
    const strides = stridesOf(x);
    const firsts: Shape = x.map(
      (extent, axis) => sliceAxis(extent, starts[axis] ?? 0, stops[axis] ?? 0, steps[axis] ?? 1).first,
    );
    const first = firsts.reduce((sum, index, axis) => sum + index * (strides[axis] ?? 0), 0);
    // Where an axis keeps one element, its step may be too long for a table.
    const moves = shape.map((count, axis) => (count > 1 ? (strides[axis] ?? 0) * (steps[axis] ?? 1) : 0));
    return positionsOf(shape, moves).map((position) => first + position);
  },
  forward({ values }, step) {
    pick(values, step);
  },
  jvp({ tangents }, step) {
    pick(tangents, step);
  },
  /** The slot is given a sum for every element, as the definition has it: zero for those left out. */
  vjp(machine, { out, size, xSize, xBar, table }) {
    const { cotangents, work } = machine;
    clear(cotangents, work, xSize);
    for (let i = 0; i < size; i++) contribute(machine, work + (table[i] ?? 0), cotangents[out + i] ?? 0);
    for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
  },
};
