import type { BinaryName, UnaryName } from "../../../spec/operators/index.ts";
import { elementwise, type KernelTable } from "../kernel.ts";
import { contribute, outside, rounded } from "../machine.ts";
import { errorFunction } from "./error_function.ts";
import { frequent } from "./frequent.ts";
import { smooth } from "./smooth.ts";

/** The elementary functions, by the host or by this folder, with the errors of `accuracy.ts`. */
export const elementary: Pick<KernelTable, UnaryName | BinaryName> = {
  ...frequent,
  expm1: smooth(Math.expm1, (c, x, _y, isSingle) => c * rounded(Math.exp(x), isSingle)),
  log1p: smooth(Math.log1p, (c, x, _y, isSingle) => c / rounded(1 + x, isSingle)),
  log2: smooth(Math.log2, (c, x, _y, isSingle) => rounded(c / x, isSingle) / rounded(Math.LN2, isSingle)),
  tan: smooth(Math.tan, (c, _x, y, isSingle) => c * rounded(1 + rounded(y * y, isSingle), isSingle)),
  asin: smooth(Math.asin, (c, x, _y, isSingle) => c / leg(x, isSingle)),
  acos: smooth(Math.acos, (c, x, _y, isSingle) => -(c / leg(x, isSingle))),
  atan: smooth(Math.atan, (c, x, _y, isSingle) => c / rounded(1 + rounded(x * x, isSingle), isSingle)),
  sinh: smooth(Math.sinh, (c, x, _y, isSingle) => c * rounded(Math.cosh(x), isSingle)),
  cosh: smooth(Math.cosh, (c, x, _y, isSingle) => c * rounded(Math.sinh(x), isSingle)),
  asinh: smooth(Math.asinh, (c, x, _y, isSingle) => c / rounded(Math.hypot(1, x), isSingle)),
  acosh: smooth(Math.acosh, (c, x, _y, isSingle) => c / outerLeg(x, isSingle)),
  atanh: smooth(Math.atanh, (c, x, _y, isSingle) => c / legSquared(x, isSingle)),
  erf: smooth(errorFunction, (c, x, _y, isSingle) => c * bell(x, isSingle)),
  pow: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = power(values[x + i] ?? outside(), values[y + i] ?? outside());
      }
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const base = values[x + i] ?? outside();
        const exponent = values[y + i] ?? outside();
        const baseDot = tangents[x + i] ?? outside();
        const exponentDot = tangents[y + i] ?? outside();
        const slope = exponent === 0 ? 0 : slopeOfPower(base, exponent, isSingle) * baseDot;
        const isStill = base < 0 && exponentDot === 0;
        const turn = isStill ? 0 : turnOfPower(base, values[out + i] ?? outside(), isSingle) * exponentDot;
        tangents[out + i] = rounded(slope, isSingle) + rounded(turn, isSingle);
      }
    },
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        const base = values[x + i] ?? outside();
        const exponent = values[y + i] ?? outside();
        contribute(machine, xBar + i, c * (exponent === 0 ? 0 : slopeOfPower(base, exponent, isSingle)));
        contribute(machine, yBar + i, c * turnOfPower(base, values[out + i] ?? outside(), isSingle));
      }
    },
  },
  /** The first operand, `x` to the machine, is the ordinate. */
  atan2: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = Math.atan2(values[x + i] ?? outside(), values[y + i] ?? outside());
      }
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const ordinate = values[x + i] ?? outside();
        const abscissa = values[y + i] ?? outside();
        const h = rounded(Math.hypot(abscissa, ordinate), isSingle);
        const up = rounded(abscissa / h, isSingle) * (tangents[x + i] ?? outside());
        const along = rounded(ordinate / h, isSingle) * (tangents[y + i] ?? outside());
        tangents[out + i] = rounded(rounded(up, isSingle) - rounded(along, isSingle), isSingle) / h;
      }
    },
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        const ordinate = values[x + i] ?? outside();
        const abscissa = values[y + i] ?? outside();
        const h = rounded(Math.hypot(abscissa, ordinate), isSingle);
        contribute(machine, xBar + i, c * rounded(rounded(abscissa / h, isSingle) / h, isSingle));
        contribute(machine, yBar + i, -(c * rounded(rounded(ordinate / h, isSingle) / h, isSingle)));
      }
    },
  },
  hypot: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = Math.hypot(values[x + i] ?? outside(), values[y + i] ?? outside());
      }
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const h = values[out + i] ?? outside();
        const alongX = rounded((values[x + i] ?? outside()) / h, isSingle) * (tangents[x + i] ?? outside());
        const alongY = rounded((values[y + i] ?? outside()) / h, isSingle) * (tangents[y + i] ?? outside());
        tangents[out + i] = rounded(alongX, isSingle) + rounded(alongY, isSingle);
      }
    },
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        const h = values[out + i] ?? outside();
        contribute(machine, xBar + i, c * rounded((values[x + i] ?? outside()) / h, isSingle));
        contribute(machine, yBar + i, c * rounded((values[y + i] ?? outside()) / h, isSingle));
      }
    },
  },
};

/** Computes `1 − x²` as `(1 − x)(1 + x)`, which does not cancel. */
function legSquared(x: number, isSingle: boolean): number {
  return rounded(rounded(1 - x, isSingle) * rounded(1 + x, isSingle), isSingle);
}

function leg(x: number, isSingle: boolean): number {
  return rounded(Math.sqrt(legSquared(x, isSingle)), isSingle);
}

/** Computes `√(x² − 1)` as `√(x − 1) √(x + 1)`, which neither cancels nor overflows. */
function outerLeg(x: number, isSingle: boolean): number {
  const below = rounded(Math.sqrt(rounded(x - 1, isSingle)), isSingle);
  const above = rounded(Math.sqrt(rounded(x + 1, isSingle)), isSingle);
  return rounded(below * above, isSingle);
}

/** Computes `2/√π e^(−x²)`, rounded at every step. */
function bell(x: number, isSingle: boolean): number {
  const top = rounded(2 / rounded(Math.sqrt(rounded(Math.PI, isSingle)), isSingle), isSingle);
  return rounded(top * rounded(Math.exp(-rounded(x * x, isSingle)), isSingle), isSingle);
}

/** Computes x^y. In IEEE 754 1^y and (−1)^±∞ are 1; `**` gives NaN for some of them. */
function power(x: number, y: number): number {
  const isOne = x === 1 || (x === -1 && Math.abs(y) === Infinity);
  return isOne ? 1 : x ** y;
}

/** Computes `y x^(y−1)`, for `y` other than 0. */
function slopeOfPower(x: number, y: number, isSingle: boolean): number {
  return rounded(y * rounded(power(x, rounded(y - 1, isSingle)), isSingle), isSingle);
}

/** Computes `z ln x` for the value `z`, with 0 for the logarithm of 0. */
function turnOfPower(x: number, z: number, isSingle: boolean): number {
  return rounded(z * (x === 0 ? 0 : rounded(Math.log(x), isSingle)), isSingle);
}
