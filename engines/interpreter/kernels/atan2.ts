import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

/** The first operand, `x` to the machine, is the ordinate. */
export const atan2: Kernel<"atan2"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.atan2(values[x + i] ?? 0, values[y + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const ordinate = values[x + i] ?? 0;
      const abscissa = values[y + i] ?? 0;
      const h = rounded(Math.hypot(abscissa, ordinate), isSingle);
      const up = rounded(abscissa / h, isSingle) * (tangents[x + i] ?? 0);
      const along = rounded(ordinate / h, isSingle) * (tangents[y + i] ?? 0);
      tangents[out + i] = rounded(rounded(up, isSingle) - rounded(along, isSingle), isSingle) / h;
    }
  },
  vjp(machine, { out, size, x, y, xBar, yBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const ordinate = values[x + i] ?? 0;
      const abscissa = values[y + i] ?? 0;
      const h = rounded(Math.hypot(abscissa, ordinate), isSingle);
      contribute(machine, xBar + i, c * rounded(rounded(abscissa / h, isSingle) / h, isSingle));
      contribute(machine, yBar + i, -(c * rounded(rounded(ordinate / h, isSingle) / h, isSingle)));
    }
  },
};
