import type { CompositeName } from "../../spec/composites/index.ts";
import type { NoAttributes } from "../../spec/operators/index.ts";
import type { NodeId } from "../../spec/shapes/index.ts";
import { happens, oneOf } from "../random/index.ts";
import {
  onDiagonal,
  proposeFlip,
  proposeOneHot,
  proposeRoll,
  proposeSplit,
  proposeStack,
  proposeTile,
} from "./arranging.ts";
import { type Draft, type Proposals, pick, pickLike, pickWhere } from "./draft.ts";
import { proposeCholesky, proposeInverse, proposeTriangularSolve } from "./factoring.ts";
import { proposeEinsum, proposeOuter, proposeVecdot } from "./multiplying.ts";
import { proposeDifferentiate } from "./nesting.ts";
import { networkProposals } from "./network_composites.ts";
import {
  proposeArgmax,
  proposeCumulativeProd,
  proposeNorm,
  proposeSort,
  proposeTopK,
  proposeVar,
  reduction,
} from "./reductive.ts";

/** Picks `count` operands of one shape. */
function alike(draft: Draft, count: number): NodeId[] {
  const x = pick(draft);
  return [x, ...Array.from({ length: count - 1 }, () => pickLike(draft, x))];
}

/** Picks two operands of one shape; the second keeps one sign in seven of eight cases, if one does. */
function signed(draft: Draft): readonly NodeId[] {
  const isOneSided = (id: NodeId): boolean => {
    const x = draft.estimates[id];
    return x !== undefined && (x.least > 0 || x.greatest < 0);
  };
  const y = (happens(draft.random, 7, 8) ? pickWhere(draft, isOneSided) : undefined) ?? pick(draft);
  return [pickLike(draft, y), y];
}

/** Proposes a node without attributes on `count` operands of one shape. */
function plain<K extends CompositeName>(op: K, count: number): PlainProposal<K> {
  return (draft) => ({ node: { op, attributes: {}, parents: alike(draft, count) } });
}

type PlainProposal<K> = (draft: Draft) => {
  readonly node: { readonly op: K; readonly attributes: NoAttributes; readonly parents: readonly NodeId[] };
};

/** Draws a node of each composite, in the table's order. */
export const compositeProposals: Proposals<CompositeName> = {
  abs: plain("abs", 1),
  sign: plain("sign", 1),
  square: plain("square", 1),
  reciprocal: (draft) => ({ node: { op: "reciprocal", attributes: {}, parents: signed(draft).slice(1) } }),
  ceil: plain("ceil", 1),
  round: plain("round", 1),
  identity: plain("identity", 1),
  minimum: plain("minimum", 2),
  clip: plain("clip", 3),
  remainder: (draft) => ({ node: { op: "remainder", attributes: {}, parents: signed(draft) } }),
  copysign: (draft) => ({ node: { op: "copysign", attributes: {}, parents: signed(draft) } }),
  not_equal: plain("not_equal", 2),
  less_equal: plain("less_equal", 2),
  greater: plain("greater", 2),
  greater_equal: plain("greater_equal", 2),
  logical_not: plain("logical_not", 1),
  logical_and: plain("logical_and", 2),
  logical_or: plain("logical_or", 2),
  logical_xor: plain("logical_xor", 2),
  sigmoid: plain("sigmoid", 1),
  softplus: plain("softplus", 1),
  logaddexp: plain("logaddexp", 2),
  silu: plain("silu", 1),
  leaky_relu: (draft) => ({
    node: {
      op: "leaky_relu",
      attributes: { slope: oneOf(draft.random, [0.125, 0.01, -0.5, 2, 1, 0]) },
      parents: alike(draft, 1),
    },
  }),
  elu: (draft) => ({
    node: {
      op: "elu",
      attributes: { alpha: oneOf(draft.random, [1, 0.75, 2, -0.5, 0]) },
      parents: alike(draft, 1),
    },
  }),
  gelu: (draft) => ({
    node: {
      op: "gelu",
      attributes: { approximate: oneOf(draft.random, ["none", "tanh"]) },
      parents: alike(draft, 1),
    },
  }),
  mean: reduction("mean"),
  prod: reduction("prod"),
  max: reduction("max"),
  min: reduction("min"),
  var: proposeVar,
  logsumexp: reduction("logsumexp"),
  norm: proposeNorm,
  cumulative_prod: proposeCumulativeProd,
  argmax: proposeArgmax,
  stack: proposeStack,
  split: proposeSplit,
  flip: proposeFlip,
  roll: proposeRoll,
  tile: proposeTile,
  one_hot: proposeOneHot,
  diagonal: onDiagonal("diagonal"),
  tril: onDiagonal("tril"),
  triu: onDiagonal("triu"),
  sort: proposeSort,
  top_k: proposeTopK,
  vecdot: proposeVecdot,
  outer: proposeOuter,
  einsum: proposeEinsum,
  trace: onDiagonal("trace"),
  inv: proposeInverse,
  cholesky: proposeCholesky,
  triangular_solve: proposeTriangularSolve,
  differentiate: proposeDifferentiate,
  ...networkProposals,
};
