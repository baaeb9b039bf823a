import { describe, expect, test } from "vitest";
import { checkGraph } from "../documents/check.ts";
import { arityRange } from "../operators/signature.ts";
import type { Shape } from "../shapes/shape.ts";
import { type CompositeName, composites } from "./table.ts";

/** An application that does not fit, and the code of what is said of it. */
type Refusal = readonly [op: CompositeName, attributes: object, operands: readonly Shape[], code: string];

const plain = { strides: [1], padding: [[0, 0]], dilations: [1], groups: 1 };
const pool = { window: [2], strides: [1], padding: [[0, 0]] };
const heads = { heads: 2, causal: false };
const square = [2, 2];
const labels = { labels: "i" };

/** The entry `i` is [2], `key` is [3], `r` is real. */
const environment = [
  { name: "i", shape: [2], kind: "index" },
  { name: "key", shape: [3], kind: "index" },
  { name: "r", shape: [2], kind: "real" },
];

const refusals: readonly Refusal[] = [
  [
    "conv",
    plain,
    [
      [2, 3],
      [1, 3],
    ],
    "shape/rank",
  ],
  [
    "conv",
    plain,
    [
      [1, 1, 3],
      [1, 1],
    ],
    "shape/rank",
  ],
  [
    "conv",
    { ...plain, strides: [1, 1] },
    [
      [1, 1, 3],
      [1, 1, 2],
    ],
    "shape/axes",
  ],
  [
    "conv",
    plain,
    [
      [1, 2, 3],
      [1, 1, 2],
    ],
    "shape/channels",
  ],
  [
    "conv",
    { ...plain, groups: 2 },
    [
      [1, 2, 3],
      [3, 1, 2],
    ],
    "shape/channels",
  ],
  [
    "conv",
    plain,
    [
      [1, 1, 3],
      [1, 1, 4],
    ],
    "shape/window",
  ],
  [
    "conv",
    { ...plain, dilations: [2] },
    [
      [1, 1, 4],
      [1, 1, 3],
    ],
    "shape/window",
  ],
  [
    "conv",
    plain,
    [
      [1, 1, 3],
      [1, 1, 0],
    ],
    "shape/window",
  ],
  [
    "conv",
    plain,
    [
      [1, 1, 5000],
      [1, 1, 5000],
    ],
    "graph/expansion",
  ],
  [
    "conv_transpose",
    { ...plain, output_padding: [0] },
    [
      [1, 2, 3],
      [1, 1, 2],
    ],
    "shape/channels",
  ],
  [
    "conv_transpose",
    { ...plain, output_padding: [1] },
    [
      [1, 1, 3],
      [1, 1, 2],
    ],
    "shape/window",
  ],
  [
    "conv_transpose",
    { ...plain, padding: [[2, 1]], output_padding: [0] },
    [
      [1, 1, 2],
      [1, 1, 2],
    ],
    "shape/window",
  ],
  [
    "conv_transpose",
    { ...plain, output_padding: [0, 0] },
    [
      [1, 1, 3],
      [1, 1, 2],
    ],
    "shape/axes",
  ],
  ["max_pool", { ...pool, padding: [[0, 2]] }, [[1, 1, 3]], "shape/window"],
  ["max_pool", pool, [[1, 1, 1]], "shape/window"],
  ["max_pool", pool, [[1, 1, 2, 2]], "shape/axes"],
  ["avg_pool", { ...pool, padding: [[2, 0]], count_include_pad: true }, [[1, 1, 3]], "shape/window"],
  ["softmax", { axis: 2 }, [square], "shape/axis"],
  ["log_softmax", { axis: 0 }, [[]], "shape/axis"],
  ["layer_norm", { axes: [1, 1], epsilon: 0 }, [square, square, square], "shape/axis-twice"],
  ["layer_norm", { axes: [2], epsilon: 0 }, [square, [2], [2]], "shape/axis"],
  ["layer_norm", { axes: [1], epsilon: 0 }, [square, [2], [1]], "shape/mismatch"],
  ["layer_norm", { axes: [1], epsilon: 0 }, [[2, 0], [0], [0]], "shape/empty"],
  ["batch_norm_train", { axis: 1, epsilon: 0 }, [square, [3], [2]], "shape/mismatch"],
  ["batch_norm_train", { axis: 1, epsilon: 0 }, [[0, 2], [2], [2]], "shape/empty"],
  ["batch_norm_eval", { axis: 1, epsilon: 0 }, [square, [2], [2], [2], [1]], "shape/mismatch"],
  ["group_norm", { groups: 2, epsilon: 0 }, [[1, 3], [3], [3]], "shape/channels"],
  ["group_norm", { groups: 1, epsilon: 0 }, [[1], [1], [1]], "shape/axis"],
  ["embedding", { indices: "i" }, [[3]], "shape/rank"],
  ["embedding", { indices: "r" }, [square], "graph/environment"],
  ["dropout", { key: "key", rate: 0.5 }, [square], "shape/key"],
  ["scaled_dot_product_attention", { causal: false }, [square, [2, 3], square], "shape/mismatch"],
  ["scaled_dot_product_attention", { causal: false }, [[2, 0], [2, 0], square], "shape/empty"],
  ["scaled_dot_product_attention", { causal: false }, [square, square, square, [3, 2]], "shape/broadcast"],
  ["multi_head_attention", heads, [square, square, [2, 3], [2, 3], square, square], "shape/heads"],
  ["multi_head_attention", heads, [square, square, square, square, square, [3, 2]], "shape/mismatch"],
  ["elman_cell", {}, [square, square, square, [3, 2], [2]], "shape/mismatch"],
  ["lstm_cell", { output: "cell" }, [square, square, square, square, [8, 2], [8]], "shape/mismatch"],
  ["gru_cell", {}, [square, square, [6, 2], [6, 2], [6], [5]], "shape/mismatch"],
  [
    "transformer_block",
    { heads: 1, causal: true, epsilon: 1 },
    [square, [2], [2], square, square, square, [2, 3], [2], [2], square, [2], square, [2]],
    "shape/mismatch",
  ],
  ["mse", {}, [[2], [1]], "shape/mismatch"],
  ["huber", { delta: 1 }, [[0], [0]], "shape/empty"],
  ["cross_entropy", labels, [[3, 2]], "shape/mismatch"],
  ["nll", labels, [[2]], "shape/mismatch"],
  ["nll", labels, [[2, 0]], "shape/empty"],
  ["bce_with_logits", {}, [[2], [2, 1]], "shape/mismatch"],
  ["kl_div", {}, [[0], [0]], "shape/empty"],
];

