import { describe, expect, it } from "vitest";
import type { Shape } from "../shape.ts";
import type { EnvironmentEntry } from "./signature.ts";
import {
  isPrimitiveName,
  type PrimitiveAttributes,
  type PrimitiveName,
  primitiveNames,
  primitives,
} from "./table.ts";

const environment: readonly EnvironmentEntry[] = [
  { name: "c", shape: [2], kind: "real" },
  { name: "i", shape: [4], kind: "index" },
  { name: "grid", shape: [2, 2], kind: "index" },
];

/** Attributes, the parents' shapes, and the shape of the value or the code of the fault. */
type Example<K extends PrimitiveName> = readonly [PrimitiveAttributes[K], readonly Shape[], Shape | string];

const unary: Example<"exp">[] = [
  [{}, [[]], []],
  [{}, [[2, 0]], [2, 0]],
];

const binary: Example<"add">[] = [
  [
    {},
    [
      [2, 3],
      [2, 3],
    ],
    [2, 3],
  ],
  [{}, [[], []], []],
  [
    {},
    [
      [2, 3],
      [3, 2],
    ],
    "shape/mismatch",
  ],
  [{}, [[2, 3], [3]], "shape/mismatch"],
  [{}, [[1], []], "shape/mismatch"],
];

const examples: { readonly [K in PrimitiveName]: readonly Example<K>[] } = {
  constant: [
    [{ name: "c" }, [], [2]],
    [{ name: "i" }, [], "graph/environment"],
    [{ name: "d" }, [], "graph/environment"],
  ],
  stop_gradient: unary,
  negative: unary,
  exp: unary,
  log: unary,
  sin: unary,
  cos: unary,
  tanh: unary,
  sqrt: unary,
  relu: unary,
  expm1: unary,
  log1p: unary,
  log2: unary,
  tan: unary,
  asin: unary,
  acos: unary,
  atan: unary,
  sinh: unary,
  cosh: unary,
  asinh: unary,
  acosh: unary,
  atanh: unary,
  erf: unary,
  add: binary,
  subtract: binary,
  multiply: binary,
  divide: binary,
  maximum: binary,
  pow: binary,
  atan2: binary,
  hypot: binary,
  where: [
    [{}, [[2], [2], [2]], [2]],
    [{}, [[2], [2], [1]], "shape/mismatch"],
    [{}, [[1], [2], [2]], "shape/mismatch"],
  ],
  sum: [
    [{ axes: [], keepdims: false }, [[2, 3]], [2, 3]],
    [{ axes: [0], keepdims: false }, [[2, 3]], [3]],
    [{ axes: [1, 0], keepdims: false }, [[2, 3]], []],
    [{ axes: [1], keepdims: true }, [[2, 3]], [2, 1]],
    [{ axes: [0], keepdims: true }, [[0]], [1]],
    [{ axes: [2], keepdims: false }, [[2, 3]], "shape/axis"],
    [{ axes: [0], keepdims: false }, [[]], "shape/axis"],
    [{ axes: [1, 1], keepdims: false }, [[2, 3]], "shape/axis-twice"],
  ],
  broadcast_to: [
    [{ shape: [2, 3] }, [[3]], [2, 3]],
    [{ shape: [2, 3] }, [[2, 1]], [2, 3]],
    [{ shape: [2, 0] }, [[1]], [2, 0]],
    [{ shape: [] }, [[]], []],
    [{ shape: [2, 3] }, [[2]], "shape/broadcast"],
    [{ shape: [3] }, [[1, 3]], "shape/broadcast"],
    [{ shape: [1] }, [[0]], "shape/broadcast"],
  ],
  reshape: [
    [{ shape: [3, 2] }, [[2, 3]], [3, 2]],
    [{ shape: [] }, [[1, 1]], []],
    [{ shape: [0, 5] }, [[2, 0]], [0, 5]],
    [{ shape: [4] }, [[2, 3]], "shape/reshape"],
    [{ shape: new Array(32).fill(2 ** 53 - 1) }, [[0]], "shape/reshape"],
  ],
  permute_dims: [
    [{ axes: [2, 0, 1] }, [[2, 3, 4]], [4, 2, 3]],
    [{ axes: [] }, [[]], []],
    [{ axes: [0] }, [[2, 3]], "shape/permutation"],
    [{ axes: [0, 0] }, [[2, 3]], "shape/permutation"],
    [{ axes: [0, 2] }, [[2, 3]], "shape/permutation"],
  ],
  concat: [
    [{ axis: 0 }, [[2, 3]], [2, 3]],
    [
      { axis: 1 },
      [
        [2, 3],
        [2, 0],
        [2, 4],
      ],
      [2, 7],
    ],
    [{ axis: 0 }, [[]], "shape/axis"],
    [
      { axis: 0 },
      [
        [2, 3],
        [2, 4],
      ],
      "shape/mismatch",
    ],
    [{ axis: 0 }, [[2, 3], [2]], "shape/mismatch"],
  ],
  take: [
    [{ axis: 0, indices: "i" }, [[2, 3]], [4, 3]],
    [{ axis: 1, indices: "i" }, [[2, 3]], [2, 4]],
    [{ axis: 2, indices: "i" }, [[2, 3]], "shape/axis"],
    [{ axis: 0, indices: "c" }, [[2, 3]], "graph/environment"],
    [{ axis: 0, indices: "grid" }, [[2, 3]], "graph/environment"],
    [{ axis: 0, indices: "j" }, [[2, 3]], "graph/environment"],
  ],
  matmul: [
    [
      {},
      [
        [2, 3],
        [3, 4],
      ],
      [2, 4],
    ],
    [
      {},
      [
        [5, 2, 0],
        [5, 0, 4],
      ],
      [5, 2, 4],
    ],
    [
      {},
      [
        [2, 3],
        [2, 3],
      ],
      "shape/mismatch",
    ],
    [
      {},
      [
        [5, 2, 3],
        [3, 4],
      ],
      "shape/mismatch",
    ],
    [{}, [[3], [3, 4]], "shape/rank"],
    [{}, [[2, 3], [3]], "shape/rank"],
  ],
};

