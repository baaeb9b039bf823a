import { elementwise, type Kernel } from "../kernel.ts";

export const stopGradient: Kernel<"stop_gradient"> = {
  ...elementwise,
  firstReceiver: 1,
  forward({ values }, { out, size, x }) {
    for (let i = 0; i < size; i++) values[out + i] = values[x + i] ?? 0;
  },
  jvp({ tangents }, { out, size }) {
    for (let i = 0; i < size; i++) tangents[out + i] = 0;
  },
  vjp() {},
};
