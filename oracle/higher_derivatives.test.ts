import { expect, test } from "vitest";
import { float64 } from "../reference/package.ts";
import { deriveAgain } from "../spec/derivatives/index.ts";
import { type Derivative, derive, graph, nodeId } from "../spec/index.ts";
import { resultsOf, succeeded } from "./derivatives.test.kit.ts";

/** The cube of x times y, whose derivatives by x are 3x²y, 6xy, 6y and 0. */
const cube = graph(({ input }) => {
  const [x, y] = [input("x"), input("y")];
  x.multiply(x).multiply(x).multiply(y);
});

const [x, y] = [3, 2];

test.each<[modes: readonly Derivative["mode"][], value: number]>([
  [["vjp"], 3 * x * x * y],
  [["jvp"], 3 * x * x * y],
  [["jvp", "jvp"], 6 * x * y],
  [["vjp", "jvp"], 6 * x * y],
  [["jvp", "vjp"], 6 * x * y],
  [["vjp", "vjp"], 6 * x * y],
  [["jvp", "jvp", "jvp"], 6 * y],
  [["vjp", "vjp", "jvp"], 6 * y],
  [["jvp", "vjp", "jvp", "vjp"], 0],
])("%j by x, one after the other, is the derivative of that order", ([mode = "vjp", ...further], value) => {
  const last = nodeId(cube.inputs.length + cube.nodes.length - 1);
  const derived = succeeded(
    deriveAgain(cube, { mode, of: [last], wrt: [nodeId(0)] }, further, (...given) => derive(...given)),
  );
  const scalar = (number: number) => ({ shape: [], data: [number] });
  const point = [x, y, ...derived.seeds.map(() => 1)].map(scalar);
  expect(derived.seeds).toHaveLength(1 + further.length);
  expect(resultsOf(float64, derived, point, new Map())).toEqual([scalar(value)]);
});
