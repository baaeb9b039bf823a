import { stridesOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, contribute } from "../machine.ts";
import { positionsOf } from "../positions.ts";

function permute(arena: Arena, { out, size, x, table }: Step): void {
  for (let i = 0; i < size; i++) arena[out + i] = arena[x + (table[i] ?? 0)] ?? 0;
}

/** Table: for each element of the result, the element of the operand that it is. */
export const permuteDims: Kernel<"permute_dims"> = {
  firstReceiver: 0,
  prepare({ attributes: { axes }, parents: [x = []], shape }) {
    const strides = stridesOf(x);
    return positionsOf(
      shape,
      axes.map((axis) => strides[axis] ?? 0),
    );
  },
  forward({ values }, step) {
    permute(values, step);
  },
  jvp({ tangents }, step) {
    permute(tangents, step);
  },
  vjp(machine, { out, size, xBar, table }) {
    for (let i = 0; i < size; i++) {
      contribute(machine, xBar + (table[i] ?? 0), machine.cotangents[out + i] ?? 0);
    }
  },
};
