import { type Elementwise, elementwise, type Rules } from "../kernel.ts";
import { contribute, outside } from "../machine.ts";

/**
 * Makes the kernel of a smooth function `f`. `scale` multiplies a tangent or cotangent `c` with the slope at
 * `x`, where the value is `y`; it serves both sweeps, because a product has the same bits either way round.
 * It rounds all but its last operation.
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
