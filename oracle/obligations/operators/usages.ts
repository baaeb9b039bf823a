import {
  forUnary,
  type NoAttributes,
  type PrimitiveAttributes,
  type PrimitiveName,
} from "../../../spec/operators/index.ts";
import { formatShape, type Shape } from "../../../spec/shapes/index.ts";

/** An entry of Δ has indices, or else reals of any values. */
interface UsageEntry {
  readonly name: string;
  readonly shape: Shape;
  readonly indices?: readonly number[];
}

/** A usage is an operator's attributes, operands' shapes and index data: one point of its index structure. */
export interface Usage<A> {
  /** This tells it from the operator's other usages, as part of an obligation's id. */
  readonly label: string;
  readonly attributes: A;
  readonly operands: readonly Shape[];
  readonly environment: readonly UsageEntry[];
}

function usage<A>(
  attributes: A,
  operands: readonly Shape[],
  detail: string = "",
  environment: readonly UsageEntry[] = [],
): Usage<A> {
  const shapes = operands.map((shape) => (shape.length === 0 ? "scalar" : shape.join("x"))).join("_");
  return {
    label: [shapes, detail].filter((part) => part !== "").join("-"),
    attributes,
    operands,
    environment,
  };
}

/** Uses an elementwise operator at one element, and beside another. */
const alike = (count: number): readonly Usage<NoAttributes>[] =>
  [[], [2]].map((shape: Shape) => usage({}, new Array<Shape>(count).fill(shape)));

/** Uses one that only moves its cotangent also at a matrix. */
const alikeLinear = (count: number): readonly Usage<NoAttributes>[] => [
  ...alike(count),
  usage({}, new Array<Shape>(count).fill([2, 3])),
];

const index = (shape: Shape, indices: readonly number[]): readonly UsageEntry[] => [
  { name: "i", shape, indices },
];

const along = (axis: number): { readonly axis: number; readonly indices: "i" } => ({ axis, indices: "i" });
const byRows = { indices: "i" } as const;

/**
 * Lists for each primitive a few small uses that cover its index structure: rank 0 to 3, extents 0 to 3, axes
 * first, middle and last, repeated indices, negative steps, gaps, stacks of matrices. Some operand always has
 * elements, since without any there is nothing to say.
 */
