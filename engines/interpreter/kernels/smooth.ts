import { floatAt } from "../../../spec/index.ts";
import { type Elementwise, elementwise, type Rules } from "../kernel.ts";
import { contribute } from "../machine.ts";

/**
 * The kernel of a smooth function: `f`, and `scale`, which takes a tangent or cotangent `c` times the slope at `x`, where the value
 * is `y`. One function serves both sweeps, since a product is the same to the bit either way round; it rounds all but its
 * last operation.
 */
export function smooth(
  f: (x: number) => number,
  scale: (c: number, x: number, y: number, isSingle: boolean) => number,
): Elementwise & Rules {
  return {
    ...elementwise,
    forward({ values }, { out, size, x }) {
      for (let i = 0; i < size; i++) values[out + i] = f(floatAt(values, x + i));
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const xDot = floatAt(tangents, x + i);
        tangents[out + i] = scale(xDot, floatAt(values, x + i), floatAt(values, out + i), isSingle);
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = floatAt(cotangents, out + i);
        contribute(machine, xBar + i, scale(c, floatAt(values, x + i), floatAt(values, out + i), isSingle));
      }
    },
  };
}
