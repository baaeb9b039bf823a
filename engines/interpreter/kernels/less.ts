import { elementwise, type Kernel } from "../kernel.ts";
import { clear } from "../machine.ts";

export const less: Kernel<"less"> = {
  ...elementwise,
  firstReceiver: 2,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = (values[x + i] ?? 0) < (values[y + i] ?? 0) ? 1 : 0;
  },
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
