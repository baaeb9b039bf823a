import type { KernelTable } from "../kernel.ts";
import { add } from "./add.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { cos } from "./cos.ts";
import { det } from "./det.ts";
import { divide } from "./divide.ts";
import { exp } from "./exp.ts";
import { log } from "./log.ts";
import { matmul } from "./matmul.ts";
import { maximum } from "./maximum.ts";
import { multiply } from "./multiply.ts";
import { negative } from "./negative.ts";
import { permuteDims } from "./permute_dims.ts";
import { relu } from "./relu.ts";
import { reshape } from "./reshape.ts";
import { sin } from "./sin.ts";
import { solve } from "./solve.ts";
import { sqrt } from "./sqrt.ts";
import { stopGradient } from "./stop_gradient.ts";
import { subtract } from "./subtract.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { tanh } from "./tanh.ts";
import { where } from "./where.ts";

/** The interpreter's kernel of every operator, in the operator table's order. */
export const kernels: KernelTable = {
  constant,
  stop_gradient: stopGradient,
  negative,
  exp,
  log,
  sin,
  cos,
  tanh,
  sqrt,
  relu,
  add,
  subtract,
  multiply,
  divide,
  maximum,
  where,
  sum,
  broadcast_to: broadcastTo,
  reshape,
  permute_dims: permuteDims,
  concat,
  take,
  matmul,
  solve,
  det,
};
