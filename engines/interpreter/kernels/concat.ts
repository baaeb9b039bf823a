import { sizeOf } from "../../../spec/index.ts";
import type { Kernel, Step } from "../kernel.ts";
import { type Arena, contribute } from "../machine.ts";

function join(arena: Arena, { out, operands, table }: Step): void {
  const outer = table[0] ?? 0;
  const whole = table[1] ?? 0;
  let start = out;
  for (let n = 0; n < operands.length; n++) {
    const x = operands[n] ?? 0;
    const part = table[n + 2] ?? 0;
    for (let o = 0; o < outer; o++) {
      for (let i = 0; i < part; i++) arena[start + o * whole + i] = arena[x + o * part + i] ?? 0;
    }
    start += part;
  }
}

/** Table: how often the operands alternate, elements of the result per turn, then those of each operand. */
export const concat: Kernel<"concat"> = {
  firstReceiver: 0,
  prepare({ attributes: { axis }, parents, shape }) {
    const outer = sizeOf(shape.slice(0, axis));
    const parts = parents.map((parent) => sizeOf(parent.slice(axis)));
    return Int32Array.from([outer, sizeOf(shape.slice(axis)), ...parts]);
  },
  forward({ values }, step) {
    join(values, step);
  },
  jvp({ tangents }, step) {
    join(tangents, step);
  },
  vjp(machine, { out, bars, table }) {
    const outer = table[0] ?? 0;
    const whole = table[1] ?? 0;
    let start = out;
    for (let n = 0; n < bars.length; n++) {
      const xBar = bars[n] ?? 0;
      const part = table[n + 2] ?? 0;
      for (let o = 0; o < outer; o++) {
        for (let i = 0; i < part; i++) {
          contribute(machine, xBar + o * part + i, machine.cotangents[start + o * whole + i] ?? 0);
        }
      }
      start += part;
    }
  },
};
