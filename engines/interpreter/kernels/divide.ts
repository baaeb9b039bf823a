import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

export const divide: Kernel<"divide"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = (values[x + i] ?? 0) / (values[y + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const drop = rounded((values[out + i] ?? 0) * (tangents[y + i] ?? 0), isSingle);
      const rise = rounded((tangents[x + i] ?? 0) - drop, isSingle);
      tangents[out + i] = rise / (values[y + i] ?? 0);
    }
  },
  vjp(machine, { out, size, y, xBar, yBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const yi = values[y + i] ?? 0;
      contribute(machine, xBar + i, c / yi);
      contribute(machine, yBar + i, -(rounded(c * (values[out + i] ?? 0), isSingle) / yi));
    }
  },
};
