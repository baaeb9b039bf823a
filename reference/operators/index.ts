import type { AttributesOf, NeedOf, OperatorName } from "../../spec/index.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import {
  add,
  cos,
  divide,
  exp,
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
import { acosh, asinh, atanh, cosh, sinh } from "./hyperbolic.ts";
import { matmul } from "./matmul.ts";
import { permuteDims } from "./permute_dims.ts";
import { pow } from "./pow.ts";
import { reshape } from "./reshape.ts";
import type { Rule } from "./rule.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";
import { acos, asin, atan, atan2, hypot, tan } from "./trigonometric.ts";

/** What each operator means, in the table's order. */
export const rules: { readonly [K in OperatorName]: Rule<NeedOf[K], AttributesOf[K]> } = {
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
  matmul,
};

export type { Application, Pullback, Rule } from "./rule.ts";
