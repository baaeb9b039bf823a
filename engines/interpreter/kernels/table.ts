import type { KernelTable } from "../kernel.ts";
import { acos } from "./acos.ts";
import { acosh } from "./acosh.ts";
import { add } from "./add.ts";
import { asin } from "./asin.ts";
import { asinh } from "./asinh.ts";
import { atan } from "./atan.ts";
import { atan2 } from "./atan2.ts";
import { atanh } from "./atanh.ts";
import { bernoulliMask } from "./bernoulli_mask.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cos } from "./cos.ts";
import { cosh } from "./cosh.ts";
import { cumulativeSum } from "./cumulative_sum.ts";
import { det } from "./det.ts";
import { divide } from "./divide.ts";
import { equal } from "./equal.ts";
import { erf } from "./erf.ts";
import { exp } from "./exp.ts";
import { expm1 } from "./expm1.ts";
import { floor } from "./floor.ts";
import { full } from "./full.ts";
import { gather } from "./gather.ts";
import { hypot } from "./hypot.ts";
import { iota } from "./iota.ts";
import { less } from "./less.ts";
import { log } from "./log.ts";
import { log1p } from "./log1p.ts";
import { log2 } from "./log2.ts";
import { matmul } from "./matmul.ts";
import { maximum } from "./maximum.ts";
import { multiply } from "./multiply.ts";
import { negative } from "./negative.ts";
import { pad } from "./pad.ts";
import { permuteDims } from "./permute_dims.ts";
import { pow } from "./pow.ts";
import { relu } from "./relu.ts";
import { reshape } from "./reshape.ts";
import { scatterAdd } from "./scatter_add.ts";
import { sin } from "./sin.ts";
import { sinh } from "./sinh.ts";
import { slice } from "./slice.ts";
import { solve } from "./solve.ts";
import { sqrt } from "./sqrt.ts";
import { stopGradient } from "./stop_gradient.ts";
import { subtract } from "./subtract.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { takeAlongAxis } from "./take_along_axis.ts";
import { tan } from "./tan.ts";
import { tanh } from "./tanh.ts";
import { where } from "./where.ts";

/** The interpreter's kernel of every operator, in the operator table's order. */
export const kernels: KernelTable = {
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
