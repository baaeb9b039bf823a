import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

export const sin: Kernel<"sin"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.sin(values[x + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) {
      const slope = rounded(Math.cos(values[x + i] ?? 0), isSingle);
      tangents[out + i] = slope * (tangents[x + i] ?? 0);
    }
  },
  vjp(machine, { out, size, x, xBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const slope = rounded(Math.cos(values[x + i] ?? 0), isSingle);
      contribute(machine, xBar + i, (cotangents[out + i] ?? 0) * slope);
    }
  },
};
