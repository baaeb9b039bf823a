import type { KernelTable } from "../kernel.ts";
import { add } from "./add.ts";
import { bernoulliMask } from "./bernoulli_mask.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cos } from "./cos.ts";
import { cumulativeSum } from "./cumulative_sum.ts";
import { divide } from "./divide.ts";
import { equal } from "./equal.ts";
import { exp } from "./exp.ts";
import { floor } from "./floor.ts";
import { full } from "./full.ts";
import { gather } from "./gather.ts";
import { iota } from "./iota.ts";
import { less } from "./less.ts";
import { log } from "./log.ts";
import { matmul } from "./matmul.ts";
import { maximum } from "./maximum.ts";
import { multiply } from "./multiply.ts";
import { negative } from "./negative.ts";
import { pad } from "./pad.ts";
import { permuteDims } from "./permute_dims.ts";
import { relu } from "./relu.ts";
import { reshape } from "./reshape.ts";
import { scatterAdd } from "./scatter_add.ts";
import { sin } from "./sin.ts";
import { slice } from "./slice.ts";
import { sqrt } from "./sqrt.ts";
import { stopGradient } from "./stop_gradient.ts";
import { subtract } from "./subtract.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { takeAlongAxis } from "./take_along_axis.ts";
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
  add,
  subtract,
  multiply,
  divide,
  maximum,
  less,
  equal,
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
};
