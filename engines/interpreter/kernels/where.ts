import { elementwise, type Kernel } from "../kernel.ts";
import { contribute } from "../machine.ts";

/** The operands are condition, x, y; the condition receives nothing. */
export const where: Kernel<"where"> = {
  ...elementwise,
  firstReceiver: 1,
  forward({ values }, { out, size, x: condition, y: x, z: y }) {
    for (let i = 0; i < size; i++) {
      values[out + i] = values[condition + i] === 0 ? (values[y + i] ?? 0) : (values[x + i] ?? 0);
    }
  },
  jvp({ values, tangents }, { out, size, x: condition, y: x, z: y }) {
    for (let i = 0; i < size; i++) {
      tangents[out + i] = values[condition + i] === 0 ? (tangents[y + i] ?? 0) : (tangents[x + i] ?? 0);
    }
  },
  vjp(machine, { out, size, x: condition, yBar: xBar, zBar: yBar }) {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      const isSecond = values[condition + i] === 0;
      contribute(machine, xBar + i, isSecond ? 0 : c);
      contribute(machine, yBar + i, isSecond ? c : 0);
    }
  },
};
