import type { NeedOf, PrimitiveAttributes, PrimitiveName } from "../../spec/index.ts";
import { bernoulliMask } from "./bernoulli_mask.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cumulativeSum } from "./cumulative_sum.ts";
import { det } from "./det.ts";
import {
  add,
  cos,
  divide,
  equal,
  exp,
  floor,
  less,
  log,
  maximum,
  multiply,
  negative,
  relu,
  sin,
  sqrt,
  stopGradient,
  subtract,
  tanh,
  where,
} from "./elementwise.ts";
import { erf, expm1, log1p, log2 } from "./exponential.ts";
import { full } from "./full.ts";
import { gather, scatterAdd } from "./gather.ts";
import { acosh, asinh, atanh, cosh, sinh } from "./hyperbolic.ts";
import { iota } from "./iota.ts";
import { matmul } from "./matmul.ts";
import { pad } from "./pad.ts";
import { permuteDims } from "./permute_dims.ts";
import { pow } from "./pow.ts";
import { reshape } from "./reshape.ts";
import type { Rule } from "./rule.ts";
import { slice } from "./slice.ts";
import { solve } from "./solve.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { takeAlongAxis } from "./take_along_axis.ts";
import { acos, asin, atan, atan2, hypot, tan } from "./trigonometric.ts";

/** What each primitive means, in the table's order. */
export const rules: { readonly [K in PrimitiveName]: Rule<NeedOf[K], PrimitiveAttributes[K]> } = {
  constant,
  full,
  iota,
  bernoulli_mask: bernoulliMask,
  stop_gradient: stopGradient,
  negative,
  exp,
  log,
  sin,
  cos,
  tanh,
  sqrt,
  relu,
  floor,
  expm1,
  log1p,
  log2,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  asinh,
  acosh,
  atanh,
  erf,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  less,
  equal,
  pow,
  atan2,
  hypot,
  where,
  sum,
  broadcast_to: broadcastTo,
  reshape,
  permute_dims: permuteDims,
  concat,
  take,
  slice,
  pad,
  take_along_axis: takeAlongAxis,
  gather,
  scatter_add: scatterAdd,
  cumulative_sum: cumulativeSum,
  matmul,
  solve,
  det,
};

export type { Application, Pullback, Rule } from "./rule.ts";
