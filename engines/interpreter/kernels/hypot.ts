import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

export const hypot: Kernel<"hypot"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.hypot(values[x + i] ?? 0, values[y + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const h = values[out + i] ?? 0;
      const alongX = rounded((values[x + i] ?? 0) / h, isSingle) * (tangents[x + i] ?? 0);
      const alongY = rounded((values[y + i] ?? 0) / h, isSingle) * (tangents[y + i] ?? 0);
      tangents[out + i] = rounded(alongX, isSingle) + rounded(alongY, isSingle);
    }
  },
  vjp(machine, { out, size, x, y, xBar, yBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const h = values[out + i] ?? 0;
      contribute(machine, xBar + i, c * rounded((values[x + i] ?? 0) / h, isSingle));
      contribute(machine, yBar + i, c * rounded((values[y + i] ?? 0) / h, isSingle));
    }
  },
};
