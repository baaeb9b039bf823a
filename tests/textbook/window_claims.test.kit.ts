import { type CompositeRows, composites, type Value } from "../../spec/index.ts";
import type { Claim } from "./claim.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

/** The last of equal elements wins. */
const lastMaxPool: CompositeRows["max_pool"] = {
  ...composites.max_pool,
  expand(scope, attributes, x: Value) {
    const { window, strides, padding } = attributes;
    const axes = window.map((_, axis) => axis + 2);
    const sides = padding.map(([low, high]) => [high, low] as const);
    return composites.max_pool
      .expand(scope, { window, strides, padding: sides }, x.flip({ axes }))
      .flip({ axes });
  },
};

/** These claims are about convolutions and pools. */
export const windowClaims: readonly Claim[] = [
  {
    op: "max_pool",
    title: "gives the cotangent to the first of equal elements",
    write: ({ input }) => input("x", [1, 1, 3]).max_pool({ window: [2], strides: [1], padding: [[0, 0]] }),
    inputs: [[5, 5, 5]],
    cotangent: [3, 7],
    expected: [[3, 7, 0]],
    wrong: { max_pool: lastMaxPool },
  },
  {
    op: "max_pool",
    title: "takes the elements of a window row by row",
    write: ({ input }) =>
      input("x", [1, 1, 2, 2]).max_pool({
        window: [2, 2],
        strides: [1, 1],
        padding: [
          [0, 0],
          [0, 0],
        ],
      }),
    inputs: [[1, 2, 2, 1]],
    cotangent: [3],
    expected: [[0, 3, 0, 0]],
    wrong: { max_pool: lastMaxPool },
  },
  {
    op: "max_pool",
    title: "gives padding nothing, even where all elements are negative",
    write: ({ input }) => input("x", [1, 1, 2]).max_pool({ window: [2], strides: [1], padding: [[1, 1]] }),
    inputs: [[-4, -4]],
    cotangent: [1, 10, 100],
    expected: [[11, 100]],
    wrong: { max_pool: wrongRows.max_pool },
  },
  {
    op: "avg_pool",
    title: "divides by the elements that are not padding",
    write: ({ input }) =>
      input("x", [1, 1, 3]).avg_pool({
        window: [2],
        strides: [1],
        padding: [[1, 0]],
        count_include_pad: false,
      }),
    inputs: [[1, 2, 3]],
    cotangent: [1, 10, 100],
    expected: [[6, 55, 50]],
    wrong: { avg_pool: wrongRows.avg_pool },
  },
  {
    op: "avg_pool",
    title: "divides by the window where padding counts",
    write: ({ input }) =>
      input("x", [1, 1, 3]).avg_pool({
        window: [2],
        strides: [1],
        padding: [[1, 0]],
        count_include_pad: true,
      }),
    inputs: [[1, 2, 3]],
    cotangent: [1, 10, 100],
    expected: [[5.5, 55, 50]],
    wrong: { avg_pool: wrongRows.avg_pool },
  },
  {
    op: "conv",
    title: "gives x and the kernel what meets them",
    write: ({ input }) =>
      input("x", [1, 1, 3]).conv(input("w", [1, 1, 2]), {
        strides: [2],
        padding: [[1, 0]],
        dilations: [1],
        groups: 1,
      }),
    inputs: [
      [1, 2, 3],
      [4, 5],
    ],
    // The windows are (0, x₀) and (x₁, x₂).
    cotangent: [1, 10],
    expected: [
      [5, 40, 50],
      [20, 31],
    ],
    wrong: { conv: wrongRows.conv },
  },
  {
    op: "conv_transpose",
    title: "gives x and the kernel what they were stamped on",
    write: ({ input }) =>
      input("x", [1, 1, 2]).conv_transpose(input("w", [1, 1, 2]), {
        strides: [2],
        padding: [[1, 0]],
        dilations: [1],
        groups: 1,
        output_padding: [0],
      }),
    inputs: [
      [2, 3],
      [4, 5],
    ],
    // The result is (5 x₀, 4 x₁, 5 x₁); what would stand before it is cut off.
    cotangent: [1, 10, 100],
    expected: [
      [5, 540],
      [30, 302],
    ],
    wrong: { conv_transpose: wrongRows.conv_transpose },
  },
];