function shapeFrom<K extends PrimitiveName>(op: K, [attributes, parents]: Example<K>): Shape | string {
  const shape = primitives[op].shape(attributes, parents, environment);
  return shape.ok ? shape.value : shape.error.code;
}

function outcomes<K extends PrimitiveName>(op: K): [found: (Shape | string)[], wanted: (Shape | string)[]] {
  const own: readonly Example<K>[] = examples[op];
  return [own.map((example) => shapeFrom(op, example)), own.map(([, , wanted]) => wanted)];
}

describe("the operator table", () => {
  it.each(primitiveNames)("gives %s the shapes of its specification, and its faults", (op) => {
    const [found, wanted] = outcomes(op);
    expect(found).toEqual(wanted);
  });

  it.each(primitiveNames)("says of %s in words what it is, where, and by which specification", (op) => {
    const { summary, domain, convention, source } = primitives[op];
    for (const text of [summary, domain, convention]) expect(text.length).toBeGreaterThan(1);
    expect(source).toMatch(/^https:\/\//);
  });

  it.each(primitiveNames)("has examples of %s that pass every attribute it declares", (op) => {
    const declared = Object.keys(primitives[op].attributes).toSorted();
    for (const [attributes] of examples[op]) expect(Object.keys(attributes).toSorted()).toEqual(declared);
  });

  it("does not take what every object inherits for an operator", () => {
    expect(isPrimitiveName("matmul")).toBe(true);
    for (const name of ["constructor", "toString", "__proto__", "", "Matmul"]) {
      expect(isPrimitiveName(name)).toBe(false);
    }
  });
});
