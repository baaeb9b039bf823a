import { present, sizeOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, clear, contribute, type Machine } from "../machine.ts";

function gather({ indices }: Machine, arena: Arena, { out, x, table }: Step): void {
  const first = table[0] ?? 0;
  const outer = table[1] ?? 0;
  const extent = table[2] ?? 0;
  const count = table[3] ?? 0;
  const inner = table[4] ?? 0;
  let to = out;
  for (let o = 0; o < outer; o++) {
    for (let j = 0; j < count; j++) {
      const from = x + (o * extent + (indices[first + j] ?? 0)) * inner;
      for (let i = 0; i < inner; i++) arena[to + i] = arena[from + i] ?? 0;
      to += inner;
    }
  }
}

/** Adds each element of the cotangent to the place in the work space that its element was taken from. */
function scatter(machine: Machine, { out, table }: Step): void {
  const { indices, cotangents, work } = machine;
  const first = table[0] ?? 0;
  const outer = table[1] ?? 0;
  const extent = table[2] ?? 0;
  const count = table[3] ?? 0;
  const inner = table[4] ?? 0;
  let from = out;
  for (let o = 0; o < outer; o++) {
    for (let j = 0; j < count; j++) {
      const to = work + (o * extent + (indices[first + j] ?? 0)) * inner;
      for (let i = 0; i < inner; i++) contribute(machine, to + i, cotangents[from + i] ?? 0);
      from += inner;
    }
  }
}

/** Table: the offset of the indices, then extents: before the axis, of the axis, of the indices, after it. */
export const take: Kernel<"take"> = {
  firstReceiver: 0,
  prepare({ attributes: { axis, indices }, parents: [x = []], shape, places }) {
    const first = present(places.get(indices), indices);
    const outer = sizeOf(x.slice(0, axis));
    return Int32Array.of(first, outer, x[axis] ?? 0, shape[axis] ?? 0, sizeOf(x.slice(axis + 1)));
  },
  forward(machine, step) {
    gather(machine, machine.values, step);
  },
  jvp(machine, step) {
    gather(machine, machine.tangents, step);
  },
  vjp(machine, step) {
    const { cotangents, work } = machine;
    clear(cotangents, work, step.xSize);
    scatter(machine, step);
    for (let i = 0; i < step.xSize; i++) contribute(machine, step.xBar + i, cotangents[work + i] ?? 0);
  },
};
