import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

/** Whether y is the larger, or NaN. */
function isSecond(x: number, y: number): boolean {
  return x < y || Number.isNaN(y);
}

export const maximum: Kernel<"maximum"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const xi = values[x + i] ?? 0;
      const yi = values[y + i] ?? 0;
      // Not Math.max: for ±0 that is another function.
      values[out + i] = isSecond(xi, yi) ? yi : xi;
    }
  },
  jvp({ values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const takesSecond = isSecond(values[x + i] ?? 0, values[y + i] ?? 0);
      tangents[out + i] = takesSecond ? (tangents[y + i] ?? 0) : (tangents[x + i] ?? 0);
    }
  },
  vjp(machine, { out, size, x, y, xBar, yBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const takesSecond = isSecond(values[x + i] ?? 0, values[y + i] ?? 0);
      contribute(machine, xBar + i, takesSecond ? 0 : c);
      contribute(machine, yBar + i, takesSecond ? c : 0);
    }
  },
};
