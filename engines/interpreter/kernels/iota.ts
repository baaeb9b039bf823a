import { stridesOf } from "../../../spec/index.ts";
import type { Kernel } from "../kernel.ts";
import { clear } from "../machine.ts";

/** Table: the elements from one index along the axis to the next, and the extent of the axis. */
export const iota: Kernel<"iota"> = {
  firstReceiver: 0,
  prepare({ attributes: { shape, axis } }) {
    return Int32Array.of(stridesOf(shape)[axis] ?? 1, shape[axis] ?? 1);
  },
  forward({ values }, { out, size, table }) {
    const stride = table[0] ?? 1;
    const extent = table[1] ?? 1;
    for (let i = 0; i < size; i++) values[out + i] = Math.floor(i / stride) % extent;
  },
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
