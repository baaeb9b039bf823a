import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

export const reshape: Kernel<"reshape"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = values[x + i] ?? 0;
  },
  jvp({ tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) tangents[out + i] = tangents[x + i] ?? 0;
  },
  vjp(machine, { out, size, xBar }) {
    for (let i = 0; i < size; i++) contribute(machine, xBar + i, machine.cotangents[out + i] ?? 0);
  },
};
