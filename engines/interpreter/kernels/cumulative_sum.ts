import { sizeOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, contribute } from "../machine.ts";

/** Sums upwards along the axis, from +0. */
function accumulate(arena: Arena, { out, size, x, table }: Step): void {
  const extent = table[0] ?? 0;
  const inner = table[1] ?? 0;
  for (let i = 0; i < size; i++) {
    const isFirst = Math.floor(i / inner) % extent === 0;
    arena[out + i] = (isFirst ? 0 : (arena[out + i - inner] ?? 0)) + (arena[x + i] ?? 0);
  }
}

/** Table: the extent of the axis, and the elements from one index along it to the next. */
export const cumulativeSum: Kernel<"cumulative_sum"> = {
  firstReceiver: 0,
  prepare({ attributes: { axis }, shape }) {
    return Int32Array.of(shape[axis] ?? 0, sizeOf(shape.slice(axis + 1)));
  },
  forward({ values }, step) {
    accumulate(values, step);
  },
  jvp({ tangents }, step) {
    accumulate(tangents, step);
  },
  /** The sums downwards are made in the work space. */
  vjp(machine, { out, size, xBar, table }) {
    const { cotangents, work } = machine;
    const extent = table[0] ?? 0;
    const inner = table[1] ?? 0;
    for (let i = size - 1; i >= 0; i--) {
      const isLast = Math.floor(i / inner) % extent === extent - 1;
      cotangents[work + i] = (isLast ? 0 : (cotangents[work + i + inner] ?? 0)) + (cotangents[out + i] ?? 0);
    }
    for (let i = 0; i < size; i++) contribute(machine, xBar + i, cotangents[work + i] ?? 0);
  },
};
