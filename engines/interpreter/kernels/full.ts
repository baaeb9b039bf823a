import { elementwise, type Kernel } from "../kernel.ts";
import { clear } from "../machine.ts";

export const full: Kernel<"full"> = {
  ...elementwise,
  literal: ({ value }) => value,
  forward({ values }, { out, size, literal }) {
    for (let i = 0; i < size; i++) values[out + i] = literal;
  },
  jvp({ tangents }, { out, size }) {
    clear(tangents, out, size);
  },
  vjp() {},
};
