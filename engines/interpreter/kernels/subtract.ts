import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

export const subtract: Kernel<"subtract"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = (values[x + i] ?? 0) - (values[y + i] ?? 0);
  },
  jvp({ tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) tangents[out + i] = (tangents[x + i] ?? 0) - (tangents[y + i] ?? 0);
  },
  vjp(machine, { out, size, xBar, yBar }) {
    for (let i = 0; i < size; i++) {
      const c = machine.cotangents[out + i] ?? 0;
      contribute(machine, xBar + i, c);
      contribute(machine, yBar + i, -c);
    }
  },
};
