import type { AttributesOf, NeedOf, OperatorName } from "../../spec/index.ts";
import { broadcastTo } from "./broadcast_to.ts";
import { concat } from "./concat.ts";
import { constant } from "./constant.ts";
import { det } from "./det.ts";
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
import { matmul } from "./matmul.ts";
import { permuteDims } from "./permute_dims.ts";
import { reshape } from "./reshape.ts";
import type { Rule } from "./rule.ts";
import { solve } from "./solve.ts";
import { sum } from "./sum.ts";
import { take } from "./take.ts";

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

export type { Application, Pullback, Rule } from "./rule.ts";
