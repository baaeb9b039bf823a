import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

export const relu: Kernel<"relu"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) {
      const xi = values[x + i] ?? 0;
      // Not Math.max, which keeps −0. A NaN is neither above nor below 0, and comes out of the sum.
      values[out + i] = 0 < xi ? xi : xi < 0 ? 0 : xi + 0;
    }
  },
  jvp({ values, tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) {
      tangents[out + i] = 0 < (values[x + i] ?? 0) ? (tangents[x + i] ?? 0) : 0;
    }
  },
  vjp(machine, { out, size, x, xBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      contribute(machine, xBar + i, 0 < (values[x + i] ?? 0) ? (cotangents[out + i] ?? 0) : 0);
    }
  },
};
