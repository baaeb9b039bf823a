import { present, stridesOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute, type Machine } from "../machine.ts";
import { positionsOf } from "../positions.ts";

function pick({ indices }: Machine, arena: Arena, { out, size, x, table }: Step): void {
  const first = table[0] ?? 0;
  const stride = table[1] ?? 0;
  for (let i = 0; i < size; i++) {
    arena[out + i] = arena[x + (table[i + 2] ?? 0) + (indices[first + i] ?? 0) * stride] ?? 0;
  }
}

/**
 * Table: the offset of the indices, the operand's stride along the axis, then for each element of the result the
 * element of the operand at its place with index 0 along the axis.
 */
export const takeAlongAxis: Kernel<"take_along_axis"> = {
  firstReceiver: 0,
  prepare({ attributes: { axis, indices }, parents: [x = []], shape, places }) {
    const strides = stridesOf(x);
    const positions = positionsOf(shape, strides.with(axis, 0));
    const table = new Int32Array(2 + positions.length);
    table.set([present(places.get(indices), indices), strides[axis] ?? 0]);
    table.set(positions, 2);
    return table;
  },
  forward(machine, step) {
    pick(machine, machine.values, step);
  },
  jvp(machine, step) {
    pick(machine, machine.tangents, step);
  },
  vjp(machine, { out, size, xSize, xBar, table }) {
    const { indices, cotangents, work } = machine;
    const first = table[0] ?? 0;
    const stride = table[1] ?? 0;
    clear(cotangents, work, xSize);
    for (let i = 0; i < size; i++) {
      const position = work + (table[i + 2] ?? 0) + (indices[first + i] ?? 0) * stride;
      contribute(machine, position, cotangents[out + i] ?? 0);
    }
    for (let i = 0; i < xSize; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
  },
};
