import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

export const multiply: Kernel<"multiply"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = (values[x + i] ?? 0) * (values[y + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const left = rounded((tangents[x + i] ?? 0) * (values[y + i] ?? 0), isSingle);
      const right = rounded((values[x + i] ?? 0) * (tangents[y + i] ?? 0), isSingle);
      tangents[out + i] = left + right;
    }
  },
  vjp(machine, { out, size, x, y, xBar, yBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      contribute(machine, xBar + i, c * (values[y + i] ?? 0));
      contribute(machine, yBar + i, c * (values[x + i] ?? 0));
    }
  },
};
