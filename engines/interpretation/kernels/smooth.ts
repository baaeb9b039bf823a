import { type Elementwise, elementwise, type Rules } from "../kernel.ts";
import { contribute, outside } from "../machine.ts";

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
      for (let i = 0; i < size; i++) values[out + i] = f(values[x + i] ?? outside());
    },
    jvp({ isSingle, values, tangents }, { out, size, x }) {
      for (let i = 0; i < size; i++) {
        const xDot = tangents[x + i] ?? outside();
        tangents[out + i] = scale(xDot, values[x + i] ?? outside(), values[out + i] ?? outside(), isSingle);
      }
    },
    vjp(machine, { out, size, x, xBar }) {
      const { isSingle, values, cotangents } = machine;
      for (let i = 0; i < size; i++) {
        const c = cotangents[out + i] ?? outside();
        contribute(
          machine,
          xBar + i,
          scale(c, values[x + i] ?? outside(), values[out + i] ?? outside(), isSingle),
        );
      }
    },
  };
}
