import { power } from "../../plan/functions/power.ts";
import { elementwise, type Kernel } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

/** `y x^(y−1)`, to be used where `y` is not 0. */
function slopeOf(x: number, y: number, isSingle: boolean): number {
  return rounded(y * rounded(power(x, rounded(y - 1, isSingle)), isSingle), isSingle);
}

/** `z ln x` for the value `z`, with 0 for the logarithm of 0. */
function turnOf(x: number, z: number, isSingle: boolean): number {
  return rounded(z * (x === 0 ? 0 : rounded(Math.log(x), isSingle)), isSingle);
}

export const pow: Kernel<"pow"> = {
  ...elementwise,
  forward({ values }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) values[out + i] = power(values[x + i] ?? 0, values[y + i] ?? 0);
  },
  jvp({ isSingle, values, tangents }, { out, size, x, y }) {
    for (let i = 0; i < size; i++) {
      const base = values[x + i] ?? 0;
      const exponent = values[y + i] ?? 0;
      const baseDot = tangents[x + i] ?? 0;
      const exponentDot = tangents[y + i] ?? 0;
      const along = exponent === 0 ? 0 : rounded(slopeOf(base, exponent, isSingle) * baseDot, isSingle);
      const isStill = base < 0 && exponentDot === 0;
      const turn = isStill
        ? 0
        : rounded(turnOf(base, values[out + i] ?? 0, isSingle) * exponentDot, isSingle);
      tangents[out + i] = along + turn;
    }
  },
  vjp(machine, { out, size, x, y, xBar, yBar }) {
    const { isSingle, values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const base = values[x + i] ?? 0;
      const exponent = values[y + i] ?? 0;
      contribute(machine, xBar + i, c * (exponent === 0 ? 0 : slopeOf(base, exponent, isSingle)));
      contribute(machine, yBar + i, c * turnOf(base, values[out + i] ?? 0, isSingle));
    }
  },
};
