import { elementwise, type Kernel } from "../kernel.ts";
import { clear } from "../machine.ts";

export const floor: Kernel<"floor"> = {
  ...elementwise,
  firstReceiver: 1,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.floor(values[x + i] ?? 0);
  },
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
