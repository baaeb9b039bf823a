import { elementwise, type KernelTable } from "../kernel.ts";
import { contribute, outside, rounded } from "../machine.ts";

/**
 * The most frequent elementary functions, with loops of their own. The loops of `smooth`, which serve all
 * functions, box the numbers of each call and take two to three times as long.
 */
export const frequent: Pick<KernelTable, "exp" | "log" | "sin" | "cos" | "tanh" | "sqrt"> = {
  exp: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.exp(values[x + i] ?? outside());
    },
    jvp({ values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const yi = values[out + i] ?? outside();
        tangents[out + i] = (tangents[x + i] ?? outside()) * yi;
      }
    },
    vjp(machine, { out, size, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const yi = values[out + i] ?? outside();
        contribute(machine, xBar + i, (cotangents[out + i] ?? outside()) * yi);
      }
    },
  },
  log: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.log(values[x + i] ?? outside());
    },
    jvp({ values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const xi = values[x + i] ?? outside();
        tangents[out + i] = (tangents[x + i] ?? outside()) / xi;
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const xi = values[x + i] ?? outside();
        contribute(machine, xBar + i, (cotangents[out + i] ?? outside()) / xi);
      }
    },
  },
  sin: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.sin(values[x + i] ?? outside());
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const slope = rounded(Math.cos(values[x + i] ?? outside()), isSingle);
        tangents[out + i] = (tangents[x + i] ?? outside()) * slope;
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const slope = rounded(Math.cos(values[x + i] ?? outside()), isSingle);
        contribute(machine, xBar + i, (cotangents[out + i] ?? outside()) * slope);
      }
    },
  },
  cos: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.cos(values[x + i] ?? outside());
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const fall = rounded(Math.sin(values[x + i] ?? outside()), isSingle);
        tangents[out + i] = -((tangents[x + i] ?? outside()) * fall);
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const fall = rounded(Math.sin(values[x + i] ?? outside()), isSingle);
        contribute(machine, xBar + i, -((cotangents[out + i] ?? outside()) * fall));
      }
    },
  },
  tanh: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.tanh(values[x + i] ?? outside());
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const slope = slopeOfTanh(values[x + i] ?? outside(), isSingle);
        tangents[out + i] = (tangents[x + i] ?? outside()) * slope;
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const slope = slopeOfTanh(values[x + i] ?? outside(), isSingle);
        contribute(machine, xBar + i, (cotangents[out + i] ?? outside()) * slope);
      }
    },
  },
  sqrt: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.sqrt(values[x + i] ?? outside());
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const yi = values[out + i] ?? outside();
        tangents[out + i] = (tangents[x + i] ?? outside()) / rounded(yi + yi, isSingle);
      }
    },
    vjp(machine, { out, size, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const yi = values[out + i] ?? outside();
        contribute(machine, xBar + i, (cotangents[out + i] ?? outside()) / rounded(yi + yi, isSingle));
      }
    },
  },
};

/** Computes 1/cosh² x as 4t/(1 + t)² with t = e^(−2|x|), since nothing is left of 1 − y² where y is 1. */
function slopeOfTanh(x: number, isSingle: boolean): number {
  const t = rounded(Math.exp(-2 * Math.abs(x)), isSingle);
  const sum = rounded(1 + t, isSingle);
  return rounded((4 * t) / rounded(sum * sum, isSingle), isSingle);
}
