import { graph } from "../../../spec/builder/index.ts";
import type { Graph } from "../../../spec/graph/index.ts";

/** Each graph has one operator, at extents that tell its axes apart. */
export const cases: Readonly<Record<string, Graph>> = {
  reshape: graph(({ input }) => input("x", [4, 6]).reshape({ shape: [2, 3, 4] })),
  permute_dims: graph(({ input }) => input("x", [2, 3, 5]).permute_dims({ axes: [2, 0, 1] })),
  broadcast_to: graph(({ input }) => input("x", [3, 1, 2]).broadcast_to({ shape: [4, 3, 5, 2] })),
  slice: graph(({ input }) => input("x", [7, 5]).slice({ starts: [1, 0], stops: [6, 5], steps: [2, 1] })),
  slice_backwards: graph(({ input }) =>
    input("x", [7, 5]).slice({ starts: [6, 4], stops: [-8, -6], steps: [-1, -2] }),
  ),
  slice_clamped: graph(({ input }) =>
    input("x", [7, 5]).slice({ starts: [-100, 3], stops: [100, 99], steps: [1000, 1] }),
  ),
  pad: graph(({ input }) => input("x", [3, 4]).pad({ low: [1, 0], high: [2, 3], interior: [0, 2] })),
  concat: graph(({ input }) => input("x", [2, 3]).concat(input("y", [2, 4]), { axis: 1 })),
  take: graph(({ input, indices }) => input("x", [3, 4, 2]).take({ axis: 1, indices: indices("k", [5]) })),
  take_along_axis: graph(({ input, indices }) =>
    input("x", [3, 4, 2]).take_along_axis({ axis: 1, indices: indices("k", [3, 6, 2]) }),
  ),
  gather: graph(({ input, indices }) => input("x", [3, 4, 2]).gather({ indices: indices("k", [5, 2]) })),
  scatter_add: graph(({ input, indices }) =>
    input("x", [3, 4, 2]).scatter_add(input("y", [5, 2]), { indices: indices("k", [5, 2]) }),
  ),
  sum: graph(({ input }) => input("x", [2, 3, 4]).sum({ axes: [0, 2], keepdims: false })),
  cumulative_sum: graph(({ input }) => input("x", [3, 4]).cumulative_sum({ axis: 1 }).negative()),
  matmul: graph(({ input }) => input("x", [2, 3, 4]).matmul(input("y", [2, 4, 5]))),
  max: graph(({ input }) => input("x", [3, 4]).max({ axes: [1], keepdims: false })),
  conv: graph(({ input }) =>
    input("x", [1, 2, 5]).conv(input("w", [3, 2, 2]), {
      strides: [2],
      padding: [[1, 0]],
      dilations: [2],
      groups: 1,
    }),
  ),
  softmax: graph(({ input }) => input("x", [3, 4]).softmax({ axis: 1 })),
  embedding_and_dense: graph(({ input, indices }) => {
    const [table, w] = [input("table", [6, 3]), input("w", [3, 2])];
    table
      .take({ axis: 0, indices: indices("k", [4]) })
      .matmul(w)
      .sum({ axes: [0], keepdims: false });
  }),
};