describe("refused", () => {
  test.each(refusals)("%s %j of %j: %s", (op, attributes, operands, code) => {
    const graph = checkGraph({
      format: "adjudge.graph.v1",
      inputs: operands.map((shape, place) => ({ name: `x${place}`, shape })),
      environment,
      nodes: [{ op, attributes, parents: operands.map((_, place) => place) }],
    });
    expect(graph.ok ? [] : graph.error.map((issue) => issue.code)).toEqual([code]);
  });

  test.each([
    ["a stride of 0", "conv", { ...plain, strides: [0] }],
    ["one-sided padding", "conv", { ...plain, padding: [[1]] }],
    ["no group", "conv", { ...plain, groups: 0 }],
    ["a negative epsilon", "layer_norm", { axes: [1], epsilon: -1 }],
    ["a rate over 1", "dropout", { key: "i", rate: 1.5 }],
    ["a δ of 0", "huber", { delta: 0 }],
    ["another output", "lstm_cell", { output: "gates" }],
  ] as const)("by the schema: %s", (_what, op, attributes) => {
    const graph = checkGraph({
      format: "adjudge.graph.v1",
      inputs: [{ name: "x", shape: [1, 1, 3] }],
      environment,
      nodes: [{ op, attributes, parents: new Array<number>(arityRange(composites[op].arity)[0]).fill(0) }],
    });
    expect(graph.ok).toBe(false);
    expect(graph.ok ? [] : graph.error.map(({ pointer }) => pointer)).toContainEqual(
      expect.stringContaining("/nodes/0/attributes"),
    );
  });
});
