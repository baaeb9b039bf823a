import { elementwise, type Kernel } from "../kernel.ts";
import { clear } from "../machine.ts";

export const equal: Kernel<"equal"> = {
  ...elementwise,
  firstReceiver: 2,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = values[x + i] === values[y + i] ? 1 : 0;
  },
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
