import type { Choices } from "../../../spec/operators/index.ts";
import { elementwise, type KernelTable, still } from "../kernel.ts";
import { contribute, outside } from "../machine.ts";

/** These operators compare. */
export const choices: Pick<KernelTable, keyof Choices> = {
  relu: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const xi = values[x + i] ?? outside();
        // Math.max would keep −0. A NaN is neither above nor below 0, and passes through the sum.
        values[out + i] = 0 < xi ? xi : xi < 0 ? 0 : xi + 0;
      }
    },
    jvp({ values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        tangents[out + i] = 0 < (values[x + i] ?? outside()) ? (tangents[x + i] ?? outside()) : 0;
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        contribute(
          machine,
          xBar + i,
          0 < (values[x + i] ?? outside()) ? (cotangents[out + i] ?? outside()) : 0,
        );
      }
    },
  },
  floor: {
    ...elementwise,
    ...still,
    firstReceiver: 1,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = Math.floor(values[x + i] ?? outside());
    },
  },
  maximum: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const xi = values[x + i] ?? outside();
        const yi = values[y + i] ?? outside();
        // Math.max is another function for ±0.
        values[out + i] = isSecond(xi, yi) ? yi : xi;
      }
    },
    jvp({ values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const chosen = isSecond(values[x + i] ?? outside(), values[y + i] ?? outside()) ? y : x;
        tangents[out + i] = tangents[chosen + i] ?? outside();
      }
    },
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        const takesSecond = isSecond(values[x + i] ?? outside(), values[y + i] ?? outside());
        contribute(machine, xBar + i, takesSecond ? 0 : c);
        contribute(machine, yBar + i, takesSecond ? c : 0);
      }
    },
  },
  less: {
    ...elementwise,
    ...still,
    firstReceiver: 2,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = (values[x + i] ?? outside()) < (values[y + i] ?? outside()) ? 1 : 0;
      }
    },
  },
  equal: {
    ...elementwise,
    ...still,
    firstReceiver: 2,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = (values[x + i] ?? outside()) === (values[y + i] ?? outside()) ? 1 : 0;
      }
    },
  },
  /** The operands are condition, x, y; the condition receives nothing. */
  where: {
    ...elementwise,
    firstReceiver: 1,
    forward({ values }, { out, size, x: condition, y: x, z: y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = values[((values[condition + i] ?? outside()) === 0 ? y : x) + i] ?? outside();
      }
    },
    jvp({ values, tangents }, { out, size, x: condition, y: x, z: y }) {
      for (let i = 0; i < size; i++) {
        tangents[out + i] = tangents[((values[condition + i] ?? outside()) === 0 ? y : x) + i] ?? outside();
      }
    },
    vjp(machine, { out, size, x: condition, yBar: xBar, zBar: yBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        const takesSecond = (values[condition + i] ?? outside()) === 0;
        contribute(machine, xBar + i, takesSecond ? 0 : c);
        contribute(machine, yBar + i, takesSecond ? c : 0);
      }
    },
  },
};

/** Says whether y is the larger, or NaN. */
function isSecond(x: number, y: number): boolean {
  return x < y || Number.isNaN(y);
}
