import type { PrimitiveName } from "../../spec/operators/index.ts";
import { floatAt } from "../../spec/shapes/index.ts";
import { clear, contribute, type Kernel, type Machine } from "../interpretation/index.ts";

/** One of the three functions of a kernel. */
export type Rule = Kernel<PrimitiveName>["forward"];

/** Stores `f(x)` for each element. */
export function unaryForward(f: (x: number) => number): Rule {
  return ({ values }, { out, size, x }) => {
    for (let i = 0; i < size; i++) values[out + i] = f(floatAt(values, x + i));
  };
}

/** Stores `f(x, y)` for each pair of elements. */
export function binaryForward(f: (x: number, y: number) => number): Rule {
  return ({ values }, { out, size, x, y }) => {
    for (let i = 0; i < size; i++) values[out + i] = f(floatAt(values, x + i), floatAt(values, y + i));
  };
}

/** Stores `f(xDot, x)` for each element. */
export function unaryJvp(f: (xDot: number, x: number) => number): Rule {
  return ({ values, tangents }, { out, size, x }) => {
    for (let i = 0; i < size; i++) tangents[out + i] = f(floatAt(tangents, x + i), floatAt(values, x + i));
  };
}

/** Stores `f(xDot, yDot, x, y)` for each pair of elements. */
export function binaryJvp(f: (xDot: number, yDot: number, x: number, y: number) => number): Rule {
  return ({ values, tangents }, { out, size, x, y }) => {
    for (let i = 0; i < size; i++) {
      const [xi, yi] = [floatAt(values, x + i), floatAt(values, y + i)];
      tangents[out + i] = f(floatAt(tangents, x + i), floatAt(tangents, y + i), xi, yi);
    }
  };
}

/** Contributes `f(c, x, value)` for each element of the cotangent. */
export function unaryVjp(f: (c: number, x: number, value: number) => number): Rule {
  return (machine, { out, size, x, xBar }) => {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const c = floatAt(cotangents, out + i);
      contribute(machine, xBar + i, f(c, floatAt(values, x + i), floatAt(values, out + i)));
    }
  };
}

/** Contributes the pair `f(c, x, y)` to the two operands, for each element of the cotangent. */
export function binaryVjp(f: (c: number, x: number, y: number) => readonly [number, number]): Rule {
  return (machine, { out, size, x, y, xBar, yBar }) => {
    const { values, cotangents } = machine;
    for (let i = 0; i < size; i++) {
      const [toX, toY] = f(floatAt(cotangents, out + i), floatAt(values, x + i), floatAt(values, y + i));
      contribute(machine, xBar + i, toX);
      contribute(machine, yBar + i, toY);
    }
  };
}

/** Contributes to the first operand what `gather` puts into the work space, which is cleared before. */
export function gathering(gather: Rule): Rule {
  return (machine, step) => {
    const { cotangents, work } = machine;
    clear(cotangents, work, step.xSize);
    gather(machine, step);
    for (let i = 0; i < step.xSize; i++) contribute(machine, step.xBar + i, floatAt(cotangents, work + i));
  };
}

/** Runs a rule that contributes to an operand from `nowhere` on, after all slots, where it is dropped. */
export function losing(
  machine: Machine,
  size: number,
  run: (longer: Machine, nowhere: number) => void,
): void {
  const { cotangents, isSingle } = machine;
  const { length } = cotangents;
  const longer = isSingle ? new Float32Array(length + size) : new Float64Array(length + size);
  longer.set(cotangents);
  run({ ...machine, cotangents: longer }, length);
  cotangents.set(longer.subarray(0, length));
}
