import type { Part } from "../../oracle/truth/nodes/bounds.ts";
import type { CompositeName } from "../../spec/index.ts";

/** A bound is at most so many times the error of a right engine, in the median, unless there is a reason. */
export const CEILING = 100;

/** These are the reasons, which docs/truth.md gives in a sentence each. */
type Reason =
  | "many roundings"
  | "exponentials of x − l"
  | "running variances"
  | "slopes from the value"
  | "overflow on the way"
  | "entries taken apart";

/** A part of a composite may have wider bounds at some ill-scaled operands, up to this ceiling. */
export type Wide = { readonly [P in Part]?: number } & { readonly because: readonly Reason[] };

/** The bound says nothing where every digit may be lost and a right engine loses none. */
const ANY = Number.POSITIVE_INFINITY;

/** All other bounds are below {@link CEILING}, in every regime. */
export const wide: { readonly [K in CompositeName]?: Wide } = {
  sigmoid: { because: ["overflow on the way"], value: 1e7, tangent: ANY, cotangent: ANY },
  logaddexp: { because: ["exponentials of x − l"], tangent: 1e5, cotangent: 1e5 },
  silu: { because: ["overflow on the way"], value: 1e10, tangent: 1e11, cotangent: 1e11 },
  elu: { because: ["slopes from the value"], tangent: ANY, cotangent: ANY },
  gelu: { because: ["slopes from the value"], value: ANY, tangent: ANY, cotangent: ANY },
  softmax: { because: ["exponentials of x − l"], value: 1e5, tangent: 1e5, cotangent: 1e5 },
  log_softmax: { because: ["exponentials of x − l"], value: 1e5, tangent: 1e5, cotangent: 1e5 },
  layer_norm: { because: ["many roundings"], value: 1e3, tangent: 1e3, cotangent: 1e3 },
  batch_norm_train: { because: ["many roundings"], value: 1e3, tangent: 1e3, cotangent: 1e4 },
  group_norm: { because: ["many roundings"], tangent: 1e3, cotangent: 1e3 },
  scaled_dot_product_attention: {
    because: ["exponentials of x − l", "slopes from the value"],
    value: 1e5,
    tangent: 1e11,
    cotangent: ANY,
  },
  multi_head_attention: {
    because: ["exponentials of x − l", "slopes from the value"],
    value: 1e8,
    tangent: ANY,
    cotangent: ANY,
  },
  elman_cell: { because: ["slopes from the value"], tangent: ANY, cotangent: ANY },
  lstm_cell: { because: ["slopes from the value", "overflow on the way"], tangent: 1e5, cotangent: 1e9 },
  gru_cell: { because: ["slopes from the value", "overflow on the way"], tangent: ANY, cotangent: ANY },
  transformer_block: {
    because: ["exponentials of x − l", "slopes from the value"],
    value: 1e7,
    tangent: ANY,
    cotangent: ANY,
  },
  mse: { because: ["many roundings"], tangent: 1e3 },
  huber: { because: ["many roundings"], value: 1e3, tangent: 1e3 },
  cross_entropy: { because: ["exponentials of x − l"], value: 1e5, tangent: 1e5, cotangent: 1e5 },
  bce_with_logits: { because: ["many roundings"], value: 1e3, tangent: 1e3 },
  kl_div: { because: ["many roundings"], tangent: 1e3 },
  mean: { because: ["many roundings"], value: 1e3, tangent: 1e3 },
  prod: { because: ["many roundings"], value: 1e3, tangent: 1e3, cotangent: 1e3 },
  var: { because: ["running variances"], value: 1e6, tangent: 1e7, cotangent: 1e7 },
  logsumexp: { because: ["exponentials of x − l"], tangent: 1e5, cotangent: 1e5 },
  norm: { because: ["many roundings"], tangent: 1e4, cotangent: 1e3 },
  cumulative_prod: { because: ["many roundings"], tangent: 1e3, cotangent: 1e3 },
  vecdot: { because: ["many roundings"], value: 1e3, tangent: 1e3 },
  einsum: { because: ["many roundings"], value: 1e3, tangent: 1e4 },
  trace: { because: ["many roundings"], value: 1e3, tangent: 1e3 },
  inv: { because: ["entries taken apart"], value: 1e6, tangent: 1e6, cotangent: 1e6 },
  cholesky: { because: ["entries taken apart"], tangent: 1e5, cotangent: 1e5 },
};
