import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

export const sqrt: Kernel<"sqrt"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.sqrt(values[x + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) {
      const s = values[out + i] ?? 0;
      tangents[out + i] = (tangents[x + i] ?? 0) / rounded(s + s, isSingle);
    }
  },
  vjp(machine, { out, size, xBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const s = values[out + i] ?? 0;
      contribute(machine, xBar + i, (cotangents[out + i] ?? 0) / rounded(s + s, isSingle));
    }
  },
};
