import { elementwise, type Step } from "../kernel.ts";
import { contribute, type Machine } from "../machine.ts";

/** What the kernels of smooth functions of one operand have in common. */
interface Smooth {
  readonly firstReceiver: number;
  prepare(): Int32Array;
  forward(machine: Machine, step: Step): void;
  jvp(machine: Machine, step: Step): void;
  vjp(machine: Machine, step: Step): void;
}

/**
 * The kernel of a smooth function: `f`, and `scale`, which takes a tangent or cotangent `c` times the slope at `x`, where the value
 * is `y`. One function serves both sweeps, since a product is the same to the bit either way round; it rounds all but its
 * last operation.
 */
export function smooth(
  f: (x: number) => number,
  scale: (c: number, x: number, y: number, isSingle: boolean) => number,
): Smooth {
  return {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = f(values[x + i] ?? 0);
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        tangents[out + i] = scale(tangents[x + i] ?? 0, values[x + i] ?? 0, values[out + i] ?? 0, isSingle);
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = scale(cotangents[out + i] ?? 0, values[x + i] ?? 0, values[out + i] ?? 0, isSingle);
        contribute(machine, xBar + i, c);
      }
    },
  };
}