export const usages: { readonly [K in PrimitiveName]: readonly Usage<PrimitiveAttributes[K]>[] } = {
  constant: [[], [2], [2, 3]].map((shape: Shape) =>
    usage({ name: "e" }, [], `to-${shape.join("x") || "scalar"}`, [{ name: "e", shape }]),
  ),
  full: [
    usage({ shape: [], value: 2.5 }, [], "to-scalar"),
    usage({ shape: [2, 1], value: -3 }, [], "to-2x1"),
  ],
  iota: [usage({ shape: [3], axis: 0 }, [], "to-3"), usage({ shape: [2, 3], axis: 0 }, [], "to-2x3")],
  bernoulli_mask: [
    usage({ shape: [4], key: "k", rate: 0.5 }, [], "to-4", [{ name: "k", shape: [2], indices: [1, 2] }]),
  ],
  stop_gradient: alike(1),
  negative: alikeLinear(1),
  ...forUnary(() => alike(1)),
  relu: alike(1),
  floor: alike(1),
  add: alikeLinear(2),
  subtract: alikeLinear(2),
  multiply: alikeLinear(2),
  divide: alike(2),
  maximum: alike(2),
  less: alike(2),
  equal: alike(2),
  // Two elements would make too many cases; elements.ts says that they are those of scalars.
  pow: [[], [1]].map((shape: Shape) => usage({}, [shape, shape])),
  atan2: alike(2),
  hypot: alike(2),
  where: alike(3),
  sum: [
    usage({ axes: [], keepdims: false }, [[2]], "over-none"),
    usage({ axes: [0], keepdims: false }, [[3]], "over-0"),
    usage({ axes: [0], keepdims: false }, [[2, 3]], "over-0"),
    usage({ axes: [1], keepdims: true }, [[2, 3]], "over-1-kept"),
    usage({ axes: [0, 2], keepdims: false }, [[2, 2, 2]], "over-0-2"),
  ],
  broadcast_to: [
    usage({ shape: [3] }, [[]], "to-3"),
    usage({ shape: [2, 3] }, [[3]], "to-2x3"),
    usage({ shape: [2, 3] }, [[2, 1]], "to-2x3"),
    usage({ shape: [2, 2, 3] }, [[2, 1]], "to-2x2x3"),
    usage({ shape: [2, 0] }, [[2, 1]], "to-2x0"),
  ],
  reshape: [
    usage({ shape: [1] }, [[]], "to-1"),
    usage({ shape: [3, 2] }, [[2, 3]], "to-3x2"),
    usage({ shape: [2, 1, 3] }, [[6]], "to-2x1x3"),
  ],
  permute_dims: [
    usage({ axes: [] }, [[]], "by-none"),
    usage({ axes: [1, 0] }, [[2, 3]], "by-1-0"),
    usage({ axes: [2, 0, 1] }, [[2, 1, 3]], "by-2-0-1"),
    usage({ axes: [1, 2, 0] }, [[2, 2, 2]], "by-1-2-0"),
  ],
  concat: [
    usage({ axis: 0 }, [[2]], "along-0"),
    usage({ axis: 0 }, [[1], [0], [2]], "along-0"),
    usage(
      { axis: 1 },
      [
        [2, 1],
        [2, 2],
      ],
      "along-1",
    ),
    usage(
      { axis: 0 },
      [
        [1, 2],
        [2, 2],
      ],
      "along-0",
    ),
    usage(
      { axis: 1 },
      [
        [2, 1, 2],
        [2, 2, 2],
      ],
      "along-1",
    ),
  ],
  take: [
    usage(along(0), [[3]], "at-2-0-2", index([3], [2, 0, 2])),
    usage(along(1), [[2, 3]], "at-1-1", index([2], [1, 1])),
    usage(along(0), [[2, 2]], "at-1", index([1], [1])),
    usage(along(1), [[2, 2, 2]], "at-1-0-1", index([3], [1, 0, 1])),
    usage(along(0), [[2]], "at-none", index([0], [])),
  ],
  slice: [
    usage({ starts: [1], stops: [3], steps: [1] }, [[3]], "1-to-3"),
    usage({ starts: [-1], stops: [-4], steps: [-1] }, [[3]], "backwards"),
    usage({ starts: [0, 2], stops: [2, -4], steps: [1, -2] }, [[2, 3]], "backwards-by-2"),
    usage({ starts: [0, 1, 0], stops: [2, 2, 3], steps: [1, 1, 2] }, [[2, 2, 3]], "by-2"),
    usage({ starts: [2], stops: [1], steps: [1] }, [[3]], "of-none"),
  ],
  pad: [
    usage({ low: [1], high: [2], interior: [0] }, [[2]], "around"),
    usage({ low: [0], high: [1], interior: [2] }, [[3]], "between"),
    usage({ low: [0, 1], high: [1, 0], interior: [1, 1] }, [[2, 2]], "between"),
    usage({ low: [], high: [], interior: [] }, [[]], "nothing"),
    usage({ low: [1, 0, 0], high: [0, 1, 0], interior: [0, 1, 1] }, [[1, 2, 2]], "between"),
  ],
  take_along_axis: [
    usage(along(0), [[3]], "at-2-2", index([2], [2, 2])),
    usage(along(1), [[2, 3]], "repeated", index([2, 2], [2, 0, 1, 1])),
    usage(along(0), [[2, 2]], "repeated", index([3, 2], [0, 1, 1, 1, 0, 0])),
    usage(along(1), [[2, 2, 2]], "of-one", index([2, 1, 2], [1, 0, 0, 1])),
  ],
  gather: [
    usage(byRows, [[3]], "by-one", index([3, 1], [2, 0, 2])),
    usage(byRows, [[2, 3]], "of-rows", index([2, 1], [1, 1])),
    usage(byRows, [[2, 3]], "of-elements", index([3, 2], [0, 2, 1, 1, 0, 2])),
    usage(byRows, [[2, 2, 2]], "of-blocks", index([2, 1, 2], [1, 0, 1, 0])),
    usage(byRows, [[2]], "of-none", index([0, 1], [])),
  ],
  scatter_add: [
    usage(byRows, [[3], [3]], "by-one", index([3, 1], [2, 0, 2])),
    usage(
      byRows,
      [
        [2, 3],
        [2, 3],
      ],
      "of-rows",
      index([2, 1], [1, 1]),
    ),
    usage(byRows, [[2, 2], [3]], "of-elements", index([3, 2], [0, 1, 1, 1, 0, 1])),
    usage(
      byRows,
      [
        [2, 2, 2],
        [2, 2],
      ],
      "of-blocks",
      index([2, 2], [1, 0, 1, 0]),
    ),
    usage(byRows, [[2], [0]], "of-none", index([0, 1], [])),
  ],
  cumulative_sum: [
    usage({ axis: 0 }, [[1]], "along-0"),
    usage({ axis: 0 }, [[3]], "along-0"),
    usage({ axis: 0 }, [[2, 2]], "along-0"),
    usage({ axis: 1 }, [[2, 3]], "along-1"),
    usage({ axis: 1 }, [[2, 2, 2]], "along-1"),
  ],
  matmul: [
    usage({}, [
      [1, 1],
      [1, 1],
    ]),
    usage({}, [
      [2, 3],
      [3, 2],
    ]),
    usage({}, [
      [1, 3],
      [3, 1],
    ]),
    usage({}, [
      [2, 2],
      [2, 2],
    ]),
    usage({}, [
      [2, 1, 2],
      [2, 2, 1],
    ]),
  ],
  solve: [
    usage({}, [
      [1, 1],
      [1, 1],
    ]),
    usage({}, [
      [2, 2],
      [2, 1],
    ]),
    usage({}, [
      [2, 2],
      [2, 2],
    ]),
    usage({}, [
      [2, 1, 1],
      [2, 1, 2],
    ]),
    usage({}, [
      [3, 3],
      [3, 1],
    ]),
  ],
  det: [usage({}, [[1, 1]]), usage({}, [[2, 2]]), usage({}, [[3, 3]]), usage({}, [[2, 2, 2]])],
};

/** Tells people the shapes and attributes of a use. */
export function tellUsage<A>({ attributes, operands, environment }: Usage<A>): string {
  const entries = environment.flatMap(({ name, indices }) =>
    indices === undefined ? [] : [`${name} = ${JSON.stringify(indices)}`],
  );
  return [
    operands.map(formatShape).join(", "),
    JSON.stringify(attributes) === "{}" ? "" : JSON.stringify(attributes),
    ...entries,
  ]
    .filter((part) => part !== "")
    .join(" ");
}
