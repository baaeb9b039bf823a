import type { Arithmetic } from "../../../spec/operators/index.ts";
import { elementwise, type KernelTable, still } from "../kernel.ts";
import { contribute, outside, rounded } from "../machine.ts";

/** These operators are rounded once, or stop derivatives. */
export const arithmetic: Pick<KernelTable, keyof Arithmetic> = {
  stop_gradient: {
    ...elementwise,
    ...still,
    firstReceiver: 1,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = values[x + i] ?? outside();
    },
  },
  negative: {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = -(values[x + i] ?? outside());
    },
    jvp({ tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) tangents[out + i] = -(tangents[x + i] ?? outside());
    },
    vjp(machine, { out, size, xBar }) {
      for (let i = 0; i < size; i++) {
        contribute(machine, xBar + i, -(machine.cotangents[out + i] ?? outside()));
      }
    },
  },
  add: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = (values[x + i] ?? outside()) + (values[y + i] ?? outside());
      }
    },
    jvp({ tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        tangents[out + i] = (tangents[x + i] ?? outside()) + (tangents[y + i] ?? outside());
      }
    },
    vjp(machine, { out, size, xBar, yBar }) {
      for (let i = 0; i < size; i++) {
        const c = machine.cotangents[out + i] ?? outside();
        contribute(machine, xBar + i, c);
        contribute(machine, yBar + i, c);
      }
    },
  },
  subtract: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = (values[x + i] ?? outside()) - (values[y + i] ?? outside());
      }
    },
    jvp({ tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        tangents[out + i] = (tangents[x + i] ?? outside()) - (tangents[y + i] ?? outside());
      }
    },
    vjp(machine, { out, size, xBar, yBar }) {
      for (let i = 0; i < size; i++) {
        const c = machine.cotangents[out + i] ?? outside();
        contribute(machine, xBar + i, c);
        contribute(machine, yBar + i, -c);
      }
    },
  },
  multiply: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = (values[x + i] ?? outside()) * (values[y + i] ?? outside());
      }
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const left = rounded((tangents[x + i] ?? outside()) * (values[y + i] ?? outside()), isSingle);
        const right = rounded((values[x + i] ?? outside()) * (tangents[y + i] ?? outside()), isSingle);
        tangents[out + i] = left + right;
      }
    },
    vjp(machine, { out, size, x, y, xBar, yBar }) {
      const { values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        contribute(machine, xBar + i, c * (values[y + i] ?? outside()));
        contribute(machine, yBar + i, c * (values[x + i] ?? outside()));
      }
    },
  },
  divide: {
    ...elementwise,
    forward({ values }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        values[out + i] = (values[x + i] ?? outside()) / (values[y + i] ?? outside());
      }
    },
    jvp({ isSingle, values, tangents }, { out, size, x, y }) {
      for (let i = 0; i < size; i++) {
        const drop = rounded((values[out + i] ?? outside()) * (tangents[y + i] ?? outside()), isSingle);
        const rise = rounded((tangents[x + i] ?? outside()) - drop, isSingle);
        tangents[out + i] = rise / (values[y + i] ?? outside());
      }
    },
    vjp(machine, { out, size, y, xBar, yBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        const yi = values[y + i] ?? outside();
        contribute(machine, xBar + i, c / yi);
        contribute(machine, yBar + i, -(rounded(c * (values[out + i] ?? outside()), isSingle) / yi));
      }
    },
  },
};
