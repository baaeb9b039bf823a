import { floatAt } from "../../../spec/index.ts";
import { elementwise, type KernelTable, still } from "../kernel.ts";
import { contribute, rounded } from "../machine.ts";

/** What is rounded once, and the gate that stops derivatives. */
export const arithmetic: Pick<
  KernelTable,
  "stop_gradient" | "negative" | "add" | "subtract" | "multiply" | "divide"
> = {
  stop_gradient: {
    ...elementwise,
    ...still,
    firstReceiver: 1,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = floatAt(values, x + i);
    },
  },
  negative: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = -floatAt(values, x + i);
    },
    jvp({ tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) tangents[out + i] = -floatAt(tangents, x + i);
    },
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++) contribute(machine, xBar + i, -floatAt(machine.cotangents, out + i));
    },
  },
  add: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) values[out + i] = floatAt(values, x + i) + floatAt(values, y + i);
    },
    jvp({ tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) tangents[out + i] = floatAt(tangents, x + i) + floatAt(tangents, y + i);
    },
    vjp(machine, { out, size, xBar, yBar }) {
      for (let i = 0; i < size; i++) {
        const c = floatAt(machine.cotangents, out + i);
        contribute(machine, xBar + i, c);
        contribute(machine, yBar + i, c);
      }
    },
  },
  subtract: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) values[out + i] = floatAt(values, x + i) - floatAt(values, y + i);
    },
    jvp({ tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) tangents[out + i] = floatAt(tangents, x + i) - floatAt(tangents, y + i);
    },
    vjp(machine, { out, size, xBar, yBar }) {
      for (let i = 0; i < size; i++) {
        const c = floatAt(machine.cotangents, out + i);
        contribute(machine, xBar + i, c);
        contribute(machine, yBar + i, -c);
      }
    },
  },
  multiply: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) values[out + i] = floatAt(values, x + i) * floatAt(values, y + i);
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const left = rounded(floatAt(tangents, x + i) * floatAt(values, y + i), isSingle);
        const right = rounded(floatAt(values, x + i) * floatAt(tangents, y + i), isSingle);
        tangents[out + i] = left + right;
      }
    },
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = floatAt(cotangents, out + i);
        contribute(machine, xBar + i, c * floatAt(values, y + i));
        contribute(machine, yBar + i, c * floatAt(values, x + i));
      }
    },
  },
  divide: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) values[out + i] = floatAt(values, x + i) / floatAt(values, y + i);
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const drop = rounded(floatAt(values, out + i) * floatAt(tangents, y + i), isSingle);
        const rise = rounded(floatAt(tangents, x + i) - drop, isSingle);
        tangents[out + i] = rise / floatAt(values, y + i);
      }
    },
    vjp(machine, { out, size, y, xBar, yBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = floatAt(cotangents, out + i);
        const yi = floatAt(values, y + i);
        contribute(machine, xBar + i, c / yi);
        contribute(machine, yBar + i, -(rounded(c * floatAt(values, out + i), isSingle) / yi));
      }
    },
  },
};
