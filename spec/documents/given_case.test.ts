import { describe, expect, test } from "vitest";
import { graph } from "../builder/graph.ts";
import { nodeId } from "../shapes/node_id.ts";
import type { Result } from "../shapes/result.ts";
import { caseOf, checkGivenCase, tensorOf } from "./given_case.ts";

const row = graph(({ input, parameter }) => {
  const x = input("x", [2, 3]);
  x.multiply(parameter("scale")).sum({ axes: [0], keepdims: false });
});

function codesOf(
  result: Result<unknown, readonly { readonly code: string; readonly pointer: string }[]>,
): string[] {
  return result.ok ? [] : result.error.map(({ code, pointer }) => `${code} at ${pointer}`);
}

describe("caseOf", () => {
  test("makes a case of numbers by name: one number for all elements, ones where none are given", () => {
    const made = caseOf(row, { point: { x: [1, 2, 3, 4, 5, 6], scale: 0.5 } });
    expect(made).toMatchObject({
      ok: true,
      value: {
        point: { inputs: [{ shape: [2, 3], data: Float64Array.of(1, 2, 3, 4, 5, 6) }] },
        tangents: [{ data: new Float64Array(6).fill(1) }],
        seeds: [{ id: row.nodes.length, cotangent: { shape: [3], data: Float64Array.of(1, 1, 1) } }],
      },
    });
    expect(made.ok && made.value.point.environment.get("scale")).toEqual({
      shape: [],
      data: Float64Array.of(0.5),
    });
    expect(made.ok && checkGivenCase(made.value)).toEqual(made);
  });

  test("takes tangents by name and seeds by id", () => {
    const made = caseOf(row, { point: { x: 1, scale: 2 }, tangents: { x: 3 }, seeds: { 0: 4 } });
    expect(made).toMatchObject({
      ok: true,
      value: { tangents: [{ data: new Float64Array(6).fill(3) }], seeds: [{ id: nodeId(0) }] },
    });
  });

  test("says which name or id is wrong, and what was meant", () => {
    expect(codesOf(caseOf(row, { point: { x: 1 } }))).toEqual(["case/name at /point"]);
    expect(codesOf(caseOf(row, { point: { x: 1, scael: 1 } }))).toEqual([
      "case/name at /point/scael",
      "case/name at /point",
    ]);
    expect(codesOf(caseOf(row, { point: { x: [1, 2], scale: 1 } }))).toEqual([
      "tensor/length at /point/x/data",
    ]);
    expect(codesOf(caseOf(row, { point: { x: 1, scale: 1 }, tangents: { scale: 1 } }))).toEqual([
      "case/name at /tangents/scale",
    ]);
    for (const id of [99, -1, 0.5])
      expect(codesOf(caseOf(row, { point: { x: 1, scale: 1 }, seeds: { [id]: 1 } }))).toEqual([
        `seed/id at /seeds/${id}`,
      ]);
    const near = caseOf(row, { point: { x: 1, scael: 1 } });
    expect(near.ok || near.error[0]?.hint).toBe('did you mean "scale"?');
  });

  test("does not take what every object has for a number", () => {
    const odd = graph(({ input }) => input("constructor").exp());
    expect(codesOf(caseOf(odd, { point: {} }))).toEqual(["case/name at /point"]);
  });

  test("checks indices against what they index", () => {
    const taken = graph(({ input, indices }) => {
      const x = input("x", [3]);
      x.take({ axis: 0, indices: indices("i", [2]) });
    });
    expect(caseOf(taken, { point: { x: 1, i: [0, 2] } }).ok).toBe(true);
    expect(codesOf(caseOf(taken, { point: { x: 1, i: [0, 3] } }))).toEqual([
      "point/index at /point/environment/i",
    ]);
  });
});

describe("tensorOf", () => {
  test("makes a tensor of its elements, and says where there are too few or the shape is none", () => {
    expect(tensorOf([2], [1, -0])).toEqual({ ok: true, value: { shape: [2], data: Float64Array.of(1, -0) } });
    expect(tensorOf([2, 0], 7)).toEqual({ ok: true, value: { shape: [2, 0], data: new Float64Array() } });
    expect(codesOf(tensorOf([2], [1]))).toEqual(["tensor/length at /data"]);
    expect(codesOf(tensorOf([-1], 1))[0]).toMatch(/^shape\//);
  });
});
