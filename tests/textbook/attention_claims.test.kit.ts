import { type CompositeRows, composites, type Value } from "../../spec/index.ts";
import type { Claim } from "./claim.test.kit.ts";
import { wrongRows } from "./wrong_networks.test.kit.ts";

/** The exponent is not guarded: where the weight is 0 it overflows, and 0 · ∞ comes back. */
const unguardedAttention: CompositeRows["scaled_dot_product_attention"] = {
  ...composites.scaled_dot_product_attention,
  expand(scope, _attributes, q: Value, k: Value, v: Value) {
    const scores = q.matmul(k.permute_dims({ axes: [1, 0] })).divide(Math.sqrt(q.shape[1] ?? 1));
    const { shape } = scores;
    const hidden = scope.iota({ shape, axis: 0 }).less(scope.iota({ shape, axis: 1 }));
    const powers = hidden.where(0, scores.exp());
    return powers.divide(powers.sum({ axes: [1], keepdims: true })).matmul(v);
  },
};

const zeros = (count: number): number[] => new Array<number>(count).fill(0);

/** These claims are about attention, recurrent cells and the transformer block. */
export const attentionClaims: readonly Claim[] = [
  {
    op: "scaled_dot_product_attention",
    title: "gives the future nothing, however large its scores",
    write: ({ input }) =>
      input("q", [2, 1]).scaled_dot_product_attention(input("k", [2, 1]), input("v", [2, 1]), {
        causal: true,
      }),
    inputs: [
      [3, 0],
      [1, 1000],
      [5, 7],
    ],
    // The first row is 5; the second has scores 0 and 0, so it is 6, and moves by (1000 − 1)/2 · (7 − 5)/2.
    cotangent: [1, 4],
    expected: [
      [0, 4 * 999 * 0.5],
      [0, 0],
      [1 + 2, 2],
    ],
    wrong: { scaled_dot_product_attention: unguardedAttention },
  },
  {
    op: "scaled_dot_product_attention",
    title: "differentiates a mask as it does scores",
    write: ({ input }) => {
      const [q, k, v, mask] = [
        input("q", [1, 4]),
        input("k", [2, 4]),
        input("v", [2, 1]),
        input("mask", [1, 2]),
      ];
      q.scaled_dot_product_attention(k, v, mask, { causal: false });
    },
    // Scores of (8, 0)/√4 and a mask of (−4, 0): both 0, so the weights are ½.
    inputs: [
      [1, 1, 1, 1],
      [2, 2, 2, 2, 0, 0, 0, 0],
      [6, 2],
      [-4, 0],
    ],
    cotangent: [3],
    expected: [
      [3, 3, 3, 3],
      [1.5, 1.5, 1.5, 1.5, -1.5, -1.5, -1.5, -1.5],
      [1.5, 1.5],
      [3, -3],
    ],
    wrong: { scaled_dot_product_attention: wrongRows.scaled_dot_product_attention },
  },
  {
    op: "multi_head_attention",
    title: "gives each head's projections the cotangents of its columns",
    write: ({ input }) => {
      const [x, source] = [input("x", [1, 1]), input("source", [1, 1])];
      const [wq, wk, wv, wo] = [
        input("wq", [1, 2]),
        input("wk", [1, 2]),
        input("wv", [1, 2]),
        input("wo", [2, 1]),
      ];
      x.multi_head_attention(source, wq, wk, wv, wo, { heads: 2, causal: false });
    },
    // One position attends to itself with the weight 1: source (wv · wo), with nothing for queries and keys.
    inputs: [[2], [3], [1, 1], [1, 1], [5, 7], [11, 13]],
    cotangent: [1],
    expected: [[0], [146], [0, 0], [0, 0], [33, 39], [15, 21]],
    wrong: {
      multi_head_attention: {
        ...composites.multi_head_attention,
        expand: (scope, attributes, x: Value, source: Value, ...weights) => {
          const [wq = x, wk = x, wv = x, wo = x] = weights;
          const turned = wv.flip({ axes: [1] });
          return composites.multi_head_attention.expand(scope, attributes, x, source, wq, wk, turned, wo);
        },
      },
    },
  },
  {
    op: "elman_cell",
    title: "pulls a cotangent through tanh at 0 as it is",
    write: ({ input }) =>
      input("x", [1, 1]).elman_cell(
        input("h", [1, 1]),
        input("wIn", [1, 1]),
        input("wHidden", [1, 1]),
        input("b", [1]),
      ),
    inputs: [[2], [1], [0.5], [-1], [0]],
    cotangent: [8],
    expected: [[4], [-8], [16], [8], [8]],
    wrong: {
      elman_cell: {
        ...composites.elman_cell,
        expand: (scope, attributes, x: Value, h: Value, ...weights) =>
          composites.elman_cell.expand(scope, attributes, x, h.stop_gradient(), ...weights),
      },
    },
  },
  {
    op: "lstm_cell",
    title: "has its gates in the order i, f, g, o",
    write: ({ input }) => {
      const [x, h, c] = [input("x", [1, 1]), input("h", [1, 1]), input("c", [1, 1])];
      x.lstm_cell(h, c, input("wIn", [4, 1]), input("wHidden", [4, 1]), input("b", [4]), { output: "cell" });
    },
    // All gates are ½ and nothing is written: the cell is c/2.
    inputs: [[3], [5], [2], zeros(4), zeros(4), zeros(4)],
    cotangent: [8],
    expected: [[0], [0], [4], [0, 12, 12, 0], [0, 20, 20, 0], [0, 4, 4, 0]],
    wrong: {
      lstm_cell: {
        ...composites.lstm_cell,
        expand: (scope, attributes, x: Value, h: Value, c: Value, ...weights) => {
          const [wIn = x, wHidden = x, b = x] = weights.map((w) => w.roll({ shift: 1, axis: 0 }));
          return composites.lstm_cell.expand(scope, attributes, x, h, c, wIn, wHidden, b);
        },
      },
    },
  },
  {
    op: "gru_cell",
    title: "has its gates in the order r, z, n, and resets after the product",
    write: ({ input }) => {
      const [x, h] = [input("x", [1, 1]), input("h", [1, 1])];
      const weights = [
        input("wIn", [3, 1]),
        input("wHidden", [3, 1]),
        input("bIn", [3]),
        input("bHidden", [3]),
      ];
      x.gru_cell(h, ...weights);
    },
    // Both gates are ½, n = tanh(−1 + ½ · 2) = 0, so the result is h/2.
    inputs: [[3], [2], zeros(3), zeros(3), [0, 0, -1], [0, 0, 2]],
    cotangent: [8],
    // r: 8 · ½ · 2 · ¼; z: 8 · (2 − 0) · ¼; n: 8 · ½, and half of it for what is reset.
    expected: [[0], [4], [6, 12, 12], [4, 8, 4], [2, 4, 4], [2, 4, 2]],
    wrong: { gru_cell: wrongRows.gru_cell },
  },
  {
    op: "transformer_block",
    title: "is the identity where what it adds is nothing",
    write: ({ input }) => {
      const x = input("x", [2, 1]);
      const shapes = [[1], [1], [1, 1], [1, 1], [1, 1], [1, 1], [1], [1], [1, 1], [1], [1, 1], [1]];
      const parameters = shapes.map((shape, i) => input(`p${i}`, shape));
      x.transformer_block(...parameters, { heads: 1, causal: true, epsilon: 1 });
    },
    // wo, w2 and b2 are 0. A row of one element is normalised to 0, so all of its gradients vanish.
    inputs: [[2, 5], [1], [3], [1], [1], [1], [0], [1], [0], [1], [0], [0], [0]],
    cotangent: [3, 7],
    expected: [[3, 7], [0], [0], [0], [0], [0], [30], [0], [0], [0], [0], [0], [10]],
    wrong: { transformer_block: wrongRows.transformer_block },
  },
];
