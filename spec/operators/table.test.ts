import { describe, expect, it } from "vitest";
import type { Shape } from "../shapes/shape.ts";
import { forUnary } from "./elementary.ts";
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
  { name: "key", shape: [2], kind: "index" },
  { name: "rows", shape: [5, 1], kind: "index" },
  { name: "cell", shape: [], kind: "index" },
  { name: "none", shape: [3, 0], kind: "index" },
  { name: "empty", shape: [0, 2], kind: "index" },
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
  full: [
    [{ shape: [2, 0], value: 1 }, [], [2, 0]],
    [{ shape: [], value: -0.5 }, [], []],
  ],
  iota: [
    [{ shape: [2, 3], axis: 1 }, [], [2, 3]],
    [{ shape: [0], axis: 0 }, [], [0]],
    [{ shape: [2, 3], axis: 2 }, [], "shape/axis"],
    [{ shape: [], axis: 0 }, [], "shape/axis"],
  ],
  bernoulli_mask: [
    [{ shape: [2, 3], key: "key", rate: 0.5 }, [], [2, 3]],
    [{ shape: [], key: "key", rate: 1 }, [], []],
    [{ shape: [2], key: "i", rate: 0.5 }, [], "shape/key"],
    [{ shape: [2], key: "c", rate: 0.5 }, [], "graph/environment"],
    [{ shape: [2], key: "lock", rate: 0.5 }, [], "graph/environment"],
  ],
  stop_gradient: unary,
  negative: unary,
  ...forUnary(() => unary),
  relu: unary,
  floor: unary,
  add: binary,
  subtract: binary,
  multiply: binary,
  divide: binary,
  maximum: binary,
  less: binary,
  equal: binary,
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
  slice: [
    [{ starts: [0, 0], stops: [2, 3], steps: [1, 1] }, [[2, 3]], [2, 3]],
    [{ starts: [1], stops: [5], steps: [2] }, [[5]], [2]],
    [{ starts: [0], stops: [5], steps: [2] }, [[5]], [3]],
    [{ starts: [-1], stops: [-6], steps: [-1] }, [[5]], [5]],
    [{ starts: [-1], stops: [-1], steps: [-1] }, [[5]], [0]],
    [{ starts: [99], stops: [-99], steps: [-3] }, [[5]], [2]],
    [{ starts: [-99], stops: [99], steps: [7] }, [[5]], [1]],
    [{ starts: [3], stops: [1], steps: [1] }, [[5]], [0]],
    [{ starts: [0], stops: [9], steps: [1] }, [[0]], [0]],
    [{ starts: [-1], stops: [-1], steps: [-1] }, [[0]], [0]],
    [{ starts: [], stops: [], steps: [] }, [[]], []],
    [{ starts: [0], stops: [5], steps: [0] }, [[5]], "shape/step"],
    [{ starts: [0], stops: [2], steps: [1] }, [[2, 3]], "shape/axes"],
    [{ starts: [0, 0], stops: [2], steps: [1, 1] }, [[2, 3]], "shape/axes"],
    [{ starts: [0], stops: [2], steps: [] }, [[2]], "shape/axes"],
  ],
  pad: [
    [{ low: [1, 0], high: [0, 2], interior: [0, 1] }, [[2, 3]], [3, 7]],
    [{ low: [1], high: [2], interior: [5] }, [[0]], [3]],
    [{ low: [0], high: [0], interior: [5] }, [[1]], [1]],
    [{ low: [], high: [], interior: [] }, [[]], []],
    [{ low: [1], high: [1], interior: [0] }, [[2, 3]], "shape/axes"],
    [{ low: [1], high: [], interior: [0] }, [[2]], "shape/axes"],
    [{ low: [0], high: [0], interior: [2 ** 27] }, [[2 ** 27]], [2 ** 53 - 1]],
  ],
  take_along_axis: [
    [{ axis: 1, indices: "grid" }, [[2, 3]], [2, 2]],
    [{ axis: 0, indices: "i" }, [[0]], [4]],
    [{ axis: 2, indices: "grid" }, [[2, 3]], "shape/axis"],
    [{ axis: 0, indices: "grid" }, [[2, 3]], "shape/mismatch"],
    [{ axis: 0, indices: "i" }, [[2, 3]], "shape/mismatch"],
    [{ axis: 0, indices: "c" }, [[2]], "graph/environment"],
  ],
  gather: [
    [{ indices: "grid" }, [[2, 3]], [2]],
    [{ indices: "grid" }, [[2, 3, 4]], [2, 4]],
    [{ indices: "rows" }, [[2, 3]], [5, 3]],
    [{ indices: "key" }, [[2, 3]], []],
    [{ indices: "empty" }, [[2, 0]], [0]],
    [{ indices: "i" }, [[2, 3]], "shape/rank"],
    [{ indices: "cell" }, [[2, 3]], "shape/rank"],
    [{ indices: "none" }, [[2, 3]], "shape/rank"],
    [{ indices: "rows" }, [[]], "shape/rank"],
    [{ indices: "c" }, [[2]], "graph/environment"],
  ],
  scatter_add: [
    [{ indices: "grid" }, [[2, 3], [2]], [2, 3]],
    [
      { indices: "rows" },
      [
        [2, 3],
        [5, 3],
      ],
      [2, 3],
    ],
    [{ indices: "key" }, [[2, 3], []], [2, 3]],
    [{ indices: "grid" }, [[2, 3], [3]], "shape/mismatch"],
    [{ indices: "i" }, [[2, 3], [4]], "shape/rank"],
    [{ indices: "k" }, [[2, 3], [4]], "graph/environment"],
  ],
  cumulative_sum: [
    [{ axis: 1 }, [[2, 3]], [2, 3]],
    [{ axis: 0 }, [[0]], [0]],
    [{ axis: 0 }, [[]], "shape/axis"],
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
  solve: [
    [
      {},
      [
        [5, 3, 3],
        [5, 3, 2],
      ],
      [5, 3, 2],
    ],
    [
      {},
      [
        [0, 0],
        [0, 4],
      ],
      [0, 4],
    ],
    [
      {},
      [
        [8, 8],
        [8, 0],
      ],
      [8, 0],
    ],
    [
      {},
      [
        [9, 9],
        [9, 1],
      ],
      "shape/too-large",
    ],
    [
      {},
      [
        [2, 3],
        [2, 1],
      ],
      "shape/mismatch",
    ],
    [
      {},
      [
        [3, 3],
        [2, 3],
      ],
      "shape/mismatch",
    ],
    [
      {},
      [
        [5, 3, 3],
        [3, 2],
      ],
      "shape/mismatch",
    ],
    [{}, [[3, 3], [3]], "shape/rank"],
    [{}, [[3], [3, 1]], "shape/rank"],
  ],
  det: [
    [{}, [[3, 3]], []],
    [{}, [[5, 2, 1, 1]], [5, 2]],
    [{}, [[0, 0]], []],
    [{}, [[8, 8]], []],
    [{}, [[9, 9]], "shape/too-large"],
    [{}, [[3, 2]], "shape/mismatch"],
    [{}, [[3]], "shape/rank"],
    [{}, [[]], "shape/rank"],
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
