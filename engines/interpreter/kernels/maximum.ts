import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

export const maximum: Kernel<"maximum"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const xi = values[x + i] ?? 0;
      const yi = values[y + i] ?? 0;
      // Not Math.max: for a NaN, and for ±0, that is another function.
      const isSecond = xi < yi;
      values[out + i] = isSecond ? yi : xi;
    }
  },
  jvp({ values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const isSecond = (values[x + i] ?? 0) < (values[y + i] ?? 0);
      tangents[out + i] = isSecond ? (tangents[y + i] ?? 0) : (tangents[x + i] ?? 0);
    }
  },
  vjp(machine, { out, size, x, y, xBar, yBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const isSecond = (values[x + i] ?? 0) < (values[y + i] ?? 0);
      contribute(machine, xBar + i, isSecond ? 0 : c);
      contribute(machine, yBar + i, isSecond ? c : 0);
    }
  },
};
