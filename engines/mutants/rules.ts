import type { PrimitiveName } from "../../spec/index.ts";
import { contribute, type Kernel } from "../interpreter/index.ts";

/** One of the three functions of a kernel. */
type Rule = Kernel<PrimitiveName>["forward"];

/** Stores `f(x)` for each element. */
export function unaryForward(f: (x: number) => number): Rule {
  return ({ values }, { out, size, x }) => {
    for (let i = 0; i < size; i++) values[out + i] = f(values[x + i] ?? 0);
  };
}

/** Stores `f(x, y)` for each pair of elements. */
export function binaryForward(f: (x: number, y: number) => number): Rule {
  return ({ values }, { out, size, x, y }) => {
    for (let i = 0; i < size; i++) values[out + i] = f(values[x + i] ?? 0, values[y + i] ?? 0);
  };
}

/** Stores `f(xDot, x, value)` for each element. */
export function unaryJvp(f: (xDot: number, x: number, value: number) => number): Rule {
  return ({ values, tangents }, { out, size, x }) => {
    for (let i = 0; i < size; i++) {
      tangents[out + i] = f(tangents[x + i] ?? 0, values[x + i] ?? 0, values[out + i] ?? 0);
    }
  };
}

/** Stores `f(xDot, yDot, x, y)` for each pair of elements. */
export function binaryJvp(f: (xDot: number, yDot: number, x: number, y: number) => number): Rule {
  return ({ values, tangents }, { out, size, x, y }) => {
    for (let i = 0; i < size; i++) {
      const [xi, yi] = [values[x + i] ?? 0, values[y + i] ?? 0];
      tangents[out + i] = f(tangents[x + i] ?? 0, tangents[y + i] ?? 0, xi, yi);
    }
  };
}

/** Contributes `f(c, x, value)` for each element of the cotangent. */
export function unaryVjp(f: (c: number, x: number, value: number) => number): Rule {
  return (machine, { out, size, x, xBar }) => {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = cotangents[out + i] ?? 0;
      contribute(machine, xBar + i, f(c, values[x + i] ?? 0, values[out + i] ?? 0));
    }
  };
}

/** Contributes the pair `f(c, x, y)` to the two operands, for each element of the cotangent. */
export function binaryVjp(f: (c: number, x: number, y: number) => readonly [number, number]): Rule {
  return (machine, { out, size, x, y, xBar, yBar }) => {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const [toX, toY] = f(cotangents[out + i] ?? 0, values[x + i] ?? 0, values[y + i] ?? 0);
      contribute(machine, xBar + i, toX);
      contribute(machine, yBar + i, toY);
    }
  };
}
