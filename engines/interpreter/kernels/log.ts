import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

export const log: Kernel<"log"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.log(values[x + i] ?? 0);
  },
  jvp({ values, tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) tangents[out + i] = (tangents[x + i] ?? 0) / (values[x + i] ?? 0);
  },
  vjp(machine, { out, size, x, xBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      contribute(machine, xBar + i, (cotangents[out + i] ?? 0) / (values[x + i] ?? 0));
    }
  },
};
