import { expect, test } from "vitest";
import { type FlatTensor, graph, nodeId, type PrimitiveName } from "../../../spec/index.ts";
import { truthOf } from "../case_truth.ts";
import { referenceStandard } from "../standard/index.ts";

const scalar = (x: number): FlatTensor => ({ shape: [], data: Float64Array.of(x) });

/** Tells which derivatives of an operator have a bound: the tangent, and those by each operand. */
function haveBounds(op: PrimitiveName, at: readonly number[]): readonly boolean[] {
  const count = at.length;
  const subject = graph(({ input, apply }) =>
    apply(
      op,
      {},
      at.map((_, place) => input(`x${place}`, [])),
    ),
  );
  const question = {
    graph: subject,
    point: { inputs: at.map(scalar), environment: new Map() },
    tangents: at.map(() => scalar(1)),
    seeds: [{ id: nodeId(count), cotangent: scalar(1) }],
  };
  const truth = truthOf(question, referenceStandard("float64"));
  const found = [truth.tangent(nodeId(count)), ...at.map((_, place) => truth.cotangent(nodeId(place)))];
  return found.map(([component]) => Number.isFinite(component?.bound));
}

/**
 * Each function has these numbers in its domain, and those outside, on whose side its formula has a slope.
 */
const domains = [
  ["log", [2 ** -60, 0.5, 1, 7], [-(2 ** -60), -0.5, -7]],
  ["log2", [2 ** -60, 0.5, 1, 7], [-(2 ** -60), -0.5, -7]],
  ["log1p", [-1 + 2 ** -53, -0.5, 0, 7], [-1 - 2 ** -52, -7]],
  ["atanh", [-1 + 2 ** -53, -0.5, 0, 0.5, 1 - 2 ** -53], [-7, -1 - 2 ** -52, 1 + 2 ** -52, 7]],
] as const;

test.each(domains)("derivatives of %s have bounds in its domain and nowhere else", (op, inside, outside) => {
  for (const x of inside) expect([x, haveBounds(op, [x])]).toEqual([x, [true, true]]);
  for (const x of outside) expect([x, haveBounds(op, [x])]).toEqual([x, [false, false]]);
});

test("derivatives of a power have bounds, but for that of 0⁰ by its exponent, and of NaN⁰ by NaN", () => {
  expect(haveBounds("pow", [2, 0])).toEqual([true, true, true]);
  expect(haveBounds("pow", [2, 3])).toEqual([true, true, true]);
  expect(haveBounds("pow", [0, 0])).toEqual([false, true, false]);
  expect(haveBounds("pow", [Number.NaN, 0]).slice(0, 2)).toEqual([false, false]);
});
