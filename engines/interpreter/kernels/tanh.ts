import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

/** `1 − t²`, from the value `t`. */
function slopeOf(t: number, isSingle: boolean): number {
  return rounded(1 - rounded(t * t, isSingle), isSingle);
}

export const tanh: Kernel<"tanh"> = {
  ...elementwise,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = Math.tanh(values[x + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x }) {
    for (let i = 0; i < size; i++) {
      tangents[out + i] = slopeOf(values[out + i] ?? 0, isSingle) * (tangents[x + i] ?? 0);
    }
  },
  vjp(machine, { out, size, xBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const slope = slopeOf(values[out + i] ?? 0, isSingle);
      contribute(machine, xBar + i, (cotangents[out + i] ?? 0) * slope);
    }
  },
};
