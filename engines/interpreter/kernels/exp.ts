import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

export const exp: Kernel<"exp"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.exp(values[x + i] ?? 0);
  },
  jvp({ values, tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) tangents[out + i] = (values[out + i] ?? 0) * (tangents[x + i] ?? 0);
  },
  vjp(machine, { out, size, xBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      contribute(machine, xBar + i, (cotangents[out + i] ?? 0) * (values[out + i] ?? 0));
    }
  },
};
