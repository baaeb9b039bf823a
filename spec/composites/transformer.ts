import type { Value } from "../construction/value.ts";
import { formatShape, isSameShape, type Shape, type ShapeFault } from "../shapes/index.ts";
import { headsSchema, type MultiHeadAttentionAttributes, projected, refuseHeads } from "./attention.ts";
import type { Composite } from "./composite.ts";
import { epsilonSchema } from "./normalization.ts";

/** The attributes are those of multi-head attention, and ε of both normalisations. */
export interface TransformerBlockAttributes extends MultiHeadAttentionAttributes {
  readonly epsilon: number;
}

function refuse({ heads }: TransformerBlockAttributes, operands: readonly Shape[]): ShapeFault | undefined {
  const [x = [], scale1, offset1, wq = [], wk = [], wv = [], wo = [], scale2, offset2, ...mlp] = operands;
  const attention = refuseHeads(heads, [x, x, wq, wk, wv, wo]);
  if (attention !== undefined) return attention;
  const [w1 = [], b1 = [], w2 = [], b2 = []] = mlp;
  const [width = 0, hidden = 0] = [x.at(-1), w1[1]];
  const expected: readonly (readonly [string, Shape | undefined, Shape])[] = [
    ["the first scale", scale1, [width]],
    ["the first offset", offset1, [width]],
    ["wo", wo, [wv[1] ?? 0, width]],
    ["the second scale", scale2, [width]],
    ["the second offset", offset2, [width]],
    ["w1", w1, [width, hidden]],
    ["b1", b1, [hidden]],
    ["w2", w2, [hidden, width]],
    ["b2", b2, [width]],
  ];
  const odd = expected.find(([, shape = [], fitting]) => !isSameShape(shape, fitting));
  if (odd === undefined) return undefined;
  const [name, shape = [], fitting] = odd;
  return {
    code: "shape/mismatch",
    message: `${name} has shape ${formatShape(shape)}, not ${formatShape(fitting)}.`,
    hint: "with x [...batch, L, E]: scales, offsets and b2 are [E], wo [h·e, E], w1 [E, F], b1 [F], w2 [F, E]",
  };
}

/** The block is pre-norm, as GPT-2 has it: each half reads a normalised x and is added to x itself. */
export const transformerBlock: Composite<TransformerBlockAttributes> = {
  arity: 13,
  attributes: { heads: headsSchema, causal: { type: "boolean" }, epsilon: epsilonSchema },
  smoothness: "smooth",
  summary:
    "y = x + multi_head_attention(n, n), n = layer_norm(x); then y + gelu(layer_norm(y) w1 + b1) w2 + b2: operands x, scale1, offset1, wq, wk, wv, wo, scale2, offset2, w1, b1, w2, b2",
  domain: "no value where ε and a variance are 0",
  convention: "no cotangent passes where causality gives the weight 0",
  source: "https://arxiv.org/abs/2002.04745",
  refuse,
  expand(
    scope,
    { heads, causal, epsilon },
    x: Value,
    scale1: Value,
    offset1: Value,
    wq: Value,
    wk: Value,
    wv: Value,
    wo: Value,
    scale2: Value,
    offset2: Value,
    w1: Value,
    b1: Value,
    w2: Value,
    b2: Value,
  ) {
    const axes = [x.shape.length - 1];
    const first = x.layer_norm(scale1, offset1, { axes, epsilon });
    const y = x.add(scope.multi_head_attention(first, first, wq, wk, wv, wo, { heads, causal }));
    const normal = y.layer_norm(scale2, offset2, { axes, epsilon });
    const hidden = projected(normal, w1).add(b1).gelu({ approximate: "none" });
    return y.add(projected(hidden, w2).add(b2));
  },
  example: {
    attributes: { heads: 1, causal: true, epsilon: 0.125 },
    operands: [[2, 2], [2], [2], [2, 2], [2, 2], [2, 2], [2, 2], [2], [2], [2, 3], [3], [3, 2], [2]],
  },
};
